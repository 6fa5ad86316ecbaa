import type { Ecosystem } from '#analysis/ecosystems/ecosystem.ts'
import { npmVersions } from '#analysis/versions/npm.ts'

export const bun = {
  id: 'bun',
  label: 'Bun',
  language: 'js',
  packageManager: 'npm',
  registry: 'npm',
  versions: npmVersions,
  manifestName: /^package\.json$/,
  fixAdvice: 'upgrade',
  takesRepositories: false,
  about:
    'Reads bun.lock of lockfileVersion 0 to 3, not the binary bun.lockb. Without it, the packages are resolved as npm resolves them.',
  async read(manifest, { npm: reader }, options) {
    const { readProject } = await import('./project.ts')
    return readProject(manifest, reader, options)
  },
  async locate(manifest) {
    const { locateInProject, bunLock } = await import('../locate.ts')
    return locateInProject(manifest, bunLock)
  },
  async whatIfResolver(manifest, { npm: reader }, options) {
    const { whatIfResolver } = await import('./project.ts')
    return whatIfResolver(manifest, reader, options)
  },
} satisfies Ecosystem
