import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type ConsoleBrowser, createConsoleBrowser } from '#test/access/console-browser.ts'
import { addPerson, type Person } from '#test/access/people.ts'
import { assertRefusal } from '#test/access/refusals.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

const MINUTE_MS = 60_000

onEveryEngine('session policies of groups', (engine) => {
  let app: TestApp
  let groupId: string
  let person: Person
  let key: string
  let browser: ConsoleBrowser
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())
  beforeEach(async () => {
    groupId = await app.addGroup()
    const orgId = await app.addOrg({ groupId })
    person = await addPerson(app, { permissions: ['org.read'], groupId, orgId })
    key = await app.keyWith(['group.read', 'group.edit'], { groupId })
    browser = createConsoleBrowser(app)
    await browser.signIn(person)
  })

  const path = () => `/console/groups/${groupId}/sign-in-rules`
  const change = async (body: object) => {
    const answer = await app.call('PUT', path(), { body, key })
    assert.equal(answer.statusCode, 204, answer.body)
  }
  const isSignedIn = async () => (await browser.ask('GET', '/rest/self')).statusCode === 200
  const countSessions = async () => {
    const key = await browser.ask('GET', '/console/sessions')
    return key.statusCode === 200 ? (key.json() as unknown[]).length : 0
  }
  async function age(column: 'signed_in_at' | 'last_used_at', minutes: number) {
    const { db, now } = app.parts.services
    await db
      .updateTable('user_sessions')
      .set({ [column]: now() - minutes * MINUTE_MS })
      .where('user_id', '=', person.id)
      .execute()
  }

  test('session policies: a session ends so many hours after the sign-in', async () => {
    await age('signed_in_at', 119)
    await change({ session_hours: 2 })
    assert.deepEqual([await isSignedIn(), await countSessions()], [true, 1])
    await age('signed_in_at', 121)
    assert.deepEqual([await isSignedIn(), await countSessions()], [false, 0])
    await change({ session_hours: null })
    assert.equal(await isSignedIn(), true)
  })

  test('session policies: a session ends so many minutes after its last use', async () => {
    await change({ session_idle_minutes: 10 })
    await age('last_used_at', 11)
    assert.equal(await isSignedIn(), false)
  })

  test('session policies: the shortest limit of a person counts, and that of other groups does not', async () => {
    await age('signed_in_at', 90)
    const { db } = app.parts.services
    const limit = (id: string, session_hours: number | null) =>
      db.updateTable('groups').set({ session_hours }).where('id', '=', id).execute()
    const { group_id: home } = await db
      .selectFrom('users')
      .select('group_id')
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow()
    await limit(await app.addGroup(), 1)
    await change({ session_hours: 2 })
    assert.equal(await isSignedIn(), true)
    await limit(home, 1)
    assert.equal(await isSignedIn(), false)
    await limit(home, null)
    assert.equal(await isSignedIn(), true)
  })

  test('session policies: a policy changes without the rule for second factors, and is shown beside the limits of the server', async () => {
    await change({ session_hours: 8 })
    const { second_factor, session_hours, session_idle_minutes, server } = (
      await app.call('GET', path(), { key })
    ).json()
    assert.deepEqual(
      { second_factor, session_hours, session_idle_minutes, server },
      {
        second_factor: 'optional',
        session_hours: 8,
        session_idle_minutes: null,
        server: { session_hours: 168, session_idle_minutes: 720 },
      },
    )
  })

  for (const body of [{}, { session_hours: 0 }, { session_idle_minutes: 4 }, { session_hours: 1.5 }]) {
    test(`session policies: ${JSON.stringify(body)} is refused`, async () => {
      assertRefusal(await app.call('PUT', path(), { body, key }), { status: 400, code: 'invalid-request' })
    })
  }
})
