import { Unreadable } from '../ecosystem.ts'
import { type JsonObject, ownValue, textOf } from '../npm/json-document.ts'
import { type Bill, BillBuilder, type Entry } from './bill.ts'
import { listAt, objectsOf } from './cyclonedx.ts'

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
  for (const each of objectsOf(ownValue(document, 'packages'))) builder.add(toEntry(each))
  for (const file of objectsOf(ownValue(document, 'files'))) {
    builder.add({ ...toEntry(file), name: textOf(file, 'fileName') ?? '', type: 'file' })
  }
  const described = new Set(listAt(document, 'documentDescribes'))
  for (const each of objectsOf(ownValue(document, 'relationships'))) {
    const [from, to] = [textOf(each, 'spdxElementId'), textOf(each, 'relatedSpdxElement')]
    const type = textOf(each, 'relationshipType') ?? ''
    if (from === undefined || to === undefined || to === 'NONE' || to === 'NOASSERTION') continue
    if (type === 'DESCRIBES' && from === DOCUMENT) described.add(to)
    else if (type === 'DESCRIBED_BY' && to === DOCUMENT) described.add(from)
    else if (forward.has(type)) builder.depend(from, to)
    else if (backward.has(type)) builder.depend(to, from)
  }
  const { entries, dependencies } = builder
  const [root, ...others] = described
  const subject = others.length === 0 && typeof root === 'string' ? entries.get(root) : undefined
  return {
    format: `SPDX ${version}`,
    subject,
    entries: [...entries.values()].filter((entry) => entry !== subject),
    dependencies,
    isIncomplete: false,
  }
}

function toEntry(element: JsonObject): Entry {
  const declared = textOf(element, 'licenseDeclared')
  const purls = objectsOf(ownValue(element, 'externalRefs')).filter((each) => textOf(each, 'referenceType') === 'purl')
  return {
    ref: textOf(element, 'SPDXID') ?? '',
    name: textOf(element, 'name') ?? '',
    version: textOf(element, 'versionInfo') ?? '',
    type: 'package',
    purl: purls.map((each) => textOf(each, 'referenceLocator')).find((each) => each !== undefined),
    license: declared === 'NOASSERTION' || declared === 'NONE' ? undefined : declared,
  }
}
