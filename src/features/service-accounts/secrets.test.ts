import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Account, createAccount, ofGroup, ofOrg, secretsBody } from '#test/access/accounts.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

onEveryEngine('secrets of service accounts', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  for (const owner of [ofOrg, ofGroup]) {
    describe(`secrets of accounts at level ${owner.level}`, () => {
      const change = (id: string, mode: string, secret?: string) =>
        app.call('POST', `${owner.path(app)}/${id}/secrets`, { body: secretsBody(mode, secret) })

      async function made(id: string, mode: string): Promise<string> {
        const answer = await change(id, mode)
        assert.equal(answer.statusCode, 200, answer.body)
        return answer.json().data.attributes.client_secret
      }

      async function withSecret(): Promise<{ account: Account; secret: string }> {
        const account = await createAccount(app, owner.path(app), { auth_type: 'oauth_client_secret' })
        return { account, secret: String(account.attributes['client_secret']) }
      }

      /** Returns which of these secrets storage still knows. */
      async function alive(secrets: readonly string[]): Promise<boolean[]> {
        const { db, keyring } = app.parts.services
        const rows = await db.selectFrom('credentials').select('digest').execute()
        const digests = new Set(rows.map(({ digest }) => digest))
        return secrets.map((secret) => digests.has(keyring.digest(secret)))
      }

      async function refuses(id: string, [mode, secret]: [mode: string, secret?: string], pointer: string) {
        const answer = await change(id, mode, secret)
        assert.equal(answer.statusCode, 400, answer.body)
        const [error] = answer.json().errors
        assert.deepEqual([error.code, error.source], ['invalid-request', { pointer }])
        if (secret !== undefined) assert.ok(!answer.body.includes(secret), 'the answer repeats the secret')
      }

      test('account secrets: at most two exist; either can be deleted, but not the last', async () => {
        const { account, secret: first } = await withSecret()
        const second = await made(account.id, 'create')
        assert.notEqual(second, first)
        assert.deepEqual(await alive([first, second]), [true, true])
        await refuses(account.id, ['create'], '/data/attributes/mode')
        assert.deepEqual(await alive([first, second]), [true, true])

        const deleted = await change(account.id, 'delete', first)
        assert.equal(deleted.statusCode, 200, deleted.body)
        const { client_secret, ...rest } = account.attributes
        assert.deepEqual(deleted.json().data.attributes, rest)
        assert.deepEqual(await alive([first, second]), [false, true])
        await refuses(account.id, ['delete', first], '/data/attributes/secret')
        await refuses(account.id, ['delete', second], '/data/attributes/mode')
        assert.deepEqual(await alive([second]), [true])
      })

      test('replace: revokes all secrets and returns a single new one with a link', async () => {
        const { account, secret } = await withSecret()
        const second = await made(account.id, 'create')
        const answer = await change(account.id, 'replace')
        const { data, links } = answer.json()
        const replacement = data.attributes.client_secret
        assert.deepEqual({ ...data.attributes, client_secret: secret }, account.attributes)
        assert.equal(`/rest${links.self}`, `${owner.path(app)}/${account.id}?version=2024-10-15`)
        assert.deepEqual(await alive([secret, second, replacement]), [false, false, true])
        await refuses(account.id, ['delete', replacement], '/data/attributes/mode')
      })

      test('replace: ignores a secret in the request', async () => {
        const { account, secret } = await withSecret()
        const answer = await change(account.id, 'replace', secret)
        assert.equal(answer.statusCode, 200, answer.body)
        assert.deepEqual(await alive([secret]), [false])
      })

      test('delete: refuses the secret of another account (400)', async () => {
        const [one, other] = [await withSecret(), await withSecret()]
        await made(one.account.id, 'create')
        await refuses(one.account.id, ['delete', other.secret], '/data/attributes/secret')
        assert.deepEqual(await alive([other.secret]), [true])
      })

      test('expired secret: counts neither as a second nor as the last secret', async () => {
        const { account, secret } = await withSecret()
        const second = await made(account.id, 'create')
        const { db, keyring, now } = app.parts.services
        await db
          .updateTable('credentials')
          .set({ retires_at: now() - 1 })
          .where('digest', '=', keyring.digest(secret))
          .execute()
        await refuses(account.id, ['delete', secret], '/data/attributes/secret')
        await refuses(account.id, ['delete', second], '/data/attributes/mode')
        await made(account.id, 'create')
        await refuses(account.id, ['create'], '/data/attributes/mode')
      })

      for (const input of [
        { auth_type: 'api_key' },
        { auth_type: 'oauth_private_key_jwt', jwks_url: 'https://keys.example.test/' },
      ]) {
        test(`account with ${input.auth_type}: refuses changes of client secrets (400)`, async () => {
          const { id, attributes } = await createAccount(app, owner.path(app), input)
          const key = attributes['api_key']
          for (const mode of ['create', 'replace']) await refuses(id, [mode], '/data/attributes/mode')
          await refuses(id, ['delete', String(key ?? 'x')], '/data/attributes/mode')
          if (key) assert.equal((await app.call('GET', '/rest/self', { key: String(key) })).statusCode, 200)
        })
      }

      test('client secret: refused as an API key (401)', async () => {
        const { secret } = await withSecret()
        assert.equal((await app.call('GET', '/rest/self', { key: secret })).statusCode, 401)
      })

      test('simultaneous creations: never make a third secret', async () => {
        const { account } = await withSecret()
        const answers = await Promise.all(Array.from({ length: 6 }, () => change(account.id, 'create')))
        assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 400, 400, 400, 400, 400])
        assert.equal(await countSecrets(account.id), 2)
      })

      test('simultaneous deletions of both secrets: one remains', async () => {
        const { account, secret } = await withSecret()
        const second = await made(account.id, 'create')
        const answers = await Promise.all([secret, second].map((one) => change(account.id, 'delete', one)))
        assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 400])
        assert.equal(await countSecrets(account.id), 1)
      })

      test('simultaneous replacements: leave a single secret', async () => {
        const { account } = await withSecret()
        const secrets = await Promise.all(Array.from({ length: 4 }, () => made(account.id, 'replace')))
        assert.equal((await alive(secrets)).filter((one) => one).length, 1)
        assert.equal(await countSecrets(account.id), 1)
      })

      test("secret created during the account's deletion: does not outlive the account", async () => {
        const { account } = await withSecret()
        const [made, deleted] = await Promise.all([
          change(account.id, 'create'),
          app.call('DELETE', `${owner.path(app)}/${account.id}`),
        ])
        assert.ok([200, 404].includes(made.statusCode), made.body)
        assert.equal(deleted.statusCode, 204)
        assert.equal(await countSecrets(account.id), 0)
      })
    })
  }

  async function countSecrets(id: string): Promise<number> {
    const rows = await app.parts.services.db.selectFrom('credentials').select('id').where('owner_id', '=', id).execute()
    return rows.length
  }
})
