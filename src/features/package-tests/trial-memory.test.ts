import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Package, Unresolved } from '#analysis/dependency-graph.ts'
import type { Reading, UpgradeTrials } from '#analysis/ecosystems/ecosystem.ts'
import { createTrialMemory } from './trial-memory.ts'

function toReading(packages: number, unresolved: Unresolved[] = []): Reading {
  const nodes = Array.from({ length: packages }, (_, at) => ({ package: { name: `p${at}`, version: '1' }, edges: [] }))
  return { graph: { nodes }, unresolved, filesRead: [], locked: false, excluded: [], boundsMet: [] }
}

function countingTrials(reading: (wanted: readonly Package[]) => Promise<Reading>, isSameForAll = true) {
  const asked = { candidates: 0, read: 0 }
  const trials: UpgradeTrials = {
    isSameForAll,
    async candidates() {
      asked.candidates++
      return [{ version: '2' }]
    },
    read(wanted) {
      asked.read++
      return reading(wanted)
    },
  }
  return { asked, trials }
}

const a = { name: 'a', version: '1' }

describe('the memory of upgrade trials', () => {
  test('asks once, for each ecosystem and version', async () => {
    const { asked, trials } = countingTrials(async () => toReading(3))
    const memory = createTrialMemory(() => 0)
    const npm = memory.remember('npm', trials)
    await Promise.all([npm.read([a]), npm.read([a]), npm.candidates(a), npm.candidates(a)])
    await memory.remember('npm', trials).read([a])
    assert.deepEqual(asked, { candidates: 1, read: 1 })
    await npm.read([{ ...a, version: '2' }])
    await memory.remember('yarn', trials).read([a])
    assert.deepEqual(asked, { candidates: 1, read: 3 })
  })

  test('forgets after a while', async () => {
    let now = 0
    const { asked, trials } = countingTrials(async () => toReading(3))
    const npm = createTrialMemory(() => now).remember('npm', trials)
    await npm.read([a])
    now = 10 * 60_000
    await npm.read([a])
    assert.equal(asked.read, 2)
  })

  test('keeps no reading of a project, and none that a registry left open', async () => {
    const ofProject = countingTrials(async () => toReading(3), false)
    const project = createTrialMemory(() => 0).remember('npm', ofProject.trials)
    await project.read([a])
    await project.read([a])
    assert.equal(ofProject.asked.read, 2)
    const open = { name: 'b', range: '1', code: 'registry-unreachable', reason: 'down', requiredBy: 'a@1' } as const
    const unanswered = countingTrials(async () => toReading(3, [open]))
    const npm = createTrialMemory(() => 0).remember('npm', unanswered.trials)
    await npm.read([a])
    await npm.read([a])
    assert.equal(unanswered.asked.read, 2)
  })

  test('keeps no failure', async () => {
    let isDown = true
    const { trials } = countingTrials(async () => {
      if (isDown) throw new Error('down')
      return toReading(1)
    })
    const npm = createTrialMemory(() => 0).remember('npm', trials)
    await assert.rejects(npm.read([a]))
    isDown = false
    assert.equal((await npm.read([a])).graph.nodes.length, 1)
  })

  test('the oldest go when there is too much', async () => {
    const { asked, trials } = countingTrials(async () => toReading(20_000))
    const npm = createTrialMemory(() => 0).remember('npm', trials)
    for (const version of ['1', '2', '3']) await npm.read([{ name: 'a', version }])
    await npm.read([{ name: 'a', version: '3' }])
    assert.equal(asked.read, 3)
    await npm.read([{ name: 'a', version: '1' }])
    assert.equal(asked.read, 4)
  })
})
