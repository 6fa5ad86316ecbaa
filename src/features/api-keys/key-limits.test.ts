import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Problem } from '#foundation/problem.ts'
import { limitBy } from './key-limits.ts'

const now = Date.UTC(2026, 0, 1)
const soon = now + 1000

describe('limits of API keys created with an API key', () => {
  const caller = (expires_at: number | null, networks: string[] | null) => ({
    expires_at,
    allowed_networks: networks && JSON.stringify(networks),
  })
  const networks = ['10.0.0.0/8', '2001:db8::/32', '192.0.2.7']

  const taken: [
    why: string,
    caller: ReturnType<typeof caller>,
    wanted: [number | null, string[] | null],
    result: [number | null, string[] | null],
  ][] = [
    ['an unlimited API key: creates a key with any limits', caller(null, null), [soon, ['::/0']], [soon, ['::/0']]],
    [
      'a limited API key: its limits are inherited where none are requested',
      caller(soon, networks),
      [null, null],
      [soon, networks],
    ],
    ['a limited API key: creates a key that expires earlier', caller(soon, null), [soon - 1, null], [soon - 1, null]],
    ['a limited API key: creates a key that expires at the same time', caller(soon, null), [soon, null], [soon, null]],
    [
      'a limited API key: creates a key for smaller networks',
      caller(null, networks),
      [null, ['10.1.0.0/16', '2001:db8:1::/48', '192.0.2.7/32']],
      [null, ['10.1.0.0/16', '2001:db8:1::/48', '192.0.2.7/32']],
    ],
  ]
  for (const [why, calling, [expiresAt, allowedNetworks], [end, allowed]] of taken) {
    test(why, () => {
      assert.deepEqual(limitBy(calling, { expiresAt, allowedNetworks }), { expiresAt: end, allowedNetworks: allowed })
    })
  }

  const refused: [why: string, caller: ReturnType<typeof caller>, wanted: [number | null, string[] | null]][] = [
    ['a later expiry', caller(soon, null), [soon + 1, null]],
    ['a larger network', caller(null, networks), [null, ['10.0.0.0/7']]],
    ['an additional network', caller(null, networks), [null, ['10.0.0.0/8', '11.0.0.0/8']]],
    ['every IPv4 network', caller(null, networks), [null, ['0.0.0.0/0']]],
    ['every IPv6 network', caller(null, ['10.0.0.0/8']), [null, ['::/0']]],
    ['its network as IPv4-mapped addresses', caller(null, ['10.0.0.0/8']), [null, ['::ffff:10.0.0.0/104']]],
    ['a neighbor of its single address', caller(null, networks), [null, ['192.0.2.6/31']]],
  ]
  for (const [why, calling, [expiresAt, allowedNetworks]] of refused) {
    test(`a limited API key: refuses to create a key with ${why}`, () => {
      assert.throws(
        () => limitBy(calling, { expiresAt, allowedNetworks }),
        (error) => error instanceof Problem && error.code === 'forbidden',
      )
    })
  }
})
