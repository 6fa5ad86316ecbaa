import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { issueCredential } from '#features/credentials/issue-credential.ts'
import { orgCollaborator } from '#foundation/access/built-in-roles.ts'
import { permissionNames } from '#foundation/access/permissions.ts'
import { newSecret } from '#foundation/secrets/typed-secret.ts'
import { ofGroup, ofOrg } from '#test/access/accounts.ts'
import { addAccount } from '#test/access/callers.ts'
import { addAccountToken, addApp, consentTo, installApp, userOf } from '#test/access/tokens.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { issueAccessToken } from './issue-access-token.ts'

interface Client {
  readonly clientId: string
  readonly secret: string
}

onEveryEngine('token introspection and revocation', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  const basic = ({ clientId, secret }: Client) =>
    `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`).toString('base64')}`

  const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    app.server.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams(form).toString(),
    })

  const ask = async (client: Client, token: string) => {
    const answer = await post('/oauth2/introspect', { token }, { authorization: basic(client) })
    assert.equal(answer.statusCode, 200, answer.body)
    assert.equal(answer.headers['cache-control'], 'no-store')
    return answer.json()
  }
  const revoke = (client: Client, token: string, form = {}) =>
    post('/oauth2/revoke', { token, ...form }, { authorization: basic(client) })

  const isAlive = async (token: string) => (await app.call('GET', '/rest/self', { key: token })).statusCode === 200

  /** A session with a client secret of its app and a refresh token. */
  async function session({ orgId = app.orgId, context = 'tenant', isConfidential = true }: Session = {}) {
    const { services } = app.parts
    const registered = await addApp(app, { orgId, context, isConfidential })
    const { secret } = await issueCredential(services, services.db, {
      kind: 'client_secret',
      owner: { kind: 'app', id: registered.id },
      name: 'First',
    })
    const userId = await userOf(app, await app.keyWith(permissionNames))
    const consent = await consentTo(app, { app: registered, userId })
    const refreshToken = await addRefreshToken(consent.id)
    return { ...consent, userId, refreshToken, appId: registered.id, clientId: registered.client_id!, secret }
  }

  interface Session {
    readonly orgId?: string
    readonly context?: 'tenant' | 'user'
    readonly isConfidential?: boolean
  }

  async function addRefreshToken(sessionId: string, { consumed = false, livesMs = 60_000 } = {}): Promise<string> {
    const { db, keyring, now } = app.parts.services
    const token = newSecret('refresh_token')
    await db
      .insertInto('oauth_records')
      .values({
        model: 'RefreshToken',
        id: keyring.digest(token),
        payload: new Uint8Array(),
        uid: null,
        session_id: sessionId,
        consumed_at: consumed ? now() : null,
        expires_at: now() + livesMs,
      })
      .execute()
    return token
  }

  async function account(path = ofOrg.path(app)) {
    const { account: made, token, secretId } = await addAccountToken(app, { path, roleId: orgCollaborator.id })
    const { client_id, client_secret } = made.attributes
    return { id: made.id, clientId: String(client_id), secret: String(client_secret), token, secretId }
  }

  describe('introspection', () => {
    test('introspection: returns scope, subject and lifetime of the client’s own access token', async () => {
      const { clientId, secret, token, botId } = await session()
      const answer = await ask({ clientId, secret }, token)
      const { iat, exp, jti, ...rest } = answer
      assert.deepEqual(rest, {
        active: true,
        client_id: clientId,
        token_type: 'bearer',
        scope: 'org.read',
        sub: botId,
        bot_id: botId,
        iss: app.parts.services.baseUrl,
        aud: [app.parts.services.baseUrl],
      })
      assert.equal(exp - iat, 3600)
      assert.match(jti, /^gate_at_/)
    })

    test('introspection: names the user of an app in a user’s context', async () => {
      const { token, userId, ...client } = await session({ context: 'user' })
      const answer = await ask(client, token)
      assert.equal(answer.sub, userId)
      assert.equal(answer.username, userId)
    })

    test('introspection: describes a refresh token', async () => {
      const { botId, refreshToken, ...client } = await session()
      const answer = await ask(client, refreshToken)
      const { exp, ...rest } = answer
      const { clientId: client_id } = client
      assert.deepEqual(rest, { active: true, client_id, scope: 'org.read', sub: botId, bot_id: botId })
      assert.ok(exp * 1000 > app.parts.services.now())
    })

    test('introspection: returns the scopes of a service account’s role, or the narrowed scopes', async () => {
      const client = await account()
      const scopes = (await ask(client, client.token)).scope.split(' ')
      assert.deepEqual(scopes.toSorted(), orgCollaborator.permissions.toSorted())
      const narrow = await addAccountToken(app, {
        path: ofOrg.path(app),
        roleId: orgCollaborator.id,
        token: { scopes: ['org.read'] },
      })
      const { client_id, client_secret } = narrow.account.attributes
      const own = { clientId: String(client_id), secret: String(client_secret) }
      assert.equal((await ask(own, narrow.token)).scope, 'org.read')
    })

    test('introspection: exp is the retirement of the secret; inactive after that', async () => {
      const client = await account()
      const retiresAt = app.parts.services.now() + 100_000
      await app.parts.services.db
        .updateTable('credentials')
        .set({ retires_at: retiresAt })
        .where('id', '=', client.secretId)
        .execute()
      const second = await app.call('POST', `${ofOrg.path(app)}/${client.id}/secrets`, {
        body: { data: { type: 'service_account', attributes: { mode: 'create' } } },
      })
      const other = { ...client, secret: second.json().data.attributes.client_secret }
      assert.equal((await ask(other, client.token)).exp, Math.floor(retiresAt / 1000))
      await app.parts.services.db
        .updateTable('credentials')
        .set({ retires_at: app.parts.services.now() - 1 })
        .where('id', '=', client.secretId)
        .execute()
      assert.deepEqual(await ask(other, client.token), { active: false })
    })

    /** The tokens that each client may introspect. */
    test('introspection: describes tokens only to clients of the same organization', async () => {
      const otherOrg = await app.addOrg()
      const place = { groupId: app.groupId, orgId: app.orgId }
      const clients = {
        app: await session(),
        siblingApp: await session(),
        account: await account(),
        groupAccount: await account(ofGroup.path(app)),
        install: await installApp(app, { app: await addApp(app, { grantType: 'client_credentials' }), place }),
        appOfAnotherOrg: await session({ orgId: otherOrg }),
        accountOfAnotherGroup: await strangerAccount(),
      }
      type Name = keyof typeof clients
      const ofThisOrg: Name[] = ['app', 'siblingApp', 'account', 'install']
      const visible: Record<Name, readonly Name[]> = {
        app: ofThisOrg,
        siblingApp: ofThisOrg,
        account: ofThisOrg,
        groupAccount: [...ofThisOrg, 'groupAccount', 'appOfAnotherOrg'],
        install: ['install'],
        appOfAnotherOrg: ['appOfAnotherOrg'],
        accountOfAnotherGroup: ['accountOfAnotherGroup'],
      }
      for (const asking of Object.keys(clients) as Name[]) {
        for (const target of Object.keys(clients) as Name[]) {
          const { active } = await ask(clients[asking], clients[target].token)
          assert.equal(active, visible[asking].includes(target), `${asking} asks of ${target}`)
        }
      }
    })

    async function strangerAccount() {
      const groupId = await app.addGroup()
      const made = await addAccount(app, { groupId, orgId: null }, permissionNames)
      return { clientId: made.clientId, secret: made.secret, token: await made.token(null) }
    }

    test('introspection: returns only "active: false" for anything but a live token', async () => {
      const { id, refreshToken, token, ...client } = await session()
      const dead = [
        randomUUID(),
        'x',
        'a.b.c',
        newSecret('refresh_token'),
        `${token.slice(0, -2)}AA`,
        client.secret,
        app.adminKey,
        await addRefreshToken(id, { consumed: true }),
        await addRefreshToken(id, { livesMs: -1 }),
      ]
      for (const text of dead) if (text !== token) assert.deepEqual(await ask(client, text), { active: false }, text)
      await app.parts.services.db.deleteFrom('app_sessions').where('id', '=', id).execute()
      assert.deepEqual(await ask(client, token), { active: false })
      assert.deepEqual(await ask(client, refreshToken), { active: false })
    })
  })

  describe('revocation', () => {
    test('revocation: an access token ends alone; its session and other tokens survive', async () => {
      const { id, botId, token, refreshToken, ...client } = await session()
      const { services } = app.parts
      const other = await issueAccessToken(services, services.db, {
        basis: { sessionId: id },
        clientId: client.clientId,
        subject: botId,
        botId,
        scopes: ['org.read'],
        ttlSeconds: 3600,
      })
      const answer = await revoke(client, token, { token_type_hint: 'refresh_token' })
      assert.deepEqual([answer.statusCode, answer.body], [200, ''])
      assert.equal(await isAlive(token), false)
      assert.equal(await isAlive(other.token), true)
      assert.equal((await ask(client, refreshToken)).active, true)
      assert.equal((await revoke(client, token)).statusCode, 200, 'twice is as good as once')
    })

    for (const consumed of [false, true]) {
      test(`revocation: a ${consumed ? 'used' : 'live'} refresh token ends its session with all tokens, and is audited`, async () => {
        const { id, userId, appId, token, ...client } = await session()
        const other = await addRefreshToken(id)
        const answer = await revoke(client, await addRefreshToken(id, { consumed }))
        assert.deepEqual([answer.statusCode, answer.body], [200, ''])
        assert.equal(await isAlive(token), false)
        assert.deepEqual(await ask(client, other), { active: false })
        const events = await app.call(
          'GET',
          `/rest/groups/${app.groupId}/audit_logs?action=app_session.delete&limit=10`,
        )
        const { attributes } = events.json().data[0]
        assert.deepEqual(attributes.target, { kind: 'app_session', id })
        assert.deepEqual(attributes.actor, { kind: 'app', id: appId, name: 'An app' })
        assert.deepEqual(attributes.before, { app_id: appId, app_name: 'An app', user_id: userId })
        assert.equal(attributes.request_id, answer.headers['snyk-request-id'])
      })
    }

    test('revocation: revokes and audits tokens of installs and service accounts', async () => {
      const unattended = await installApp(app, { app: await addApp(app, { grantType: 'client_credentials' }) })
      for (const client of [unattended, await account()]) {
        assert.equal(await isAlive(client.token), true)
        const answer = await revoke(client, client.token)
        assert.equal(answer.statusCode, 200)
        assert.equal(await isAlive(client.token), false)
        const events = await app.call(
          'GET',
          `/rest/groups/${app.groupId}/audit_logs?action=access_token.revoke&limit=10`,
        )
        assert.equal(events.json().data[0].attributes.request_id, answer.headers['snyk-request-id'])
      }
    })

    test('revocation: a public app revokes its tokens with its client id alone', async () => {
      const { clientId, token, refreshToken } = await session({ isConfidential: false })
      assert.equal((await post('/oauth2/revoke', { token, client_id: clientId })).statusCode, 200)
      assert.equal(await isAlive(token), false)
      assert.equal((await post('/oauth2/revoke', { token: refreshToken, client_id: clientId })).statusCode, 200)
      assert.equal((await post('/oauth2/revoke', { token: refreshToken, client_id: clientId })).statusCode, 200)
    })

    test('revocation: returns 200 for a text that is not a token, and revokes nothing', async () => {
      const client = await session()
      for (const text of ['x', randomUUID(), 'a.b.c', newSecret('refresh_token'), app.adminKey]) {
        const answer = await revoke(client, text)
        assert.deepEqual([answer.statusCode, answer.body], [200, ''])
      }
      assert.equal((await app.call('GET', '/rest/self')).statusCode, 200, 'an API key is no token')
    })

    test('revocation: refuses tokens of another client of the same organization (invalid_grant)', async () => {
      const [mine, other] = [await session(), await session()]
      for (const text of [other.token, other.refreshToken]) {
        const answer = await revoke(mine, text)
        assert.equal(answer.statusCode, 400)
        assert.equal(answer.json().error, 'invalid_grant')
      }
      assert.equal(await isAlive(other.token), true)
    })
  })

  describe('refusals of introspection and revocation', () => {
    for (const path of ['/oauth2/introspect', '/oauth2/revoke']) {
      const refusals: [why: string, status: number, error: string, send: () => ReturnType<typeof post>][] = [
        ['a request without a client', 401, 'invalid_client', () => post(path, { token: 'x' })],
        [
          'an unknown client',
          401,
          'invalid_client',
          () => post(path, { token: 'x', client_id: randomUUID(), client_secret: 'x' }),
        ],
        [
          'a wrong secret',
          401,
          'invalid_client',
          async () => {
            const { clientId } = await session()
            return post(
              path,
              { token: 'x' },
              { authorization: basic({ clientId, secret: newSecret('client_secret') }) },
            )
          },
        ],
        [
          'a client without its secret',
          401,
          'invalid_client',
          async () => post(path, { token: 'x', client_id: (await session()).clientId }),
        ],
        [
          'an API key as the client',
          401,
          'invalid_client',
          () => post(path, { token: 'x' }, { authorization: `token ${app.adminKey}` }),
        ],
        [
          'a missing token',
          400,
          'invalid_request',
          async () => post(path, {}, { authorization: basic(await session()) }),
        ],
        [
          'an empty token',
          400,
          'invalid_request',
          async () => post(path, { token: '' }, { authorization: basic(await session()) }),
        ],
      ]
      for (const [why, status, error, send] of refusals) {
        test(`${path}: refuses ${why}`, async () => {
          const answer = await send()
          assert.equal(answer.statusCode, status, answer.body)
          assert.equal(answer.json().error, error)
          const challenge = answer.headers['www-authenticate']
          if (challenge !== undefined) assert.deepEqual([status, challenge], [401, 'Basic realm="gatehouse"'])
        })
      }

      test(`${path}: refuses GET (405) and JSON bodies (415)`, async () => {
        assert.equal((await app.server.inject({ method: 'GET', url: `${path}?token=x` })).statusCode, 405)
        const headers = { 'content-type': 'application/json', authorization: basic(await session()) }
        const json = await app.server.inject({ method: 'POST', url: path, headers, payload: '{"token":"x"}' })
        assert.equal(json.statusCode, 415)
      })
    }

    test('introspection: refuses a public app (401 invalid_client)', async () => {
      const { clientId, token } = await session({ isConfidential: false })
      const answer = await post('/oauth2/introspect', { token, client_id: clientId })
      assert.equal(answer.statusCode, 401)
      assert.equal(answer.json().error, 'invalid_client')
    })

    test('introspection and revocation: log no tokens and no secrets', async () => {
      const { token, refreshToken, ...client } = await session()
      await ask(client, token)
      await revoke(client, refreshToken)
      for (const text of [token, refreshToken, client.secret]) assert.ok(!app.log().includes(text))
    })
  })
})
