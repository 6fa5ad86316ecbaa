import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Problem } from '#foundation/problem.ts'
import { parseLimits } from './limits.ts'

const now = Date.UTC(2026, 0, 1)
const soon = now + 1000

describe('wanted limits are parsed', () => {
  test('none', () => assert.deepEqual(parseLimits({}, now), { expiresAt: null, allowedNetworks: null }))
  test('an end with any offset', () =>
    assert.equal(parseLimits({ expires_at: '2026-01-01T01:00:01+01:00' }, now).expiresAt, soon))

  const refused: [why: string, wanted: Parameters<typeof parseLimits>[0]][] = [
    ['an end that has passed', { expires_at: '2025-12-31T23:59:59Z' }],
    ['an end that is now', { expires_at: '2026-01-01T00:00:00Z' }],
    ['a second that no clock shows', { expires_at: '2026-02-01T00:00:60Z' }],
    ['no network', { allowed_networks: ['10.0.0.0/8', 'office'] }],
    ['a prefix that is too long', { allowed_networks: ['10.0.0.0/33'] }],
    ['an empty network', { allowed_networks: [''] }],
  ]
  for (const [why, wanted] of refused) {
    test(`refuses ${why}`, () => {
      assert.throws(
        () => parseLimits(wanted, now),
        (error) => error instanceof Problem && error.code === 'invalid-request',
      )
    })
  }
})
