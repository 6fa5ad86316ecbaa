import assert from 'node:assert/strict'
import { after, before, describe, mock, test } from 'node:test'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { createServices } from '#composition/create-services.ts'
import { closeParts, createParts } from '#composition/parts.ts'
import { purgeEnded } from '#features/access-tokens/purge-ended.ts'
import { openDatabase } from '#foundation/db/open-database.ts'
import type { Server } from '#foundation/http/server.ts'
import {
  addClient,
  type Client,
  codeFor,
  granted,
  isAccepted,
  publicApp,
  refresh,
  refused,
  sendForm,
  tokensFor,
} from '#test/access/oauth.ts'
import { addPerson } from '#test/access/people.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { volume } from '#test/volume.ts'
import { createApp } from '../../app.ts'

const isGranted = ({ statusCode }: LightMyRequestResponse) => statusCode === 200

onEveryEngine('refresh tokens', (engine) => {
  let app: TestApp
  let client: Client
  before(async () => {
    app = await startApp(engine)
    client = await addClient(app, { scopes: ['org.read', 'org.project.read'] })
  })
  after(() => app.close())

  const later = async <T>(days: number, work: () => Promise<T>): Promise<T> => {
    mock.timers.enable({ apis: ['Date'], now: Date.now() + days * 86_400_000 })
    try {
      return await work()
    } finally {
      mock.timers.reset()
    }
  }

  const endedByReuse = async () => {
    const { db } = app.parts.services
    return (await db.selectFrom('audit_events').selectAll().where('action', '=', 'app_session.end_reused').execute())
      .length
  }

  test('refresh token: works once and returns the next, with the same scopes and identity', async () => {
    const first = await tokensFor(app, client)
    const second = granted(await refresh(app, client, first.refresh_token))
    const third = granted(await refresh(app, client, second.refresh_token))
    assert.equal(new Set([first, second, third].map(({ refresh_token }) => refresh_token)).size, 3)
    for (const tokens of [second, third]) {
      assert.deepEqual([tokens.scope, tokens.bot_id], [first.scope, first.bot_id])
      assert.ok(tokens.refresh_expires_in >= 15_551_999)
      assert.ok(await isAccepted(app, tokens.access_token))
    }
  })

  test('used refresh token: refused, and ends the whole session', async () => {
    const first = await tokensFor(app, client)
    const second = granted(await refresh(app, client, first.refresh_token))
    refused(await refresh(app, client, first.refresh_token), 400, 'invalid_grant')
    refused(await refresh(app, client, second.refresh_token), 400, 'invalid_grant')
    for (const { access_token } of [first, second]) assert.equal(await isAccepted(app, access_token), false)
  })

  test('used refresh token: remembered for 30 days, even beyond its expiry', async () => {
    const before = await endedByReuse()
    const [first, other] = [await tokensFor(app, client), await tokensFor(app, client)]
    const second = await later(179, async () => granted(await refresh(app, client, first.refresh_token)))
    await later(179, async () => granted(await refresh(app, client, other.refresh_token)))
    await later(208, async () => {
      refused(await refresh(app, client, first.refresh_token), 400, 'invalid_grant')
      refused(await refresh(app, client, second.refresh_token), 400, 'invalid_grant')
    })
    // After that the id is unknown and harmless.
    await later(210, async () => {
      const { db, now } = app.parts.services
      await purgeEnded({ db, now })
      refused(await refresh(app, client, other.refresh_token), 400, 'invalid_grant')
    })
    assert.equal(await endedByReuse(), before + 1)
  })

  test('refresh token of a public app: works with the client id alone, and once', async () => {
    const native = await addClient(app, publicApp)
    const first = await tokensFor(app, native)
    granted(await refresh(app, native, first.refresh_token))
    refused(await refresh(app, native, first.refresh_token), 400, 'invalid_grant')
  })

  test('refresh with fewer scopes: narrows this access token only, not the next', async () => {
    const { refresh_token } = await tokensFor(app, client)
    const form = { grant_type: 'refresh_token', client_id: client.clientId, client_secret: client.secret! }
    const narrow = granted(await sendForm(app, 'token', { ...form, refresh_token, scope: 'org.read' }))
    assert.equal(narrow.scope, 'org.read')
    const wide = granted(await refresh(app, client, narrow.refresh_token))
    assert.equal(wide.scope, 'org.read org.project.read')
  })

  test('refresh with scopes that were not granted: refused (invalid_scope)', async () => {
    const { refresh_token } = await tokensFor(app, client, { parameters: { scope: 'org.read' } })
    const form = {
      grant_type: 'refresh_token',
      client_id: client.clientId,
      client_secret: client.secret!,
      refresh_token,
    }
    refused(await sendForm(app, 'token', { ...form, scope: 'org.project.read' }), 400, 'invalid_scope')
    refused(await sendForm(app, 'token', { ...form, scope: 'org.edit' }), 400, 'invalid_scope')
    assert.equal(granted(await sendForm(app, 'token', form)).scope, 'org.read')
  })

  test('refresh with unknown scopes only: grants all scopes of the session', async () => {
    const { refresh_token } = await tokensFor(app, client, { parameters: { scope: 'org.read' } })
    const form = { grant_type: 'refresh_token', client_id: client.clientId, client_secret: client.secret! }
    const answer = await sendForm(app, 'token', { ...form, refresh_token, scope: 'openid offline_access' })
    assert.equal(granted(answer).scope, 'org.read')
  })

  test('refresh token: refused for another client; still valid for its own', async () => {
    const { refresh_token } = await tokensFor(app, client)
    refused(await refresh(app, await addClient(app), refresh_token), 400, 'invalid_grant')
    granted(await refresh(app, client, refresh_token))
  })

  test('refresh token: refused after its session ended', async () => {
    const { refresh_token, access_token } = await tokensFor(app, client)
    await app.parts.services.db.deleteFrom('app_sessions').execute()
    refused(await refresh(app, client, refresh_token), 400, 'invalid_grant')
    assert.equal(await isAccepted(app, access_token), false)
  })

  test('refresh token: refused after its user was deleted', async () => {
    const person = await addPerson(app, { permissions: ['org.read', 'org.project.read'], orgId: app.orgId })
    const { refresh_token } = await tokensFor(app, client, { person })
    await app.parts.services.db.deleteFrom('memberships').where('principal_id', '=', person.id).execute()
    await app.parts.services.db.deleteFrom('users').where('id', '=', person.id).execute()
    refused(await refresh(app, client, refresh_token), 400, 'invalid_grant')
  })

  test('refresh: updates last_used_at of the session', async () => {
    const { refresh_token } = await tokensFor(app, client)
    const sessions = () =>
      app.parts.services.db
        .selectFrom('app_sessions')
        .selectAll()
        .orderBy('created_at', 'desc')
        .executeTakeFirstOrThrow()
    const before = (await sessions()).last_used_at
    assert.ok(before)
    granted(await refresh(app, client, refresh_token))
    assert.ok((await sessions()).last_used_at! >= before)
  })

  describe('concurrent refreshes', () => {
    test('concurrent refreshes: exactly one succeeds, and its successor works', async () => {
      for (let round = 0; round < 5; round++) {
        const { refresh_token } = await tokensFor(app, client)
        const answers = await Promise.all([1, 2, 3, 4].map(() => refresh(app, client, refresh_token)))
        const winners = answers.filter(isGranted)
        assert.equal(winners.length, 1, answers.map(({ body }) => body).join())
        for (const answer of answers) if (!isGranted(answer)) refused(answer, 400, 'invalid_grant')
        const next = granted(winners[0]!)
        assert.ok(await isAccepted(app, next.access_token))
        granted(await refresh(app, client, next.refresh_token))
      }
    })

    test('refresh after concurrent refreshes: counts as reuse and ends the session', async () => {
      const { refresh_token } = await tokensFor(app, client)
      const [first] = await Promise.all([refresh(app, client, refresh_token), refresh(app, client, refresh_token)])
      refused(await refresh(app, client, refresh_token), 400, 'invalid_grant')
      if (isGranted(first!)) assert.equal(await isAccepted(app, granted(first).access_token), false)
    })

    test('concurrent exchanges of one code: at most one gets tokens', async () => {
      const { form } = await codeFor(app, client)
      const answers = await Promise.all([1, 2, 3].map(() => sendForm(app, 'token', form)))
      assert.ok(answers.filter(isGranted).length <= 1)
      for (const answer of answers) if (!isGranted(answer)) refused(answer, 400, 'invalid_grant')
    })
  })

  test('concurrent grants: need few database connections, even before a signing key is cached', async () => {
    const other = await startApp(engine)
    try {
      const busy = await addClient(other)
      const forms = []
      for (let count = 0; count < 12; count++) forms.push((await codeFor(other, busy)).form)
      const answers = await Promise.all(forms.map((form) => sendForm(other, 'token', form)))
      for (const answer of answers) granted(answer)
    } finally {
      await other.close()
    }
  })

  describe('tolerance for a second use of a refresh token', () => {
    let tolerant: TestApp
    let own: Client
    before(async () => {
      tolerant = await startApp(engine, { GATEHOUSE_REFRESH_REUSE_SECONDS: '20' })
      own = await addClient(tolerant, { scopes: ['org.read', 'org.project.read'] })
    })
    after(() => tolerant.close())

    /** Moves the uses of refresh tokens into the past. */
    const age = (seconds: number) =>
      tolerant.parts.services.db
        .updateTable('oauth_records')
        .set((eb) => ({ consumed_at: eb('consumed_at', '-', seconds * 1000) }))
        .where('consumed_at', 'is not', null)
        .execute()

    test('used refresh token within the tolerance: returns the same successor and a new access token', async () => {
      const first = await tokensFor(tolerant, own)
      const second = granted(await refresh(tolerant, own, first.refresh_token))
      await age(5)
      const again = granted(await refresh(tolerant, own, first.refresh_token))
      assert.equal(again.refresh_token, second.refresh_token)
      assert.ok(again.refresh_expires_in < second.refresh_expires_in)
      for (const { access_token } of [second, again]) assert.ok(await isAccepted(tolerant, access_token))
      granted(await refresh(tolerant, own, second.refresh_token))
    })

    test('concurrent refreshes within the tolerance: all get the same successor', async () => {
      const { refresh_token } = await tokensFor(tolerant, own)
      const answers = await Promise.all([1, 2, 3, 4].map(() => refresh(tolerant, own, refresh_token)))
      assert.equal(new Set(answers.map((answer) => granted(answer).refresh_token)).size, 1)
    })

    test('used refresh token after the tolerance: refused, and ends the session', async () => {
      const first = await tokensFor(tolerant, own)
      const second = granted(await refresh(tolerant, own, first.refresh_token))
      await age(21)
      refused(await refresh(tolerant, own, first.refresh_token), 400, 'invalid_grant')
      assert.equal(await isAccepted(tolerant, second.access_token), false)
    })

    test('used refresh token within the tolerance: refused for another client', async () => {
      const first = await tokensFor(tolerant, own)
      granted(await refresh(tolerant, own, first.refresh_token))
      refused(await refresh(tolerant, await addClient(tolerant), first.refresh_token), 400, 'invalid_grant')
    })
  })

  describe('two servers on one database', {
    skip: engine === 'sqlite' && 'one process holds the data folder',
  }, () => {
    let other: { server: Server; close(): Promise<void> }
    before(async () => {
      other = await secondServer(app)
    })
    after(() => other.close())

    test('concurrent refreshes at two servers: exactly one succeeds', async () => {
      for (let round = 0; round < volume(10, { atLeast: 2 }); round++) {
        const { refresh_token } = await tokensFor(app, client)
        const answers = await Promise.all([
          refresh(app, client, refresh_token),
          refresh({ ...app, server: other.server }, client, refresh_token),
          refresh(app, client, refresh_token),
          refresh({ ...app, server: other.server }, client, refresh_token),
        ])
        const winners = answers.filter(isGranted)
        assert.equal(winners.length, 1, answers.map(({ body }) => body).join())
        granted(await refresh({ ...app, server: other.server }, client, granted(winners[0]!).refresh_token))
      }
    })

    test('authorization whose requests alternate between two servers: succeeds', async () => {
      let requests = 0
      const inject = (options: InjectOptions) => [app.server, other.server][requests++ % 2]!.inject(options)
      const both = { ...app, server: { inject } as unknown as Server }
      const person = await addPerson(app, { permissions: ['org.read', 'org.project.read'], orgId: app.orgId })
      granted(await sendForm(both, 'token', (await codeFor(both, client, { person })).form))
      assert.ok(requests > 6)
    })

    test('concurrent exchanges of one code at two servers: exactly one gets tokens', async () => {
      for (let round = 0; round < volume(10, { atLeast: 2 }); round++) {
        const { form } = await codeFor(app, client)
        const servers = [app, { server: other.server }, app, { server: other.server }]
        const answers = await Promise.all(servers.map((one) => sendForm(one, 'token', form)))
        assert.equal(answers.filter(isGranted).length, 1, answers.map(({ body }) => body).join())
        for (const answer of answers) if (!isGranted(answer)) refused(answer, 400, 'invalid_grant')
      }
    })

    test('refresh token used at a server with a wrong clock: a second use is still detected as reuse', async () => {
      const { refresh_token } = await tokensFor(app, client)
      const ahead = async () => refresh({ ...app, server: other.server }, client, refresh_token)
      const next = granted(await later(1 / 24, ahead))
      refused(await refresh(app, client, refresh_token), 400, 'invalid_grant')
      assert.equal(await isAccepted(app, next.access_token), false)
    })

    test('refresh token used at another server: refused as reuse, and the session ends', async () => {
      const { refresh_token } = await tokensFor(app, client)
      const next = granted(await refresh({ ...app, server: other.server }, client, refresh_token))
      refused(await refresh(app, client, refresh_token), 400, 'invalid_grant')
      assert.equal(await isAccepted({ ...app, server: other.server }, next.access_token), false)
    })
  })
})

/** Starts a second server on the database of the first, with its own connections. */
async function secondServer({ parts, databaseUrl }: TestApp): Promise<{ server: Server; close(): Promise<void> }> {
  const { config, log, keyring } = parts.services
  const database = openDatabase({ url: databaseUrl, dataDir: config.dataDir, maxConnections: 4, onError: () => {} })
  const core = createServices(config, database, log)
  assert.equal(core.services.keyring.fingerprint, keyring.fingerprint)
  const own = await createParts(core)
  const server = await createApp(own)
  await server.ready()
  return {
    server,
    async close() {
      await server.close()
      await closeParts(own)
      await database.close()
    },
  }
}
