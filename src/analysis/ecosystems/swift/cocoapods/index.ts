import { rubygemsVersions } from '#analysis/versions/rubygems.ts'
import type { Ecosystem } from '../../ecosystem.ts'

export const cocoapods = {
  id: 'cocoapods',
  label: 'CocoaPods',
  language: 'swift',
  packageManager: 'cocoapods',
  registry: 'CocoaPods',
  // `Pod::Version` and `Pod::Requirement` derive from the classes of RubyGems.
  versions: rubygemsVersions,
  manifestName: /^Podfile\.lock$/,
  fixAdvice: 'upgrade',
  noEdits: 'a Podfile is a program; change the version there',
  takesRepositories: false,
  about: 'No database of OSV has advisories for pods, so a test lists packages and is never complete.',
  async read(manifest, _, options) {
    const { readPods } = await import('./read-pods.ts')
    return readPods(manifest, options)
  },
  async locate(manifest) {
    const { locatePods } = await import('./podfile.ts')
    return locatePods(manifest)
  },
} satisfies Ecosystem
