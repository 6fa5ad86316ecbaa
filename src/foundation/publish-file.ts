import { renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncToDisk } from './sync-to-disk.ts'

/** Renames a finished file on the same file system, durably. */
export function publishFile(from: string, to: string): void {
  renameSync(from, to)
  syncToDisk(dirname(to))
}
