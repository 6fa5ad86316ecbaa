import { rubygemsVersions } from '#analysis/versions/rubygems.ts'
import type { Ecosystem } from '../ecosystem.ts'

export const rubygems = {
  id: 'rubygems',
  label: 'RubyGems',
  language: 'ruby',
  packageManager: 'rubygems',
  registry: 'RubyGems',
  versions: rubygemsVersions,
  manifestName: /^(?:Gemfile\.lock|gems\.locked)$/,
  coordinates: { parameters: ['gemName'], toName: ({ gemName }) => gemName! },
  fixAdvice: 'upgrade',
  takesRepositories: false,
  async read(manifest, { rubygems: reader }, options) {
    const { readProject } = await import('./project.ts')
    return readProject(manifest, reader, options)
  },
  async readPackage(coordinates, { rubygems: reader }, options) {
    const { resolvePackage } = await import('./resolve.ts')
    return resolvePackage(coordinates, reader, options)
  },
  async locate(manifest) {
    const { locateGems } = await import('./locate.ts')
    return locateGems(manifest)
  },
  async whatIfResolver(manifest, { rubygems: reader }, options) {
    const { whatIfResolver } = await import('./upgrades.ts')
    return whatIfResolver(manifest, reader, options)
  },
} satisfies Ecosystem
