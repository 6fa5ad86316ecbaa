import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { groupAdmin, groupViewer, orgCollaborator } from '#foundation/access/built-in-roles.ts'
import { createConsoleBrowser } from '#test/access/console-browser.ts'
import { CLIENT_SECRET, type IdentityProvider, startIdentityProvider } from '#test/access/identity-provider.ts'
import { addPerson } from '#test/access/people.ts'
import { addProvider, PROVIDER_SERVER, providerInput, signOn, startSignOn } from '#test/access/sign-on.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

onEveryEngine('identity providers of a group', (engine) => {
  let app: TestApp
  let provider: IdentityProvider
  before(async () => {
    app = await startApp(engine, PROVIDER_SERVER)
    provider = await startIdentityProvider()
  })
  after(async () => {
    await provider[Symbol.asyncDispose]()
    await app.close()
  })

  const listPath = (groupId = app.groupId) => `/console/groups/${groupId}/identity-providers`
  const call = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, options: object = {}) =>
    app.call(method, path, { query: { version: '-' }, ...options })
  const read = async (id: string) => {
    const { providers } = (await call('GET', listPath())).json()
    return providers.find((one: { id: string }) => one.id === id)
  }
  const input = (changes: object = {}) => providerInput(provider.issuer, `${randomUUID().slice(0, 8)}.example`, changes)

  test('identity provider: created, read without its secret, deleted and audited', async () => {
    const { id, domain, path } = await addProvider(app, provider)
    const stored = await read(id)
    assert.deepEqual(
      [stored.issuer, stored.domains, stored.has_client_secret, stored.client_secret, stored.last_sign_in_at],
      [provider.issuer, [domain], true, undefined, null],
    )
    const base = `${app.parts.services.baseUrl}/oauth2/single-sign-on/${id}`
    assert.deepEqual([stored.redirect_uri, stored.logout_uri], [`${base}/callback`, `${base}/logout`])
    assert.equal((await call('DELETE', path)).statusCode, 204)
    assert.equal(await read(id), undefined)
    assert.equal((await call('DELETE', path)).statusCode, 404)
    const query = { target_id: id, limit: '10' }
    const events = (await app.call('GET', `/rest/groups/${app.groupId}/audit_logs`, { query })).json().data
    const actions = events.map(({ attributes }: { attributes: { action: string } }) => attributes.action)
    assert.deepEqual(actions, ['identity_provider.delete', 'identity_provider.create'])
    assert.ok(!JSON.stringify(events).includes(CLIENT_SECRET))
  })

  test('identity provider list: shows administrators with password and break-glass state', async () => {
    const { administrators, redirect_uri } = (await call('GET', listPath())).json()
    assert.match(redirect_uri, /\/\{id\}\/callback$/)
    const [administrator] = administrators
    assert.deepEqual(
      [administrator.break_glass, administrator.has_password, administrator.password_hash],
      [false, true, undefined],
    )
  })

  test('identity provider test: returns ok, or the reason of a failure', async () => {
    const { path } = await addProvider(app, provider)
    assert.deepEqual((await call('POST', `${path}/test`)).json(), { ok: true })
    const broken = await addProvider(app, { issuer: `${provider.issuer}/elsewhere` })
    const { ok, detail } = (await call('POST', `${broken.path}/test`)).json()
    assert.equal(ok, false)
    assert.match(detail, /status|response/i)
    const closed = await addProvider(app, { issuer: 'http://127.0.0.1:9' })
    assert.match((await call('POST', `${closed.path}/test`)).json().detail, /no connection could be made/)
    provider.wrong = { metadata: { issuer: 'https://other.example' } }
    const renamed = await call('POST', `${path}/test`)
    provider.wrong = {}
    assert.match(renamed.json().detail, /issuer|attribute/i)
    assert.equal((await call('POST', `${listPath()}/${randomUUID()}/test`)).statusCode, 404)
  })

  test('identity provider test: compares the issuer exactly, as sign-ins do', async () => {
    const { path, domain } = await addProvider(app, { issuer: `${provider.issuer}/` })
    const { ok, detail } = (await call('POST', `${path}/test`)).json()
    assert.equal(ok, false)
    assert.match(detail, /names itself http:\/\/127\.0\.0\.1:\d+, not http:\/\/127\.0\.0\.1:\d+\/\./)
    const body = { email: `ada@${domain}` }
    const start = await createConsoleBrowser(app).ask('POST', '/console/sign-in/single-sign-on', { body })
    assert.equal(start.statusCode, 503)
  })

  test('identity provider test: the next sign-in uses the metadata that it read', async () => {
    const { path, domain } = await addProvider(app, provider)
    const pathOf = async () => new URL(await startSignOn(createConsoleBrowser(app), `ada@${domain}`)).pathname
    assert.equal(await pathOf(), '/authorize')
    provider.wrong = { metadata: { authorization_endpoint: `${provider.issuer}/moved` } }
    assert.deepEqual((await call('POST', `${path}/test`)).json(), { ok: true })
    provider.wrong = {}
    assert.equal(await pathOf(), '/moved')
  })

  test('client secret of a provider: kept on update; a changed issuer requires it again (400)', async () => {
    const { id, path, change } = await addProvider(app, provider)
    assert.equal((await change({})).statusCode, 200)
    assert.equal((await read(id)).has_client_secret, true)
    const moved = await change({ issuer: 'https://issuer.example' })
    assert.deepEqual(
      [moved.statusCode, moved.json().message],
      [400, 'The issuer has changed. Enter the client secret again.'],
    )
    assert.equal((await change({ client_secret: null })).statusCode, 200)
    assert.equal((await read(id)).has_client_secret, false)
    await call('DELETE', path)
  })

  test('identity provider with a new issuer: its sessions end and its users are disconnected', async () => {
    const { id, domain, change } = await addProvider(app, provider)
    const browser = createConsoleBrowser(app)
    provider.user = { sub: 'ada', email: `ada@${domain}`, email_verified: true }
    await signOn(browser, provider, `ada@${domain}`)
    assert.equal((await browser.ask('GET', '/rest/self')).statusCode, 200)
    assert.equal((await read(id)).users, 1)
    assert.equal((await change({ issuer: 'https://issuer.example', client_secret: 'new' })).statusCode, 200)
    assert.equal((await browser.ask('GET', '/rest/self')).statusCode, 401)
    assert.equal((await read(id)).users, 0)
  })

  const faults: [string, object, RegExp][] = [
    ['an http issuer that is not allowed', { issuer: 'http://issuer.example' }, /https address/],
    ['a private address', { issuer: 'https://10.0.0.1' }, /GATEHOUSE_OUTGOING_ALLOW/],
    ['an issuer with a query', { issuer: 'https://issuer.example/?tenant=1' }, /without query/],
    ['an issuer with a password', { issuer: 'https://user:secret@issuer.example' }, /credentials/],
    ['another scheme', { issuer: 'file:///etc/passwd' }, /Refused|address/],
    ['an empty list of domains', { domains: [] }, /domains/],
    ['a malformed domain', { domains: ['example'] }, /is not a domain/],
    ['a pattern as a domain', { domains: ['%.example'] }, /is not a domain/],
    [
      'a claim value without role_claim',
      { roles: [{ claim_value: 'x', org_id: null, role_id: groupViewer.id }] },
      /role_claim/,
    ],
    ['an unknown role', { roles: [{ claim_value: null, org_id: null, role_id: randomUUID() }] }, /no role/],
    [
      'an unknown organization',
      { roles: [{ claim_value: null, org_id: randomUUID(), role_id: orgCollaborator.id }] },
      /no organization/,
    ],
    ['an unknown mode', { mode: 'sometimes' }, /mode/],
    ['an unknown member', { secret: 'x' }, /secret|additional/i],
  ]
  for (const [name, changes, reason] of faults) {
    test(`identity provider: refuses ${name} with 400`, async () => {
      const answer = await call('PUT', `${listPath()}/${randomUUID()}`, { body: input(changes) })
      assert.equal(answer.statusCode, 400, answer.body)
      assert.match(answer.json().message, reason)
    })
  }

  test('identity provider: refuses a group role in an organization with 400', async () => {
    const roles = [{ claim_value: null, org_id: app.orgId, role_id: groupAdmin.id }]
    const answer = await call('PUT', `${listPath()}/${randomUUID()}`, { body: input({ roles }) })
    assert.equal(answer.statusCode, 400)
  })

  test('domain of a provider: 409 when another provider has it or another group manages its accounts', async () => {
    const { domain } = await addProvider(app, provider)
    const groupId = await app.addGroup()
    const key = await app.keyWith(groupAdmin.permissions, { groupId })
    const put = (domains: string[]) =>
      call('PUT', `${listPath(groupId)}/${randomUUID()}`, { key, body: input({ domains }) })
    assert.equal((await put([domain.toUpperCase()])).statusCode, 409)
    const { db } = app.parts.services
    const { id } = await addPerson(app)
    await db
      .updateTable('users')
      .set({ email: `${id}@theirs.example` })
      .where('id', '=', id)
      .execute()
    assert.equal((await put(['theirs.example'])).statusCode, 409)
  })

  test('required identity provider: needs a break-glass administrator (409)', async () => {
    const answer = await call('PUT', `${listPath()}/${randomUUID()}`, { body: input({ mode: 'required' }) })
    assert.equal(answer.statusCode, 409)
    assert.match(answer.json().message, /break-glass administrator/)
  })

  test('identity provider: changes require full permissions in the group; editors read, viewers get 403', async () => {
    const { path } = await addProvider(app, provider)
    const editor = await app.keyWith(['group.read', 'group.edit', 'group.user.read'], { groupId: app.groupId })
    const body = input()
    assert.equal((await call('PUT', path, { key: editor, body })).statusCode, 403)
    assert.equal((await call('DELETE', path, { key: editor })).statusCode, 403)
    assert.equal((await call('GET', listPath(), { key: editor })).statusCode, 200)
    const viewer = await app.keyWith(['group.read'], { groupId: app.groupId })
    assert.equal((await call('GET', listPath(), { key: viewer })).statusCode, 403)
    assert.equal((await call('PUT', path, { key: viewer, body })).statusCode, 403)
  })

  test('identity provider of another group: hidden in the list, 404 for update, test and deletion', async () => {
    const groupId = await app.addGroup()
    const { id } = await addProvider(app, provider)
    const key = await app.keyWith(groupAdmin.permissions, { groupId })
    const path = `${listPath(groupId)}/${id}`
    assert.deepEqual((await call('GET', listPath(groupId), { key })).json().providers, [])
    assert.equal((await call('PUT', path, { key, body: input() })).statusCode, 404)
    assert.equal((await call('POST', `${path}/test`, { key })).statusCode, 404)
    assert.equal((await call('DELETE', path, { key })).statusCode, 404)
    assert.equal((await call('PUT', `${listPath()}/no-uuid`, { body: input() })).statusCode, 404)
  })
})
