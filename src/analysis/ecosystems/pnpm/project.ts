import type { NpmReader } from '../../registries/npm.ts'
import { type Manifest, type Reading, type ReadOptions, Unreadable } from '../ecosystem.ts'
import { graphOfLock } from '../yarn/lock-graph.ts'
import { toLockedProject } from './locked-project.ts'
import { sortFiles } from './manifest-files.ts'
import { resolveProject } from './resolve.ts'

/** Reads a project by its pnpm-lock.yaml if one was sent, else by its package.json. */
export async function readProject(manifest: Manifest, reader: NpmReader, options: ReadOptions): Promise<Reading> {
  const files = sortFiles(manifest)
  const { lock, project, filesRead } = files
  if (lock !== undefined) {
    const locked = toLockedProject(lock, files, manifest.places)
    return { ...graphOfLock(lock, locked, options), filesRead, locked: true }
  }
  if (project === undefined) throw new Unreadable('No package.json was sent')
  return resolveProject({ ...files, project }, reader, options)
}
