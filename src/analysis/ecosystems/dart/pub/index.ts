import { pubVersions } from '#analysis/versions/pub.ts'
import type { Ecosystem } from '../../ecosystem.ts'

export const pub = {
  id: 'pub',
  label: 'Pub',
  language: 'dart',
  packageManager: 'pub',
  registry: 'Pub',
  versions: pubVersions,
  manifestName: /^pubspec\.lock$/,
  fixAdvice: 'upgrade',
  takesRepositories: false,
  about: 'A workspace is tested as a whole: send the pubspec.yaml of each member with the pubspec.lock.',
  raiseRange(written, version) {
    const [, start = '', lower, upper = ''] = /^(\^?)(?:>=?\s*)?(\d[^\s<>]*)(\s*<.*)?$/.exec(written.trim()) ?? []
    if (lower === undefined || (start !== '' && upper !== '')) return undefined
    return /^[\^\d]/.test(written.trim()) ? `${start}${version}` : `>=${version}${upper}`
  },
  async read(manifest, _, options) {
    const { readPub } = await import('./read-pub.ts')
    return readPub(manifest, options)
  },
  async locate(manifest) {
    const { locatePub } = await import('./locate.ts')
    return locatePub(manifest)
  },
} satisfies Ecosystem
