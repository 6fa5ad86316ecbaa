import { lstat, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { Problem } from '#foundation/problem.ts'
import { insideOf } from '#foundation/repositories/confined-files.ts'

export interface LocalRepository {
  /** The path relative to the operator's folder, for display. */
  readonly shown: string
  readonly real: string
  /** The git folder; undefined for a plain folder. */
  readonly gitFolder: string | undefined
  /** Real paths of the operator's folders. */
  readonly within: readonly string[]
}

/**
 * Resolves a path below one of the operator's folders. Symbolic links must stay inside them. Links and alternates of
 * the repository itself are checked when it is opened (`foundation/git/local-view.ts`).
 */
export async function findLocalRepository(folders: readonly string[], path: string): Promise<LocalRepository> {
  if (folders.length === 0) throw localIsOff()
  const roots = await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)))
  const resolvedRoots = roots.filter((root) => root !== undefined)
  for (const root of resolvedRoots) {
    const real = await realpath(isAbsolute(path) ? path : resolve(root, path)).catch(() => undefined)
    if (real === undefined || !insideOf(resolvedRoots)(real)) continue
    if (!(await stat(real)).isDirectory()) break
    const home = resolvedRoots.find((resolvedRoot) => insideOf([resolvedRoot])(real))!
    const gitFolder = await findGitFolder(real)
    if (gitFolder !== undefined) await requireOwnObjects(gitFolder)
    return { shown: relative(home, real).split(sep).join('/') || '.', real, gitFolder, within: resolvedRoots }
  }
  // Do not reveal the existence of other paths.
  throw new Problem('repository-unreadable', 'No such folder below those in GATEHOUSE_LOCAL_REPOSITORIES')
}

async function findGitFolder(folder: string): Promise<string | undefined> {
  for (const candidate of [folder, join(folder, '.git')]) {
    const parts = await Promise.all(
      ['HEAD', 'objects', 'refs'].map((name) => lstat(join(candidate, name)).catch(() => undefined)),
    )
    const isReal = (await lstat(candidate).catch(() => undefined))?.isDirectory()
    if (isReal && parts.every((part) => part !== undefined)) return candidate
  }
  return undefined
}

/** Refuses a linked work tree, which shares the objects of another repository (gitrepository-layout(5)). */
async function requireOwnObjects(gitFolder: string): Promise<void> {
  if ((await lstat(join(gitFolder, 'commondir')).catch(() => undefined)) === undefined) return
  const detail = 'The folder is a linked work tree. Import the repository that it belongs to.'
  throw new Problem('repository-unreadable', detail)
}

export function localIsOff(): Problem {
  return new Problem(
    'integration-unsupported',
    'Local repositories are disabled. An operator can list folders in GATEHOUSE_LOCAL_REPOSITORIES.',
  )
}
