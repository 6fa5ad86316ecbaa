import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { findUserByEmail, lockUser } from '#features/user-sessions/users-store.ts'
import { operator } from '#foundation/access/caller.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { type ConsoleBrowser, createConsoleBrowser } from '#test/access/console-browser.ts'
import type { IdentityProvider } from '#test/access/identity-provider.ts'
import { addIdentity, addProvider, type Configured, signOn, startWithProvider } from '#test/access/sign-on.ts'
import type { TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { disconnectIdentities } from './disconnect-identity.ts'

onEveryEngine('identities of users', (engine) => {
  let app: TestApp
  let provider: IdentityProvider
  let configured: Configured
  let close: () => Promise<void>
  let browser: ConsoleBrowser
  let userId: string
  before(async () => {
    ;({ app, provider, configured, close } = await startWithProvider(engine))
  })
  after(() => close())
  beforeEach(async () => {
    browser = createConsoleBrowser(app)
    const sub = randomUUID()
    provider.user = { sub, email: `${sub}@${configured.domain}`, email_verified: true, name: 'Ada' }
    assert.equal((await signOn(browser, provider, email())).statusCode, 303)
    userId = (await findUserByEmail(app.parts.services.db, email()))!.id
  })

  const email = () => provider.user['email'] as string
  const pathOf = (groupId = app.groupId) => `/rest/groups/${groupId}/users/${userId}/identities`
  const list = async () => (await app.call('GET', pathOf())).json().data
  const signOnWithNewSubject = () => {
    provider.user = { ...provider.user, sub: randomUUID() }
    return signOn(createConsoleBrowser(app), provider, email())
  }

  test('identities of a user: listed with provider and subject', async () => {
    const [{ type, attributes }, ...others] = await list()
    assert.deepEqual(
      [type, attributes.provider, attributes.subject, others.length],
      ['identity', 'Directory', provider.user['sub'], 0],
    )
  })

  test('disconnected identity: its sessions end, and another subject with the same address can connect', async () => {
    const [{ id }] = await list()
    assert.equal((await signOnWithNewSubject()).statusCode, 403)
    const answer = await app.call('DELETE', `${pathOf()}/${id.toUpperCase()}`)
    assert.equal(answer.statusCode, 204, answer.body)
    assert.equal((await browser.ask('GET', '/rest/self')).statusCode, 401)
    assert.equal((await signOnWithNewSubject()).statusCode, 303)
    assert.equal((await findUserByEmail(app.parts.services.db, email()))!.id, userId)
    const query = { target_id: userId, limit: '10' }
    const events = (await app.call('GET', `/rest/groups/${app.groupId}/audit_logs`, { query })).json().data
    const actions = events.map(({ attributes }: { attributes: { action: string } }) => attributes.action)
    assert.ok(actions.includes('user.identity.delete'))
  })

  test('identity of another user or group: 404', async () => {
    const [{ id }] = await list()
    const otherProvider = await addProvider(app, provider)
    const { id: otherUserId } = (await findUserByEmail(app.parts.services.db, 'admin@example.test'))!
    const other = await addIdentity(app, { providerId: otherProvider.id, userId: otherUserId })
    assert.equal((await app.call('DELETE', `${pathOf()}/${other}`)).statusCode, 404)
    const key = await app.keyWith(['group.user.edit', 'group.user.read'], { groupId: await app.addGroup() })
    assert.equal((await app.call('DELETE', `${pathOf()}/${id}`, { key })).statusCode, 404)
    assert.equal((await list()).length, 1)
  })

  test('identity: readers of users get 403 for its deletion', async () => {
    const [{ id }] = await list()
    const key = await app.keyWith(['group.user.read'], { groupId: app.groupId })
    assert.equal((await app.call('GET', pathOf(), { key })).statusCode, 200)
    assert.equal((await app.call('DELETE', `${pathOf()}/${id}`, { key })).statusCode, 403)
  })

  test('disconnecting as the operator: disconnects all identities; without one, 409', async () => {
    const disconnect = () =>
      inTransaction(app.parts.services.db, async (tx) =>
        disconnectIdentities({ tx, actor: operator, at: Date.now() }, (await lockUser(tx, userId))!),
      )
    await disconnect()
    assert.deepEqual(await list(), [])
    await assert.rejects(disconnect(), /not connected to an identity provider/)
  })
})
