import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Also for folders, whose entries are not on disk before. */
export function syncToDisk(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
