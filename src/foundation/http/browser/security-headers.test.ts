import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startApp, type TestApp } from '#test/servers/app.ts'

describe('security headers', () => {
  let app: TestApp
  before(async () => {
    app = await startApp('sqlite')
  })
  after(() => app.close())

  const answers: [what: string, path: string, status: number, options?: object][] = [
    ['a successful request', '/rest/self', 200],
    ['a refused request', '/rest/self', 401, { key: null }],
    ['a path that does not exist', '/rest/nothing', 404],
    ['a path outside of the interfaces', '/nothing', 404],
    ['a v1 path that does not exist', '/v1/nothing', 404],
    ['a REST path that cannot be decoded', '/rest/orgs/%zz', 400],
    ['a v1 path that cannot be decoded', '/v1/org/%zz', 400],
    ['a parameter of 3,000 characters', `/v1/test/npm/${'a'.repeat(3000)}/1.0.0`, 400],
  ]
  for (const [what, path, status, options] of answers) {
    test(`${what}: the response (${status}) has all security headers`, async () => {
      const { statusCode, headers, body } = await app.call('GET', path, options)
      assert.equal(statusCode, status, body)
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['x-frame-options'], 'DENY')
      assert.equal(headers['referrer-policy'], 'no-referrer')
      assert.match(String(headers['content-security-policy']), /default-src 'none'/)
      assert.equal(headers['cache-control'], 'no-store')
      assert.match(String(headers['snyk-request-id']), /./)
    })
  }

  test('an undecodable path: 400 in the API style of its interface', async () => {
    const rest = (await app.call('GET', '/rest/orgs/%zz')).json()
    assert.equal(rest.errors[0].code, 'invalid-request')
    const v1 = (await app.call('GET', '/api/v1/org/%zz')).json()
    assert.equal(v1.code, 400)
    assert.equal(v1.errorCode, 'invalid-request')
  })
})
