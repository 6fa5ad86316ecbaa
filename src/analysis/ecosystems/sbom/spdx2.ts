import { type JsonObject, textOf } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { type Bill, BillBuilder, type Entry, listAt, objectsAt } from './bill.ts'

const DOCUMENT = 'SPDXRef-DOCUMENT'

/** Relationships from an element to what it needs. */
const forward = new Set(['DEPENDS_ON', 'CONTAINS', 'DYNAMIC_LINK', 'STATIC_LINK', 'HAS_PREREQUISITE', 'PACKAGE_OF'])
/** Relationships from what is needed to who needs it. */
const backward = new Set([
  'DEPENDENCY_OF',
  'CONTAINED_BY',
  'BUILD_DEPENDENCY_OF',
  'DEV_DEPENDENCY_OF',
  'OPTIONAL_DEPENDENCY_OF',
  'PROVIDED_DEPENDENCY_OF',
  'RUNTIME_DEPENDENCY_OF',
  'TEST_DEPENDENCY_OF',
  'DEV_TOOL_OF',
  'BUILD_TOOL_OF',
  'TEST_TOOL_OF',
  'OPTIONAL_COMPONENT_OF',
  'PREREQUISITE_FOR',
])

/** Reads SPDX 2.x; its tag-value form arrives in the form of its JSON (spdx-tags.ts). */
export function readSpdx2(document: JsonObject): Bill {
  const [, version] = /^SPDX-(2\.\d)$/.exec(textOf(document, 'spdxVersion') ?? '') ?? []
  if (version === undefined) throw new Unreadable('Only versions 2.2, 2.3 and 3.0 of SPDX are read')
  const builder = new BillBuilder()
  for (const readonly of objectsAt(document, 'packages')) for (const entry of toEntries(readonly)) builder.add(entry)
  for (const file of objectsAt(document, 'files')) {
    for (const entry of toEntries(file)) builder.add({ ...entry, name: textOf(file, 'fileName') ?? '', type: 'file' })
  }
  for (const readonly of objectsAt(document, 'externalDocumentRefs')) {
    const name = textOf(readonly, 'externalDocumentId') ?? 'another document'
    builder.gaps.push({ name, reason: 'The bill of materials refers to this document, which was not read' })
  }
  const described = new Set(listAt(document, 'documentDescribes'))
  for (const readonly of objectsAt(document, 'relationships')) {
    const [from, to] = [textOf(readonly, 'spdxElementId'), textOf(readonly, 'relatedSpdxElement')]
    const type = (textOf(readonly, 'relationshipType') ?? '').toUpperCase()
    if (from === undefined || to === undefined || to === 'NONE') continue
    if (to === 'NOASSERTION') {
      const reason = 'The bill of materials says that its dependencies may not be all'
      if (type === 'DEPENDS_ON') builder.gaps.push({ name: builder.entries.get(from)?.name ?? from, reason })
      continue
    }
    if (type === 'DESCRIBES' && from === DOCUMENT) described.add(to)
    else if (type === 'DESCRIBED_BY' && to === DOCUMENT) described.add(from)
    else if (forward.has(type)) builder.depend(from, to)
    else if (backward.has(type)) builder.depend(to, from)
  }
  const { entries, dependencies, gaps } = builder
  const [root, ...others] = described
  const subject = others.length === 0 && typeof root === 'string' ? entries.get(root) : undefined
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

/** Returns one entry for each package URL: a package may have several. */
function toEntries(element: JsonObject): Entry[] {
  const declared = textOf(element, 'licenseDeclared')
  const purls = objectsAt(element, 'externalRefs').flatMap((readonly) => {
    const locator = textOf(readonly, 'referenceLocator')
    // The type is also written as its address, and some tools make up their own.
    const isNamed = /(?:^|[/#])purl$/i.test(textOf(readonly, 'referenceType') ?? '')
    return locator !== undefined && (isNamed || /^pkg:/i.test(locator)) ? [locator] : []
  })
  return (purls.length === 0 ? [undefined] : [...new Set(purls)]).map((purl) => ({
    ref: textOf(element, 'SPDXID') ?? '',
    name: textOf(element, 'name') ?? '',
    version: textOf(element, 'versionInfo') ?? '',
    type: 'package',
    purl,
    license: declared === 'NOASSERTION' || declared === 'NONE' ? undefined : declared,
  }))
}
