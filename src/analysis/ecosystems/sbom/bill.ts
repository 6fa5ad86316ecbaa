import { isObject, type JsonObject, ownValue, shorten } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'

/** An entry of a bill of materials: a package, a file, a service … */
export interface Entry {
  /** Unique in its bill; made up if the file has none. */
  readonly ref: string
  readonly name: string
  readonly version: string
  /** The word of the format: library, file, operating-system … */
  readonly type: string
  readonly purl: string | undefined
  readonly license: string | undefined
}

/** A bill of materials, whatever its format. */
export interface Bill {
  /** The format for people: `CycloneDX 1.6`. */
  readonly format: string
  /** The subject of the bill, which is the project; undefined if it names none or several. */
  readonly subject: Entry | undefined
  /** All entries but the subject. */
  readonly entries: readonly Entry[]
  /** The dependencies of each entry, by references; one of them may have no entry. */
  readonly dependencies: ReadonlyMap<string, ReadonlySet<string>>
  /** Components of the build alone, which are not tested (`formulation` of CycloneDX). */
  readonly buildPackages: number
  /** References to what is described but not shipped: the build, and the tools that wrote the bill. */
  readonly aside: ReadonlySet<string>
  /** Parts that the file says are missing, or are in other files. */
  readonly gaps: readonly Gap[]
}

export interface Gap {
  readonly name: string
  readonly reason: string
}

/** Collects entries and their relations. */
export class BillBuilder {
  readonly entries = new Map<string, Entry>()
  readonly dependencies = new Map<string, Set<string>>()
  readonly gaps: Gap[] = []
  /** The next suffix to try for a reference that is taken. */
  private readonly suffixes = new Map<string, number>()

  /** Adds an entry; a reference that is taken, as duplicates have, gets a suffix, so that no entry is lost. */
  add(entry: Entry): void {
    let { ref } = entry
    const existing = this.entries.get(ref)
    if (existing !== undefined && isSameEntry(existing, entry)) return
    if (existing === undefined && ref !== '') {
      this.entries.set(ref, entry)
      return
    }
    let n = this.suffixes.get(entry.ref) ?? 2
    for (; ref === '' || this.entries.has(ref); n++) ref = `${entry.ref}#${n}`
    this.suffixes.set(entry.ref, n)
    this.entries.set(ref, { ...entry, ref })
  }

  depend(from: string, to: string): void {
    this.mention(from).add(to)
  }

  /** Remembers a reference that has relations, so that it is reported if no entry has it. Returns its dependencies. */
  mention(from: string): Set<string> {
    const existing = this.dependencies.get(from)
    if (existing !== undefined) return existing
    const added = new Set<string>()
    this.dependencies.set(from, added)
    return added
  }
}

export function isSameEntry(one: Entry, other: Entry): boolean {
  const { ref, purl, name, version } = one
  return ref === other.ref && purl === other.purl && name === other.name && version === other.version
}

/** Returns the objects of a list; none if it is absent. Throws `Unreadable` for anything else in its place. */
export function objectsAt(object: JsonObject, key: string): JsonObject[] {
  const list = listAt(object, key)
  const foreign = list.find((entry) => !isObject(entry))
  if (foreign !== undefined) {
    throw new Unreadable(`"${key}" must list objects, not ${quote(foreign)}`)
  }
  return list as JsonObject[]
}

/** Shortens a value for a message. Lists and objects may be too deep to be written as JSON. */
export function quote(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  return isObject(value) ? 'an object' : shorten(JSON.stringify(value))
}

/** Returns the values of a list; none if it is absent. Throws `Unreadable` for anything else in its place. */
export function listAt(object: JsonObject, key: string): unknown[] {
  const value = ownValue(object, key) ?? []
  if (Array.isArray(value)) return value
  throw new Unreadable(`"${key}" is not a list`)
}
