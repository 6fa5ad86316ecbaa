import type { Unresolved } from '#analysis/dependency-graph.ts'
import { shorten } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { Manifest, Reading, ReadOptions } from '#analysis/ecosystems/ecosystem.ts'
import type { NpmReader } from '#analysis/registries/npm.ts'
import { graphOfLock } from '../lock-graph.ts'
import { nameProject } from '../package-json.ts'
import { toLockedProject } from './locked-project.ts'
import { type ManifestFiles, sortFiles } from './manifest-files.ts'
import { resolveProject } from './resolve.ts'
import { findStaleSettings } from './stale-settings.ts'

/** Reads a project by its pnpm-lock.yaml if one was sent, else by its package.json. */
export async function readProject(manifest: Manifest, reader: NpmReader, options: ReadOptions): Promise<Reading> {
  const files = sortFiles(manifest)
  const { lock, project, filesRead } = files
  if (lock !== undefined) {
    const locked = toLockedProject(lock, files, manifest.places)
    const reading = graphOfLock(lock, locked, options)
    const stale = [...findStaleSettings(lock, files), ...findUnlocked(files), ...findIncluded(files)]
    return { ...reading, unresolved: [...reading.unresolved, ...stale], filesRead, locked: true }
  }
  if (project === undefined) throw new Unreadable('No package.json was sent')
  const resolved = await resolveProject({ ...files, project }, reader, options)
  return { ...resolved, unresolved: [...resolved.unresolved, ...findIncluded(files)] }
}

/** Reports files whose settings may have changed after the lock was written. */
function findIncluded({ included, project, rules }: ManifestFiles): Unresolved[] {
  const requiredBy = project === undefined ? 'pnpm-workspace.yaml' : nameProject(project)
  return included.map(([source, settings]) => {
    const what = settings.includes('*') ? 'settings' : settings.join(', ')
    const reason = `pnpm-workspace.yaml takes ${what} from it, which is not read: ${rules.lockName} may be older. Move what changes packages into pnpm-workspace.yaml`
    return { name: shorten(source), range: '', code: 'not-static', reason, requiredBy }
  })
}

/** Reports settings that install other packages than those of the lock. */
function findUnlocked({ unlocked, project, rules }: ManifestFiles): Unresolved[] {
  const requiredBy = project === undefined ? 'pnpm-workspace.yaml' : nameProject(project)
  const reason = `${rules.lockName} was written without this setting, which changes what is installed. Run pnpm install`
  return unlocked.map((name) => ({ name, range: '', code: 'not-in-lockfile', reason, requiredBy }))
}
