import { isObject, type JsonObject, ownValue, textOf } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { type Bill, BillBuilder, type Entry, objectsAt } from './bill.ts'

const needing = new Set(['dependsOn', 'contains', 'hasStaticLink', 'hasDynamicLink', 'hasPrerequisite', 'packagedBy'])
const elementTypes: Readonly<Record<string, string>> = {
  software_Package: 'package',
  ai_AIPackage: 'package',
  dataset_DatasetPackage: 'data',
  software_File: 'file',
}

/** An element of the graph. */
interface Element {
  readonly content: JsonObject
  readonly id: string
  readonly type: string
}

/** Reads SPDX 3.0 in its JSON-LD form: a flat graph of elements and relationships. */
export function readSpdx3(document: JsonObject): Bill {
  const [, version] = /spdx\.org\/rdf\/(3\.0)(?:\.\d+)?\//.exec(contextOf(document)) ?? []
  if (version === undefined) throw new Unreadable('Only versions 2.2, 2.3 and 3.0 of SPDX are read')
  const elements = withNested([...objectsAt(document, '@graph'), ...objectsIn(document, '@included')])
  const relationships = listRelationships(elements)
  const licenses = readLicenses(elements, relationships)
  const builder = new BillBuilder()
  for (const element of elements) {
    const { content } = element
    const purls = packageUrlsOf(content)
    const type = elementTypes[element.type] ?? (purls.length > 0 || isLikePackage(content) ? 'package' : undefined)
    if (type === undefined) continue
    for (const purl of purls.length === 0 ? [undefined] : purls) {
      builder.add(toEntry(element, { type, purl, license: licenses.get(element.id) }))
    }
  }
  const unlisted = new Set(elements.filter(({ id }) => !builder.entries.has(id)).map(({ id }) => id))
  for (const { from, to, type } of relationships) {
    if (!needing.has(type) || unlisted.has(from)) continue
    for (const target of to) builder.depend(from, target)
  }
  const imports = elements.filter(({ content }) => Object.hasOwn(content, 'import'))
  for (const readonly of imports.flatMap(({ content }) => objectsIn(content, 'import'))) {
    const name = textOf(readonly, 'externalSpdxId') ?? 'another document'
    builder.gaps.push({ name, reason: 'The bill of materials takes this from another document, which was not read' })
  }
  if (elements.some(({ content }) => textOf(content, 'completeness') === 'incomplete')) {
    builder.gaps.push({ name: 'the bill of materials', reason: 'It declares itself incomplete' })
  }
  const { entries, dependencies, gaps } = builder
  const [root, ...others] = rootsOf(elements).filter((id) => entries.has(id))
  const subject = root === undefined || others.length > 0 ? undefined : entries.get(root)
  return {
    format: `SPDX ${version}`,
    subject,
    entries: [...entries.values()].filter((entry) => entry !== subject),
    dependencies,
    buildPackages: 0,
    aside: new Set(),
    gaps,
  }
}

/** Returns the addresses of the JSON-LD context: a text, a map, or a list of both. */
function contextOf(document: JsonObject): string {
  const parts = [ownValue(document, '@context')].flat()
  return parts
    .flatMap((part) => (isObject(part) ? Object.values(part) : [part]))
    .filter((part) => typeof part === 'string')
    .join(' ')
}

/** Returns the elements, with those that stand inside of others instead of beside them. */
function withNested(graph: JsonObject[]): Element[] {
  for (const element of graph) {
    for (const value of Object.values(element)) {
      if (isObject(value)) graph.push(value)
      else if (Array.isArray(value)) for (const nested of value) if (isObject(nested)) graph.push(nested)
    }
  }
  return graph.map((content) => ({ content, id: idOf(content), type: typeOf(content) }))
}

/** Recognizes a package of an unknown type, or of none. */
function isLikePackage(element: JsonObject): boolean {
  return ['software_packageVersion', 'software_downloadLocation'].some((key) => ownValue(element, key) !== undefined)
}

function packageUrlsOf(element: JsonObject): string[] {
  const own = textOf(element, 'software_packageUrl')
  if (!Object.hasOwn(element, 'externalIdentifier')) return own === undefined ? [] : [own]
  const others = objectsIn(element, 'externalIdentifier').flatMap((readonly) => {
    const isNamed = /^(?:packageUrl|purl)$/.test(textOf(readonly, 'externalIdentifierType') ?? '')
    return isNamed ? (textOf(readonly, 'identifier') ?? []) : []
  })
  return [...new Set([...(own === undefined ? [] : [own]), ...others])]
}

function toEntry({ content, id }: Element, details: Pick<Entry, 'type' | 'purl' | 'license'>): Entry {
  const { type, purl, license } = details
  const [name = '', version = ''] = [textOf(content, 'name'), textOf(content, 'software_packageVersion')]
  return { ref: id, name, version, type, purl, license }
}

interface Relationship {
  readonly from: string
  readonly to: readonly string[]
  readonly type: string
}

function listRelationships(elements: readonly Element[]): Relationship[] {
  const relationships: Relationship[] = []
  for (const { content } of elements) {
    const type = textOf(content, 'relationshipType')
    const [from] = type === undefined ? [] : refsAt(content, 'from')
    if (type !== undefined && from !== undefined) relationships.push({ from, to: refsAt(content, 'to'), type })
  }
  return relationships
}

/** The declared license of each element. */
function readLicenses(
  elements: readonly Element[],
  relationships: readonly Relationship[],
): ReadonlyMap<string, string> {
  const expressions = new Map<string, string>()
  for (const { content, id } of elements) {
    const text = textOf(content, 'simplelicensing_licenseExpression')
    if (text !== undefined) expressions.set(id, text)
  }
  const licenses = new Map<string, string>()
  if (expressions.size === 0) return licenses
  for (const { from, to, type } of relationships) {
    const text = type === 'hasDeclaredLicense' ? expressions.get(to[0] ?? '') : undefined
    if (text !== undefined) licenses.set(from, text)
  }
  return licenses
}

/** The elements that the bill, or the document, is about. */
function rootsOf(elements: readonly Element[]): string[] {
  for (const rootType of ['software_Sbom', 'SpdxDocument']) {
    const roots = elements.filter(({ type }) => type === rootType)
    const texts = [...new Set(roots.flatMap(({ content }) => refsAt(content, 'rootElement')))]
    const isOfBill = elements.some(({ id, type }) => type === 'software_Sbom' && texts.includes(id))
    if (texts.length > 0 && !isOfBill) return texts
  }
  return []
}

/** Returns the members that stand in place; blank nodes may also be named, and JSON-LD writes one without a list. */
function objectsIn(element: JsonObject, key: string): JsonObject[] {
  const value = ownValue(element, key)
  return (Array.isArray(value) ? value : [value]).filter(isObject)
}

/** Returns the ids of elements, which may be written as themselves. */
function refsAt(element: JsonObject, key: string): string[] {
  const value = ownValue(element, key)
  if (typeof value === 'string') return [value]
  const all: unknown[] = Array.isArray(value) ? value : [value]
  const refs: string[] = []
  for (const entry of all) {
    if (typeof entry === 'string') refs.push(entry)
    else if (isObject(entry)) refs.push(idOf(entry))
  }
  return refs
}

function idOf(element: JsonObject): string {
  return textOf(element, 'spdxId') ?? textOf(element, '@id') ?? ''
}

const SHORT_TYPE = /^\w+$/

/** The type in its short form; JSON-LD also writes lists of types, and each as an address or with a prefix. */
function typeOf(element: JsonObject): string {
  const type = ownValue(element, 'type')
  if (typeof type === 'string' && SHORT_TYPE.test(type) && !Object.hasOwn(element, '@type')) return type
  const types = ['type', '@type']
    .flatMap((key) => ownValue(element, key) ?? [])
    .filter((type) => typeof type === 'string')
  const short = types.map((type) => type.replace(/^.*\/terms\/Core\//, '').replace(/^.*\/terms\/(\w+)\//, toPrefix))
  const all = short.map((type) => type.replace(/^(\w+):/, toPrefix))
  return all.find((type) => Object.hasOwn(elementTypes, type)) ?? all[0] ?? ''
}

function toPrefix(_: string, profile: string): string {
  return `${profile.toLowerCase()}_`
}
