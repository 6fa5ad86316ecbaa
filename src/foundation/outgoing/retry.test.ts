import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toWaitMs } from './retry.ts'

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
