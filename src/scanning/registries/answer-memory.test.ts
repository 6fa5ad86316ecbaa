import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { registriesOf } from '#test/registries/registries.ts'
import { noteAge } from './answer-ages.ts'
import { createAnswerMemory } from './answer-memory.ts'
import type { RegistryQuestion } from './remote-registries.ts'

const versions = { name: 'a', tags: {}, versions: {} }
const about = (name: string): RegistryQuestion => ({ registry: 'npm', method: 'get', parameters: [name] })
const inJson = { json: JSON.stringify(versions), stale: [] }

/** A registry whose responses have a given age, and the requests that it received. */
function startMemory(age: { staleBecause?: string; freshUntil: number } | undefined, maxCharacters = 100_000) {
  const requests: string[] = []
  const clock = { now: 1000 }
  const registries = registriesOf({
    npm: {
      async get(name) {
        requests.push(name)
        if (age !== undefined) noteAge({ staleBecause: undefined, ...age, validatedAt: 1000 })
        return name === 'unknown' ? undefined : versions
      },
    },
  })
  return { asked: requests, clock, memory: createAnswerMemory(registries, { maxCharacters, now: () => clock.now }) }
}

describe('registry responses in memory', () => {
  test('fresh responses are reused until they expire, also "no such package"', async () => {
    const { memory, asked: requests, clock } = startMemory({ freshUntil: 2000 })
    assert.equal(memory.find(about('a')), undefined)
    assert.deepEqual(await memory.ask(about('a')), inJson)
    assert.deepEqual(memory.find(about('a')), inJson)
    assert.deepEqual(await memory.ask(about('unknown')), { json: undefined, stale: [] })
    assert.deepEqual(memory.find(about('unknown')), { json: undefined, stale: [] })
    assert.deepEqual(requests, ['a', 'unknown'])
    clock.now = 2000
    assert.equal(memory.find(about('a')), undefined)
  })

  const cases: [why: string, age: Parameters<typeof startMemory>[0]][] = [
    ['with an unknown age', undefined],
    ['that are already expired', { freshUntil: 1000 }],
    ['that are stale', { freshUntil: 2000, staleBecause: 'down' }],
  ]
  for (const [why, age] of cases) {
    test(`responses ${why} are not kept`, async () => {
      const { memory } = startMemory(age)
      await memory.ask(about('a'))
      assert.equal(memory.find(about('a')), undefined)
    })
  }

  test('the least recently used responses are evicted; a too large one is not kept', async () => {
    const { memory } = startMemory({ freshUntil: 2000 }, 5000)
    const names = Array.from({ length: 40 }, (_, n) => `p${n}`)
    for (const name of names) {
      await memory.ask(about(name))
      memory.find(about('p0'))
    }
    const cached = names.filter((name) => memory.find(about(name)) !== undefined)
    assert.ok(cached.length > 5 && cached.length < 30, String(cached.length))
    assert.deepEqual([cached[0], cached.at(-1)], ['p0', 'p39'])
    const { memory: small } = startMemory({ freshUntil: 2000 }, 1000)
    await small.ask(about('a'))
    assert.equal(small.find(about('a')), undefined)
  })
})
