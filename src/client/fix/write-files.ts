import { randomBytes } from 'node:crypto'
import { renameSync } from 'node:fs'
import { type FileHandle, lstat, open, readFile, realpath, rm } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { ClientFailure, toWriteFailure } from '../failure.ts'

export interface ChangedFile {
  /** From the folder. */
  readonly path: string
  readonly before: string
  readonly after: string
}

/**
 * Replaces files of a folder. All new contents are on disk before the first file is replaced, and the files are replaced
 * without a pause: an interruption changes all or none. Throws `ClientFailure` and changes nothing if a file is a link,
 * is outside of the folder, or is not as it was read.
 */
export async function writeFiles(folder: string, files: readonly ChangedFile[], signal: AbortSignal): Promise<void> {
  const root = await realpath(folder)
  const prepared: { temporary: string; target: string }[] = []
  let changing = ''
  try {
    for (const file of files) {
      signal.throwIfAborted()
      changing = file.path
      const target = join(root, file.path)
      const mode = await requireUnchanged(root, target, file)
      const temporary = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`)
      prepared.push({ temporary, target })
      await writeNew(temporary, file.after, mode)
    }
    signal.throwIfAborted()
    while (prepared.length > 0) {
      const { temporary, target } = prepared[0]!
      changing = target
      renameSync(temporary, target)
      prepared.shift()
    }
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (code === undefined || syscall === undefined) throw error
    throw toWriteFailure(changing, error, 'Make its folder writable.')
  } finally {
    for (const { temporary } of prepared) await rm(temporary, { force: true })
  }
}

/** Returns the mode of the file. */
async function requireUnchanged(root: string, target: string, { path, before }: ChangedFile): Promise<number> {
  const stats = await lstat(target).catch(() => undefined)
  if (stats?.isSymbolicLink()) throw new ClientFailure(`"${path}" is a link, and links are not followed.`)
  if (!stats?.isFile()) throw new ClientFailure(`"${path}" is not a file any more. Run the command again.`)
  const folder = await realpath(dirname(target))
  if (folder !== root && !folder.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)) {
    throw new ClientFailure(`"${path}" is outside of the folder.`)
  }
  if ((await readFile(target, 'utf8')) !== before) {
    throw new ClientFailure(`"${path}" was changed meanwhile. Run the command again.`)
  }
  return stats.mode & 0o7777
}

async function writeNew(path: string, text: string, mode: number): Promise<void> {
  let file: FileHandle | undefined
  try {
    file = await open(path, 'wx', 0o600)
    await file.writeFile(text)
    await file.chmod(mode)
    await file.sync()
  } finally {
    await file?.close()
  }
}
