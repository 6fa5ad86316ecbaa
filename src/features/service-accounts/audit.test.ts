import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { orgCollaborator } from '#foundation/access/built-in-roles.ts'
import { createAccount, newAccount, ofGroup, ofOrg, secretsBody } from '#test/access/accounts.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

onEveryEngine('service accounts in logs', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine, { GATEHOUSE_LOG_LEVEL: 'trace' })
  })
  after(() => app.close())

  for (const owner of [ofOrg, ofGroup]) {
    describe(`logs of service accounts at level ${owner.level}`, () => {
      const eventsOf = async (id: string) => {
        const log = owner.path(app).replace('service_accounts', 'audit_logs')
        const { data } = (await app.call('GET', log, { query: { target_id: id } })).json()
        return data.map(({ attributes }: { attributes: Record<string, unknown> }) => attributes).reverse()
      }

      test('audit log: records every change of a service account with actor and request', async () => {
        const path = owner.path(app)
        const { id, attributes } = await createAccount(app, path, { auth_type: 'oauth_client_secret' })
        const one = `${path}/${id}`
        await app.call('PATCH', one, {
          body: { data: { id, type: 'service_account', attributes: { name: `new ${id}` } } },
        })
        await app.call('POST', `${one}/secrets`, { body: secretsBody('create') })
        await app.call('POST', `${one}/secrets`, { body: secretsBody('delete', String(attributes['client_secret'])) })
        await app.call('POST', `${one}/secrets`, { body: secretsBody('replace') })
        await app.call('DELETE', one, { headers: { 'snyk-request-id': 'the-last-one' } })
        const events = await eventsOf(id)
        assert.deepEqual(
          events.map(({ action }: { action: string }) => action),
          ['create', 'edit', 'secret.create', 'secret.delete', 'secret.replace', 'delete'].map(
            (verb) => `service_account.${verb}`,
          ),
        )
        const [create, edit, , , , remove] = events
        const state = {
          name: attributes['name'],
          auth_type: 'oauth_client_secret',
          level: owner.level,
          role_id: orgCollaborator.id,
          client_id: attributes['client_id'],
          access_token_ttl_seconds: 3600,
        }
        const { credential_id, ...after } = create.after
        assert.deepEqual(after, { ...state, role_name: orgCollaborator.name })
        assert.deepEqual([edit.before, edit.after], [{ name: state.name }, { name: `new ${id}` }])
        assert.deepEqual(remove.before, { ...state, name: `new ${id}` })
        assert.equal(remove.after, undefined)
        assert.equal(remove.request_id, 'the-last-one')
        assert.equal(events[2].after.credential_ids.length, 2)
        assert.equal(events[2].after.credential_ids[0], credential_id)
        for (const event of events) {
          assert.equal(event.actor.name, 'Administrator')
          assert.equal(event.address, '127.0.0.1')
          assert.equal(event.group_id, app.groupId)
          assert.equal(event.org_id, owner === ofOrg ? app.orgId : undefined)
        }
      })

      test('audit log: attributes changes by a service account to it and its credential', async () => {
        const { id, attributes } = await createAccount(app, owner.path(app), { name: `rotator ${owner.level}` })
        const role = await app.parts.services.db
          .insertInto('roles')
          .values({
            id: randomUUID(),
            group_id: app.groupId,
            name: randomUUID(),
            description: '',
            permissions: JSON.stringify([owner.permission('delete')]),
            created_at: 0,
            updated_at: 0,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await app.parts.services.db
          .updateTable('memberships')
          .set({ role_id: role.id })
          .where('principal_id', '=', id)
          .execute()
        const victim = await createAccount(app, owner.path(app))
        const key = String(attributes['api_key'])
        assert.equal((await app.call('DELETE', `${owner.path(app)}/${victim.id}`, { key })).statusCode, 204)
        const [created] = await eventsOf(id)
        const [, deleted] = await eventsOf(victim.id)
        assert.deepEqual(deleted.actor, {
          kind: 'service_account',
          id,
          name: `rotator ${owner.level}`,
          credential_id: created.after.credential_id,
        })
      })

      test('audit log: omits refused changes and a rename to the same name', async () => {
        const { id, attributes } = await createAccount(app, owner.path(app))
        const body = { data: { id, type: 'service_account', attributes: { name: attributes['name'] } } }
        assert.equal((await app.call('PATCH', `${owner.path(app)}/${id}`, { body })).statusCode, 200)
        await app.call('POST', `${owner.path(app)}/${id}/secrets`, { body: secretsBody('create') })
        await app.call('POST', owner.path(app), { body: newAccount({ name: attributes['name'] }) })
        assert.equal((await eventsOf(id)).length, 1)
      })
    })
  }

  test('service account secrets: appear in no table, log or refusal', async () => {
    const secrets: string[] = []
    const refusals: string[] = []
    const wrong = (answer: { body: string; statusCode: number }) => {
      assert.ok(answer.statusCode >= 400, answer.body)
      refusals.push(answer.body)
    }
    for (const owner of [ofOrg, ofGroup]) {
      const path = owner.path(app)
      for (const auth_type of ['api_key', 'oauth_client_secret', 'oauth_private_key_jwt']) {
        const jwks_url = auth_type === 'oauth_private_key_jwt' ? { jwks_url: 'https://keys.example.test/' } : {}
        const created = await app.call('POST', path, {
          body: newAccount({ auth_type, ...jwks_url }),
          headers: { 'idempotency-key': randomUUID() },
        })
        const { id, attributes } = created.json().data
        const secret = attributes.api_key ?? attributes.client_secret
        if (secret) secrets.push(secret)
        if (attributes.api_key) assert.equal((await app.call('GET', '/rest/self', { key: secret })).statusCode, 200)
        if (attributes.client_secret) {
          wrong(await app.call('GET', '/rest/self', { key: secret }))
          for (const mode of ['create', 'delete', 'replace', 'create']) {
            const body = secretsBody(mode, mode === 'delete' ? secret : undefined)
            const answer = await app.call('POST', `${path}/${id}/secrets`, { body })
            const made = answer.json().data.attributes.client_secret
            if (made) secrets.push(made)
          }
          wrong(await app.call('POST', `${path}/${id}/secrets`, { body: secretsBody('create') }))
        }
        // Misplaced secrets: in paths, parameters, bodies and headers.
        const stray = secret ?? secrets.at(-1)
        wrong(await app.call('POST', `${path}/${id}/secrets`, { body: secretsBody('delete', `${stray}x`) }))
        wrong(await app.call('POST', `${path}/${id}/secrets`, { body: secretsBody(stray) }))
        wrong(await app.call('POST', path, { body: newAccount({ auth_type: stray }) }))
        wrong(await app.call('POST', path, { body: newAccount({ api_key: stray }) }))
        wrong(await app.call('GET', '/rest/self', { key: null, headers: { authorization: `Basic ${stray} x` } }))
        wrong(await app.call('POST', path, { body: `{"data": ${stray}` }))
        wrong(await app.call('GET', path, { query: { starting_after: stray } }))
      }
    }
    assert.equal(secrets.length, 2 * (1 + 1 + 3))
    assert.equal(new Set(secrets).size, secrets.length)
    const places: Record<string, string> = { log: app.log(), refusals: refusals.join('\n'), ...(await dump()) }
    assert.ok(places['log']!.includes('"route"'), 'requests were logged')
    assert.ok(places['audit_events']!.includes('service_account.secret.create'))
    for (const [place, text] of Object.entries(places)) {
      for (const secret of [...secrets, app.adminKey]) {
        assert.ok(!text.includes(secret), `${place} holds a secret`)
        assert.ok(!text.includes(Buffer.from(secret).toString('hex')), `${place} holds a secret in hexadecimal`)
      }
    }
  })

  /** Dumps every row of every table; bytes as Latin-1, so that text within them shows. */
  async function dump(): Promise<Record<string, string>> {
    const { db } = app.parts.services
    const tables = await db.introspection.getTables()
    const dumped: Record<string, string> = {}
    for (const { name } of tables) {
      const rows = await db
        .selectFrom(name as 'credentials')
        .selectAll()
        .execute()
      dumped[name] = JSON.stringify(rows, (_key, value) =>
        value instanceof Uint8Array || value?.type === 'Buffer'
          ? Buffer.from(value.data ?? value).toString('latin1')
          : value,
      )
    }
    assert.ok(dumped['credentials']!.length > 1000)
    return dumped
  }
})
