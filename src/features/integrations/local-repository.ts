import { lstat, readFile, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { Problem } from '#foundation/problem.ts'

export interface LocalRepository {
  /** From the operator's folder. */
  readonly shown: string
  readonly real: string
  /** Where git keeps it; undefined for a folder that is none of git's. */
  readonly gitFolder: string | undefined
}

const MAX_ALTERNATES_BYTES = 64 * 1024

/**
 * What a path means, below one of the operator's folders. Links may lead from place to place in there, never out of it;
 * that holds for what a repository borrows from others, too.
 */
export async function findLocalRepository(folders: readonly string[], path: string): Promise<LocalRepository> {
  if (folders.length === 0) throw localIsOff()
  const roots = await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)))
  const known = roots.filter((root) => root !== undefined)
  for (const root of known) {
    const real = await realpath(isAbsolute(path) ? path : resolve(root, path)).catch(() => undefined)
    if (real === undefined || !known.some((each) => isInside(each, real))) continue
    if (!(await stat(real)).isDirectory()) break
    const home = known.find((each) => isInside(each, real))!
    const gitFolder = await findGitFolder(real)
    if (gitFolder !== undefined) await requireInside(gitFolder, known)
    return { shown: relative(home, real).split(sep).join('/') || '.', real, gitFolder }
  }
  // whether there is something elsewhere is nobody's business
  throw new Problem('repository-unreadable', 'There is no such folder below those that the operator named')
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

/** A repository can keep its objects elsewhere, by links, as a work tree of another, or as alternates (gitrepository-layout(5)). */
async function requireInside(gitFolder: string, roots: readonly string[]): Promise<void> {
  const objects = await realpath(join(gitFolder, 'objects'))
  const refs = await realpath(join(gitFolder, 'refs'))
  const isWorkTree = (await lstat(join(gitFolder, 'commondir')).catch(() => undefined)) !== undefined
  const places = [objects, refs, ...(await alternatesOf(objects, 0))]
  if (!isWorkTree && places.every((place) => roots.some((root) => isInside(root, place)))) return
  throw new Problem(
    'repository-unreadable',
    'The repository keeps its objects outside of the folders that the operator named',
  )
}

const MAX_DEPTH = 5

async function alternatesOf(objects: string, depth: number): Promise<string[]> {
  const file = join(objects, 'info', 'alternates')
  const { size } = await stat(file).catch(() => ({ size: 0 }))
  if (size === 0) return []
  // git itself goes no further, and who needs more than this borrows from too many
  if (depth > MAX_DEPTH || size > MAX_ALTERNATES_BYTES) return ['/']
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const direct = await Promise.all(lines.map((line) => realpath(resolve(objects, line)).catch(() => '/')))
  const further = await Promise.all(direct.map((each) => (each === '/' ? [] : alternatesOf(each, depth + 1))))
  return [...direct, ...further.flat()]
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

export function localIsOff(): Problem {
  return new Problem(
    'integration-unsupported',
    'Repositories of the server’s own machine are not read: the operator can name folders with GATEHOUSE_LOCAL_REPOSITORIES',
  )
}
