import { isObject, type JsonObject, ownValue, parseJsonObject } from '#analysis/documents/json-document.ts'
import { sbom as ecosystem } from '#analysis/ecosystems/sbom/index.ts'
import { detectKind } from '../file-kinds/index.ts'
import { kindsOf } from '../file-kinds/read-kinds.ts'
import type { Layout } from './tree.ts'

/** Bills of materials by name and content: a `bom.json` or `sbom.json` may be anything. */
export const sbom: Layout = {
  ecosystems: ['sbom'],
  isWanted: (path) => ecosystem.manifestName.test(path.slice(path.lastIndexOf('/') + 1)),
  async find(tree) {
    const texts = await tree.read([...tree.paths].filter((path) => this.isWanted(path)))
    const bills = [...texts].filter(([, text]) => isBill(text) && !isReport(text))
    return bills.map(([path]) => ({ ecosystem: 'sbom', path, covers: [] }))
  },
  nameManifest: (path) => (sbom.isWanted(path) ? 'sbom' : undefined),
  async filesBeside() {
    return []
  },
}

/** Returns true for the text of a bill of materials, whatever its format. */
export function isBill(text: string): boolean {
  const kind = detectKind(text)
  return kind !== undefined && kindsOf('sbom').target.includes(kind.id)
}

/**
 * Returns true for a report of `gatehouse test --cyclonedx-file` in the tested folder, which repeats the packages of
 * the folder's projects. The bill of a stored project names that project and is tested.
 */
function isReport(text: string): boolean {
  if (!text.trimStart().startsWith('{') || !text.includes('"gatehouse"')) return false
  const metadata = ownValue(parseJsonObject({ file: 'target', text }), 'metadata')
  const [tools, properties] = ['tools', 'properties'].map((key) => (isObject(metadata) ? ownValue(metadata, key) : []))
  const components = isObject(tools) ? ownValue(tools, 'components') : tools
  return hasNamed(components, 'gatehouse') && !hasNamed(properties, 'gatehouse:projectId')
}

function hasNamed(list: unknown, name: string): boolean {
  return (
    Array.isArray(list) &&
    list.some((entry): entry is JsonObject => isObject(entry) && ownValue(entry, 'name') === name)
  )
}
