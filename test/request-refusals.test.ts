import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newAccount, ofOrg } from '#test/access/accounts.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

onAnyEngine('requests with a wrong address or header', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  const detailOf = (answer: Awaited<ReturnType<TestApp['call']>>): string =>
    answer.json().message ?? answer.json().errors[0].detail

  test('a path with a literal segment allows only the methods of that segment: 405', async () => {
    const cases: [path: string, allow: string][] = [
      [`/rest/orgs/${app.orgId}/apps/creations`, 'GET, HEAD, POST'],
      [`/rest/orgs/${app.orgId}/apps/installs`, 'GET, HEAD, POST'],
      [`/rest/groups/${app.groupId}/apps/installs`, 'GET, HEAD, POST'],
    ]
    for (const [path, allow] of cases) {
      const answer = await app.call('DELETE', path)
      assert.deepEqual([path, answer.statusCode, answer.headers['allow']], [path, 405, allow])
      const patched = await app.call('PATCH', path, { body: {} })
      assert.deepEqual([path, patched.statusCode, patched.headers['allow']], [path, 405, allow])
    }
    assert.equal((await app.call('DELETE', `/rest/orgs/${app.orgId}/apps/nothing`)).statusCode, 400)
  })

  test('limit: any spelling other than digits: 400', async () => {
    for (const limit of ['1e2', '0x10', ' 5', '5.0', '+5', '1e', '٣']) {
      const answer = await app.call('GET', '/rest/orgs', { query: { limit } })
      assert.equal(answer.statusCode, 400, `${limit}: ${answer.body}`)
      assert.deepEqual(answer.json().errors[0].source, { parameter: 'limit' })
    }
    assert.equal((await app.call('GET', '/rest/orgs', { query: { limit: '20' } })).statusCode, 200)
  })

  test('an empty cursor means no cursor', async () => {
    const plain = (await app.call('GET', '/rest/orgs')).json().data
    for (const path of ['ending_before=', 'starting_after=', 'starting_after=&ending_before=']) {
      const answer = await app.call('GET', `/rest/orgs?version=2024-10-15&${path}`)
      assert.equal(answer.statusCode, 200, answer.body)
      assert.deepEqual(answer.json().data, plain)
    }
  })

  test('repository: not an http or https URL: 400', async () => {
    for (const repository of ['nonsense', 'file:///etc', 'ftp://registry.example/', 'http://']) {
      const query = { repository }
      const answer = await app.call('GET', '/v1/test/maven/junit/junit/4.12', { query })
      assert.equal(answer.statusCode, 400, `${repository}: ${answer.body}`)
      assert.deepEqual(answer.json().faults[0].source, { parameter: 'repository' })
    }
  })

  test('jwks_url: an address that could not be requested is refused on creation: 400', async () => {
    for (const jwks_url of [
      'https://localhost/keys.json',
      'https://keys.localhost/keys.json',
      'https://10.0.0.1/keys',
      'https://127.0.0.1/keys',

      'https://[::1]/',
    ]) {
      const attributes = newAccount({ auth_type: 'oauth_private_key_jwt', jwks_url })
      const answer = await app.call('POST', ofOrg.path(app), { body: attributes })
      assert.equal(answer.statusCode, 400, `${jwks_url}: ${answer.body}`)
      assert.deepEqual(answer.json().errors[0].source, { pointer: '/data/attributes/jwks_url' })
    }
  })

  test('a slug under /rest: 404 that explains how to find the id', async () => {
    const answer = await app.call('GET', '/rest/orgs/my-org/service_accounts')
    assert.equal(answer.statusCode, 404)
    assert.match(detailOf(answer), /take the id \(a UUID\), not the slug; GET \/rest\/orgs\?slug=my-org lists it/)
    const group = await app.call('GET', '/rest/groups/my-group/service_accounts')
    assert.match(detailOf(group), /GET \/rest\/groups lists it/)
    const unknown = await app.call('GET', `/rest/orgs/${app.groupId}/service_accounts`)
    assert.doesNotMatch(detailOf(unknown), /slug/)
  })

  test('an unencoded slash in a package name: 404 that explains how to encode it', async () => {
    const cases: [path: string, remedy: RegExp][] = [
      ['/v1/test/npm/@babel/core/7.0.0', /\/v1\/test\/npm\/\{packageName\}\/\{version\}; encode each slash .* %2F/],
      ['/v1/test/pip/a/b/1.0', /encode each slash/],
    ]
    for (const [path, remedy] of cases) {
      const answer = await app.call('GET', path)
      assert.equal(answer.statusCode, 404)
      assert.match(detailOf(answer), remedy)
    }
    assert.doesNotMatch(detailOf(await app.call('GET', '/v1/test/nothing/a/b/c')), /encode/)
  })

  test('HTTP Basic on the API: 401 that explains what to send', async () => {
    const authorization = `Basic ${Buffer.from(`${app.adminKey}:`).toString('base64')}`
    for (const path of ['/rest/self', '/v1/user/me']) {
      const answer = await app.call('GET', path, { key: null, headers: { authorization } })
      assert.equal(answer.statusCode, 401)
      assert.match(detailOf(answer), /HTTP Basic authentication is not supported here\. Send "Authorization: token/)
      assert.match(String(answer.headers['www-authenticate']), /^Bearer/)
    }
  })
})
