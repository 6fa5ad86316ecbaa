import type { Ecosystem } from '#analysis/ecosystems/ecosystem.ts'
import { goVersions } from '#analysis/versions/go.ts'

export const govendor = {
  id: 'govendor',
  label: 'govendor',
  language: 'golang',
  packageManager: 'golang',
  registry: 'Go',
  versions: goVersions,
  manifestName: /^vendor\.json$/,
  fixAdvice: 'none',
  noEdits: 'vendor.json is not changed; update it with govendor',
  takesRepositories: false,
  async read(manifest, _, options) {
    const { identifyFiles } = await import('#analysis/discovery/file-kinds/identify-files.ts')
    const { readVendored } = await import('./read-vendored.ts')
    return readVendored(identifyFiles('govendor', manifest)[0].text, options)
  },
  async locate(manifest) {
    const { locateVendored } = await import('./locate.ts')
    return locateVendored(manifest)
  },
} satisfies Ecosystem
