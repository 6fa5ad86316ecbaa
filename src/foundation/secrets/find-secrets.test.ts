import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { volume } from '#test/volume.ts'
import { accessTokenPattern, apiKeyPattern, type FoundSecret, findSecrets } from './find-secrets.ts'
import { hintOf, newSecret, type SecretKind, secretKindOf, secretKinds, secretPattern } from './typed-secret.ts'

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const signature = () => randomBytes(64).toString('base64url')
const header = { alg: 'ES256', kid: 'k', typ: 'at+jwt' }
const tokenOf = (claims: object) => `${part(header)}.${part(claims)}.${signature()}`
const ourToken = (before: object = {}) => tokenOf({ ...before, jti: newSecret('access_token_id'), exp: 1 })
const shown = (secrets: readonly FoundSecret[]) => secrets.map(({ kind, certainty }) => `${kind} ${certainty}`)

/** Text around a leaked secret. */
const surroundings: [before: string, after: string][] = [
  ['', ''],
  ['client_secret=', '&grant_type=client_credentials'],
  ['"', '",'],
  ['\\n', '\\n'],
  ['secret%3D', '%26x'],
  ['https://user:', '@host.example/'],
  ['x', '.'],
  ['<b>', '</b>'],
  ['- ', ' -'],
]

describe('secrets in other text', () => {
  for (const kind of secretKinds) {
    test(`a ${kind} is found in every context, by findSecrets and by the published pattern`, () => {
      for (const [before, after] of surroundings) {
        const secret = newSecret(kind)
        const text = `${before}${secret}${after}`
        const [first, ...others] = findSecrets(text)
        assert.deepEqual(first, { kind, certainty: 'ours', index: before.length, value: secret })
        assert.deepEqual(others, [])
        assert.deepEqual(text.match(new RegExp(secretPattern(kind), 'g')), [secret])
      }
    })
  }

  test('an access token is found with claims of any length before its id', () => {
    const pattern = new RegExp(accessTokenPattern(), 'g')
    for (let length = 0; length < 9; length++) {
      const token = ourToken({ iss: 'x'.repeat(length) })
      for (const [before, after] of surroundings) {
        const text = `${before === 'x' ? '' : before}${token}${after}`
        const [first, ...others] = findSecrets(text)
        assert.deepEqual([first!.kind, first!.certainty, first!.value], ['access_token', 'possible', token])
        assert.equal(text.slice(first!.index, first!.index + token.length), token)
        assert.deepEqual(others, [])
        assert.deepEqual(text.match(pattern), [token])
      }
    }
  })

  test('several secrets are found in the order of the text', () => {
    const [a, b] = [newSecret('refresh_token'), newSecret('client_secret')]
    assert.deepEqual(shown(findSecrets(`${ourToken()} ${b}\n${a},${a}`)), [
      'access_token possible',
      'client_secret ours',
      'refresh_token ours',
      'refresh_token ours',
    ])
  })
})

describe('API keys, which could be any UUID', () => {
  const key = randomUUID()
  const texts = [
    key,
    key.toUpperCase(),
    ` ${key}\n`,
    `token ${key}`,
    `Authorization: token ${key}`,
    `Authorization: Bearer ${key}`,
    `SNYK_TOKEN=${key}`,
    `export GATEHOUSE_ADMIN_API_KEY="${key}"`,
    `{"apiKey": "${key}", "n": 1}`,
    `api_key: ${key} # of CI`,
  ]
  for (const text of texts) {
    test(`an API key is found in ${JSON.stringify(text.replace(new RegExp(key, 'i'), 'KEY'))}`, () => {
      const [first, ...others] = findSecrets(text)
      assert.deepEqual([first!.kind, first!.certainty, others], ['api_key', 'possible', []])
      assert.equal(first!.value.toLowerCase(), key)
      assert.ok(text.startsWith(first!.value, first!.index))
    })
  }
  for (const text of [`id: ${key}`, `${key}${key}`, `/orgs/${key}/apps`, `${key} ${key}`]) {
    test(`no API key is found in ${JSON.stringify(text.replaceAll(key, 'KEY'))}`, () =>
      assert.deepEqual(findSecrets(text), []))
  }
})

describe('the published pattern of API keys', () => {
  // JavaScript takes the flag of scanners only outside the pattern.
  const pattern = new RegExp(apiKeyPattern.replace('(?i)', ''), 'i')
  const key = randomUUID()
  const texts = [
    `GATEHOUSE_ADMIN_API_KEY=${key}`,
    `SNYK_TOKEN: ${key}`,
    `"snykToken": "${key.toUpperCase()}"`,
    `snyk config set api=${key}`,
    `export SNYK_TOKEN='${key}'`,
    `gatehouse.token = ${key}`,
    `gatehouse-key: token ${key}`,
  ]
  for (const text of texts)
    test(`the published pattern of API keys matches ${text.replace(new RegExp(key, 'i'), 'KEY')}`, () =>
      assert.match(text, pattern))
  const left = [
    key,
    `id: ${key}`,
    `/orgs/${key}`,
    `gatehouse log line, long before ${'.'.repeat(40)} ${key}`,
    `SNYK_TOKEN=${key}0`,
  ]
  for (const text of left)
    test(`the published pattern of API keys does not match ${text.replace(key, 'KEY')}`, () =>
      assert.doesNotMatch(text, pattern))
})

describe('lookalikes of secrets', () => {
  const secret = newSecret('client_secret')
  const damaged: [why: string, text: string, kind: SecretKind][] = [
    ['is truncated', secret.slice(0, -1), 'client_secret'],
    ['consists of its prefix only', 'gate_rt_', 'refresh_token'],
    ['has one more character', `${secret}2`, 'client_secret'],
    ['has a changed character', secret.replace(/.(?=.{9}$)/, (one) => (one === 'A' ? 'B' : 'A')), 'client_secret'],
    ['is of another server with the same prefix', `snyk_cs_${'a'.repeat(44)}_v1`, 'client_secret'],
    [
      'is of another kind than its prefix says',
      newSecret('refresh_token').replace('_rt_', '_ac_'),
      'authorization_code',
    ],
  ]
  for (const [why, text, kind] of damaged) {
    test(`a secret is reported as damaged if it ${why}`, () => {
      assert.deepEqual(findSecrets(` ${text} `), [{ kind, certainty: 'damaged', index: 1, value: text }])
    })
  }

  const foreign: [why: string, text: string][] = [
    ['a foreign token', tokenOf({ jti: randomUUID(), sub: 'x' })],
    ['a token without an id', tokenOf({ sub: 'x' })],
    ['a token whose id is a number', tokenOf({ jti: 5 })],
    ['a token whose id was changed', tokenOf({ jti: `gate_at_${'a'.repeat(49)}` })],
    ['a payload that is no JSON', `eyJhbGciOiJub25lIn0.eyJ.${signature()}`],
    ['a payload that is a list', `eyJhbGciOiJub25lIn0.${part([1])}.x`],
    ['an unsigned token', ourToken().replace(/\.[^.]+$/, '')],
    ['a hash', randomBytes(32).toString('hex')],
    ['empty text', ''],
    ['words', 'client_secret gate snyk_cs'],
  ]
  for (const [why, text] of foreign) test(`no secret is found in ${why}`, () => assert.deepEqual(findSecrets(text), []))

  test('published patterns match neither longer words nor secrets of other servers', () => {
    for (const kind of secretKinds) {
      const pattern = new RegExp(secretPattern(kind))
      const one = newSecret(kind)
      for (const text of [`${one}x`, `${one}_`, one.slice(0, -1), one.replace(/^..../, 'xxxx'), randomUUID()]) {
        assert.doesNotMatch(text, pattern)
      }
    }
    assert.doesNotMatch(`snyk_cs_${'a'.repeat(44)}_v1`, new RegExp(secretPattern('client_secret')))
    const token = new RegExp(accessTokenPattern())
    for (const [, text] of foreign.filter(([why]) => !why.includes('changed'))) assert.doesNotMatch(text, token)
  })

  test('random text with our prefixes is never a valid secret', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^(snyk_cs_|gate_rt_|gate_at_|gate_ac_)[\w-]{49}(_v1)?$/), (text) => {
        assert.equal(secretKindOf(text), undefined)
        assert.ok(findSecrets(text).every(({ certainty }) => certainty === 'damaged'))
      }),
      { seed: 20240915, numRuns: volume(2000) },
    )
  })

  test('long texts without secrets yield nothing but damaged secrets', () => {
    for (const text of ['a', 'eyJ', 'eyJ.', 'gate_rt', 'gate_rt_ ', '.'].map((word) => word.repeat(50_000))) {
      assert.ok(findSecrets(text).every(({ certainty }) => certainty === 'damaged'))
    }
  })
})

test('a hint has four characters that differ between secrets', () => {
  for (const kind of secretKinds) {
    const secret = newSecret(kind)
    assert.equal(hintOf(secret).length, 4)
    assert.ok(secret.includes(hintOf(secret)))
    assert.ok(!hintOf(secret).includes('_v1'))
  }
  const [key, token] = [randomUUID(), ourToken()]
  assert.deepEqual([hintOf(key), hintOf(token)], [key.slice(-4), token.slice(-4)])
})
