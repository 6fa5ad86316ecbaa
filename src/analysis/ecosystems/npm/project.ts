import type { NpmReader } from '../../registries/npm.ts'
import { type Manifest, type Reading, type ReadOptions, Unreadable } from '../ecosystem.ts'
import { sortFiles } from './manifest-files.ts'
import { readLocked } from './read-lock.ts'
import { resolveProject } from './resolve.ts'

/** Reads a project by its lockfile if one was sent, else by its package.json. */
export async function readProject(manifest: Manifest, reader: NpmReader, options: ReadOptions): Promise<Reading> {
  const files = sortFiles(manifest)
  const { lock, project } = files
  if (lock !== undefined) return readLocked(lock, files, options)
  if (project === undefined) throw new Unreadable('No package.json was sent')
  return resolveProject({ ...files, project }, reader, options)
}
