import assert from 'node:assert/strict'
import { type JsonWebKey, randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { CompactSign, importJWK } from 'jose'
import { type Algorithm, algorithms, generateKeys, signWith } from './algorithms.ts'
import { checkSignature } from './check-signature.ts'

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

async function newSigner(alg: Algorithm) {
  const { publicKey, privateKey } = await generateKeys(alg)
  const kid = randomUUID()
  const jwk: JsonWebKey = { ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' }
  const sign = (header: object = {}, payload: object = { sub: 'x' }) => {
    const text = `${part({ alg, kid, ...header })}.${part(payload)}`
    return `${text}.${signWith(alg, privateKey, text).toString('base64url')}`
  }
  return { kid, jwk, privateKey, sign }
}

for (const alg of algorithms) {
  describe(`a signature with ${alg}`, () => {
    test('checkSignature: accepts only the signing key; another key or changed content fails', async () => {
      const [ours, other] = [await newSigner(alg), await newSigner(alg)]
      const token = ours.sign()
      assert.equal(checkSignature(token, [other.jwk, ours.jwk]), 'fits')
      assert.equal(checkSignature(token, [other.jwk]), 'unknown_key')
      assert.equal(checkSignature(token, []), 'unknown_key')
      assert.equal(checkSignature(other.sign({ kid: ours.kid }), [ours.jwk]), 'wrong')
      const [head, , signature] = token.split('.')
      assert.equal(checkSignature(`${head}.${part({ sub: 'y' })}.${signature}`, [ours.jwk]), 'wrong')
      assert.equal(checkSignature(token.slice(0, -4), [ours.jwk]), 'wrong')
    })

    test('checkSignature: accepts a signature made by another library', async () => {
      const ours = await newSigner(alg)
      const key = await importJWK({ ...ours.privateKey.export({ format: 'jwk' }), alg })
      const token = await new CompactSign(Buffer.from('{}')).setProtectedHeader({ alg, kid: ours.kid }).sign(key)
      assert.equal(checkSignature(token, [ours.jwk]), 'fits')
    })
  })
}

describe('the header of a signed token', () => {
  const liars: [why: string, header: object][] = [
    ['the algorithm none', { alg: 'none' }],
    ['a secret-key algorithm', { alg: 'HS256' }],
    ['another supported algorithm', { alg: 'RS256' }],
    ['a critical extension', { crit: ['x'], x: 1 }],
  ]
  for (const [why, header] of liars) {
    test(`checkSignature: rejects a header with ${why}`, async () => {
      const ours = await newSigner('ES256')
      assert.equal(checkSignature(ours.sign(header), [ours.jwk]), 'wrong')
    })
  }

  test('checkSignature: ignores a symmetric key in the key set', async () => {
    const ours = await newSigner('ES256')
    const token = ours.sign({ alg: 'HS256' })
    const secret = { kty: 'oct', k: 'AAAA', kid: ours.kid, alg: 'HS256' }
    assert.equal(checkSignature(token, [secret]), 'unknown_key')
  })

  test('checkSignature: ignores a malformed key in the key set', async () => {
    const ours = await newSigner('ES256')
    const { kid } = ours.jwk
    for (const broken of [
      { kid, alg: 'ES256' },
      { ...ours.jwk, x: 'AA' },
      { ...ours.jwk, crv: 'P-0' },
    ]) {
      assert.equal(checkSignature(ours.sign(), [broken]), 'unknown_key')
    }
  })

  for (const token of ['', 'x', 'a.b', 'a.b.c', `${part([])}.x.y`, 'bnVsbA.x.y', '....']) {
    test(`checkSignature: rejects ${JSON.stringify(token)}`, () => assert.notEqual(checkSignature(token, []), 'fits'))
  }
})
