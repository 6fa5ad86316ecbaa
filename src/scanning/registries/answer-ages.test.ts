import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noteAge, withAges } from './answer-ages.ts'

const old = { validatedAt: 1000, staleBecause: 'down', freshUntil: 1500 }
const fresh = { validatedAt: 2000, staleBecause: undefined, freshUntil: 2500 }

describe('ages of answers', () => {
  test('old answers are told beside the value', async () => {
    const found = await withAges(async () => {
      noteAge(fresh)
      await Promise.resolve()
      noteAge(old)
      return 'value'
    })
    assert.deepEqual(found, { value: 'value', stale: [{ validatedAt: 1000, because: 'down' }], freshUntil: 1500 })
  })

  test('each of those who wait for one question learns of it', async () => {
    const { promise, resolve } = Promise.withResolvers<typeof old>()
    const waiting = [1, 2].map(() => withAges(() => promise.then(noteAge)))
    const unconcerned = withAges(async () => {})
    resolve(old)
    assert.deepEqual(
      (await Promise.all([...waiting, unconcerned])).map(({ stale }) => stale.length),
      [1, 1, 0],
    )
  })

  test('ages need not be collected', () => noteAge(old))

  test('a failure stays one', async () => {
    await assert.rejects(
      withAges(() => Promise.reject(new Error('x'))),
      /x/,
    )
  })
})
