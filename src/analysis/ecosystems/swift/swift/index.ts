import { npmVersions } from '#analysis/versions/npm.ts'
import type { Ecosystem } from '../../ecosystem.ts'

export const swift = {
  id: 'swift',
  label: 'Swift packages',
  language: 'swift',
  packageManager: 'swift',
  registry: 'SwiftURL',
  // SwiftPM takes SemVer only, for which both have one order.
  versions: npmVersions,
  manifestName: /^Package\.resolved$/,
  fixAdvice: 'upgrade',
  noEdits: 'Package.swift is a program, or Xcode holds the version; change it there',
  takesRepositories: false,
  async read(manifest, _, options) {
    const { readSwift } = await import('./read-swift.ts')
    return readSwift(manifest, options)
  },
  async locate(manifest) {
    const { locateSwift } = await import('./read-swift.ts')
    return locateSwift(manifest)
  },
} satisfies Ecosystem
