import { accessSync, constants, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder } from '../make-folder.ts'

/** Another running process holds the data directory. */
export class DataDirInUse extends Error {}

/** The data directory cannot be created or written. */
export class DataDirUnusable extends Error {}

/** Returns the path of the embedded database in a data directory or a backup. */
export function sqliteFile(folder: string): string {
  return join(folder, 'gatehouse.sqlite')
}

/** The reason why the embedded database cannot be found. */
export interface NoDatabase {
  /** True if this user may not look: the file may be there. */
  readonly isClosed: boolean
  /** The reason, and what to do. */
  readonly text: string
}

/** Returns undefined if the embedded database is there. */
export function whyNoDatabase(file: string): NoDatabase | undefined {
  try {
    statSync(file)
    return undefined
  } catch (error) {
    const isClosed = (error as NodeJS.ErrnoException).code === 'EACCES'
    const text = isClosed
      ? `${file} may not be read by this user. Run this command as the user of the server.`
      : `No database at ${file}. Run this command in the folder of the server, or set GATEHOUSE_DATA_DIR or DATABASE_URL as for the server.`
    return { isClosed, text }
  }
}

/** Creates the data directory if needed, closed to other users, and returns its absolute path. */
export function prepareDataDir(path: string): string {
  const dataDir = resolve(path)
  try {
    makeFolder(dataDir)
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new DataDirUnusable(
      `The data directory ${dataDir} cannot be used: ${(cause as Error).message}. Make it writable, or set GATEHOUSE_DATA_DIR (with --local: XDG_CACHE_HOME) to another folder.`,
      { cause },
    )
  }
  return dataDir
}

/**
 * Locks the data directory for this process. Uses SQLite's lock on a file, so the operating system releases it when the
 * process ends for any reason.
 */
export function lockDataDir(dataDir: string): { release(): void } {
  const holderFile = join(dataDir, 'server.pid')
  const file = new DatabaseSync(join(dataDir, 'server.lock'), { timeout: 0 })
  try {
    file.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (cause) {
    file.close()
    if ((cause as { errcode?: number }).errcode !== 5) throw cause
    throw new DataDirInUse(
      `The data directory ${dataDir} is in use by another Gatehouse server${holderOf(holderFile)}. Stop it first, or set GATEHOUSE_DATA_DIR to another folder.`,
      { cause },
    )
  }
  writeFileSync(holderFile, `${process.pid}\n`)
  return { release: () => file.close() }
}

function holderOf(path: string): string {
  try {
    return ` (process ${readFileSync(path, 'utf8').trim()})`
  } catch {
    return ''
  }
}
