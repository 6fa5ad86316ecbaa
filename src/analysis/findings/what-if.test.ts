import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Unresolved } from '../dependency-graph.ts'
import type { Reading } from '../ecosystems/ecosystem.ts'
import { toWhatIf } from './what-if.ts'

const edges = (...all: number[]) => all.map((to) => ({ to, range: '1', kind: 'prod' as const }))
const graph = {
  nodes: [
    { package: { name: 'project', version: '1.0.0' }, edges: edges(1, 2) },
    { package: { name: 'top', version: '2.0.0' }, edges: edges(3, 4, 0) },
    { package: { name: 'side', version: '1.0.0' }, edges: edges(5, 0) },
    { package: { name: 'other', version: '1.0.0' }, edges: [] },
    { package: { name: 'bad', version: '2.0.0' }, edges: [] },
    { package: { name: 'bad', version: '1.0.0' }, edges: [] },
  ],
}
const bad = { key: 'A-1', name: 'bad', affects: (version: string) => version === '1.0.0' }
const whatIf = (unresolved: Partial<Unresolved>[] = [], before: Partial<Unresolved>[] = []) =>
  toWhatIf({ graph, unresolved } as unknown as Reading, before as Unresolved[])

test('isFreeOf: true if nothing below the upgraded direct dependency has the vulnerability', () => {
  const upgraded = whatIf()
  for (let times = 0; times < 2; times++) {
    assert.equal(upgraded.isFreeOf('top', bad), true)
    assert.equal(upgraded.isFreeOf('side', bad), false)
    assert.equal(upgraded.isFreeOf('gone', bad), false)
  }
})

test('isFreeOf: false for a resolution with new unresolved packages', () => {
  const rows: [unresolved: Partial<Unresolved>, before: Partial<Unresolved>[], isFree: boolean][] = [
    [{ name: 'x', code: 'registry-unreachable' }, [], false],
    [{ name: 'x', code: 'bound-met' }, [], false],
    [{ name: 'x', code: 'no-matching-version' }, [], false],
    [{ name: 'x', code: 'no-matching-version' }, [{ name: 'x' }], true],
    [{ name: 'x', code: 'not-in-registry' }, [], true],
    [{ name: 'bad', code: 'not-in-registry' }, [{ name: 'bad' }], false],
  ]
  for (const [unresolved, before, isFree] of rows) {
    assert.equal(whatIf([unresolved], before).isFreeOf('top', bad), isFree, JSON.stringify([unresolved, before]))
  }
})

test('follow: follows a path by names up to the first that is no longer required', () => {
  assert.deepEqual(whatIf().follow(['top', 'bad']), [
    { name: 'top', version: '2.0.0' },
    { name: 'bad', version: '2.0.0' },
  ])
  assert.deepEqual(whatIf().follow(['top', 'gone', 'bad']), [{ name: 'top', version: '2.0.0' }])
})
