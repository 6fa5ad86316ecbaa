import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { hashPassword } from '#foundation/secrets/password.ts'
import { cheapHashOf } from '#test/access/people.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { createPasswordCheck, type Shown } from './check-password.ts'
import { rememberBrowser } from './known-browser.ts'

onEveryEngine('password check', (engine) => {
  const password = 'correct horse battery'
  const hash = cheapHashOf(password)
  const other = cheapHashOf('another password')
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  async function addUser(passwordHash: string | null = hash) {
    const id = randomUUID()
    const at = app.parts.services.now()
    const row = { id, group_id: app.groupId, email: `${id}@example.test`, username: id, name: 'Ada' }
    await app.parts.services.db
      .insertInto('users')
      .values({ ...row, password_hash: passwordHash, created_at: at, updated_at: at })
      .execute()
    return row
  }
  let requests = 0
  const check = (shown: Pick<Shown, 'email'> & Partial<Shown>, now: () => number = app.parts.services.now) => {
    requests++
    const from = { address: `198.51.100.${requests}`, requestId: `request-${requests}`, knownBrowsers: undefined }
    return createPasswordCheck({ ...app.parts.services, now })({ password, ...from, ...shown })
  }
  const eventsAbout = async (id: string) => {
    const answer = await app.call('GET', `/rest/groups/${app.groupId}/audit_logs`, { query: { target_id: id } })
    return answer.json().data.map(({ attributes }: { attributes: object }) => attributes)
  }

  test('right password: signs in with the address in any case and is audited', async () => {
    const user = await addUser()
    const signIn = await check({ email: ` ${user.email.toUpperCase()} `, requestId: 'the-request' })
    assert.equal(signIn.outcome, 'signed-in')
    assert.equal(signIn.outcome === 'signed-in' && signIn.account.id, user.id)
    const [event] = await eventsAbout(user.id)
    assert.equal(event.action, 'user.sign_in')
    assert.deepEqual(event.actor, { kind: 'user', id: user.id, name: 'Ada' })
    assert.equal(event.request_id, 'the-request')
    assert.match(event.address, /^198\.51\.100\./)
  })

  test('wrong password: refused and audited without the typed password', async () => {
    const user = await addUser()
    assert.deepEqual(await check({ email: user.email, password: 'hunter2 hunter2' }), { outcome: 'wrong' })
    const [event] = await eventsAbout(user.id)
    assert.equal(event.action, 'user.sign_in_failed')
    assert.equal(event.actor.kind, 'anonymous')
    assert.doesNotMatch(JSON.stringify(event), /hunter2/)
  })

  test('unknown account and account without a password: refused like a wrong password', async () => {
    const passwordless = await addUser(null)
    assert.deepEqual(await check({ email: passwordless.email, password: '' }), { outcome: 'wrong' })
    assert.deepEqual(await check({ email: 'nobody@example.test' }), { outcome: 'wrong' })
    assert.deepEqual(await check({ email: '' }), { outcome: 'wrong' })
  })

  test('blocked account: the password is not checked, except in a known browser', async () => {
    const user = await addUser()
    const address = '203.0.113.9'
    // A fixed time, so that the wait of a second does not end on a busy machine.
    const time = Date.now()
    const checkAtOnce = (shown: Parameters<typeof check>[0]) => check(shown, () => time)
    for (let count = 0; count < 6; count++) await checkAtOnce({ email: user.email, address, password: 'wrong' })
    const right = await checkAtOnce({ email: user.email, address })
    assert.deepEqual(right, { outcome: 'blocked', waitSeconds: 1 })
    assert.equal((await eventsAbout(user.id)).length, 6)
    const cookie = rememberBrowser(app.parts.services.keyring, undefined, { id: user.id, at: Date.now() })
    assert.equal((await checkAtOnce({ email: user.email, address, knownBrowsers: cookie })).outcome, 'signed-in')
    // The cookie does not vouch for another account.
    const other = await addUser()
    for (let count = 0; count < 6; count++) {
      await checkAtOnce({ email: other.email, address, password: 'wrong', knownBrowsers: cookie })
    }
    assert.equal((await checkAtOnce({ email: other.email, address, knownBrowsers: cookie })).outcome, 'blocked')
  })

  test('password changed during its check: does not sign in', async () => {
    const { db } = app.parts.services
    // The full-cost hash takes long enough to change the password meanwhile.
    const user = await addUser(await hashPassword(password))
    const counts = () => db.selectFrom('sign_in_failures').select('id').execute()
    const before = (await counts()).length
    const checking = check({ email: user.email })
    while ((await counts()).length === before) await setImmediate()
    await db.updateTable('users').set({ password_hash: other }).where('id', '=', user.id).execute()
    assert.deepEqual(await checking, { outcome: 'wrong' })
  })

  test('password checks: run a few at a time; surplus ones get 503 with Retry-After 5', async () => {
    const signIn = createPasswordCheck(app.parts.services, { atOnce: 1, waiting: 3 })
    const shown = { password: 'wrong', requestId: 'x', knownBrowsers: undefined }
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, (_, index) =>
        signIn({ ...shown, email: `crowd-${index}@example.test`, address: `2001:db8:${index}::1` }),
      ),
    )
    const refused = results.filter((result) => result.status === 'rejected')
    assert.equal(refused.length, 2)
    assert.ok(refused.every(({ reason }) => reason.code === 'unavailable' && reason.headers['retry-after'] === '5'))
    assert.equal((await check({ email: 'nobody@example.test' })).outcome, 'wrong')
  })
})
