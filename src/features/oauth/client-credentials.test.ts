import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { groupViewer, orgAdmin, orgCollaborator } from '#foundation/access/built-in-roles.ts'
import { createAccount, ofGroup, ofOrg, secretsBody } from '#test/access/accounts.ts'
import { inGroup, inOrg, install } from '#test/access/apps.ts'
import { basic, claimsOf, granted, isAccepted, refused, sendForm } from '#test/access/oauth.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

const grant = { grant_type: 'client_credentials' }

onEveryEngine('client credentials', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  async function addAccount(path: string, attributes: object = {}) {
    const account = await createAccount(app, path, { auth_type: 'oauth_client_secret', ...attributes })
    const { client_id, client_secret } = account.attributes
    return { id: account.id, clientId: String(client_id), secret: String(client_secret) }
  }

  describe('client credentials of installs', () => {
    for (const place of [inOrg, inGroup]) {
      test(`client credentials of an install in ${place.level === 'Org' ? 'an organization' : 'a group'}: grant an access token, no refresh token`, async () => {
        const scopes = ['org.read', 'org.project.read']
        const { id, clientId, secret } = await install(app, place.path(app), { scopes })
        const tokens = granted(await sendForm(app, 'token', grant, basic(clientId, secret)))
        assert.deepEqual(Object.keys(tokens).sort(), ['access_token', 'bot_id', 'expires_in', 'scope', 'token_type'])
        assert.deepEqual([tokens.scope, tokens.bot_id, tokens.token_type], [scopes.join(' '), id, 'bearer'])
        const { sub, client_id, bot_id, scope, aud } = claimsOf(tokens.access_token)
        assert.deepEqual([sub, client_id, bot_id, scope], [id, clientId, id, scopes.join(' ')])
        assert.deepEqual(aud, [app.parts.services.baseUrl])
        assert.ok(await isAccepted(app, tokens.access_token))
      })
    }

    test('client credentials of an install: grant a requested part of the scopes', async () => {
      const { clientId, secret } = await install(app, inOrg.path(app), { scopes: ['org.read', 'org.project.read'] })
      const form = { ...grant, scope: 'org.read offline_access' }
      assert.equal(granted(await sendForm(app, 'token', form, basic(clientId, secret))).scope, 'org.read')
    })

    test('client credentials of an install: tokens live as long as the app says', async () => {
      const { clientId, secret } = await install(app, inOrg.path(app), { access_token_ttl_seconds: 7200 })
      assert.equal(granted(await sendForm(app, 'token', grant, basic(clientId, secret))).expires_in, 7200)
    })

    test('client credentials of an install: end with the install, like its tokens', async () => {
      const { id, clientId, secret } = await install(app, inOrg.path(app))
      const { access_token } = granted(await sendForm(app, 'token', grant, basic(clientId, secret)))
      await app.call('DELETE', `${inOrg.path(app)}/${id}`)
      assert.equal(await isAccepted(app, access_token), false)
      refused(await sendForm(app, 'token', grant, basic(clientId, secret)), 401, 'invalid_client')
    })
  })

  describe('client credentials of service accounts', () => {
    for (const [owner, role] of [
      [ofOrg, orgCollaborator],
      [ofGroup, groupViewer],
    ] as const) {
      test(`client credentials of ${owner.level === 'Org' ? 'an organization' : 'a group'}’s service account: grant all permissions of its role`, async () => {
        const account = await addAccount(owner.path(app), { role_id: role.id })
        const tokens = granted(await sendForm(app, 'token', grant, basic(account.clientId, account.secret)))
        assert.deepEqual([tokens.scope, tokens.bot_id], [role.permissions.join(' '), account.id])
        assert.ok(await isAccepted(app, tokens.access_token))
      })
    }

    test('client credentials of a service account: grant a requested part, which limits the token', async () => {
      const { clientId, secret } = await addAccount(ofOrg.path(app))
      const form = { ...grant, scope: 'org.project.read' }
      const tokens = granted(await sendForm(app, 'token', form, basic(clientId, secret)))
      assert.equal(tokens.scope, 'org.project.read')
      assert.equal(await isAccepted(app, tokens.access_token), false)
    })

    test('tokens of a service account: follow its role if no scope was requested, else keep the requested scopes', async () => {
      const { id, clientId, secret } = await addAccount(ofOrg.path(app))
      const { scope, access_token } = granted(await sendForm(app, 'token', grant, basic(clientId, secret)))
      const tokens = granted(await sendForm(app, 'token', { ...grant, scope }, basic(clientId, secret)))
      assert.equal(tokens.scope, scope)
      const { db } = app.parts.services
      await db.updateTable('memberships').set({ role_id: orgAdmin.id }).where('principal_id', '=', id).execute()
      const audit = (key: string) => app.call('GET', `/rest/orgs/${app.orgId}/audit_logs`, { key })
      assert.equal((await audit(access_token)).statusCode, 200)
      assert.equal((await audit(tokens.access_token)).statusCode, 403)
    })

    test('client credentials of a service account: refuse scopes that its role lacks (invalid_scope)', async () => {
      const { clientId, secret } = await addAccount(ofOrg.path(app))
      refused(
        await sendForm(app, 'token', { ...grant, scope: 'org.delete' }, basic(clientId, secret)),
        400,
        'invalid_scope',
      )
    })

    test('client credentials of a service account: tokens live as long as the account says', async () => {
      const { clientId, secret } = await addAccount(ofOrg.path(app), { access_token_ttl_seconds: 3601 })
      assert.equal(granted(await sendForm(app, 'token', grant, basic(clientId, secret))).expires_in, 3601)
    })

    test('tokens of a service account: end with the secret that obtained them, not with another one', async () => {
      const { id, clientId, secret } = await addAccount(ofOrg.path(app))
      const path = `${ofOrg.path(app)}/${id}/secrets`
      const other = (await app.call('POST', path, { body: secretsBody('create') })).json().data.attributes.client_secret
      const [of, ofOther] = [
        granted(await sendForm(app, 'token', grant, basic(clientId, secret))),
        granted(await sendForm(app, 'token', grant, basic(clientId, other))),
      ]
      await app.call('POST', path, { body: secretsBody('delete', secret) })
      assert.equal(await isAccepted(app, of.access_token), false)
      assert.equal(await isAccepted(app, ofOther.access_token), true)
    })

    test('tokens of a service account: expire no later than the secret that obtained them', async () => {
      const { id, clientId, secret } = await addAccount(ofOrg.path(app))
      const { db, now } = app.parts.services
      const expires_at = now() + 600_000
      await db.updateTable('credentials').set({ expires_at }).where('owner_id', '=', id).execute()
      const tokens = granted(await sendForm(app, 'token', grant, basic(clientId, secret)))
      assert.ok(tokens.expires_in <= 600)
      assert.ok(Number(claimsOf(tokens.access_token)['exp']) * 1000 <= expires_at)
    })
  })
})
