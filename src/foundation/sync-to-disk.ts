import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Syncs a file or folder to disk. The entries of a folder are not on disk before that. */
export function syncToDisk(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
