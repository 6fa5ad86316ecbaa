import { Unreadable } from '../ecosystem.ts'
import { isObject, type JsonObject, ownValue, textOf } from '../npm/json-document.ts'
import { type Bill, BillBuilder, type Entry } from './bill.ts'

const MAX_NESTING = 100

/** Reads CycloneDX 1.x; its XML arrives in the form of its JSON (cyclonedx-xml.ts). */
export function readCycloneDx(document: JsonObject): Bill {
  const version = textOf(document, 'specVersion') ?? ''
  if (!/^1\.\d{1,2}$/.test(version)) {
    throw new Unreadable(`CycloneDX ${version === '' ? 'without "specVersion"' : version} is not read; 1.2 to 1.6 are`)
  }
  const builder = new BillBuilder()
  const root = objectIn(objectIn(document, 'metadata'), 'component')
  const subject = Object.keys(root).length === 0 ? undefined : toEntry(root)
  // Parts of the subject are components like others.
  addComponents(builder, ownValue(root, 'components'), 1)
  addComponents(builder, ownValue(document, 'components'), 1)
  for (const service of objectsOf(ownValue(document, 'services'))) {
    builder.add({ ...toEntry(service), type: 'service', purl: undefined })
  }
  for (const each of objectsOf(ownValue(document, 'dependencies'))) {
    const from = textOf(each, 'ref')
    if (from === undefined) continue
    for (const to of listAt(each, 'dependsOn')) if (typeof to === 'string') builder.depend(from, to)
  }
  const { entries, dependencies } = builder
  return {
    format: `CycloneDX ${version}`,
    subject,
    entries: [...entries.values()].filter(({ ref }) => ref !== subject?.ref),
    dependencies,
    isIncomplete: isIncomplete(document, subject?.ref),
  }
}

/** Adds nested components; an assembly depends on its parts. */
function addComponents(builder: BillBuilder, list: unknown, level: number, parent?: string): void {
  if (level > MAX_NESTING) throw new Unreadable(`Components nest deeper than ${MAX_NESTING} levels`)
  for (const component of objectsOf(list)) {
    const entry = toEntry(component)
    builder.add(entry)
    if (parent !== undefined) builder.depend(parent, entry.ref)
    addComponents(builder, ownValue(component, 'components'), level + 1, entry.ref)
  }
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
  const words = objectsOf(ownValue(component, 'licenses')).flatMap((choice) => {
    const license = objectIn(choice, 'license')
    return textOf(choice, 'expression') ?? textOf(license, 'id') ?? textOf(license, 'name') ?? []
  })
  if (words.length <= 1) return words[0]
  return words.map((word) => (/\s/.test(word) ? `(${word})` : word)).join(' AND ')
}

/** Compositions that say of the subject, or of everything, that something is missing. */
function isIncomplete(document: JsonObject, subject: string | undefined): boolean {
  return objectsOf(ownValue(document, 'compositions')).some((composition) => {
    if (!textOf(composition, 'aggregate')?.startsWith('incomplete')) return false
    const refs = [...listAt(composition, 'assemblies'), ...listAt(composition, 'dependencies')]
    return refs.length === 0 || refs.includes(subject)
  })
}

function objectIn(object: JsonObject, key: string): JsonObject {
  const value = ownValue(object, key)
  return isObject(value) ? value : {}
}

export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

export function listAt(object: JsonObject, key: string): unknown[] {
  const value = ownValue(object, key)
  return Array.isArray(value) ? value : []
}
