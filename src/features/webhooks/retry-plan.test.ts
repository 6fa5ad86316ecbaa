import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextDueAt, restMs } from './retry-plan.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

test('retry plan: attempts spread over a day with growing waits', () => {
  for (const random of [0, 0.5, 1]) {
    const times = [0]
    for (let attempts = 1; ; attempts++) {
      const now = times.at(-1)!
      const due = nextDueAt({ attempts, now, givesUpAt: DAY, retryAfterMs: undefined }, random)
      if (due === undefined) break
      assert.ok(due > now && Number.isInteger(due))
      times.push(due)
    }
    assert.equal(times.at(-1), DAY)
    assert.ok(times.length >= 11 && times.length <= 13, `${times.length}`)
    const waits = times.slice(1, 9).map((time, index) => time - times[index]!)
    assert.deepEqual(
      waits.toSorted((a, b) => a - b),
      waits,
    )
    assert.ok(waits[0]! >= 4000 && waits[0]! <= 6000)
  }
})

test('retry plan: honors Retry-After up to an hour', () => {
  const failure = { attempts: 1, now: 1000, givesUpAt: DAY }
  assert.equal(nextDueAt({ ...failure, retryAfterMs: 600_000 }, 0), 601_000)
  assert.equal(nextDueAt({ ...failure, retryAfterMs: 100 * HOUR }, 0), HOUR + 1000)
  assert.equal(nextDueAt({ ...failure, retryAfterMs: 0 }, 0), 5000)
  assert.equal(nextDueAt({ ...failure, attempts: 99, retryAfterMs: undefined }, 0.5), 8 * HOUR + 1000)
})

test('rest of a failing receiver: doubles up to a minute, or follows Retry-After up to an hour', () => {
  assert.deepEqual(
    [1, 2, 3, 6, 500].map((failures) => restMs(failures)),
    [2000, 4000, 8000, 60_000, 60_000],
  )
  assert.equal(restMs(1, 120_000), 120_000)
  assert.equal(restMs(1, 100 * HOUR), HOUR)
})
