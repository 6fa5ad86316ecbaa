import type { Ecosystem } from '#analysis/ecosystems/ecosystem.ts'
import { npmVersions } from '#analysis/versions/npm.ts'

export const yarn = {
  id: 'yarn',
  label: 'Yarn',
  language: 'js',
  packageManager: 'yarn',
  registry: 'npm',
  versions: npmVersions,
  manifestName: /^package\.json$/,
  fixAdvice: 'upgrade',
  takesRepositories: false,
  async read(manifest, { npm: reader }, options) {
    const { readProject } = await import('./project.ts')
    return readProject(manifest, reader, options)
  },
  async locate(manifest) {
    const { locateInProject, yarnLock } = await import('../locate.ts')
    return locateInProject(manifest, yarnLock)
  },
  async whatIfResolver(manifest, { npm: reader }, options) {
    const { whatIfResolver } = await import('./upgrades.ts')
    return whatIfResolver(manifest, reader, options)
  },
} satisfies Ecosystem
