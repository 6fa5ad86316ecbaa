import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

onEveryEngine('GET /rest/self', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  test('self: returns the owner of the credential with version headers', async () => {
    const answer = await app.call('GET', '/rest/self')
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.headers['content-type'], 'application/vnd.api+json')
    const { data, links } = answer.json()
    assert.equal(data.type, 'user')
    assert.equal(data.attributes.email, 'admin@example.test')
    assert.equal(data.attributes.default_org_context, app.orgId)
    assert.equal(links.self, '/self?version=2024-10-15')
    assert.equal(answer.headers['snyk-version-requested'], '2024-10-15')
    assert.equal(answer.headers['snyk-version-served'], '2024-04-22')
    assert.equal(answer.headers['snyk-version-lifecycle-stage'], 'ga')
  })

  for (const path of ['/self', '/rest/rest/self', '/rest/self/']) {
    test(`self: is also served at ${path}`, async () => assert.equal((await app.call('GET', path)).statusCode, 200))
  }

  for (const authorization of ['token KEY', 'Token KEY', 'bearer KEY', 'Bearer KEY', 'KEY']) {
    test(`self: accepts the authorization "${authorization}"`, async () => {
      const headers = { authorization: authorization.replace('KEY', app.adminKey) }
      assert.equal((await app.call('GET', '/rest/self', { key: null, headers })).statusCode, 200)
    })
  }

  const refusals: [why: string, status: number, code: string, options: object][] = [
    ['a missing credential', 401, 'unauthenticated', { key: null }],
    ['an unknown key', 401, 'unauthenticated', { key: 'b2a0d0de-0000-4000-8000-000000000000' }],
    [
      'an unknown authorization scheme',
      401,
      'unauthenticated',
      { key: null, headers: { authorization: 'Basic a b c' } },
    ],
    ['a missing version', 400, 'version-missing', { query: { version: '-' } }],
    ['an unreadable version', 400, 'version-invalid', { query: { version: 'soon' } }],
    ['a version before the first release', 404, 'version-not-found', { query: { version: '2020-01-01' } }],
    ['an unknown parameter', 400, 'unknown-parameter', { query: { expandd: 'x' } }],
    ['an Accept header that excludes JSON', 406, 'not-acceptable', { headers: { accept: 'text/html' } }],
  ]
  for (const [why, status, code, options] of refusals) {
    test(`self: refuses ${why} (${status} ${code})`, async () => {
      const answer = await app.call('GET', '/rest/self', options)
      assert.equal(answer.statusCode, status, answer.body)
      const [error] = answer.json().errors
      assert.equal(error.code, code)
      assert.equal(error.id, answer.headers['snyk-request-id'])
    })
  }

  test('errors: a wrong method gets 405 and a wrong path 404, with error documents', async () => {
    const wrong = await app.call('PUT', '/rest/self')
    assert.equal(wrong.statusCode, 405)
    assert.match(String(wrong.headers['allow']), /GET/)
    assert.equal((await app.call('GET', '/rest/selves')).json().errors[0].code, 'route-not-found')
  })
})
