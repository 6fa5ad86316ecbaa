import { isObject, type JsonObject, objectAt, ownValue, shorten, textOf } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { DependencyKind } from '../../dependency-graph.ts'
import { type ConanReference, parseReference } from './conan-reference.ts'

/** A parsed conan.lock. */
export interface ConanLock {
  readonly version: string
  readonly entries: ReadonlyMap<string, ConanEntry>
  /** The direct dependencies of the project; undefined if the lock does not tell. */
  readonly direct: readonly ConanLink[] | undefined
}

export interface ConanEntry extends ConanReference {
  readonly kind: DependencyKind
  readonly links: readonly ConanLink[]
}

export interface ConanLink {
  readonly key: string
  readonly kind: DependencyKind
}

/** Parses a conan.lock of Conan 2 (version 0.5) or Conan 1 (version 0.4). */
export function parseConanLock(document: JsonObject, file: 'target' | number): ConanLock {
  const version = textOf(document, 'version')
  if (version === '0.5') return { version, entries: parseLists(document, file), direct: undefined }
  if (version === '0.4') return { version, ...parseNodes(document, file) }
  throw new Unreadable(`conan.lock has version ${shorten(String(version))}; supported: 0.4 and 0.5`, { file })
}

const LISTS: Readonly<Record<string, DependencyKind>> = {
  requires: 'prod',
  build_requires: 'dev',
  python_requires: 'dev',
}

/** The lists of Conan 2 do not tell which package requires which. */
function parseLists(document: JsonObject, file: 'target' | number): Map<string, ConanEntry> {
  const entries = new Map<string, ConanEntry>()
  for (const [list, kind] of Object.entries(LISTS)) {
    const references = ownValue(document, list) ?? []
    if (!Array.isArray(references)) throw new Unreadable(`"${list}" must be a list`, { file })
    for (const text of references) {
      const reference = toReference(text, file)
      const key = `${reference.name}/${reference.range}@${reference.channel ?? ''}`
      if (!entries.has(key)) entries.set(key, { ...reference, kind, links: [] })
    }
  }
  return entries
}

/** Conan 1 writes a graph, whose nodes without a reference are the project. */
function parseNodes(document: JsonObject, file: 'target' | number): Pick<ConanLock, 'entries' | 'direct'> {
  const nodes = objectAt(objectAt(document, 'graph_lock', { file, entry: '' }) ?? {}, 'nodes', {
    file,
    entry: 'graph_lock',
  })
  if (nodes === undefined) throw new Unreadable('conan.lock has no "nodes" of a "graph_lock"', { file })
  const entries = new Map<string, ConanEntry>()
  const direct: ConanLink[] = []
  for (const [key, node] of Object.entries(nodes)) {
    if (!isObject(node)) throw new Unreadable(`Node ${shorten(key)} of conan.lock must be an object`, { file })
    const links = [...linksAt(node, 'requires', 'prod'), ...linksAt(node, 'build_requires', 'dev')]
    const text = ownValue(node, 'ref')
    if (text === undefined || text === null) direct.push(...links)
    else
      entries.set(key, {
        ...toReference(text, file),
        kind: ownValue(node, 'context') === 'build' ? 'dev' : 'prod',
        links,
      })
  }
  return { entries, direct }
}

function linksAt(node: JsonObject, key: string, kind: DependencyKind): ConanLink[] {
  const ids = ownValue(node, key)
  return Array.isArray(ids) ? ids.map((id) => ({ key: String(id), kind })) : []
}

function toReference(text: unknown, file: 'target' | number): ConanReference {
  const reference = typeof text === 'string' ? parseReference(text) : undefined
  if (reference !== undefined) return reference
  throw new Unreadable(`conan.lock has ${shorten(JSON.stringify(text) ?? '')} in place of a reference`, { file })
}
