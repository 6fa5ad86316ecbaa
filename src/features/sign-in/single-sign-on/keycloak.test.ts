import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { checkIdentities } from '#features/single-sign-on/check-identities.job.ts'
import { groupViewer, orgCollaborator } from '#foundation/access/built-in-roles.ts'
import { type ConsoleBrowser, createConsoleBrowser } from '#test/access/console-browser.ts'
import { type Keycloak, skipWithoutKeycloak, startKeycloak } from '#test/access/keycloak.ts'
import type { ProviderBrowser } from '#test/access/provider-browser.ts'
import { addProvider, type Configured, comeBack, PROVIDER_SERVER, startSignOn } from '#test/access/sign-on.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'

describe('single sign-on with Keycloak', { skip: skipWithoutKeycloak }, () => {
  let app: TestApp
  let provider: Keycloak
  let configured: Configured
  before(async () => {
    ;[app, provider] = await Promise.all([startApp('sqlite', PROVIDER_SERVER), startKeycloak()])
    configured = await addProvider(app, provider)
    const path = `/oauth2/single-sign-on/${configured.id}`
    // Keycloak sends logout tokens to the listening test server.
    const own = await app.server.listen({ host: '127.0.0.1', port: 0 })
    await provider.register({
      redirectUri: `${app.parts.services.baseUrl}${path}/callback`,
      logoutUri: `${own}${path}/logout`,
    })
  })
  after(async () => {
    await provider?.[Symbol.asyncDispose]()
    await app?.close()
  })

  interface Person {
    readonly email: string
    readonly here: ConsoleBrowser
    readonly there: ProviderBrowser
    readonly account: Awaited<ReturnType<Keycloak['addUser']>>
    signOn(): ReturnType<typeof comeBack>
    isSignedIn(): Promise<boolean>
  }

  async function addPerson(name: string): Promise<Person> {
    const email = `${name}@${configured.domain}`
    const account = await provider.addUser(name, email)
    const [here, there] = [createConsoleBrowser(app), provider.browser()]
    const signOn = async () => comeBack(here, await there.signIn(await startSignOn(here, email), name))
    const isSignedIn = async () => (await here.ask('GET', '/rest/self')).statusCode === 200
    return { email, here, there, account, signOn, isSignedIn }
  }

  /** Runs the check of identities as the job does that many minutes later. */
  async function check(minutesLater: number): Promise<void> {
    const { services, providers } = app.parts
    const context = { log: services.log, attempt: 1, signal: new AbortController().signal }
    const now = () => Date.now() + minutesLater * 60_000
    await checkIdentities({ ...services, providers, now }).run({}, context)
  }

  async function rolesOf(email: string) {
    const { db } = app.parts.services
    const { id } = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
    const query = db.selectFrom('memberships').select(['org_id', 'role_id']).where('principal_id', '=', id)
    return query.orderBy('role_id').execute()
  }

  test('Keycloak: passes the provider test', async () => {
    const answer = await app.call('POST', `${configured.path}/test`, { query: { version: '-' } })
    assert.deepEqual(answer.json(), { ok: true })
  })

  test('Keycloak: a new user gets an account with its name and address', async () => {
    const { email, signOn, here } = await addPerson('grace')
    assert.equal((await signOn()).statusCode, 303)
    const { name, email: address } = (await here.ask('GET', '/rest/self')).json().data.attributes
    assert.deepEqual([name, address], ['Ada Lovelace', email])
  })

  test('Keycloak: roles are mapped at each sign-in and removed at the next', async () => {
    const { email, account, signOn } = await addPerson('barbara')
    await provider.addRole('staff')
    const roles = [
      { claim_value: 'staff', org_id: null, role_id: groupViewer.id },
      { claim_value: null, org_id: app.orgId, role_id: orgCollaborator.id },
    ]
    await configured.change({ role_claim: 'roles', roles })
    const always = { org_id: app.orgId, role_id: orgCollaborator.id }
    await account.grantRole('staff')
    assert.equal((await signOn()).statusCode, 303)
    assert.deepEqual(
      (await rolesOf(email)).toSorted((a, b) => Number(a.org_id !== null) - Number(b.org_id !== null)),
      [{ org_id: null, role_id: groupViewer.id }, always],
    )
    await account.revokeRole('staff')
    assert.equal((await signOn()).statusCode, 303)
    assert.deepEqual(await rolesOf(email), [always])
    await configured.change({})
  })

  test('Keycloak: revoked offline access ends the session with the next check', async () => {
    const { account, signOn, isSignedIn } = await addPerson('edith')
    await signOn()
    await account.revokeOfflineAccess()
    await check(16)
    assert.equal(await isSignedIn(), false)
    assert.equal((await signOn()).statusCode, 303)
    assert.equal(await isSignedIn(), true)
  })

  test('Keycloak: signing out there keeps the session here, as offline access outlives it', async () => {
    const { there, signOn, isSignedIn } = await addPerson('joan')
    await signOn()
    await there.signOut()
    await check(32)
    assert.equal(await isSignedIn(), true)
  })

  test('Keycloak: rotated keys are fetched', async (t) => {
    const { signOn, isSignedIn } = await addPerson('frances')
    await signOn()
    await provider.rotateKeys()
    // Keys are fetched again after ten seconds at the earliest.
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 11_000 })
    assert.equal((await signOn()).statusCode, 303)
    assert.equal(await isSignedIn(), true)
  })

  test('Keycloak: a disabled user loses the session with the next check', async () => {
    const { account, signOn, isSignedIn } = await addPerson('mary')
    assert.equal((await signOn()).statusCode, 303)
    await check(48)
    assert.equal(await isSignedIn(), true)
    await account.setEnabled(false)
    await check(64)
    assert.equal(await isSignedIn(), false)
    await account.setEnabled(true)
    assert.equal((await signOn()).statusCode, 303)
  })
})
