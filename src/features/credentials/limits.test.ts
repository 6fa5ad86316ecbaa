import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Problem } from '#foundation/problem.ts'
import { parseLimits } from './limits.ts'

const now = Date.UTC(2026, 0, 1)
const soon = now + 1000

describe('parsing of requested limits', () => {
  test('parseLimits without limits: returns null for both', () =>
    assert.deepEqual(parseLimits({}, now), { expiresAt: null, allowedNetworks: null }))
  test('parseLimits: parses an expires_at with any offset', () =>
    assert.equal(parseLimits({ expires_at: '2026-01-01T01:00:01+01:00' }, now).expiresAt, soon))

  test('parseLimits: returns allowed_networks unchanged', () => {
    const allowed_networks = ['10.0.0.0/8', '2001:db8::/32']
    assert.deepEqual(parseLimits({ allowed_networks }, now).allowedNetworks, allowed_networks)
  })

  const refused: [why: string, wanted: Parameters<typeof parseLimits>[0], pointer: string][] = [
    ['an expires_at in the past', { expires_at: '2025-12-31T23:59:59Z' }, 'expires_at'],
    ['an expires_at that is now', { expires_at: '2026-01-01T00:00:00Z' }, 'expires_at'],
    ['an invalid leap second', { expires_at: '2026-02-01T00:00:60Z' }, 'expires_at'],
    ['an invalid network', { allowed_networks: ['10.0.0.0/8', 'office'] }, 'allowed_networks/1'],
    ['a prefix length of 33', { allowed_networks: ['10.0.0.0/33'] }, 'allowed_networks/0'],
    ['an empty network', { allowed_networks: [''] }, 'allowed_networks/0'],
  ]
  for (const [why, input, pointer] of refused) {
    for (const attributesAt of ['/data/attributes', ''] as const) {
      test(`parseLimits: refuses ${why}, at ${attributesAt}/${pointer}`, () => {
        assert.throws(
          () => (attributesAt === '' ? parseLimits(input, now, '') : parseLimits(input, now)),
          (error) => {
            assert.ok(error instanceof Problem && error.code === 'invalid-request')
            assert.deepEqual(error.faults[0]!.source, { pointer: `${attributesAt}/${pointer}` })
            return true
          },
        )
      })
    }
  }
})
