import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { Manifest, Reading, ReadOptions } from '#analysis/ecosystems/ecosystem.ts'
import type { NpmReader } from '#analysis/registries/npm.ts'
import { resolveProject } from '../resolution/resolve.ts'
import { sortFiles } from './manifest-files.ts'
import { readLocked } from './read-lock.ts'

/** Reads a project by its lockfile if one was sent, else by its package.json. */
export async function readProject(manifest: Manifest, reader: NpmReader, options: ReadOptions): Promise<Reading> {
  const files = sortFiles(manifest)
  const { lock, project } = files
  if (lock !== undefined) return readLocked(lock, files, options)
  if (project === undefined) throw new Unreadable('No package.json was sent')
  return resolveProject({ ...files, project }, reader, options)
}
