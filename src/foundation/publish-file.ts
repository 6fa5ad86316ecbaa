import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'

/** Gives a finished file on the same file system its name, durably. */
export function publishFile(from: string, to: string): void {
  renameSync(from, to)
  const folder = openSync(dirname(to), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
