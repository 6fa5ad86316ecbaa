import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Candidate, toWant, type Want } from './candidate.ts'
import { createHeap } from './heap.ts'
import { createPreference } from './preference.ts'
import { toUnknown } from './published-candidates.ts'
import { type Provider, resolve } from './resolution.ts'
import { takeWhatFits } from './take-what-fits.ts'

const limits = { rounds: 10_000, detours: 10_000 }

/** Projects that each require the one before and a common one; counts the queries of the search. */
function chainOf(projects: number) {
  const names = Array.from({ length: projects }, (_, n) => `p${n}`)
  const roots = names.map((name) => toWant(name, { range: '==1' }))
  const dependencies = new Map<string, Want[]>(
    names.map((name, n) => [name, [toWant(names[n - 1] ?? 'all', {}), toWant('all', { range: `>=0.${n % 7}` })]]),
  )
  const candidates = new Map<string, Candidate>([...names, 'all'].map((name) => [name, toUnknown(name)]))
  let requestCount = 0
  const provider: Provider = {
    ...createPreference(new Map(names.map((name, n) => [name, n]))),
    async findMatches(id, wantsOf) {
      requestCount += wantsOf(id).length
      return [candidates.get(id)!]
    },
    async dependenciesOf({ id }) {
      requestCount++
      return dependencies.get(id) ?? []
    },
    isSatisfied() {
      requestCount++
      return true
    },
  }
  return { roots, provider, asked: () => requestCount }
}

describe('the resolver of pip', () => {
  test('resolve: twice as many pins cause at most about twice as many queries', async () => {
    const [once, twice] = [chainOf(400), chainOf(800)]
    for (const { roots, provider } of [once, twice]) {
      const resolution = await resolve(roots, provider, limits)
      assert.equal(resolution.kind, 'solved')
    }
    assert.ok(twice.asked() < 2.1 * once.asked(), `${once.asked()} and ${twice.asked()}`)
  })

  test('takeWhatFits: single versions are chosen without a search', async () => {
    const { roots, provider, asked: countRequests } = chainOf(400)
    const { chosen, unmet } = await takeWhatFits(roots, provider)
    assert.deepEqual([chosen.size, unmet.length], [401, 0])
    assert.ok(countRequests() < 400 * 10, String(countRequests()))
  })
})

test('heap: returns its values in ascending order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (values) => {
      const heap = createHeap<number>((a, b) => a - b)
      for (const value of values) heap.add(value)
      const sorted: number[] = []
      for (let first = heap.first(); first !== undefined; first = heap.first()) {
        sorted.push(first)
        heap.removeFirst()
      }
      assert.deepEqual(
        sorted,
        values.toSorted((a, b) => a - b),
      )
    }),
  )
})
