import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { orgAdmin } from '#foundation/access/built-in-roles.ts'
import { permissionNames } from '#foundation/access/permissions.ts'
import { createAccount, newAccount, ofGroup, ofOrg, secretsBody } from '#test/access/accounts.ts'
import { granted, sendForm } from '#test/access/oauth.ts'
import { assertRefusal } from '#test/access/refusals.ts'
import { type CallOptions, startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { createPostgresDatabase } from '#test/servers/postgres.ts'
import { startServer } from '#test/servers/server-process.ts'

onEveryEngine('Idempotency-Key', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  const create = (idempotencyKey: string, body: unknown, { key, path }: { key?: string; path?: string } = {}) => {
    const options: CallOptions = { body, headers: { 'idempotency-key': idempotencyKey }, ...(key && { key }) }
    return app.call('POST', path ?? ofOrg.path(app), options)
  }
  const countAccounts = async (name: string) => {
    const { db } = app.parts.services
    return (await db.selectFrom('service_accounts').select('id').where('name', '=', name).execute()).length
  }
  const namedBody = () => {
    const name = `once ${randomUUID()}`
    return { name, body: newAccount({ name }) }
  }

  for (const auth_type of ['api_key', 'oauth_client_secret']) {
    test(`the same key and body: same response, ${auth_type} included; one account is created`, async () => {
      const [key, { name }] = [randomUUID(), namedBody()]
      const body = newAccount({ name, auth_type })
      const first = await create(key, body)
      assert.equal(first.statusCode, 201, first.body)
      assert.equal(first.headers['idempotency-replayed'], undefined)
      const secret = first.json().data.attributes[auth_type === 'api_key' ? 'api_key' : 'client_secret']
      assert.ok(secret)
      for (let repeat = 0; repeat < 2; repeat++) {
        const again = await create(key, body)
        assert.deepEqual([again.statusCode, again.body], [201, first.body])
        assert.equal(again.headers['idempotency-replayed'], 'true')
        for (const header of ['location', 'content-type', 'snyk-version-served']) {
          assert.equal(again.headers[header], first.headers[header])
        }
        assert.notEqual(again.headers['snyk-request-id'], first.headers['snyk-request-id'])
      }
      assert.equal(await countAccounts(name), 1)
    })
  }

  test('a used key with another body, path or version: 409', async () => {
    const [key, { body }] = [randomUUID(), namedBody()]
    const path = ofOrg.path(app)
    assert.equal((await create(key, body)).statusCode, 201)
    const others: [body: unknown, path: string][] = [
      [newAccount(), path],
      [body, ofGroup.path(app)],
      [body, `${path}?version=2024-10-16`],
    ]
    for (const [other, at] of others) {
      assertRefusal(await create(key, other, { path: at }), { status: 409, code: 'idempotency-key-reused' })
    }
  })

  test('equal requests with one key at the same time: one account, the same response for all', async () => {
    const [key, { name, body }] = [randomUUID(), namedBody()]
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(key, body)))
    assert.deepEqual(new Set(answers.map(({ statusCode }) => statusCode)), new Set([201]))
    assert.equal(new Set(answers.map((answer) => answer.body)).size, 1)
    assert.equal(answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined).length, 1)
    assert.equal(await countAccounts(name), 1)
  })

  test('different requests with one key at the same time: one succeeds, the others get 409', async () => {
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 4 }, () => create(key, newAccount())))
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [201, 409, 409, 409])
  })

  test('a refused request does not use up its key', async () => {
    const [key, { body }] = [randomUUID(), namedBody()]
    assertRefusal(await create(key, newAccount({ name: ' ' })), { status: 400, code: 'invalid-request' })
    assertRefusal(await create(key, newAccount({ role_id: randomUUID() })), { status: 400, code: 'invalid-request' })
    assert.equal((await create(key, body)).headers['idempotency-replayed'], undefined)
    assert.equal((await create(key, body)).headers['idempotency-replayed'], 'true')
  })

  test('an equal key of another caller is another key', async () => {
    const [key, { body, name }] = [randomUUID(), namedBody()]
    const theirs = await app.keyWith(permissionNames, { groupId: app.groupId })
    assert.equal((await create(key, body)).statusCode, 201)
    assertRefusal(await create(key, body, { key: theirs }), { status: 409, code: 'name-taken' })
    const other = namedBody()
    const answer = await create(key, other.body, { key: theirs })
    assert.deepEqual([answer.statusCode, answer.headers['idempotency-replayed']], [201, undefined])
    assert.equal(await countAccounts(name), 1)
  })

  test("a token with fewer scopes than the first request's: 409 without the created secret", async () => {
    const account = await createAccount(app, ofOrg.path(app), {
      auth_type: 'oauth_client_secret',
      role_id: orgAdmin.id,
    })
    const { client_id, client_secret } = account.attributes
    const tokenWith = async (scope: Record<string, string>) => {
      const form = { client_id: String(client_id), client_secret: String(client_secret), ...scope }
      return granted(await sendForm(app, 'token', { grant_type: 'client_credentials', ...form })).access_token
    }
    const [wide, narrow] = [await tokenWith({}), await tokenWith({ scope: 'org.service_account.create' })]
    const [key, { body }] = [randomUUID(), namedBody()]
    const created = await create(key, body, { key: wide })
    assert.equal(created.statusCode, 201, created.body)
    const answer = await create(key, body, { key: narrow })
    assertRefusal(answer, { status: 409, code: 'idempotency-key-reused' })
    assert.ok(!answer.body.includes(created.json().data.attributes.api_key))
    assertRefusal(await create(randomUUID(), namedBody().body, { key: narrow }), { status: 403, code: 'forbidden' })
    // Another token for the same principal may repeat it.
    assert.equal((await create(key, body, { key: await tokenWith({}) })).body, created.body)
  })

  test('a caller who lost access gets 404 instead of the stored response', async () => {
    const [key, { body }] = [randomUUID(), namedBody()]
    const theirs = await app.keyWith(permissionNames, { groupId: app.groupId })
    const created = await create(key, body, { key: theirs })
    assert.equal(created.statusCode, 201)
    const { principal_id } = await app.parts.services.db
      .selectFrom('idempotency_keys')
      .select('principal_id')
      .where('idempotency_key', '=', key)
      .executeTakeFirstOrThrow()
    await app.parts.services.db.deleteFrom('memberships').where('principal_id', '=', principal_id).execute()
    assertRefusal(await create(key, body, { key: theirs }), { status: 404, code: 'not-found' })
  })

  test('a key is free again after 24 hours', async () => {
    const [key, { body }] = [randomUUID(), namedBody()]
    const { id } = (await create(key, body)).json().data
    const age = (hours: number) =>
      app.parts.services.db
        .updateTable('idempotency_keys')
        .set({ created_at: app.parts.services.now() - hours * 3_600_000 })
        .where('idempotency_key', '=', key)
        .execute()
    await age(23.9)
    assert.equal((await create(key, body)).json().data.id, id)
    await age(24.1)
    const later = await create(key, namedBody().body)
    assert.equal(later.statusCode, 201, later.body)
    assert.notEqual(later.json().data.id, id)
  })

  test('the stored response is encrypted, and refused when its row is copied to another caller', async () => {
    const [key, { body }] = [randomUUID(), namedBody()]
    const { attributes } = (await create(key, body)).json().data
    const { db } = app.parts.services
    const row = await db
      .selectFrom('idempotency_keys')
      .selectAll()
      .where('idempotency_key', '=', key)
      .executeTakeFirstOrThrow()
    const stored = Buffer.from(row.answer).toString('latin1')
    for (const text of [attributes.api_key, 'api_key', attributes.name]) assert.ok(!stored.includes(text))

    const theirs = await app.keyWith(permissionNames, { groupId: app.groupId })
    const thief = (await app.call('GET', '/rest/self', { key: theirs })).json().data.id
    await db
      .insertInto('idempotency_keys')
      .values({ ...row, principal_id: thief })
      .execute()
    const answer = await create(key, body, { key: theirs })
    assertRefusal(answer, { status: 409, code: 'idempotency-key-reused' })
    assert.ok(!answer.body.includes(attributes.api_key))
  })

  test('a repeated request for a client secret creates one secret and returns it again', async () => {
    const account = (await create(randomUUID(), newAccount({ auth_type: 'oauth_client_secret' }))).json().data
    const path = `${ofOrg.path(app)}/${account.id}/secrets`
    const key = randomUUID()
    const [first, again] = [
      await create(key, secretsBody('create'), { path }),
      await create(key, secretsBody('create'), { path }),
    ]
    assert.deepEqual([first.statusCode, again.statusCode], [200, 200])
    assert.equal(again.body, first.body)
  })

  test('PATCH, GET and DELETE ignore the header', async () => {
    const { id } = (await create(randomUUID(), newAccount())).json().data
    const headers = { 'idempotency-key': 'same for all' }
    const path = `${ofOrg.path(app)}/${id}`
    const body = { data: { id, type: 'service_account', attributes: { name: id } } }
    assert.equal((await app.call('PATCH', path, { body, headers })).statusCode, 200)
    assert.equal((await app.call('GET', path, { headers })).statusCode, 200)
    assert.equal((await app.call('DELETE', path, { headers })).statusCode, 204)
  })

  describe('invalid keys', () => {
    for (const key of ['', ' ', 'two words', 'x'.repeat(256), 'ké', 'tab\there']) {
      test(`key "${key.slice(0, 20)}": 400, and no account is created`, async () => {
        const { name, body } = namedBody()
        const answer = await create(key, body)
        assertRefusal(answer, { status: 400, code: 'idempotency-key-invalid' })
        assert.deepEqual(answer.json().errors[0].source, { header: 'idempotency-key' })
        assert.equal(await countAccounts(name), 0)
      })
    }
  })

  test('a key of 255 visible characters is accepted', async () => {
    assert.equal((await create('~'.repeat(255), newAccount())).statusCode, 201)
  })

  test('a server killed after its response repeats the response after the restart', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-restart-'))
    const postgres = engine === 'postgres' ? await createPostgresDatabase() : undefined
    const apiKey = randomUUID()
    const environment = {
      GATEHOUSE_DATA_DIR: dataDir,
      GATEHOUSE_ADMIN_API_KEY: apiKey,
      ...(postgres && { DATABASE_URL: postgres.url }),
    }
    const [body, key] = [JSON.stringify(newAccount()), randomUUID()]
    const ask = async () => {
      const server = await startServer(environment)
      try {
        const headers = {
          authorization: `token ${apiKey}`,
          'content-type': 'application/vnd.api+json',
          'idempotency-key': key,
        }
        const orgs = await fetch(`${server.baseUrl}/rest/orgs?version=2024-10-15`, { headers })
        const { data } = (await orgs.json()) as { data: { id: string }[] }
        const url = `${server.baseUrl}/rest/orgs/${data[0]!.id}/service_accounts?version=2024-10-15`
        const answer = await fetch(url, { method: 'POST', headers, body })
        return {
          status: answer.status,
          text: await answer.text(),
          replayed: answer.headers.get('idempotency-replayed'),
        }
      } finally {
        await server.end('SIGKILL')
      }
    }
    try {
      const first = await ask()
      assert.deepEqual([first.status, first.replayed], [201, null], first.text)
      assert.match(first.text, /"api_key":"/)
      assert.deepEqual(await ask(), { ...first, replayed: 'true' })
    } finally {
      await postgres?.drop()
      rmSync(dataDir, { recursive: true })
    }
  })
})
