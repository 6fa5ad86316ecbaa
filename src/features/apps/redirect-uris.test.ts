import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { faultOfRedirectUri } from './redirect-uris.ts'

const confidential = { isConfidential: true }
const publicClient = { isConfidential: false }

const good = [
  'https://app.example/callback',
  'HTTPS://app.example/callback',
  'https://app.example',
  'https://app.example:8443/a/b?c=d&e=%20',
  'https://127.0.0.1/callback',
  'https://[2001:db8::1]/callback',
  'http://localhost:3000/callback',
  'http://127.0.0.1:8080/authorization-code/callback',
  'http://127.8.9.10/',
  'http://[::1]:18081/back',
]

const bad: [uri: string, said: RegExp][] = [
  ['/callback', /absolute/],
  ['callback', /absolute/],
  ['//app.example/callback', /absolute/],
  ['https://', /absolute/],
  ['https:/app.example/', /host after/],
  ['https:app.example', /host after/],
  ['https:///app.example', /host after/],
  ['https://app.example/#', /fragment/],
  ['https://app.example/#/callback', /fragment/],
  ['https://user@app.example/', /user information/],
  ['https://user:word@app.example/', /user information/],
  ['https://@app.example/', /user information/],
  ['https://app.example/ callback', /percent-encoded/],
  ['https://app.example\\@other.example/', /percent-encoded/],
  ['https://äpp.example/', /percent-encoded/],
  ['https://app.example/\n', /percent-encoded/],
  ['https://*.example/', /wildcards/],
  ['http://app.example/', /loopback/],
  ['http://localhost.example/', /loopback/],
  ['http://127.0.0.1.example/', /loopback/],
  ['http://10.0.0.1/', /loopback/],
  ['http://0.0.0.0/', /loopback/],
  ['javascript:alert(1)', /private-use/],
  ['data:text/html,x', /private-use/],
  ['file:///etc/passwd', /private-use/],
  ['urn:ietf:wg:oauth:2.0:oob', /private-use/],
  ['myapp:/callback', /private-use/],
]

describe('redirect URIs', () => {
  for (const uri of good) {
    test(`redirect URI ${uri}: accepted`, () => assert.equal(faultOfRedirectUri(uri, confidential), undefined))
  }
  for (const [uri, said] of bad) {
    test(`redirect URI ${JSON.stringify(uri)}: refused`, () => {
      assert.match(faultOfRedirectUri(uri, confidential) ?? '', said)
      assert.match(faultOfRedirectUri(uri, publicClient) ?? '', said)
    })
  }
  test('redirect URI with a private-use scheme: accepted for public clients only', () => {
    assert.equal(faultOfRedirectUri('com.example.app:/callback', publicClient), undefined)
    assert.match(faultOfRedirectUri('com.example.app:/callback', confidential) ?? '', /^must be https/)
  })
})
