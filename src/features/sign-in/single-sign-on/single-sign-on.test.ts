import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { createProviderClients } from '#features/single-sign-on/provider-client.ts'
import { findProvider } from '#features/single-sign-on/providers-store.ts'
import { groupAdmin, groupViewer, orgCollaborator } from '#foundation/access/built-in-roles.ts'
import { type ConsoleBrowser, createConsoleBrowser } from '#test/access/console-browser.ts'
import { createProviderKey, type IdentityProvider } from '#test/access/identity-provider.ts'
import { addPerson, type Person } from '#test/access/people.ts'
import { type Configured, signOn, startSignOn, startWithProvider } from '#test/access/sign-on.ts'
import type { TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

onEveryEngine('single sign-on', (engine) => {
  let app: TestApp
  let provider: IdentityProvider
  let configured: Configured
  let close: () => Promise<void>
  let browser: ConsoleBrowser
  before(async () => {
    ;({ app, provider, configured, close } = await startWithProvider(engine))
  })
  after(() => close())
  beforeEach(() => {
    browser = createConsoleBrowser(app)
    provider.wrong = {}
    const sub = randomUUID()
    provider.user = { sub, email: emailAt(sub), email_verified: true, name: 'Ada Lovelace' }
  })

  const emailAt = (name: string) => `${name}@${configured.domain}`
  const email = () => provider.user['email'] as string
  const self = async (by = browser) => by.ask('GET', '/rest/self')
  const isSignedIn = async (by = browser) => (await self(by)).statusCode === 200
  const rowOf = (address: string) =>
    app.parts.services.db.selectFrom('users').selectAll().where('email', '=', address).executeTakeFirstOrThrow()
  const rolesOf = async (address: string) => {
    const { id } = await rowOf(address)
    const query = app.parts.services.db.selectFrom('memberships').select(['org_id', 'role_id', 'provider_id'])
    return query.where('principal_id', '=', id).orderBy('role_id').execute()
  }

  /** Adds a user of the domain with an account and a password. */
  async function addMember(...roles: Parameters<typeof addPerson>[1][]): Promise<Person> {
    const person = await addPerson(app, ...(roles as []))
    const address = emailAt(person.id)
    await app.parts.services.db.updateTable('users').set({ email: address }).where('id', '=', person.id).execute()
    provider.user = { ...provider.user, email: address }
    return { ...person, email: address }
  }

  test('first sign-on: creates an account of the group without a password, and a session', async () => {
    const answer = await signOn(browser, provider, email())
    assert.deepEqual([answer.statusCode, answer.headers.location], [303, '/console/'], answer.body)
    const row = await rowOf(email())
    assert.deepEqual([row.name, row.group_id, row.password_hash], ['Ada Lovelace', app.groupId, null])
    assert.equal((await self()).json().data.attributes.email, email())
  })

  test('repeated sign-on: finds the account by subject, also with another address', async () => {
    await signOn(browser, provider, email())
    const [{ id }, former] = [await rowOf(email()), email()]
    provider.user = { ...provider.user, email: emailAt('another'), email_verified: false }
    const other = createConsoleBrowser(app)
    await signOn(other, provider, former)
    assert.equal((await self(other)).json().data.id, id)
  })

  test('sign-on: returns to the page where it started', async () => {
    const url = await startSignOn(browser, email(), '/console/account?tab=keys')
    const back = provider.authorize(url)
    const answer = await browser.ask('GET', `${back.pathname}${back.search}`)
    assert.equal(answer.headers.location, '/console/account?tab=keys')
  })

  test('sign-on with the verified address of an account: connects the account', async () => {
    const person = await addMember()
    await signOn(browser, provider, person.email)
    assert.equal((await self()).json().data.id, person.id)
  })

  test('sign-on without creates_accounts: refuses new users with 403', async () => {
    await configured.change({ creates_accounts: false })
    const answer = await signOn(browser, provider, email())
    await configured.change({})
    assert.equal(answer.statusCode, 403)
    assert.match(answer.body, /Ask an administrator of your group for an account/)
    assert.equal(await isSignedIn(), false)
  })

  test('role mapping: each sign-on assigns the first matching role per place', async () => {
    await configured.change({
      role_claim: 'realm_access.roles',
      roles: [
        { claim_value: 'boss', org_id: null, role_id: groupAdmin.id },
        { claim_value: 'staff', org_id: null, role_id: groupViewer.id },
        { claim_value: null, org_id: app.orgId, role_id: orgCollaborator.id },
      ],
    })
    provider.user = { ...provider.user, realm_access: { roles: ['boss', 'staff'] } }
    await signOn(browser, provider, email())
    const [inGroup, inOrg] = [
      { org_id: null, provider_id: configured.id },
      { org_id: app.orgId, role_id: orgCollaborator.id, provider_id: configured.id },
    ]
    assert.deepEqual(await rolesOf(email()), [{ ...inGroup, role_id: groupAdmin.id }, inOrg])
    provider.user = { ...provider.user, realm_access: { roles: ['staff'] } }
    await signOn(browser, provider, email())
    assert.deepEqual(await rolesOf(email()), [{ ...inGroup, role_id: groupViewer.id }, inOrg])
    provider.user = { ...provider.user, realm_access: {} }
    await signOn(browser, provider, email())
    assert.deepEqual(await rolesOf(email()), [inOrg])
    await configured.change({})
  })

  test('role mapping: keeps roles that users assigned', async () => {
    const person = await addMember({ permissions: ['org.read'], orgId: app.orgId })
    const roles = [{ claim_value: null, org_id: app.orgId, role_id: orgCollaborator.id }]
    await configured.change({ roles })
    await signOn(browser, provider, person.email)
    const [role, ...others] = await rolesOf(person.email)
    assert.deepEqual([role!.provider_id, others.length], [null, 0])
    assert.notEqual(role!.role_id, orgCollaborator.id)
    await configured.change({})
  })

  test('key rotation: tokens with a new key are accepted, with a withdrawn key refused', async () => {
    const { services, outgoing } = app.parts
    const clients = createProviderClients({ ...services, outgoing, keysCooldownMs: 0 })
    const client = await clients.get((await findProvider(services.db, configured.id))!)
    const former = await provider.sign({ sub: 'ada' })
    assert.equal((await client.verify(former)).sub, 'ada')
    const key = await createProviderKey('RS256')
    provider.keys = [key]
    assert.equal((await client.verify(await provider.sign({ sub: 'bob' }, { key }))).sub, 'bob')
    await assert.rejects(client.verify(former), /no applicable key/)
    provider.keys = [provider.key]
  })

  test('sign-on: claims that the ID token lacks come from the userinfo endpoint', async () => {
    provider.wrong = { idToken: ({ sub, nonce }) => ({ sub, nonce }) }
    assert.equal((await signOn(browser, provider, email())).statusCode, 303)
    assert.equal((await self()).json().data.attributes.email, email())
  })
})
