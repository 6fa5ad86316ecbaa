import assert from 'node:assert/strict'
import test from 'node:test'
import type { Registry } from '#analysis/registries/registry.ts'
import { compareRepresentatives, joinAliases } from './aliases.ts'

const orders: [registry: Registry, ids: string[]][] = [
  ['PyPI', ['GHSA-1', 'GHSA-2', 'PYSEC-1', 'PYSEC-2', 'AAA-1', 'GO-1', 'ZZZ-1']],
  ['RubyGems', ['GHSA-1', 'RUBYSEC-1', 'AAA-1', 'PYSEC-1']],
  ['Go', ['GHSA-1', 'GO-1', 'AAA-1', 'RUBYSEC-1']],
  ['npm', ['GHSA-1', 'AAA-1', 'GO-1', 'ZZZ-1']],
]
for (const [registry, ids] of orders) {
  test(`order of records for ${registry}: GitHub's first, then those of its own database, then by id`, () => {
    const sort = (ids: readonly string[]) => ids.toSorted((a, b) => compareRepresentatives(registry, a, b))
    assert.deepEqual([sort(ids), sort(ids.toReversed())], [ids, ids])
    assert.equal(compareRepresentatives(registry, ids[0]!, ids[0]!), 0)
  })
}

test('alias groups: records that share an id or alias, also transitively, are one vulnerability', () => {
  const record = (id: string, ...aliases: string[]) => ({ id, aliases })
  const groups = joinAliases([record('A', 'x'), record('B', 'y'), record('C', 'D'), record('D'), record('E', 'x', 'y')])
  assert.deepEqual(
    groups.map((group) => group.map(({ id }) => id)),
    [
      ['A', 'B', 'E'],
      ['C', 'D'],
    ],
  )
})
