import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { createKeyring } from '#foundation/secrets/keyring.ts'
import { findKnownBrowser, KNOWN_BROWSER_DAYS, rememberBrowser } from './known-browser.ts'

const keyring = createKeyring(Buffer.alloc(32, 1))
const at = Date.UTC(2026, 0, 1)
const ada = { id: randomUUID(), at }
const bob = { id: randomUUID(), at }

describe('known browsers', () => {
  const cookie = rememberBrowser(keyring, undefined, ada)

  test('known browser: the account finds the browser under a unique name', () => {
    const name = findKnownBrowser(keyring, cookie, ada)
    assert.match(String(name), /^[\w-]{16}$/)
    assert.notEqual(findKnownBrowser(keyring, rememberBrowser(keyring, undefined, ada), ada), name)
  })

  test('known browser: another account does not find it', () =>
    assert.equal(findKnownBrowser(keyring, cookie, bob), undefined))

  test('known browser: the cookie keeps five accounts and forgets the oldest', () => {
    let shared = cookie
    const others = Array.from({ length: 4 }, () => ({ id: randomUUID(), at }))
    for (const other of others) shared = rememberBrowser(keyring, shared, other)
    assert.ok([ada, ...others].every((user) => findKnownBrowser(keyring, shared, user) !== undefined))
    shared = rememberBrowser(keyring, shared, bob)
    assert.equal(findKnownBrowser(keyring, shared, ada), undefined)
    assert.ok(findKnownBrowser(keyring, shared, bob))
    assert.ok(shared.length < 600)
  })

  test('known browser: a repeated sign-in is stored once', () => {
    const again = rememberBrowser(keyring, rememberBrowser(keyring, cookie, bob), ada)
    assert.equal(again.split('~').length, 2)
  })

  test(`known browser: the entry of an account expires after ${KNOWN_BROWSER_DAYS} days`, () => {
    const later = at + KNOWN_BROWSER_DAYS * 86_400_000
    assert.ok(findKnownBrowser(keyring, cookie, { id: ada.id, at: later - 1 }))
    assert.equal(findKnownBrowser(keyring, cookie, { id: ada.id, at: later }), undefined)
  })

  const [id, issuedAt, nonce, signature] = cookie.split('.') as [string, string, string, string]
  const forged: [why: string, cookie: string | undefined][] = [
    ['no cookie', undefined],
    ['an empty cookie', ''],
    ['another nonce', [id, issuedAt, 'AAAAAAAAAAAAAAAA', signature].join('.')],
    ['a later timestamp', [id, Number(issuedAt) + 1, nonce, signature].join('.')],
    ['another signature', [id, issuedAt, nonce, 'AAAAAAAAAAAAAAAAAAAAAA'].join('.')],
    ['a missing signature', [id, issuedAt, nonce].join('.')],
    ['a cookie of a server with another key', rememberBrowser(createKeyring(Buffer.alloc(32, 2)), undefined, ada)],
    ['a cookie of 100,000 characters', '~'.repeat(100_000)],
  ]
  for (const [why, shown] of forged) {
    test(`known browser: not found with ${why}`, () => assert.equal(findKnownBrowser(keyring, shown, ada), undefined))
  }
})
