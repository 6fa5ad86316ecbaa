import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createAccount, ofOrg, secretsBody } from '#test/access/accounts.ts'
import { appSecrets, creationsOf, install, installsOf } from '#test/access/apps.ts'
import {
  addClient,
  basic,
  type Client,
  granted,
  inForm,
  publicApp,
  refused,
  sendForm,
  tokensFor,
} from '#test/access/oauth.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

const clientCredentials = { grant_type: 'client_credentials' }

onAnyEngine('client authentication', (engine) => {
  let app: TestApp
  let installed: Awaited<ReturnType<typeof install>>
  before(async () => {
    app = await startApp(engine)
    installed = await install(app, installsOf(app.orgId))
  })
  after(() => app.close())

  async function addAccount(attributes: object = {}) {
    const account = await createAccount(app, ofOrg.path(app), { auth_type: 'oauth_client_secret', ...attributes })
    const { client_id, client_secret } = account.attributes
    return { id: account.id, clientId: String(client_id), secret: String(client_secret) }
  }

  describe('client authentication by secret', () => {
    test('client secret of an install or service account: accepted in HTTP Basic and in the form', async () => {
      for (const { clientId, secret } of [installed, await addAccount()]) {
        granted(await sendForm(app, 'token', clientCredentials, basic(clientId, secret)))
        granted(await sendForm(app, 'token', { ...clientCredentials, ...inForm({ clientId, secret }) }))
        // The id may be sent twice if it is the same.
        granted(await sendForm(app, 'token', { ...clientCredentials, client_id: clientId }, basic(clientId, secret)))
        const { authorization } = basic(clientId, secret)
        granted(
          await sendForm(app, 'token', clientCredentials, { authorization: authorization.replace('Basic', 'basic') }),
        )
      }
    })

    test('client secret of an app with users: accepted in HTTP Basic', async () => {
      const client = await addClient(app)
      const { refresh_token } = await tokensFor(app, client)
      const form = { grant_type: 'refresh_token', refresh_token }
      granted(await sendForm(app, 'token', form, basic(client.clientId, client.secret!)))
    })

    test('two client secrets during a rotation: both are accepted until one is deleted', async () => {
      const { id, clientId, secret } = await addAccount()
      const path = `${ofOrg.path(app)}/${id}/secrets`
      const second = (await app.call('POST', path, { body: secretsBody('create') })).json().data.attributes
        .client_secret
      for (const one of [secret, second]) granted(await sendForm(app, 'token', clientCredentials, basic(clientId, one)))
      await app.call('POST', path, { body: secretsBody('delete', secret) })
      refused(await sendForm(app, 'token', clientCredentials, basic(clientId, secret)), 401, 'invalid_client')
      granted(await sendForm(app, 'token', clientCredentials, basic(clientId, second)))
    })

    test('client secret: last_used_at is set by authentication', async () => {
      const { id, clientId, secret } = await addAccount()
      granted(await sendForm(app, 'token', clientCredentials, basic(clientId, secret)))
      await app.parts.lastUses.flush()
      const row = await app.parts.services.db
        .selectFrom('credentials')
        .select('last_used_at')
        .where('owner_id', '=', id)
        .executeTakeFirstOrThrow()
      assert.ok(row.last_used_at)
    })
  })

  describe('client authentication of public apps', () => {
    test('public app: authenticates by id in the form, or in HTTP Basic with an empty secret', async () => {
      const client = await addClient(app, publicApp)
      const { refresh_token } = await tokensFor(app, client)
      const again = granted(
        await sendForm(app, 'token', { grant_type: 'refresh_token', refresh_token }, basic(client.clientId, '')),
      )
      const form = { grant_type: 'refresh_token', refresh_token: again.refresh_token, client_id: client.clientId }
      granted(await sendForm(app, 'token', form))
    })

    test('public app with a secret: refused (401 invalid_client)', async () => {
      const client = await addClient(app, publicApp)
      const { refresh_token } = await tokensFor(app, client)
      const form = { grant_type: 'refresh_token', refresh_token, ...inForm({ ...client, secret: installed.secret }) }
      refused(await sendForm(app, 'token', form), 401, 'invalid_client')
    })
  })

  describe('refused client authentication', () => {
    let client: Client
    before(async () => {
      client = await addClient(app)
    })
    const cases: [
      title: string,
      answer: [status: number, error: string],
      sent: () => [form: Record<string, string>, headers?: Record<string, string>],
    ][] = [
      ['without a client', [401, 'invalid_client'], () => [{}]],
      ['with an unknown client', [401, 'invalid_client'], () => [{}, basic(randomUUID(), installed.secret)]],
      ['with a malformed client id', [401, 'invalid_client'], () => [{ client_id: 'x', client_secret: 'y' }]],
      [
        'with the secret of another client',
        [401, 'invalid_client'],
        () => [{}, basic(installed.clientId, client.secret!)],
      ],
      ['with a wrong secret', [401, 'invalid_client'], () => [{}, basic(installed.clientId, `${installed.secret}x`)]],
      [
        'with a secret in another case',
        [401, 'invalid_client'],
        () => [{}, basic(installed.clientId, installed.secret.toUpperCase())],
      ],
      ['with an API key as the secret', [401, 'invalid_client'], () => [{}, basic(installed.clientId, app.adminKey)]],
      [
        'with the id alone of an install with a secret',
        [401, 'invalid_client'],
        () => [{ client_id: installed.clientId }],
      ],
      ['with the id alone of an app with a secret', [401, 'invalid_client'], () => [{ client_id: client.clientId }]],
      [
        'with the id of an unattended app',
        [401, 'invalid_client'],
        () => [{}, basic(installed.appId, installed.secret)],
      ],
      ['with the Bearer scheme', [401, 'invalid_client'], () => [{}, { authorization: `Bearer ${installed.secret}` }]],
      ['with malformed HTTP Basic', [401, 'invalid_client'], () => [{}, { authorization: 'Basic !' }]],
      ['with HTTP Basic without a colon', [401, 'invalid_client'], () => [{}, { authorization: `Basic ${btoa('x')}` }]],
      [
        'with HTTP Basic that is not form-encoded',
        [401, 'invalid_client'],
        () => [{}, { authorization: `Basic ${btoa('%:%')}` }],
      ],
      ['with a NUL in HTTP Basic', [401, 'invalid_client'], () => [{}, basic('a\0b', 'c')]],
      ['with a NUL in the form', [400, 'invalid_request'], () => [{ client_id: 'a\0b' }]],
      [
        'with two methods at once',
        [400, 'invalid_request'],
        () => [inForm(installed), basic(installed.clientId, installed.secret)],
      ],
      [
        'with different ids in form and header',
        [400, 'invalid_request'],
        () => [{ client_id: client.clientId }, basic(installed.clientId, installed.secret)],
      ],
      [
        'with an assertion of an unknown type',
        [400, 'invalid_request'],
        () => [{ client_assertion: 'x', client_assertion_type: 'private_key_jwt' }],
      ],
      [
        'with a malformed assertion',
        [401, 'invalid_client'],
        () => [
          { client_assertion: 'x', client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer' },
        ],
      ],
    ]
    for (const [title, [status, error], sent] of cases) {
      test(`client authentication ${title}: refused (${error})`, async () => {
        const [form, headers = {}] = sent()
        const answer = await sendForm(app, 'token', { ...clientCredentials, ...form }, headers)
        refused(answer, status, error)
        // RFC 6749 §5.2: only clients that used the header get a challenge.
        const usedBasic = /^basic /i.test(String((headers as Record<string, string>)['authorization'] ?? ''))
        const challenge = status === 401 && usedBasic ? 'Basic realm="gatehouse"' : undefined
        assert.equal(answer.headers['www-authenticate'], challenge)
        assert.ok(!answer.body.includes(installed.secret))
      })
    }

    test('client secret that expired, retired, is used from another network or was deleted: refused (401)', async () => {
      const { db } = app.parts.services
      const past = Date.now() - 1
      const ends: [string, Partial<{ expires_at: number; retires_at: number; allowed_networks: string }>][] = [
        ['expired', { expires_at: past }],
        ['retired', { retires_at: past }],
        ['elsewhere', { allowed_networks: '["192.0.2.0/24"]' }],
      ]
      for (const [title, change] of ends) {
        const { id, clientId, secret } = await addAccount()
        granted(await sendForm(app, 'token', clientCredentials, basic(clientId, secret)))
        await db.updateTable('credentials').set(change).where('owner_id', '=', id).execute()
        const answer = await sendForm(app, 'token', clientCredentials, basic(clientId, secret))
        assert.equal(answer.statusCode, 401, title)
      }
      const { id, clientId, secret } = await addAccount()
      await app.call('DELETE', `${ofOrg.path(app)}/${id}`)
      refused(await sendForm(app, 'token', clientCredentials, basic(clientId, secret)), 401, 'invalid_client')
    })

    test('client authentication after ten wrong secrets: the right one is still accepted', async () => {
      for (let round = 0; round < 10; round++) {
        refused(
          await sendForm(app, 'token', clientCredentials, basic(installed.clientId, 'wrong')),
          401,
          'invalid_client',
        )
      }
      granted(await sendForm(app, 'token', clientCredentials, basic(installed.clientId, installed.secret)))
    })

    test('replaced client secret of an app: refused at once; the new one is accepted', async () => {
      const { refresh_token } = await tokensFor(app, client)
      const path = `${creationsOf(app.orgId)}/${client.appId}/secrets`
      const answer = await app.call('POST', path, { body: appSecrets('replace') })
      assert.equal(answer.statusCode, 200, answer.body)
      const form = { grant_type: 'refresh_token', refresh_token }
      refused(await sendForm(app, 'token', { ...form, ...inForm(client) }), 401, 'invalid_client')
      const secret = answer.json().data.attributes.client_secret
      granted(await sendForm(app, 'token', { ...form, ...inForm({ ...client, secret }) }))
    })
  })
})
