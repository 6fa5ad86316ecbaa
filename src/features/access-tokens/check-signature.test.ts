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
      const [signer, other] = [await newSigner(alg), await newSigner(alg)]
      const token = signer.sign()
      assert.equal(checkSignature(token, [other.jwk, signer.jwk]), 'fits')
      assert.equal(checkSignature(token, [other.jwk]), 'unknown_key')
      assert.equal(checkSignature(token, []), 'unknown_key')
      assert.equal(checkSignature(other.sign({ kid: signer.kid }), [signer.jwk]), 'wrong')
      const [head, , signature] = token.split('.')
      assert.equal(checkSignature(`${head}.${part({ sub: 'y' })}.${signature}`, [signer.jwk]), 'wrong')
      assert.equal(checkSignature(token.slice(0, -4), [signer.jwk]), 'wrong')
    })

    test('checkSignature: accepts a signature made by another library', async () => {
      const signer = await newSigner(alg)
      const key = await importJWK({ ...signer.privateKey.export({ format: 'jwk' }), alg })
      const token = await new CompactSign(Buffer.from('{}')).setProtectedHeader({ alg, kid: signer.kid }).sign(key)
      assert.equal(checkSignature(token, [signer.jwk]), 'fits')
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
      const signer = await newSigner('ES256')
      assert.equal(checkSignature(signer.sign(header), [signer.jwk]), 'wrong')
    })
  }

  test('checkSignature: ignores a symmetric key in the key set', async () => {
    const signer = await newSigner('ES256')
    const token = signer.sign({ alg: 'HS256' })
    const secret = { kty: 'oct', k: 'AAAA', kid: signer.kid, alg: 'HS256' }
    assert.equal(checkSignature(token, [secret]), 'unknown_key')
  })

  test('checkSignature: ignores a malformed key in the key set', async () => {
    const signer = await newSigner('ES256')
    const { kid } = signer.jwk
    for (const broken of [
      { kid, alg: 'ES256' },
      { ...signer.jwk, x: 'AA' },
      { ...signer.jwk, crv: 'P-0' },
    ]) {
      assert.equal(checkSignature(signer.sign(), [broken]), 'unknown_key')
    }
  })

  for (const token of ['', 'x', 'a.b', 'a.b.c', `${part([])}.x.y`, 'bnVsbA.x.y', '....']) {
    test(`checkSignature: rejects ${JSON.stringify(token)}`, () => assert.notEqual(checkSignature(token, []), 'fits'))
  }
})
