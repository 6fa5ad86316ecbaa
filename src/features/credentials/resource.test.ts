import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { Value } from 'typebox/value'
import { Credential, toCredential } from './resource.ts'
import type { CredentialRow } from './store.ts'

const NOW = Date.UTC(2030, 0, 1)
const inSeconds = (seconds: number) => NOW + seconds * 1000
const timeIn = (seconds: number) => new Date(inSeconds(seconds)).toISOString()

const row: CredentialRow = {
  id: 'an id',
  kind: 'client_secret',
  owner_kind: 'app',
  owner_id: 'an app',
  name: 'First',
  digest: 'a digest',
  hint: 'abcd',
  created_at: inSeconds(-60),
  last_used_at: null,
  expires_at: null,
  retires_at: null,
  replaced_at: null,
  allowed_networks: null,
}
const plain = { kind: 'client_secret', hint: 'abcd', state: 'active', created_at: timeIn(-60) }

describe('credential as callers see it', () => {
  const cases: [why: string, change: Partial<CredentialRow>, shown: object][] = [
    ['without limits', {}, {}],
    ['used', { last_used_at: inSeconds(-5) }, { last_used_at: timeIn(-5) }],
    ['one that expires', { expires_at: inSeconds(1) }, { expires_at: timeIn(1) }],
    ['one that expires now', { expires_at: NOW }, { state: 'ended', expires_at: timeIn(0) }],
    ['networks', { allowed_networks: '["::/0"]' }, { allowed_networks: ['::/0'] }],
    ['one that retires', { retires_at: inSeconds(1) }, { state: 'retiring', retires_at: timeIn(1) }],
    ['one that has retired', { retires_at: NOW }, { state: 'ended', retires_at: timeIn(0) }],
    ['replaced, never used', { replaced_at: inSeconds(-5) }, { replaced_at: timeIn(-5), used_since_replaced: false }],
    [
      'replaced, used then',
      { replaced_at: inSeconds(-5), last_used_at: inSeconds(-5) },
      { replaced_at: timeIn(-5), last_used_at: timeIn(-5), used_since_replaced: false },
    ],
    [
      'replaced, used since',
      { replaced_at: inSeconds(-5), last_used_at: inSeconds(-4) },
      { replaced_at: timeIn(-5), last_used_at: timeIn(-4), used_since_replaced: true },
    ],
  ]
  for (const [why, change, shown] of cases) {
    test(why, () => {
      const expected = { id: 'an id', type: 'credential', attributes: { ...plain, ...shown } }
      assert.deepEqual(toCredential({ ...row, ...change }, NOW), expected)
    })
  }
})

describe('schema of a credential', () => {
  const isValid = (change: object, type = 'credential') =>
    Value.Check(Credential, { id: randomUUID(), type, attributes: { ...plain, ...change } })

  const valid: readonly object[] = [
    {},
    { kind: 'api_key' },
    { state: 'retiring', retires_at: timeIn(1) },
    { state: 'ended', last_used_at: timeIn(0), used_since_replaced: false },
  ]
  for (const change of valid) test(`valid: ${JSON.stringify(change)}`, () => assert.ok(isValid(change)))

  const invalid: readonly object[] = [
    { kind: 'token' },
    { kind: '' },
    { state: '' },
    { retires_at: 'soon' },
    { last_used_at: 'today' },
  ]
  for (const change of invalid) test(`invalid: ${JSON.stringify(change)}`, () => assert.ok(!isValid(change)))
  test('invalid: another type', () => assert.ok(!isValid({}, '')))
})
