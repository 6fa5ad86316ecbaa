import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '#foundation/problem.ts'
import { parseAttributes } from './parse-attributes.ts'
import type { NewAttributes } from './resource.ts'

const now = Date.UTC(2026, 0, 1)
const role_id = '6C0E9A52-1A55-4D0E-8F0B-6D0F3A1C0004'
const jwt = { name: 'ci', auth_type: 'oauth_private_key_jwt', role_id } as const

test('account attributes: the name is trimmed, the role id lowercased, the token lifetime an hour', () => {
  const attributes = parseAttributes({ name: ' ci\u00a0', auth_type: 'oauth_client_secret', role_id }, now)
  assert.deepEqual(attributes, {
    name: 'ci',
    authType: 'oauth_client_secret',
    roleId: role_id.toLowerCase(),
    jwksUrl: null,
    ttlSeconds: 3600,
    limits: { expiresAt: null, allowedNetworks: null },
  })
  assert.equal(parseAttributes({ name: 'ci', auth_type: 'api_key', role_id }, now).ttlSeconds, null)
})

for (const jwks_url of ['https://keys.example.test/jwks', 'HTTPS://keys.example.test:8443/a?b=c', 'https://[::1]/k']) {
  test(`account attributes: accepts jwks_url ${jwks_url}`, () =>
    assert.equal(parseAttributes({ ...jwt, jwks_url }, now).jwksUrl, jwks_url))
}

const refusals: [why: string, attributes: NewAttributes, members: string[]][] = [
  ['a missing jwks_url', jwt, ['jwks_url']],
  ...[
    'http://keys.example.test/jwks',
    'keys.example.test',
    'https://',
    'https:///jwks',
    'https:keys.example.test',
    'https://user@keys.example.test/',
    'https://u:p@keys.example.test/',
    'https://keys.example.test/#k',
    ' https://keys.example.test/',
    'https://keys.example.test/\u0000',
    '',
  ].map((jwks_url): [string, NewAttributes, string[]] => [
    `jwks_url ${JSON.stringify(jwks_url)}`,
    { ...jwt, jwks_url },
    ['jwks_url'],
  ]),
  [
    'jwks_url of an api_key account',
    { name: 'ci', auth_type: 'api_key', role_id, jwks_url: 'https://k.test/' },
    ['jwks_url'],
  ],
  [
    'jwks_url of an oauth_client_secret account',
    { ...jwt, auth_type: 'oauth_client_secret', jwks_url: 'https://k.test/' },
    ['jwks_url'],
  ],
  [
    'access_token_ttl_seconds of an api_key account',
    { name: 'ci', auth_type: 'api_key', role_id, access_token_ttl_seconds: 3600 },
    ['access_token_ttl_seconds'],
  ],
  [
    'an expiry in the past',
    { ...jwt, jwks_url: 'https://k.test/', expires_at: '2025-12-31T00:00:00Z' },
    ['expires_at'],
  ],
  [
    'two faults and reports both',
    { name: 'ci', auth_type: 'api_key', role_id, jwks_url: 'https://k.test/', access_token_ttl_seconds: 3600 },
    ['jwks_url', 'access_token_ttl_seconds'],
  ],
]

for (const [why, attributes, members] of refusals) {
  test(`account attributes: refuses ${why} with 400`, () => {
    assert.throws(
      () => parseAttributes(attributes, now),
      (error) => {
        assert.ok(error instanceof Problem)
        assert.equal(error.status, 400)
        const pointers = error.faults.map(({ source }) => source?.pointer)
        assert.deepEqual(
          pointers,
          members.map((member) => `/data/attributes/${member}`),
        )
        return true
      },
    )
  })
}
