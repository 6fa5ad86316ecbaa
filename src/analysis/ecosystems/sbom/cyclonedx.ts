import { isObject, type JsonObject, ownValue, shorten, textOf } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import { type Bill, BillBuilder, type Entry, type Gap, isSameEntry, listAt, objectsAt, quote } from './bill.ts'

const MAX_NESTING = 100

/** Reads CycloneDX 1.x; its XML arrives in the form of its JSON (cyclonedx-xml.ts). */
export function readCycloneDx(document: JsonObject): Bill {
  const version = textOf(document, 'specVersion') ?? ''
  if (!/^1\.\d{1,2}$/.test(version)) {
    throw new Unreadable(`CycloneDX ${version === '' ? 'without "specVersion"' : version} is not read; 1.2 to 1.7 are`)
  }
  const builder = new BillBuilder()
  const root = objectIn(objectIn(document, 'metadata'), 'component')
  const subject = Object.keys(root).length === 0 ? undefined : toEntry(root)
  // Parts of the subject are components like others.
  addComponents(builder, root, 1)
  addComponents(builder, document, 1)
  addServices(builder, document, 1)
  for (const readonly of objectsAt(document, 'dependencies')) {
    const from = textOf(readonly, 'ref')
    if (from === undefined) continue
    const needs = builder.mention(from)
    for (const to of listAt(readonly, 'dependsOn')) {
      // In XML a reference may be absent.
      if (to !== undefined && typeof to !== 'string')
        throw new Unreadable(`"dependsOn" must list references, not ${quote(to)}`)
      if (to !== undefined) needs.add(to)
    }
  }
  const { entries, dependencies, gaps } = builder
  gaps.push(...gapsOf(root, subject ?? toEntry(root)), ...otherBills(document, 'the bill of materials'))
  gaps.push(...incompleteParts(document, new Map([...entries, [subject?.ref ?? '', subject]])))
  return {
    format: `CycloneDX ${version}`,
    subject,
    // Some tools list the subject among its components.
    entries: [...entries.values()].filter((entry) => subject === undefined || !isSameEntry(entry, subject)),
    dependencies,
    buildPackages: objectsAt(document, 'formulation').flatMap((readonly) => objectsAt(readonly, 'components')).length,
    aside: asideOf(document),
    gaps,
  }
}

/** Parts of a document whose references are no part of the subject. */
const ASIDE = ['formulation', 'declarations', 'definitions']

function asideOf(document: JsonObject): ReadonlySet<string> {
  const refs = new Set<string>()
  const open = [...ASIDE.map((key) => ownValue(document, key)), ownValue(objectIn(document, 'metadata'), 'tools')]
  for (let value = open.pop(); value !== undefined || open.length > 0; value = open.pop()) {
    if (Array.isArray(value)) open.push(...value)
    else if (isObject(value)) {
      const ref = textOf(value, 'bom-ref')
      if (ref !== undefined) refs.add(ref)
      for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) open.push(member)
    }
  }
  return refs
}

/** Adds the components of an object, and theirs; an assembly depends on its parts. */
function addComponents(builder: BillBuilder, owner: JsonObject, level: number, parent?: string): void {
  if (level > MAX_NESTING) throw new Unreadable(`Components exceed the depth limit of ${MAX_NESTING}`)
  for (const component of objectsAt(owner, 'components')) {
    const entry = toEntry(component)
    builder.add(entry)
    if (hasGaps(component)) builder.gaps.push(...gapsOf(component, entry))
    if (parent !== undefined) builder.depend(parent, entry.ref)
    addComponents(builder, component, level + 1, entry.ref)
  }
}

function addServices(builder: BillBuilder, owner: JsonObject, level: number): void {
  if (level > MAX_NESTING) throw new Unreadable(`Services exceed the depth limit of ${MAX_NESTING}`)
  for (const service of objectsAt(owner, 'services')) {
    builder.add({ ...toEntry(service), type: 'service', purl: undefined })
    addServices(builder, service, level + 1)
  }
}

/** Most components have neither. */
function hasGaps(component: JsonObject): boolean {
  return ownValue(component, 'pedigree') !== undefined || ownValue(component, 'externalReferences') !== undefined
}

/** Reports other packages that a component was made from (CycloneDX, "pedigree"), and its bill in another file. */
function gapsOf(component: JsonObject, { name, version }: Entry): Gap[] {
  const label = `${name}@${version}`
  const ancestors = objectsAt(objectIn(component, 'pedigree'), 'ancestors').map((readonly) => {
    const of = toEntry(readonly)
    const reason = `${label} was made from it (pedigree), so its vulnerabilities may or may not apply`
    return { name: of.purl ?? `${of.name}@${of.version}`, reason }
  })
  return [...ancestors, ...otherBills(component, label)]
}

function otherBills(owner: JsonObject, label: string): Gap[] {
  return objectsAt(owner, 'externalReferences').flatMap((readonly) => {
    if (textOf(readonly, 'type') !== 'bom') return []
    const url = withoutCredentials(textOf(readonly, 'url') ?? '')
    return [{ name: label, reason: `It has another bill of materials, which was not read: ${shorten(url)}` }]
  })
}

function toEntry(component: JsonObject): Entry {
  const group = textOf(component, 'group')
  const name = textOf(component, 'name') ?? ''
  const version = textOf(component, 'version') ?? ''
  const purl = textOf(component, 'purl')
  const full = group === undefined ? name : `${group}/${name}`
  return {
    ref: textOf(component, 'bom-ref') ?? purl ?? `${full}@${version}`,
    name: full,
    version,
    type: textOf(component, 'type') ?? 'library',
    purl,
    license: toLicense(component),
  }
}

/** Several licenses of a list all apply (CycloneDX, "licenses"). */
function toLicense(component: JsonObject): string | undefined {
  if (ownValue(component, 'licenses') === undefined) return undefined
  const words = objectsAt(component, 'licenses').flatMap((choice) => {
    const license = objectIn(choice, 'license')
    return textOf(choice, 'expression') ?? textOf(license, 'id') ?? textOf(license, 'name') ?? []
  })
  if (words.length <= 1) return words[0]
  return words.map((word) => (/\s/.test(word) ? `(${word})` : word)).join(' AND ')
}

/** Reports what compositions call incomplete; without references it is the whole bill. */
function incompleteParts(document: JsonObject, entries: ReadonlyMap<string, Entry | undefined>): Gap[] {
  return objectsAt(document, 'compositions').flatMap((composition) => {
    if (!textOf(composition, 'aggregate')?.startsWith('incomplete')) return []
    const refs = [...listAt(composition, 'assemblies'), ...listAt(composition, 'dependencies')]
    const names = refs.map((ref) => {
      const entry = entries.get(String(ref))
      return entry === undefined ? String(ref) : `${entry.name}@${entry.version}`
    })
    const reason = 'The bill of materials says that it is incomplete'
    return (names.length === 0 ? ['the bill of materials'] : names).map((name) => ({ name, reason }))
  })
}

function objectIn(object: JsonObject, key: string): JsonObject {
  const value = ownValue(object, key)
  return isObject(value) ? value : {}
}
