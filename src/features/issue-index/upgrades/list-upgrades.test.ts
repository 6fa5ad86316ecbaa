import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { schemes } from '#analysis/advisories/schemes.ts'
import type { Advice } from '#analysis/findings/stored-graph.ts'
import { listUpgrades } from './list-upgrades.ts'

const graph = { packages: [{ name: 'weave', version: '2.2.0' }], nodes: [{ package: 0, edges: [] }] }
/** Versions that fix some issue of the package. */
const pins = ['2.2.2', '2.2.10', '2.2.28', '3.0.3']

function pinned(issueId: string, fixedIn: readonly string[], own = pins): Advice {
  const fix = { isUpgradable: false, isPinnable: true, upgradePaths: [], upgradedPaths: [] }
  return { issueId, package: 0, ...fix, pins: own, fixedIn }
}

function list(advice: readonly Advice[]) {
  const open = new Map(advice.map(({ issueId }) => [issueId, 'high' as const]))
  return listUpgrades({ graph, advice, open, versions: schemes.PyPI }).map(({ to, fixes }) => [to, fixes])
}

describe('upgrades that a test advises', () => {
  test('pinned package: the version fixes every counted issue, not only the one that was fixed first', () => {
    const first = pinned('A', ['2.1.9', '2.2.2'])
    assert.deepEqual(list([first]), [['2.2.2', 1]])
    assert.deepEqual(list([first, pinned('B', ['1.11.27', '2.2.28', '3.0.3'])]), [['2.2.28', 2]])
  })

  test('pinned package: without the fixed version among the pins, a later one is advised; without any, none', () => {
    assert.deepEqual(list([pinned('A', ['2.2.4'])]), [['2.2.10', 1]])
    assert.deepEqual(list([pinned('A', ['4.0.0'])]), [])
    assert.deepEqual(list([pinned('A', ['2.2.2'], [])]), [])
  })
})
