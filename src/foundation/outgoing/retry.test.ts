import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FailureCode, OutgoingFailed } from './outgoing-errors.ts'
import { toWaitMs, withRetries } from './retry.ts'
import { DEFAULT_LIMITS } from './settings.ts'

test('Retry-After: read as seconds or as a date, and nothing else', () => {
  const cases: [text: string | undefined, waitMs: number | undefined][] = [
    [undefined, undefined],
    ['0', 0],
    ['120', 120_000],
    ['-1', 0],
    ['soon', undefined],
    ['', undefined],
    ['1e3', undefined],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
  ]
  for (const [text, waitMs] of cases) assert.equal(toWaitMs(text), waitMs, text)
  assert.ok(toWaitMs(new Date(Date.now() + 3_600_000).toUTCString())! > 3_000_000)
})

test('attempts without a connection: limited separately from others', async () => {
  const cases: [code: FailureCode, attempts: number][] = [
    ['connect', 1],
    ['connect-timeout', 1],
    ['connection-lost', 3],
  ]
  const limits = { ...DEFAULT_LIMITS, connectAttempts: 1, backOffMs: 1 }
  for (const [code, attempts] of cases) {
    let count = 0
    const failing = async () => {
      count++
      throw new OutgoingFailed(code, 'no answer')
    }
    const { signal } = new AbortController()
    await assert.rejects(withRetries({ limits, signal, isRepeatable: () => true }, failing), OutgoingFailed)
    assert.equal(count, attempts, code)
  }
})
