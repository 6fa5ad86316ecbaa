import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { createProviderClients } from '#features/single-sign-on/provider-client.ts'
import { findProvider } from '#features/single-sign-on/providers-store.ts'
import { groupAdmin, groupViewer, orgCollaborator } from '#foundation/access/built-in-roles.ts'
import { type ConsoleBrowser, createConsoleBrowser } from '#test/access/console-browser.ts'
import { createProviderKey, type IdentityProvider } from '#test/access/identity-provider.ts'
import { addPerson, type Person } from '#test/access/people.ts'
import {
  addProvider,
  type Configured,
  PROVIDER_SERVER,
  signOn,
  startSignOn,
  startWithProvider,
} from '#test/access/sign-on.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
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

  test('tokens without kid: each of several keys of the provider is tried', async () => {
    const keys = [await createProviderKey(), await createProviderKey()]
    const { services, outgoing } = app.parts
    provider.keys = keys
    const clients = createProviderClients({ ...services, outgoing })
    const client = await clients.get((await findProvider(services.db, configured.id))!)
    for (const key of keys)
      await client.verify(await provider.sign({ sub: 'ada' }, { key, header: { kid: undefined } }))
    const other = await provider.sign({ sub: 'ada' }, { header: { kid: undefined } })
    await assert.rejects(client.verify(other), /signature verification failed/)
    provider.keys = [provider.key]
  })

  test('sign-on: claims that the ID token lacks come from the userinfo endpoint', async () => {
    const claim_value = 'staff'
    await configured.change({
      role_claim: 'realm_access.roles',
      roles: [{ claim_value, org_id: null, role_id: groupViewer.id }],
    })
    provider.user = { ...provider.user, realm_access: { roles: [claim_value] } }
    const sent: string[][] = [
      [],
      ['email', 'email_verified', 'name'],
      ['email', 'name', 'realm_access'],
      ['email', 'email_verified', 'realm_access'],
    ]
    for (const [index, names] of sent.entries()) {
      const sub = randomUUID()
      provider.user = { ...provider.user, sub, email: emailAt(sub), name: `Ada ${index}` }
      provider.wrong = {
        idToken: (claims) => Object.fromEntries(['sub', 'nonce', ...names].map((name) => [name, claims[name]])),
      }
      assert.equal((await signOn(createConsoleBrowser(app), provider, email())).statusCode, 303, names.join())
      assert.equal((await rowOf(email())).name, `Ada ${index}`)
      assert.deepEqual(
        (await rolesOf(email())).map(({ role_id }) => role_id),
        [groupViewer.id],
      )
    }
    await configured.change({})
  })

  test('sign-on: claims of a complete ID token need no userinfo request', async () => {
    const count = () => provider.paths.filter((path) => path === '/user').length
    const before = count()
    await signOn(browser, provider, email())
    assert.equal(count(), before)
  })

  test('sign-on: the userinfo endpoint verifies only the address that it names', async () => {
    provider.wrong = { idToken: ({ sub, nonce, name }) => ({ sub, nonce, name, email: emailAt(`other-${sub}`) }) }
    assert.equal((await signOn(browser, provider, email())).statusCode, 403)
    provider.user = { ...provider.user, email_verified: false }
    provider.wrong = { idToken: ({ sub, nonce }) => ({ sub, nonce, email_verified: true }) }
    assert.equal((await signOn(browser, provider, email())).statusCode, 403)
  })

  test('too many groups for the ID token: keeps the roles and tells administrators why', async () => {
    await configured.change({
      role_claim: 'groups',
      roles: [
        { claim_value: 'boss', org_id: null, role_id: groupAdmin.id },
        { claim_value: null, org_id: null, role_id: groupViewer.id },
        { claim_value: null, org_id: app.orgId, role_id: orgCollaborator.id },
      ],
    })
    const { user } = provider
    provider.user = { ...user, groups: ['boss'] }
    await signOn(browser, provider, email())
    const roles = await rolesOf(email())
    assert.deepEqual(
      roles.map(({ role_id }) => role_id),
      [groupAdmin.id, orgCollaborator.id],
    )
    const leftOut = [
      { hasgroups: true },
      { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://directory.example/groups' } } },
    ]
    for (const claims of leftOut) {
      provider.user = { ...user, ...claims }
      assert.equal((await signOn(browser, provider, email())).statusCode, 303)
      assert.deepEqual(await rolesOf(email()), roles)
      const row = await findProvider(app.parts.services.db, configured.id)
      assert.match(row!.last_failure!, /left out the claim groups/)
    }
    const sub = randomUUID()
    provider.user = { ...provider.user, sub, email: emailAt(sub) }
    await signOn(createConsoleBrowser(app), provider, email())
    assert.deepEqual(
      (await rolesOf(email())).map(({ role_id }) => role_id),
      [orgCollaborator.id],
    )
    await configured.change({})
  })

  test('expired ID token: accepted within the tolerance of 60 seconds for the clock of the provider', async () => {
    const expiredFor = (seconds: number) => {
      const at = Math.floor(Date.now() / 1000)
      provider.wrong = { idToken: (claims) => ({ ...claims, iat: at - 300, exp: at - seconds }) }
    }
    expiredFor(40)
    assert.equal((await signOn(browser, provider, email())).statusCode, 303)
    expiredFor(61)
    assert.equal((await signOn(createConsoleBrowser(app), provider, email())).statusCode, 403)
  })

  test('failed sign-ons of an address: 429 before the next starts; successes are not counted', async () => {
    const limited = await startApp(engine, { ...PROVIDER_SERVER, GATEHOUSE_FAILED_SECRETS_PER_MINUTE: '10' })
    const browserOf = () => createConsoleBrowser(limited)
    try {
      const { domain } = await addProvider(limited, provider)
      const address = `ada@${domain}`
      provider.user = { ...provider.user, email: address }
      for (let count = 0; count < 61; count++) await startSignOn(browserOf(), address)
      for (let count = 0; count < 3; count++) {
        assert.equal((await signOn(browserOf(), provider, address)).statusCode, 303)
      }
      provider.wrong = { idToken: (claims) => ({ ...claims, aud: 'another client' }) }
      for (let count = 0; count < 2; count++) {
        assert.equal((await signOn(browserOf(), provider, address)).statusCode, 403)
      }
      const start = { body: { email: address } }
      const refused = await browserOf().ask('POST', '/console/sign-in/single-sign-on', start)
      assert.equal(refused.statusCode, 429)
      assert.ok(Number(refused.headers['retry-after']) > 0)
      const other = await addProvider(limited, provider)
      await startSignOn(browserOf(), `ada@${other.domain}`)
    } finally {
      await limited.close()
    }
  })
})
