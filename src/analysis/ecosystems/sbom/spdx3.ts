import { Unreadable } from '../ecosystem.ts'
import { type JsonObject, ownValue, textOf } from '../npm/json-document.ts'
import { type Bill, BillBuilder, type Entry } from './bill.ts'
import { listAt, objectsOf } from './cyclonedx.ts'

const needing = new Set(['dependsOn', 'contains', 'hasStaticLink', 'hasDynamicLink', 'hasPrerequisite', 'packagedBy'])
const elementTypes: Readonly<Record<string, string>> = {
  software_Package: 'package',
  ai_AIPackage: 'package',
  dataset_DatasetPackage: 'data',
  software_File: 'file',
}

/** Reads SPDX 3.0 in its JSON-LD form: a flat graph of elements and relationships. */
export function readSpdx3(document: JsonObject): Bill {
  const context = JSON.stringify(ownValue(document, '@context') ?? '')
  const [, version] = /spdx\.org\/rdf\/(3\.0)(?:\.\d+)?\//.exec(context) ?? []
  if (version === undefined) throw new Unreadable('Only versions 2.2, 2.3 and 3.0 of SPDX are read')
  const elements = objectsOf(ownValue(document, '@graph'))
  const licenses = readLicenses(elements)
  const builder = new BillBuilder()
  for (const element of elements) {
    const type = elementTypes[typeOf(element)]
    if (type !== undefined) builder.add(toEntry(element, { type, license: licenses.get(idOf(element)) }))
  }
  for (const { from, to, type } of listRelationships(elements)) {
    if (needing.has(type) && builder.entries.has(from)) for (const each of to) builder.depend(from, each)
  }
  const { entries, dependencies } = builder
  const [root, ...others] = rootsOf(elements).filter((each) => entries.has(each))
  const subject = root === undefined || others.length > 0 ? undefined : entries.get(root)
  return {
    format: `SPDX ${version}`,
    subject,
    entries: [...entries.values()].filter((entry) => entry !== subject),
    dependencies,
    isIncomplete: elements.some((each) => textOf(each, 'completeness') === 'incomplete'),
  }
}

function toEntry(element: JsonObject, { type, license }: { type: string; license: string | undefined }): Entry {
  const identifiers = objectsOf(ownValue(element, 'externalIdentifier')).filter((each) =>
    /^(?:packageUrl|purl)$/.test(textOf(each, 'externalIdentifierType') ?? ''),
  )
  return {
    ref: idOf(element),
    name: textOf(element, 'name') ?? '',
    version: textOf(element, 'software_packageVersion') ?? '',
    type,
    purl: textOf(element, 'software_packageUrl') ?? identifiers.map((each) => textOf(each, 'identifier'))[0],
    license,
  }
}

interface Relationship {
  readonly from: string
  readonly to: readonly string[]
  readonly type: string
}

function* listRelationships(elements: readonly JsonObject[]): Generator<Relationship> {
  for (const element of elements) {
    const type = textOf(element, 'relationshipType')
    const from = textOf(element, 'from')
    if (type === undefined || from === undefined) continue
    yield { from, to: listAt(element, 'to').filter((each) => typeof each === 'string'), type }
  }
}

/** The declared license of each element. */
function readLicenses(elements: readonly JsonObject[]): ReadonlyMap<string, string> {
  const expressions = new Map(
    elements.flatMap((each) => {
      const text = textOf(each, 'simplelicensing_licenseExpression')
      return text === undefined ? [] : [[idOf(each), text] as const]
    }),
  )
  const found = new Map<string, string>()
  for (const { from, to, type } of listRelationships(elements)) {
    const text = type === 'hasDeclaredLicense' ? expressions.get(to[0] ?? '') : undefined
    if (text !== undefined) found.set(from, text)
  }
  return found
}

/** The elements that the bill, or the document, is about. */
function rootsOf(elements: readonly JsonObject[]): string[] {
  for (const type of ['software_Sbom', 'SpdxDocument']) {
    const roots = elements.filter((each) => typeOf(each) === type).flatMap((each) => listAt(each, 'rootElement'))
    const texts = [...new Set(roots.filter((each) => typeof each === 'string'))]
    if (texts.length > 0 && !elements.some((each) => texts.includes(idOf(each)) && typeOf(each) === 'software_Sbom'))
      return texts
  }
  return []
}

function idOf(element: JsonObject): string {
  return textOf(element, 'spdxId') ?? textOf(element, '@id') ?? ''
}

function typeOf(element: JsonObject): string {
  return textOf(element, 'type') ?? textOf(element, '@type') ?? ''
}
