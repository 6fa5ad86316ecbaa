import { lineOf } from '#analysis/discovery/file-kinds/mangled.ts'
import type { JsonObject } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'

type Element = Record<string, unknown>

const packageTags: Readonly<Record<string, string>> = {
  SPDXID: 'SPDXID',
  PackageVersion: 'versionInfo',
  PackageLicenseDeclared: 'licenseDeclared',
}

/** Reads the tag-value form of SPDX 2.x into the form of its JSON, as far as it is read here. */
export function readSpdxTags(text: string): JsonObject {
  const packages: Element[] = []
  const files: Element[] = []
  const relationships: Element[] = []
  const externalDocumentRefs: Element[] = []
  const document: Element = { packages, files, relationships, externalDocumentRefs }
  let current = document
  for (const [tag, value] of listTags(text)) {
    if (tag === 'PackageName') {
      current = { name: value, externalRefs: [] }
      packages.push(current)
    } else if (tag === 'FileName') {
      current = { fileName: value, externalRefs: [] }
      files.push(current)
    } else if (tag === 'SnippetSPDXID' || tag === 'LicenseID') current = {}
    else if (tag === 'SPDXVersion') document['spdxVersion'] = value
    else if (tag === 'ExternalDocumentRef') externalDocumentRefs.push({ externalDocumentId: value.split(/\s+/)[1] })
    else if (tag === 'Relationship') relationships.push(toRelationship(value))
    else if (tag === 'ExternalRef') addReference(current, value)
    else if (Object.hasOwn(packageTags, tag)) current[packageTags[tag]!] = value
  }
  return document
}

/** Yields tags and their values; `<text>` may span lines. */
function* listTags(text: string): Generator<[tag: string, value: string]> {
  const pattern = /^[ \t]*(\w+):[ \t]*(<text>)?/gm
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [, tag, isLong] = match as unknown as [string, string, string?]
    const from = pattern.lastIndex
    const end = text.indexOf(isLong === undefined ? '\n' : '</text>', from)
    if (end < 0 && isLong !== undefined)
      throw new Unreadable('Unterminated <text>', { line: lineOf(text, match.index) })
    const to = end < 0 ? text.length : end
    yield [tag, text.slice(from, to).trim()]
    pattern.lastIndex = to
  }
}

function toRelationship(value: string): Element {
  const [spdxElementId, relationshipType, relatedSpdxElement] = value.split(/\s+/)
  return { spdxElementId, relationshipType, relatedSpdxElement }
}

/** Adds a reference: category, type, locator. */
function addReference(element: Element, value: string): void {
  const [, referenceType, referenceLocator] = value.split(/\s+/)
  if (Array.isArray(element['externalRefs'])) element['externalRefs'].push({ referenceType, referenceLocator })
}
