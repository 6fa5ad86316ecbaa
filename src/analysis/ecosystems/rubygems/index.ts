import { rubygemsVersions } from '#analysis/versions/rubygems.ts'
import { type Ecosystem, Unreadable } from '../ecosystem.ts'
import { graphOfLock } from './lock-graph.ts'
import { sortFiles } from './project-files.ts'
import { resolveGemfile, resolvePackage } from './resolve.ts'
import { upgradeTrials } from './upgrades.ts'

export const rubygems = {
  id: 'rubygems',
  language: 'ruby',
  packageManager: 'rubygems',
  registry: 'RubyGems',
  versions: rubygemsVersions,
  manifestName: /^Gemfile\.lock$/,
  coordinates: { parameters: ['gemName'], toName: ({ gemName }) => gemName! },
  fixAdvice: 'upgrade',
  takesRepositories: false,
  async read(manifest, { rubygems: reader }, options) {
    const files = sortFiles(manifest)
    const { lock, gemfile, filesRead } = files
    if (lock !== undefined) return { ...graphOfLock(lock, gemfile, options), filesRead, locked: true }
    if (gemfile === undefined) throw new Unreadable('Neither a Gemfile.lock nor a Gemfile was sent')
    return resolveGemfile({ ...files, gemfile }, reader, options)
  },
  readPackage: (coordinates, { rubygems: reader }, options) => resolvePackage(coordinates, reader, options),
  upgradeTrials: (manifest, { rubygems: reader }, options) => upgradeTrials(manifest, reader, options),
} satisfies Ecosystem
