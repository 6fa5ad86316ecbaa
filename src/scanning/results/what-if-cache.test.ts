import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Package, Unresolved } from '#analysis/dependency-graph.ts'
import type { Reading, WhatIfResolver } from '#analysis/ecosystems/ecosystem.ts'
import { createWhatIfCache } from './what-if-cache.ts'

function toReading(packages: number, unresolved: Unresolved[] = []): Reading {
  const nodes = Array.from({ length: packages }, (_, at) => ({ package: { name: `p${at}`, version: '1' }, edges: [] }))
  return { graph: { nodes }, unresolved, filesRead: [], locked: false, excluded: [], boundsMet: [] }
}

function countingResolver(reading: (requested: readonly Package[]) => Promise<Reading>, isSameForAll = true) {
  const calls = { candidates: 0, read: 0 }
  const resolver: WhatIfResolver = {
    isSameForAll,
    async candidates() {
      calls.candidates++
      return ['2']
    },
    read(requested) {
      calls.read++
      return reading(requested)
    },
  }
  return { calls, resolver }
}

const a = { name: 'a', version: '1' }

describe('the cache of what-if resolutions', () => {
  test('what-if cache: resolves once for each ecosystem and version', async () => {
    const { calls, resolver } = countingResolver(async () => toReading(3))
    const memory = createWhatIfCache(() => 0)
    const npm = memory.remember('npm', resolver)
    await Promise.all([npm.read!([a]), npm.read!([a]), npm.candidates(a), npm.candidates(a)])
    await memory.remember('npm', resolver).read!([a])
    assert.deepEqual(calls, { candidates: 1, read: 1 })
    await npm.read!([{ ...a, version: '2' }])
    await memory.remember('yarn', resolver).read!([a])
    assert.deepEqual(calls, { candidates: 1, read: 3 })
  })

  test('what-if cache: entries expire after ten minutes', async () => {
    let now = 0
    const { calls, resolver } = countingResolver(async () => toReading(3))
    const npm = createWhatIfCache(() => now).remember('npm', resolver)
    await npm.read!([a])
    now = 10 * 60_000
    await npm.read!([a])
    assert.equal(calls.read, 2)
  })

  test('what-if cache: keeps no results of projects or with unanswered queries', async () => {
    const ofProject = countingResolver(async () => toReading(3), false)
    const project = createWhatIfCache(() => 0).remember('npm', ofProject.resolver)
    await project.read!([a])
    await project.read!([a])
    assert.equal(ofProject.calls.read, 2)
    const open = { name: 'b', range: '1', code: 'registry-unreachable', reason: 'down', requiredBy: 'a@1' } as const
    const unanswered = countingResolver(async () => toReading(3, [open]))
    const npm = createWhatIfCache(() => 0).remember('npm', unanswered.resolver)
    await npm.read!([a])
    await npm.read!([a])
    assert.equal(unanswered.calls.read, 2)
  })

  test('what-if cache: keeps no failures', async () => {
    let isDown = true
    const { resolver } = countingResolver(async () => {
      if (isDown) throw new Error('down')
      return toReading(1)
    })
    const npm = createWhatIfCache(() => 0).remember('npm', resolver)
    await assert.rejects(npm.read!([a]))
    isDown = false
    assert.equal((await npm.read!([a])).graph.nodes.length, 1)
  })

  test('what-if cache: evicts the oldest results when it is full', async () => {
    const { calls, resolver } = countingResolver(async () => toReading(20_000))
    const npm = createWhatIfCache(() => 0).remember('npm', resolver)
    for (const version of ['1', '2', '3']) await npm.read!([{ name: 'a', version }])
    await npm.read!([{ name: 'a', version: '3' }])
    assert.equal(calls.read, 3)
    await npm.read!([{ name: 'a', version: '1' }])
    assert.equal(calls.read, 4)
  })
})
