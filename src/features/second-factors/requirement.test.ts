import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { operator } from '#foundation/access/caller.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { createAuthenticator } from '#test/access/authenticator.ts'
import { type ConsoleBrowser, createConsoleBrowser } from '#test/access/console-browser.ts'
import { addApp, addPasskey, codeOf, PASSKEY_SERVER } from '#test/access/factors.ts'
import { addPerson, PASSWORD, type Person } from '#test/access/people.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { resetFactors } from './change-factors.ts'

onEveryEngine('groups that require a second factor', (engine) => {
  let app: TestApp
  let groupId: string
  let orgId: string
  let person: Person
  let browser: ConsoleBrowser
  before(async () => {
    app = await startApp(engine, PASSKEY_SERVER)
  })
  after(() => app.close())
  beforeEach(async () => {
    groupId = await app.addGroup()
    orgId = await app.addOrg({ groupId })
    person = await addPerson(app, { permissions: ['org.read'], groupId, orgId })
    browser = createConsoleBrowser(app)
  })

  const isSignedIn = async (by = browser) => (await by.ask('GET', '/rest/self')).statusCode === 200
  const sendPassword = (by = browser) => by.trySignIn({ email: person.email, password: PASSWORD })

  async function setRule(second_factor: 'required' | 'optional') {
    const { db } = app.parts.services
    const rule = second_factor === 'required' ? second_factor : null
    await db.updateTable('groups').set({ second_factor: rule }).where('id', '=', groupId).execute()
  }

  async function enrollApp(by = browser) {
    const { id, secret } = (await by.ask('POST', '/console/sign-in/factors/app/challenge')).json()
    const body = { id, name: 'Phone', code: codeOf(secret) }
    const answer = await by.ask('POST', '/console/sign-in/factors/app', { body })
    by.adopt(answer)
    return answer
  }

  test('required factor: suspends sessions of members without one, also of later members', async () => {
    const stranger = await addPerson(app)
    const theirs = createConsoleBrowser(app)
    await theirs.signIn(stranger)
    await browser.signIn(person)
    await setRule('required')
    assert.equal(await isSignedIn(), false)
    assert.equal(await isSignedIn(theirs), true)
    const { db, now } = app.parts.services
    const [role] = await db.selectFrom('memberships').select('role_id').where('principal_id', '=', person.id).execute()
    const member = { id: stranger.id, principal_kind: 'user', principal_id: stranger.id, role_id: role!.role_id }
    await db
      .insertInto('memberships')
      .values({ ...member, group_id: groupId, org_id: null, created_at: now() })
      .execute()
    assert.equal(await isSignedIn(theirs), false)
    await setRule('optional')
    assert.deepEqual([await isSignedIn(), await isSignedIn(theirs)], [true, true])
  })

  test('required factor: members set up an authenticator app during the sign-in', async () => {
    await setRule('required')
    assert.equal((await sendPassword()).json().step, 'enroll')
    assert.equal(await isSignedIn(), false)
    assert.equal((await browser.ask('POST', '/console/sign-in/code', { body: { code: '123456' } })).statusCode, 404)
    const answer = await enrollApp()
    assert.equal(answer.statusCode, 200, answer.body)
    assert.equal(answer.json().recovery_codes.length, 10)
    assert.equal(await isSignedIn(), true)
    const other = createConsoleBrowser(app)
    assert.equal((await sendPassword(other)).json().step, 'verify')
  })

  test('required factor: members set up a passkey during the sign-in', async () => {
    await setRule('required')
    await sendPassword()
    const options = (await browser.ask('POST', '/console/sign-in/factors/passkey/challenge')).json()
    const credential = createAuthenticator('http://localhost:7331').create(options)
    const answer = await browser.ask('POST', '/console/sign-in/factors/passkey', { body: { name: 'Key', credential } })
    browser.adopt(answer)
    assert.equal(answer.statusCode, 200, answer.body)
    assert.equal(await isSignedIn(), true)
  })

  test('required factor: two setups with one password; only one succeeds', async () => {
    await setRule('required')
    const second = createConsoleBrowser(app)
    await sendPassword()
    await sendPassword(second)
    assert.equal((await enrollApp()).statusCode, 200)
    assert.equal((await second.ask('POST', '/console/sign-in/factors/app/challenge')).statusCode, 404)
  })

  test('required factor: members with a factor stay signed in and cannot remove the last one', async () => {
    await browser.signIn(person)
    await addApp(browser)
    await addPasskey(app, browser)
    await setRule('required')
    assert.equal(await isSignedIn(), true)
    const { factors, required_by } = (await browser.ask('GET', '/console/factors')).json()
    assert.match(required_by, /^Group /)
    const remove = (id: string) => browser.ask('DELETE', `/console/factors/${id}`)
    assert.equal((await remove(factors[0].id)).statusCode, 200)
    const last = await remove(factors[1].id)
    assert.deepEqual([last.statusCode, last.json().errorCode], [409, 'in-use'])
    assert.equal(await isSignedIn(), true)
  })

  test('required factor: API keys keep working', async () => {
    await browser.signIn(person)
    const body = { data: { type: 'api_key', attributes: { name: 'CI' } } }
    const key = (await browser.ask('POST', '/rest/self/api_keys', { body })).json().data.attributes.api_key
    await setRule('required')
    assert.equal((await app.call('GET', `/rest/orgs/${orgId}`, { key })).statusCode, 200)
  })

  test('required factor: setting it requires group.edit and, of a user, a factor', async () => {
    const path = `/console/groups/${groupId}/sign-in-rules`
    const editor = await addPerson(app, { permissions: ['group.read', 'group.edit'], groupId })
    const reader = await addPerson(app, { permissions: ['group.read'], groupId })
    const [theirs, readers] = [createConsoleBrowser(app), createConsoleBrowser(app)]
    await theirs.signIn(editor)
    await readers.signIn(reader)
    const require = (by: ConsoleBrowser) => by.ask('PUT', path, { body: { second_factor: 'required' } })
    assert.equal((await require(readers)).statusCode, 403)
    const alone = await require(theirs)
    assert.deepEqual([alone.statusCode, alone.json().errorCode], [409, 'conflict'])
    await addApp(theirs)
    assert.equal((await require(theirs)).statusCode, 204)
    assert.equal(await isSignedIn(readers), false)
    const read = await theirs.ask('GET', path)
    const { second_factor, members, with_factor } = read.json()
    assert.deepEqual({ second_factor, members, with_factor }, { second_factor: 'required', members: 3, with_factor: 1 })
    const { db } = app.parts.services
    const events = await db.selectFrom('audit_events').selectAll().where('target_id', '=', groupId).execute()
    assert.deepEqual(
      events.map(({ action, after }) => [action, after]),
      [['group.update', '{"second_factor":"required"}']],
    )
  })

  test('required factor: after a reset by the operator, the next sign-in sets up a new one', async () => {
    await setRule('required')
    await sendPassword()
    await enrollApp()
    const { db, now } = app.parts.services
    await inTransaction(db, (tx) => resetFactors({ tx, actor: operator, at: now(), userId: person.id }))
    assert.equal(await isSignedIn(), false)
    assert.equal((await sendPassword()).json().step, 'enroll')
  })
})
