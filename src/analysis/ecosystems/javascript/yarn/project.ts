import type { Unresolved } from '#analysis/dependency-graph.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { Manifest, Reading, ReadOptions } from '#analysis/ecosystems/ecosystem.ts'
import type { NpmReader } from '#analysis/registries/npm.ts'
import { graphOfLock } from '../lock-graph.ts'
import { toLockedProject } from './locked-project.ts'
import { sortFiles } from './manifest-files.ts'
import { resolveProject } from './resolve.ts'

/** Reads a project by its yarn.lock if one was sent, else by its package.json. */
export async function readProject(manifest: Manifest, reader: NpmReader, options: ReadOptions): Promise<Reading> {
  const files = sortFiles(manifest)
  const { lock, project, notes } = files
  const withNotes = (reading: Reading): Reading => ({ ...reading, boundsMet: [...reading.boundsMet, ...notes] })
  if (lock !== undefined) {
    const { filesRead } = files
    return withNotes({ ...graphOfLock(lock, toLockedProject(lock, files), options), filesRead, locked: true })
  }
  if (project === undefined) throw new Unreadable('No package.json was sent')
  const reading = withNotes(await resolveProject({ ...files, project }, reader, options))
  return { ...reading, unresolved: [...reading.unresolved, ...notes.map(toUnresolved)] }
}

/** Reports a setting. A lock contains the effect of settings; without one it is unknown. */
function toUnresolved(reason: string): Unresolved {
  return { name: '.yarnrc.yml', range: '', code: 'not-static', reason, requiredBy: 'package.json' }
}
