import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { endOf, isUsable } from './is-usable.ts'

const at = Date.UTC(2026, 0, 1)
const unlimited = { expires_at: null, retires_at: null, allowed_networks: null }

describe('ends of credentials', () => {
  const ends: [expiresAt: number | null, retiresAt: number | null, end: number, isUsed: boolean][] = [
    [null, null, Infinity, true],
    [at + 1, null, at + 1, true],
    [at, null, at, false],
    [null, at + 1, at + 1, true],
    [null, at, at, false],
    [at + 1, at + 2, at + 1, true],
    [at + 2, at - 1, at - 1, false],
  ]
  for (const [expires_at, retires_at, end, isUsed] of ends) {
    test(`expiry ${expires_at}, retirement ${retires_at}: the credential ends at ${end}, usable: ${isUsed}`, () => {
      const credential = { ...unlimited, expires_at, retires_at }
      assert.equal(endOf(credential), end)
      assert.equal(isUsable(credential, { address: '192.0.2.1', at }), isUsed)
    })
  }
})

describe('allowed networks of credentials', () => {
  const networks = ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32']
  const addresses: [address: string, isAllowed: boolean][] = [
    ['10.255.0.1', true],
    ['11.0.0.1', false],
    ['::ffff:10.1.2.3', true],
    ['::FFFF:10.1.2.3', true],
    ['::ffff:11.1.2.3', false],
    ['192.0.2.7', true],
    ['192.0.2.8', false],
    ['2001:db8:1::1', true],
    ['2001:db9::1', false],
    ['::1', false],
  ]
  for (const [address, isAllowed] of addresses) {
    test(`credential limited to networks, from ${address}: usable: ${isAllowed}`, () => {
      const credential = { ...unlimited, allowed_networks: JSON.stringify(networks) }
      assert.equal(isUsable(credential, { address, at }), isAllowed)
      assert.equal(isUsable(unlimited, { address, at }), true)
    })
  }
})
