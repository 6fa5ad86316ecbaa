import { npmVersions } from '#analysis/versions/npm.ts'
import { type Ecosystem, Unreadable } from '../ecosystem.ts'
import { sortFiles } from './manifest-files.ts'
import { readLocked } from './read-lock.ts'
import { resolvePackage, resolveProject } from './resolve.ts'
import { upgradeTrials } from './upgrades.ts'

export const npm = {
  id: 'npm',
  language: 'js',
  packageManager: 'npm',
  registry: 'npm',
  versions: npmVersions,
  manifestName: /^package\.json$/,
  coordinates: { parameters: ['packageName'], toName: ({ packageName }) => packageName! },
  fixAdvice: 'upgrade',
  takesRepositories: false,
  async read(manifest, { npm: reader }, options) {
    const files = sortFiles(manifest)
    const { lock, project } = files
    if (lock !== undefined) return readLocked(lock, files, options)
    if (project === undefined) throw new Unreadable('No package.json was sent')
    return resolveProject({ ...files, project }, reader, options)
  },
  readPackage: (coordinates, { npm: reader }, options) => resolvePackage(coordinates, reader, options),
  upgradeTrials: (manifest, { npm: reader }, options) => upgradeTrials(manifest, reader, options),
} satisfies Ecosystem
