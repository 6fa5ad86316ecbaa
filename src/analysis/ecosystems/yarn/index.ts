import { npmVersions } from '#analysis/versions/npm.ts'
import { type Ecosystem, Unreadable } from '../ecosystem.ts'
import { graphOfLock } from './lock-graph.ts'
import { toLockedProject } from './locked-project.ts'
import { sortFiles } from './manifest-files.ts'
import { resolveProject } from './resolve.ts'
import { upgradeTrials } from './upgrades.ts'

export const yarn = {
  id: 'yarn',
  language: 'js',
  packageManager: 'yarn',
  registry: 'npm',
  versions: npmVersions,
  manifestName: /^package\.json$/,
  fixAdvice: 'upgrade',
  takesRepositories: false,
  async read(manifest, { npm: reader }, options) {
    const files = sortFiles(manifest)
    const { lock, project, filesRead } = files
    if (lock !== undefined) {
      return { ...graphOfLock(lock, toLockedProject(lock, files), options), filesRead, locked: true }
    }
    if (project === undefined) throw new Unreadable('No package.json was sent')
    return resolveProject({ ...files, project }, reader, options)
  },
  upgradeTrials: (manifest, { npm: reader }, options) => upgradeTrials(manifest, reader, options),
} satisfies Ecosystem
