import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSigned } from '#test/servers/receiver.ts'
import { newSigningSecret, signedHeaders } from './webhook-signature.ts'

// Made with openssl: printf '%s' "$id.$time.$body" | openssl dgst -sha256 -mac HMAC -macopt hexkey:… -binary | base64
const sample = {
  secret: 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDEyMzQ1',
  message: { id: 'msg_1', sentAtSeconds: 1_700_000_000, body: '{"a":"ä"}' },
}

test('webhook signature: equals the one by openssl', () => {
  const { 'webhook-signature': signature, ...rest } = signedHeaders(sample.message, [sample.secret])
  assert.equal(signature, 'v1,S4wsHIUxqiOGXgwFpUJs7X6ZfXP+rsBkY+FmwSSgEMM=')
  assert.deepEqual(rest, { 'webhook-id': 'msg_1', 'webhook-timestamp': '1700000000' })
})

test('webhook signature: every secret signs; a changed message or header matches none', async () => {
  const secrets = [newSigningSecret(), newSigningSecret()]
  assert.notEqual(secrets[0], secrets[1])
  const message = { id: 'a', sentAtSeconds: 1, body: '{}' }
  const received = { headers: signedHeaders(message, secrets), body: message.body, at: 0 }
  for (const secret of secrets) {
    assert.ok(await isSigned(received, secret))
    assert.ok(!(await isSigned({ ...received, body: '{ }' }, secret)))
    const { headers } = received
    assert.ok(!(await isSigned({ ...received, headers: { ...headers, 'webhook-id': 'b' } }, secret)))
    assert.ok(!(await isSigned({ ...received, headers: { ...headers, 'webhook-timestamp': '2' } }, secret)))
  }
  assert.ok(!(await isSigned(received, newSigningSecret())))
})
