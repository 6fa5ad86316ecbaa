import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { orgCollaborator } from '#foundation/access/built-in-roles.ts'
import { permissionNames } from '#foundation/access/permissions.ts'
import { ofOrg } from '#test/access/accounts.ts'
import { assertRefusal } from '#test/access/refusals.ts'
import { addAccountToken, addApp, consentTo, installApp, userOf } from '#test/access/tokens.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { issueAccessToken, TokenBasisGone } from './issue-access-token.ts'

onEveryEngine('access tokens', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  const isAlive = async (token: string, headers = {}): Promise<boolean> => {
    const answer = await app.call('GET', '/rest/self', { key: token, headers })
    if (answer.statusCode === 200) return true
    assertRefusal(answer, { status: 401, code: 'unauthenticated' })
    return false
  }

  const session = async () => {
    const registered = await addApp(app)
    const userId = await userOf(app, await app.keyWith(permissionNames))
    return { registered, userId, ...(await consentTo(app, { app: registered, userId })) }
  }
  const install = async () => {
    const registered = await addApp(app, { grantType: 'client_credentials' })
    return { registered, ...(await installApp(app, { app: registered })) }
  }
  const account = () => addAccountToken(app, { path: ofOrg.path(app), roleId: orgCollaborator.id })

  /** Ways to end a token, with their effect on the storage. */
  const ends: [why: string, make: () => Promise<{ token: string; end: () => Promise<unknown> }>][] = [
    ['its session', async () => ofRow('app_sessions', await session())],
    [
      'the app of its session',
      async () => {
        const { token, registered } = await session()
        return ofRow('apps', { token, id: registered.id })
      },
    ],
    [
      'its user',
      async () => {
        const { token, userId } = await session()
        return {
          token,
          end: async () => {
            const answer = await app.call('DELETE', `/rest/groups/${app.groupId}/users/${userId}`)
            assert.equal(answer.statusCode, 204, answer.body)
          },
        }
      },
    ],
    ['its install', async () => ofRow('app_installs', await install())],
    [
      'the app of its install',
      async () => {
        const { token, registered } = await install()
        return ofRow('apps', { token, id: registered.id })
      },
    ],
    [
      'the secret that an install obtained it with',
      async () => {
        const { token, secretId } = await install()
        return ofRow('credentials', { token, id: secretId })
      },
    ],
    [
      'its service account',
      async () => {
        const { token, account: made } = await account()
        return {
          token,
          end: async () => {
            const answer = await app.call('DELETE', `${ofOrg.path(app)}/${made.id}`)
            assert.equal(answer.statusCode, 204, answer.body)
          },
        }
      },
    ],
    [
      'the secret that a service account obtained it with',
      async () => {
        const { token, account: made } = await account()
        return {
          token,
          end: async () => {
            const body = { data: { type: 'service_account', attributes: { mode: 'replace' } } }
            const answer = await app.call('POST', `${ofOrg.path(app)}/${made.id}/secrets`, { body })
            assert.equal(answer.statusCode, 200, answer.body)
          },
        }
      },
    ],
  ]
  for (const [why, make] of ends) {
    test(`access token: refused once ${why} is removed`, async () => {
      const { token, end } = await make()
      assert.equal(await isAlive(token), true)
      await end()
      assert.equal(await isAlive(token), false)
    })
  }

  test('access token: refused once the organization of its app or of its install is deleted', async () => {
    const orgId = await app.addOrg()
    const owned = await addApp(app, { orgId, grantType: 'client_credentials' })
    const elsewhere = await installApp(app, { app: owned })
    const guest = await installApp(app, {
      app: await addApp(app, { grantType: 'client_credentials' }),
      place: { groupId: app.groupId, orgId },
    })
    assert.deepEqual([await isAlive(elsewhere.token), await isAlive(guest.token)], [true, true])
    assert.equal((await app.call('DELETE', `/v1/org/${orgId}`)).statusCode, 204)
    assert.deepEqual([await isAlive(elsewhere.token), await isAlive(guest.token)], [false, false])
  })

  const limits: [why: string, column: string, value: () => number | string | null, isAlive: boolean][] = [
    ['a secret whose grace period is over', 'retires_at', () => app.parts.services.now() - 1, false],
    ['a secret in its grace period', 'retires_at', () => app.parts.services.now() + 60_000, true],
    ['an expired secret', 'expires_at', () => app.parts.services.now() - 1, false],
    ['a secret for other networks', 'allowed_networks', () => '["10.0.0.0/8"]', false],
    ['a secret for this network', 'allowed_networks', () => '["127.0.0.0/8"]', true],
  ]
  for (const [why, column, value, expected] of limits) {
    test(`access token: ${expected ? 'accepted' : 'refused'} if it was obtained with ${why}`, async () => {
      const { token, secretId } = await account()
      await app.parts.services.db
        .updateTable('credentials')
        .set({ [column]: value() })
        .where('id', '=', secretId)
        .execute()
      assert.equal(await isAlive(token), expected)
    })
  }

  test('access token: refused after its expiry, before the purge deletes it', async () => {
    const { token } = await session()
    const { db, keyring, now } = app.parts.services
    const digest = keyring.digest(token)
    await db
      .updateTable('access_tokens')
      .set({ expires_at: now() + 50 })
      .where('digest', '=', digest)
      .execute()
    while (await isAlive(token));
    assert.ok(
      (await db.selectFrom('access_tokens').select('id').where('digest', '=', digest).executeTakeFirst()) !== undefined,
    )
  })

  test('access token: expires no later than the secret that obtained it', async () => {
    const endsAt = app.parts.services.now() + 90_500
    const { token } = await addAccountToken(app, {
      path: ofOrg.path(app),
      roleId: orgCollaborator.id,
      token: { credential: undefined },
    })
    assert.ok(await isAlive(token))
    const { secretId, account: made } = await account()
    const { services } = app.parts
    const issued = await issueAccessToken(services, services.db, {
      basis: { serviceAccountId: made.id },
      clientId: 'x',
      subject: made.id,
      botId: made.id,
      scopes: null,
      ttlSeconds: 3600,
      credential: { id: secretId, endsAt },
    })
    assert.ok(issued.expiresInSeconds <= 91 && issued.expiresInSeconds >= 80)
    const claims = JSON.parse(Buffer.from(issued.token.split('.')[1]!, 'base64url').toString())
    assert.equal(claims.exp, Math.floor(endsAt / 1000))
  })

  test('access token: refused when its signature or its claims are altered', async () => {
    const { token } = await session()
    const [header, claims, signature] = token.split('.') as [string, string, string]
    const others = [
      `${header}.${claims}.`,
      `${header}.${claims}.${signature.slice(0, -2)}AA`,
      `${header}.${Buffer.from(claims, 'base64url').toString('base64')}.${signature}`,
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.`,
      `${token}.`,
      `${token}=`,
      token.toUpperCase(),
    ]
    for (const other of others) {
      if (other !== token) assert.equal(await isAlive(other), false, other)
    }
    assert.equal(await isAlive(token), true)
  })

  test('access token: cannot be issued on a deleted session or secret', async () => {
    const { id, token, registered, botId } = await session()
    const { services } = app.parts
    await services.db.deleteFrom('app_sessions').where('id', '=', id).execute()
    const input = { clientId: registered.client_id!, subject: botId, botId, scopes: ['org.read'], ttlSeconds: 3600 }
    await assert.rejects(
      issueAccessToken(services, services.db, { ...input, basis: { sessionId: id } }),
      TokenBasisGone,
    )
    const { secretId, account: made } = await account()
    await services.db.deleteFrom('credentials').where('id', '=', secretId).execute()
    const basis = { serviceAccountId: made.id }
    const credential = { id: secretId, endsAt: null }
    await assert.rejects(issueAccessToken(services, services.db, { ...input, basis, credential }), TokenBasisGone)
    assert.equal(await isAlive(token), false)
  })

  test('access token: shares the rate limit of its session with the session’s other tokens', async () => {
    const limited = await startApp(engine, { GATEHOUSE_RATE_LIMIT_PER_MINUTE: '3' })
    const registered = await addApp(limited)
    const userId = await userOf(limited, await limited.keyWith(permissionNames))
    const first = await consentTo(limited, { app: registered, userId })
    const other = await consentTo(limited, { app: await addApp(limited), userId })
    const { services } = limited.parts
    const { token: second } = await issueAccessToken(services, services.db, {
      basis: { sessionId: first.id },
      clientId: registered.client_id!,
      subject: first.botId,
      botId: first.botId,
      scopes: ['org.read'],
      ttlSeconds: 3600,
    })
    const statuses = []
    for (const key of [first.token, second, first.token, second, other.token]) {
      statuses.push((await limited.call('GET', '/rest/self', { key })).statusCode)
    }
    assert.deepEqual(statuses, [200, 200, 200, 429, 200])
    await limited.close()
  })

  test('access token: appears neither in the log nor in the database', async () => {
    const { token } = await session()
    await isAlive(token)
    assert.ok(!app.log().includes(token))
    const rows = await app.parts.services.db.selectFrom('access_tokens').selectAll().execute()
    assert.ok(!JSON.stringify(rows).includes(token.split('.')[2]!))
  })

  function ofRow(
    table: 'app_sessions' | 'apps' | 'app_installs' | 'credentials',
    { token, id }: { token: string; id: string },
  ) {
    return { token, end: () => app.parts.services.db.deleteFrom(table).where('id', '=', id).execute() }
  }
})
