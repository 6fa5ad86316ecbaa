import { sbom as ecosystem } from '../ecosystems/sbom/index.ts'
import { detectKind } from '../file-kinds/index.ts'
import { readKinds } from '../file-kinds/read-kinds.ts'
import type { Layout } from './tree.ts'

/** Bills of materials by name and content: a `bom.json` or `sbom.json` may be anything. */
export const sbom: Layout = {
  ecosystems: ['sbom'],
  isWanted: (path) => ecosystem.manifestName.test(path.slice(path.lastIndexOf('/') + 1)),
  async find(tree) {
    const texts = await tree.read([...tree.paths].filter((path) => this.isWanted(path)))
    const bills = [...texts].filter(([, text]) => isBill(text))
    return bills.map(([path]) => ({ ecosystem: 'sbom', path, covers: [] }))
  },
  nameManifest: (path) => (sbom.isWanted(path) ? 'sbom' : undefined),
  async filesBeside() {
    return []
  },
}

function isBill(text: string): boolean {
  const kind = detectKind(text)
  return kind !== undefined && (readKinds.sbom.target as readonly string[]).includes(kind.id)
}
