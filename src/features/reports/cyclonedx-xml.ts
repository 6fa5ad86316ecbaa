import { createSlices } from '#foundation/slices.ts'
import type { CycloneDxVersion } from './cyclonedx.ts'
import { escapeXml } from './escape-xml.ts'
import { type Content, LongList } from './long-list.ts'

/** Elements of the lists, by the name of the list. */
const items: Readonly<Record<string, string>> = {
  tools: 'tool',
  components: 'component',
  dependencies: 'dependency',
  dependsOn: 'dependency',
  compositions: 'composition',
  vulnerabilities: 'vulnerability',
  references: 'reference',
  ratings: 'rating',
  cwes: 'cwe',
  advisories: 'advisory',
  individuals: 'individual',
  responses: 'response',
  affects: 'target',
  versions: 'version',
  properties: 'property',
}

const attributes: Readonly<Record<string, readonly string[]>> = {
  component: ['type', 'bom-ref'],
  dependency: ['ref'],
  vulnerability: ['bom-ref'],
  property: ['name'],
}

/** Lists whose items have no enclosing element. */
const bare = new Set(['dependsOn'])

type Members = Readonly<Record<string, unknown>>

/**
 * Writes the content of `toCycloneDx` as XML in slices. Its members are in the order of the XML schema, so that the
 * elements can be derived from their names.
 */
export async function writeCycloneDxXml(content: Content): Promise<string[]> {
  const pause = createSlices()
  const parts: string[] = []
  const { version: _, ...members } = content
  for (const [name, value] of Object.entries(members)) {
    if (!(value instanceof LongList)) {
      parts.push(writeElement(name, value))
      continue
    }
    parts.push(`<${name}>`)
    for (const item of value) {
      await pause()
      parts.push(writeElement(items[name]!, item))
    }
    parts.push(`</${name}>`)
  }
  return parts
}

export function toXmlDocument(parts: readonly string[], specVersion: CycloneDxVersion, serial: string): string[] {
  const root = `<bom xmlns="http://cyclonedx.org/schema/bom/${specVersion}" serialNumber="urn:uuid:${serial}" version="1">`
  return ['<?xml version="1.0" encoding="UTF-8"?>\n', root, ...parts, '</bom>\n']
}

function writeElement(name: string, value: unknown): string {
  if (name === 'licenses') return writeLicenses(value as readonly Members[])
  if (name === 'response') return writeElement('responses', (value as readonly string[]).map(String))
  if (Array.isArray(value)) return writeList(name, value)
  if (typeof value !== 'object' || value === null) return `<${name}>${escapeXml(String(value))}</${name}>`
  const own = attributes[name] ?? []
  const members = value as Members
  const start = own
    .filter((attribute) => members[attribute] !== undefined)
    .map((attribute) => ` ${attribute}="${escapeXml(String(members[attribute]))}"`)
  if (name === 'property') return `<property${start.join('')}>${escapeXml(String(members['value']))}</property>`
  const inner = Object.entries(members)
    .filter(([member, value]) => !own.includes(member) && value !== undefined)
    .map(([member, value]) => writeElement(member, value))
  return `<${name}${start.join('')}>${inner.join('')}</${name}>`
}

function writeList(name: string, list: readonly unknown[]): string {
  const item = items[name]!
  const inner = list.map((entry) => {
    // A reference is written as an element with an attribute.
    if (item === 'dependency' && typeof entry === 'string') return writeElement(item, { ref: entry })
    return item === 'response' ? `<response>${escapeXml(String(entry))}</response>` : writeElement(item, entry)
  })
  return bare.has(name) ? inner.join('') : `<${name}>${inner.join('')}</${name}>`
}

function writeLicenses(licenses: readonly Members[]): string {
  return `<licenses>${licenses
    .flatMap(Object.entries)
    .map(([name, value]) => writeElement(name, value))
    .join('')}</licenses>`
}
