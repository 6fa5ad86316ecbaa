import { factsOf, type Registry } from '../registry-facts.ts'

/** The members of a record that identify its vulnerability. */
export interface Identified {
  readonly id: string
  readonly aliases: readonly string[]
}

/**
 * Orders records of one vulnerability; the first one represents it: GitHub's reviewed records, which most often have
 * titles, vectors and fixed versions; then the registry's own database; then others; by id among equals.
 */
export function compareRepresentatives(registry: Registry, a: string, b: string): number {
  return rank(registry, a) - rank(registry, b) || (a < b ? -1 : Number(a > b))
}

function rank(registry: Registry, id: string): number {
  if (id.startsWith('GHSA-')) return 0
  const own = factsOf(registry).ownDatabase
  return own !== undefined && id.startsWith(own) ? 1 : 2
}

/** Joins records of one package that share an id or an alias, directly or transitively, into one vulnerability. */
export function joinAliases<T extends Identified>(records: readonly T[]): T[][] {
  const parents = records.map((_, index) => index)
  const firstWith = new Map<string, number>()
  for (const [index, { id, aliases }] of records.entries()) {
    for (const name of [id, ...aliases]) {
      const first = firstWith.get(name)
      if (first === undefined) firstWith.set(name, index)
      else parents[rootOf(parents, index)] = rootOf(parents, first)
    }
  }
  const groups = new Map<number, T[]>()
  for (const [index, record] of records.entries()) {
    const root = rootOf(parents, index)
    const group = groups.get(root)
    if (group) group.push(record)
    else groups.set(root, [record])
  }
  return [...groups.values()]
}

function rootOf(parents: number[], index: number): number {
  let at = index
  while (parents[at] !== at) {
    parents[at] = parents[parents[at]!]!
    at = parents[at]!
  }
  return at
}
