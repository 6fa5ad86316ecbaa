import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSharedWork } from './shared-work.ts'

test('shared work: runs once for all waiters and is aborted when the last one leaves', async () => {
  const shared = createSharedWork<string>()
  const [first, second] = [new AbortController(), new AbortController()]
  const signals: AbortSignal[] = []
  const begin = (signal: AbortSignal) => {
    signals.push(signal)
    return new Promise<string>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  }
  const one = assert.rejects(shared.join('k', first.signal, begin), /one left/)
  const two = assert.rejects(shared.join('k', second.signal, begin), /two left/)
  first.abort(new Error('one left'))
  await one
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [false],
  )
  second.abort(new Error('two left'))
  await two
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true],
  )
  assert.equal(await shared.join('k', undefined, async () => 'anew'), 'anew')
})
