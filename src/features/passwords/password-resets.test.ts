import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { createConsoleBrowser } from '#test/access/console-browser.ts'
import { addPerson, PASSWORD, type Person } from '#test/access/people.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

const NEW_PASSWORD = 'a longer password than before'

onEveryEngine('password reset links', (engine) => {
  let app: TestApp
  let person: Person
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())
  beforeEach(async () => {
    person = await addPerson(app, { permissions: ['org.read'], orgId: app.orgId })
  })

  const pathOf = ({ id }: Person) => `/console/groups/${app.groupId}/users/${id}/password-reset`
  let addresses = 0

  async function newLink(): Promise<string> {
    const answer = await app.call('POST', pathOf(person))
    assert.equal(answer.statusCode, 201, answer.body)
    const { url } = answer.json() as { url: string }
    assert.ok(url.startsWith(`${app.parts.services.baseUrl}/console/new-password#`), url)
    return new URL(url).hash.slice(1)
  }

  /** Uses a link from a new address, as uses are limited by address. */
  const use = (token: string, password = NEW_PASSWORD) =>
    createConsoleBrowser(app, `198.51.100.${++addresses}`).ask('POST', '/console/password-reset', {
      body: { token, password },
    })
  const signIn = async (password: string) =>
    (await createConsoleBrowser(app).trySignIn({ email: person.email, password })).statusCode

  test('reset link: sets the password once and ends all sessions; a second use gets 404', async () => {
    const browser = createConsoleBrowser(app)
    await browser.signIn(person)
    const token = await newLink()
    assert.equal((await use(token)).statusCode, 204)
    assert.equal((await browser.ask('GET', '/rest/self')).statusCode, 401)
    assert.equal(await signIn(NEW_PASSWORD), 200)
    assert.equal(await signIn(PASSWORD), 403)
    assert.equal((await use(token, 'yet another password')).statusCode, 404)
    assert.equal(await signIn(NEW_PASSWORD), 200)
  })

  test('reset link: two simultaneous uses get 204 and 404', async () => {
    const token = await newLink()
    const statuses = (await Promise.all([use(token), use(token)])).map(({ statusCode }) => statusCode)
    assert.deepEqual(statuses.sort(), [204, 404])
  })

  test('reset link: unknown, expired, replaced and outdated tokens get the same 404', async () => {
    const { db, now } = app.parts.services
    const refused = async (token: string) => {
      const { statusCode, json } = await use(token)
      const { errorRef: _, ...body } = json()
      return { statusCode, body }
    }
    const unknown = await refused('x'.repeat(43))
    assert.equal(unknown.statusCode, 404)
    const replaced = await newLink()
    const expired = await newLink()
    assert.deepEqual(await refused(replaced), unknown)
    await db.updateTable('password_resets').set({ expires_at: now() }).where('user_id', '=', person.id).execute()
    assert.deepEqual(await refused(expired), unknown)
    const outdated = await newLink()
    const body = { data: { type: 'user', attributes: { password: NEW_PASSWORD } } }
    await app.call('PATCH', `/rest/groups/${app.groupId}/users/${person.id}`, { body })
    assert.deepEqual(await refused(outdated), unknown)
  })

  test('reset link: refuses a short password with 400 and stays valid', async () => {
    const token = await newLink()
    assert.equal((await use(token, 'short')).statusCode, 400)
    assert.equal((await use(token)).statusCode, 204)
  })

  test('reset link: the 21st use from one address gets 429', async () => {
    const browser = createConsoleBrowser(app, '203.0.113.9')
    const body = { token: 'x'.repeat(43), password: NEW_PASSWORD }
    const statuses: number[] = []
    for (let count = 0; count < 21; count++) {
      statuses.push((await browser.ask('POST', '/console/password-reset', { body })).statusCode)
    }
    assert.deepEqual([statuses[0], statuses.at(-1)], [404, 429])
  })

  test('reset link: the token appears in neither storage, log nor audit log', async () => {
    const token = await newLink()
    await use(token)
    const { db } = app.parts.services
    const stored = await db.selectFrom('audit_events').selectAll().where('target_id', '=', person.id).execute()
    const actions = stored.map(({ action }) => action)
    assert.ok(actions.includes('user.password_reset.create') && actions.includes('user.password_reset.use'))
    assert.ok(!JSON.stringify(stored).includes(token) && !app.log().includes(token))
  })

  test('reset link: creation requires group.user.edit and every permission of the user', async () => {
    const as = async (permissions: Parameters<TestApp['keyWith']>[0]) =>
      (await app.call('POST', pathOf(person), { key: await app.keyWith(permissions, { groupId: app.groupId }) }))
        .statusCode
    assert.equal(await as(['group.user.read']), 403)
    assert.equal(await as(['group.user.edit']), 403)
    assert.equal(await as(['group.user.edit', 'org.read']), 201)
    const elsewhere = await app.call(
      'POST',
      `/console/groups/${await app.addGroup()}/users/${person.id}/password-reset`,
    )
    assert.equal(elsewhere.statusCode, 404)
  })
})
