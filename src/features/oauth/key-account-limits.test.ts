import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAccount, ofOrg } from '#test/access/accounts.ts'
import { ASSERTION_TYPE, addSigningAccount, assertion, newKey, type SigningAccount } from '#test/access/client-keys.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

const INSIDE = '10.1.2.3'
const OUTSIDE = '192.0.2.9'

onAnyEngine('expiry and networks of service accounts with keys of their own', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine, { GATEHOUSE_OUTGOING_ALLOW: '127.0.0.1' })
  })
  after(() => app.close())

  async function send(path: string, by: SigningAccount, { from = INSIDE, ...form }: Record<string, string> = {}) {
    const audience = app.parts.services.baseUrl
    const proof = { client_assertion_type: ASSERTION_TYPE, client_assertion: await assertion(by, { audience }) }
    return app.server.inject({
      method: 'POST',
      url: `/oauth2/${path}`,
      remoteAddress: from,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ ...proof, ...form }).toString(),
    })
  }
  const tokenOf = (by: SigningAccount, from = INSIDE) => send('token', by, { grant_type: 'client_credentials', from })
  const use = async (token: string, from: string) => {
    const headers = { authorization: `Bearer ${token}` }
    const url = `/rest/orgs/${app.orgId}?version=2024-10-15`
    return (await app.server.inject({ url, remoteAddress: from, headers })).statusCode
  }
  const endIn = (id: string, ms: number) =>
    app.parts.services.db
      .updateTable('service_accounts')
      .set({ expires_at: app.parts.services.now() + ms })
      .where('id', '=', id)
      .execute()

  test('expires_at and allowed_networks: shown with the account and in the audit log', async () => {
    const limits = { expires_at: '2199-01-01T00:00:00Z', allowed_networks: ['10.0.0.0/8'] }
    const jwks_url = 'https://keys.example/jwks.json'
    const account = await createAccount(app, ofOrg.path(app), {
      auth_type: 'oauth_private_key_jwt',
      jwks_url,
      ...limits,
    })
    const read = await app.call('GET', `${ofOrg.path(app)}/${account.id}`)
    for (const { expires_at, allowed_networks } of [account.attributes, read.json().data.attributes]) {
      assert.equal(Date.parse(expires_at as string), Date.parse(limits.expires_at))
      assert.deepEqual(allowed_networks, limits.allowed_networks)
    }
    const query = { target_id: account.id }
    const [event] = (await app.call('GET', `/rest/orgs/${app.orgId}/audit_logs`, { query })).json().data
    assert.deepEqual(event.attributes.after.allowed_networks, limits.allowed_networks)
    assert.equal(Date.parse(event.attributes.after.expires_at), Date.parse(limits.expires_at))
  })

  test('allowed_networks: keys and tokens of the account are refused elsewhere (401)', async () => {
    await using account = await addSigningAccount(app, await newKey('ES256'), { allowed_networks: ['10.0.0.0/8'] })
    assert.equal((await tokenOf(account, OUTSIDE)).statusCode, 401)
    const granted = await tokenOf(account)
    assert.equal(granted.statusCode, 200, granted.body)
    const { access_token: token } = granted.json()
    assert.equal(await use(token, INSIDE), 200)
    assert.equal(await use(token, OUTSIDE), 401)
  })

  test('introspection: names allowed_networks and checks a given client_address', async () => {
    await using account = await addSigningAccount(app, await newKey('ES256'), { allowed_networks: ['10.0.0.0/8'] })
    await using free = await addSigningAccount(app, await newKey('ES256'))
    const token = (await tokenOf(account)).json().access_token
    const ask = async (form: Record<string, string> = {}) => (await send('introspect', free, { token, ...form })).json()
    const introspection = await ask()
    assert.deepEqual([introspection.active, introspection.allowed_networks], [true, ['10.0.0.0/8']])
    assert.equal((await ask({ client_address: INSIDE })).active, true)
    assert.deepEqual(await ask({ client_address: OUTSIDE }), { active: false })
    assert.deepEqual(await ask({ client_address: '2001:db8::1' }), { active: false })
    assert.equal((await ask({ client_address: 'x' })).error, 'invalid_request')
    const unbound = (await tokenOf(free)).json().access_token
    const other = (await send('introspect', free, { token: unbound, client_address: OUTSIDE })).json()
    assert.deepEqual([other.active, 'allowed_networks' in other], [true, false])
  })

  test('expires_at: limits tokens; keys and tokens are refused afterward (401)', async () => {
    await using account = await addSigningAccount(app, await newKey('ES256'))
    await endIn(account.id, 60_000)
    const granted = (await tokenOf(account)).json()
    assert.ok(granted.expires_in <= 60, String(granted.expires_in))
    const { access_token: token } = granted
    const { exp } = (await send('introspect', account, { token })).json()
    assert.ok(exp * 1000 <= app.parts.services.now() + 60_000)
    assert.equal(await use(token, INSIDE), 200)
    await endIn(account.id, -1)
    assert.equal(await use(token, INSIDE), 401)
    const refused = await tokenOf(account)
    assert.deepEqual([refused.statusCode, refused.json().error], [401, 'invalid_client'])
  })
})
