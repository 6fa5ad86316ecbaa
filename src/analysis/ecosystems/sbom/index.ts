import { npmVersions } from '../../versions/npm.ts'
import type { Ecosystem } from '../ecosystem.ts'

/** Bills of materials: each package of a graph names its own registry. */
export const sbom = {
  id: 'sbom',
  label: 'Bill of materials',
  language: '',
  packageManager: 'sbom',
  registry: 'npm',
  isMixed: true,
  versions: npmVersions,
  manifestName: /^bom\.(?:json|xml)$|^sbom\.json$|\.cdx\.(?:json|xml)$|\.spdx(?:\.json)?$/,
  fixAdvice: 'none',
  noEdits: 'a bill of materials describes what was built; change the project itself',
  takesRepositories: false,
  about: 'CycloneDX 1.2 to 1.7 as JSON or XML, SPDX 2.2 and 2.3 as JSON or tag-value, SPDX 3.0 as JSON.',
  async read(manifest, _, { limits }) {
    const { identifyFiles } = await import('#analysis/discovery/file-kinds/identify-files.ts')
    const { readBill } = await import('./read-bill.ts')
    return readBill(identifyFiles('sbom', manifest)[0], limits)
  },
  async locate(manifest) {
    const { locateEntries } = await import('./locate.ts')
    return locateEntries(manifest)
  },
} satisfies Ecosystem
