import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noteAge, withAges } from './answer-ages.ts'

const old = { validatedAt: 1000, staleBecause: 'down', freshUntil: 1500 }
const fresh = { validatedAt: 2000, staleBecause: undefined, freshUntil: 2500 }

describe('ages of registry responses', () => {
  test('withAges: returns the stale responses used and the earliest expiry beside the value', async () => {
    const outcome = await withAges(async () => {
      noteAge(fresh)
      await Promise.resolve()
      noteAge(old)
      return 'value'
    })
    assert.deepEqual(outcome, { value: 'value', stale: [{ validatedAt: 1000, because: 'down' }], freshUntil: 1500 })
  })

  test('withAges: every waiter of a shared request learns its age', async () => {
    const { promise, resolve } = Promise.withResolvers<typeof old>()
    const waiting = [1, 2].map(() => withAges(() => promise.then(noteAge)))
    const unconcerned = withAges(async () => {})
    resolve(old)
    assert.deepEqual(
      (await Promise.all([...waiting, unconcerned])).map(({ stale }) => stale.length),
      [1, 1, 0],
    )
  })

  test('noteAge: works without a collector', () => noteAge(old))

  test('withAges: passes failures on', async () => {
    await assert.rejects(
      withAges(() => Promise.reject(new Error('x'))),
      /x/,
    )
  })
})
