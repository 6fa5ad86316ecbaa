import assert from 'node:assert/strict'
import { test } from 'node:test'
import { andThen, andThenBoth, catching } from '#foundation/maybe-promise.ts'

test('andThen: synchronous for a value, asynchronous for a promise', async () => {
  assert.equal(
    andThen(1, (one) => one + 1),
    2,
  )
  const later = andThen(Promise.resolve(1), (one) => one + 1)
  assert.ok(later instanceof Promise)
  assert.equal(await later, 2)
  assert.equal(await andThen(1, async (one) => one + 1), 2)
})

test('andThenBoth: waits for both values and rejects with the first failure', async () => {
  const add = (one: number, other: number) => one + other
  assert.equal(andThenBoth(1, 2, add), 3)
  assert.equal(await andThenBoth(Promise.resolve(1), 2, add), 3)
  assert.equal(await andThenBoth(1, Promise.resolve(2), add), 3)
  const failing = Promise.reject(new Error('first'))
  await assert.rejects(async () => andThenBoth(failing, Promise.reject(new Error('second')), add), /first/)
})

test('catching: handles synchronous and asynchronous failures, and passes results through', async () => {
  const failed = (error: unknown) => (error as Error).message
  const fail = () => {
    throw new Error('failed')
  }
  assert.equal(catching(fail, failed), 'failed')
  assert.equal(await catching(async () => fail(), failed), 'failed')
  assert.equal(
    catching(() => 'fine', failed),
    'fine',
  )
  assert.equal(await catching(async () => 'fine', failed), 'fine')
  assert.throws(() => catching(fail, fail), /failed/)
})
