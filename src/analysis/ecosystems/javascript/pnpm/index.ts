import type { Ecosystem } from '#analysis/ecosystems/ecosystem.ts'
import { npmVersions } from '#analysis/versions/npm.ts'

export const pnpm = {
  id: 'pnpm',
  label: 'pnpm',
  language: 'js',
  packageManager: 'npm',
  registry: 'npm',
  versions: npmVersions,
  manifestName: /^package\.json$/,
  fixAdvice: 'upgrade',
  takesRepositories: false,
  about:
    'Reads pnpm-lock.yaml, and locks of git branches, of lockfileVersion 5.x, 6.x, 9.0 and 13.0. Without it, the packages are resolved as npm resolves them.',
  async read(manifest, { npm: reader }, options) {
    const { readProject } = await import('./project.ts')
    return readProject(manifest, reader, options)
  },
  async locate(manifest) {
    const { locateInProject, pnpmLock } = await import('../locate.ts')
    return locateInProject(manifest, pnpmLock)
  },
  async whatIfResolver(manifest, { npm: reader }, options) {
    const { whatIfResolver } = await import('./upgrades.ts')
    return whatIfResolver(manifest, reader, options)
  },
} satisfies Ecosystem
