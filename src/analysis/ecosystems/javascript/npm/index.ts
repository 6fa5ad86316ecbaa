import type { Ecosystem } from '#analysis/ecosystems/ecosystem.ts'
import { npmVersions } from '#analysis/versions/npm.ts'

export const npm = {
  id: 'npm',
  label: 'npm',
  language: 'js',
  packageManager: 'npm',
  registry: 'npm',
  versions: npmVersions,
  manifestName: /^package\.json$/,
  coordinates: { parameters: ['packageName'], toName: ({ packageName }) => packageName! },
  fixAdvice: 'upgrade',
  takesRepositories: false,
  async read(manifest, { npm: reader }, options) {
    const { readProject } = await import('./project.ts')
    return readProject(manifest, reader, options)
  },
  async readPackage(coordinates, { npm: reader }, options) {
    const { resolvePackage } = await import('../resolution/resolve.ts')
    return resolvePackage(coordinates, reader, options)
  },
  async locate(manifest) {
    const { locateInProject, packageLock } = await import('../locate.ts')
    return locateInProject(manifest, packageLock)
  },
  async whatIfResolver(manifest, { npm: reader }, options) {
    const { whatIfResolver } = await import('./upgrades.ts')
    return whatIfResolver(manifest, reader, options)
  },
} satisfies Ecosystem
