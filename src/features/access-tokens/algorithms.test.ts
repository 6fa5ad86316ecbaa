import assert from 'node:assert/strict'
import { test } from 'node:test'
import { algorithms, generateKeys, signWith, verifyWith } from './algorithms.ts'

for (const algorithm of algorithms) {
  test(`${algorithm}: every signature verifies and has the length that RFC 7518 requires`, async () => {
    const { publicKey, privateKey } = await generateKeys(algorithm)
    // One ES256 signature in 128 holds a number that is shorter than 32 bytes.
    for (let n = 0; n < (algorithm === 'ES256' ? 2000 : 3); n++) {
      const text = `header.payload ${n}`
      const signature = signWith(algorithm, privateKey, text)
      if (algorithm !== 'RS256') assert.equal(signature.length, 64)
      assert.ok(verifyWith(algorithm, publicKey, { text, signature }), signature.toString('hex'))
      assert.ok(!verifyWith(algorithm, publicKey, { text: `${text}.`, signature }))
    }
  })
}
