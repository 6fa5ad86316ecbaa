import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { newSecret } from '#foundation/secrets/typed-secret.ts'
import { createAccount, ofOrg } from '#test/access/accounts.ts'
import { ASSERTION_TYPE, addSigningAccount, assertion, newKey, type SigningAccount } from '#test/access/client-keys.ts'
import { addClient, basic, inForm, publicApp } from '#test/access/oauth.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

const PER_MINUTE = 50
const PER_CLIENT = 10

onAnyEngine('limits on failed client and key authentication', (engine) => {
  let app: TestApp
  let addresses = 0
  before(async () => {
    app = await startApp(engine, {
      GATEHOUSE_FAILED_SECRETS_PER_MINUTE: String(PER_MINUTE),
      GATEHOUSE_OUTGOING_ALLOW: '127.0.0.0/8',
    })
  })
  after(() => app.close())

  const newAddress = () => `198.51.100.${++addresses}`

  const send = (
    address: string,
    form: Record<string, string>,
    { path = 'token', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
  ): Promise<LightMyRequestResponse> =>
    app.server.inject({
      method: 'POST',
      url: `/oauth2/${path}`,
      remoteAddress: address,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams(form).toString(),
    })

  const addAccount = async () => {
    const { attributes } = await createAccount(app, ofOrg.path(app), { auth_type: 'oauth_client_secret' })
    return { clientId: String(attributes['client_id']), secret: String(attributes['client_secret']) }
  }

  function assertSlowed(answer: LightMyRequestResponse): void {
    assert.deepEqual([answer.statusCode, answer.json().error], [429, 'temporarily_unavailable'], answer.body)
    const seconds = Number(answer.headers['retry-after'])
    assert.ok(seconds >= 1 && seconds <= 60)
  }

  async function signed(by: Pick<SigningAccount, 'clientId' | 'key'>): Promise<Record<string, string>> {
    const audience = app.parts.services.baseUrl
    return { client_assertion_type: ASSERTION_TYPE, client_assertion: await assertion(by, { audience }) }
  }

  const grant = { grant_type: 'client_credentials' }

  for (const path of ['token', 'introspect', 'revoke']) {
    test(`wrong client secrets at /${path}: limited (429) for that IP address and client, nowhere else`, async () => {
      const [there, account, other] = [newAddress(), await addAccount(), await addAccount()]
      const what = { ...grant, token: 'x' }
      const wrong = (clientId: string, address = there) =>
        send(address, { ...what, ...inForm({ clientId, secret: newSecret('client_secret') }) }, { path })
      for (let n = 0; n < PER_CLIENT; n++) assert.equal((await wrong(account.clientId)).statusCode, 401)
      assertSlowed(await wrong(account.clientId))
      const inHeader = basic(account.clientId, newSecret('client_secret'))
      assertSlowed(await send(there, what, { path, headers: inHeader }))
      assert.equal((await wrong(other.clientId)).statusCode, 401)
      assert.equal((await wrong(account.clientId, newAddress())).statusCode, 401)
      assert.equal((await send(newAddress(), { ...what, ...inForm(account) }, { path })).statusCode, 200)
    })
  }

  test('client that authenticated from an address: not limited there by others’ wrong secrets', async () => {
    const [there, account] = [newAddress(), await addAccount()]
    assert.equal((await send(there, { ...grant, ...inForm(account) })).statusCode, 200)
    const wrong = () => send(there, { ...grant, ...inForm({ ...account, secret: newSecret('client_secret') }) })
    for (let n = 0; n < PER_CLIENT; n++) await wrong()
    assertSlowed(await wrong())
    assert.equal((await send(there, { ...grant, ...inForm(account) })).statusCode, 200)
  })

  test('client that repeats a replaced secret: limited (429), while its new secret is accepted', async () => {
    const [there, account] = [newAddress(), await addAccount()]
    const replaced = { ...grant, ...inForm({ ...account, secret: newSecret('client_secret') }) }
    for (let n = 0; n < PER_CLIENT; n++) assert.equal((await send(there, replaced)).statusCode, 401)
    assertSlowed(await send(there, replaced))
    assert.equal((await send(there, { ...grant, ...inForm(account) })).statusCode, 200)
  })

  test('guessed client ids: limited per IP address (429)', async () => {
    const there = newAddress()
    const ask = () => send(there, { grant_type: 'authorization_code', code: 'x', client_id: randomUUID() })
    for (let n = 0; n < PER_MINUTE; n++) assert.equal((await ask()).statusCode, 401)
    assertSlowed(await ask())
    const native = await addClient(app, publicApp)
    const form = { grant_type: 'authorization_code', code: 'x', client_id: native.clientId }
    assertSlowed(await send(there, form))
    assert.equal((await send(newAddress(), form)).statusCode, 400)
  })

  test('client assertions with wrong signatures: limited per IP address and client (429)', async () => {
    const there = newAddress()
    await using account = await addSigningAccount(app, await newKey('ES256'))
    const stranger = await newKey('ES256')
    const byStranger = { clientId: account.clientId, key: { ...stranger, kid: account.key.kid } }
    const wrong = async (address = there) => send(address, { ...grant, ...(await signed(byStranger)) })
    for (let n = 0; n < PER_CLIENT; n++) assert.equal((await wrong()).statusCode, 401)
    assertSlowed(await wrong())
    const right = async (address: string) => send(address, { ...grant, ...(await signed(account)) })
    const elsewhere = newAddress()
    assert.equal((await right(elsewhere)).statusCode, 200)
    for (let n = 0; n < PER_CLIENT + 1; n++) await wrong(elsewhere)
    assert.equal((await right(elsewhere)).statusCode, 200)
  })

  test('unknown API keys: limited in each API style (429); keys that worked from there still do', async () => {
    const there = newAddress()
    const ask = (url: string, key: string, address = there) =>
      app.server.inject({ url, remoteAddress: address, headers: { authorization: `token ${key}` } })
    const self = '/rest/self?version=2024-10-15'
    const late = await app.keyWith(['org.read'])
    assert.equal((await ask(self, app.adminKey)).statusCode, 200)
    for (let n = 0; n < PER_MINUTE; n++) assert.equal((await ask(self, randomUUID())).statusCode, 401)
    const refused = await ask(self, randomUUID())
    assert.deepEqual([refused.statusCode, refused.json().errors[0].code], [429, 'rate-limited'])
    assert.ok(Number(refused.headers['retry-after']) <= 60)
    assert.equal((await ask('/v1/orgs', randomUUID())).json().code, 429)
    assert.equal((await ask(self, app.adminKey)).statusCode, 200)
    // A right guess looks like a wrong one.
    assert.equal((await ask(self, late)).statusCode, 429)
    assert.equal((await ask(self, late, newAddress())).statusCode, 200)
  })

  test('invalid access tokens: not limited, each gets 401', async () => {
    const there = newAddress()
    for (let n = 0; n < PER_MINUTE + 1; n++) {
      const headers = { authorization: `Bearer eyJhbGciOiJFUzI1NiJ9.${n}.x` }
      const answer = await app.server.inject({ url: '/rest/self?version=2024-10-15', remoteAddress: there, headers })
      assert.equal(answer.statusCode, 401)
    }
  })

  test('failed client secrets: counted in metrics and logged once, without secrets', async () => {
    const [there, account] = [newAddress(), await addAccount()]
    const secrets = Array.from({ length: PER_CLIENT + 2 }, () => newSecret('client_secret'))
    for (const secret of secrets) await send(there, { ...grant, ...inForm({ ...account, secret }) })
    const { body } = await app.server.inject('/metrics')
    const counted = (end: string) =>
      Number(new RegExp(`gatehouse_failed_attempts_total\\{kind="client",end="${end}"\\} (\\d+)`).exec(body)?.[1])
    assert.ok(counted('failed') >= PER_CLIENT && counted('not_checked') >= 2, body)
    const lines = app
      .log()
      .split('\n')
      .filter((line) => line.includes(`"address":"${there}"`))
    assert.equal(lines.filter((line) => /an address sent too many invalid secrets/.test(line)).length, 1)
    assert.ok(!secrets.some((secret) => app.log().includes(secret.slice(8, 40))))
    assert.ok(!app.log().includes(account.secret))
  })
})
