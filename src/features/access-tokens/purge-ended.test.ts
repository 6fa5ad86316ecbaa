import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { permissionNames } from '#foundation/access/permissions.ts'
import { addApp, consentTo, userOf } from '#test/access/tokens.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { purgeEnded } from './purge-ended.ts'

const DAY_MS = 86_400_000

onEveryEngine('purge of expired tokens', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  const purgeIn = (ms: number) => {
    const { db, now } = app.parts.services
    return purgeEnded({ db, now: () => now() + ms })
  }
  const session = async () => {
    const userId = await userOf(app, await app.keyWith(permissionNames))
    return consentTo(app, { app: await addApp(app), userId })
  }
  const addRecord = async (sessionId: string | null, expiresInMs: number | null, consumed = false) => {
    const { db, now } = app.parts.services
    const id = randomUUID()
    await db
      .insertInto('oauth_records')
      .values({
        model: 'RefreshToken',
        id,
        payload: new Uint8Array(),
        uid: null,
        session_id: sessionId,
        consumed_at: consumed ? now() : null,
        expires_at: expiresInMs === null ? null : now() + expiresInMs,
      })
      .execute()
    return id
  }
  const left = async (table: 'access_tokens' | 'oauth_records' | 'app_sessions') =>
    (await app.parts.services.db.selectFrom(table).select('id').execute()).map(({ id }) => id)

  test('purge: deletes more than 1,200 expired tokens and records, keeps the live ones', async () => {
    const { db } = app.parts.services
    const { id } = await session()
    const [kept] = await db.selectFrom('access_tokens').selectAll().where('session_id', '=', id).execute()
    const copies = Array.from({ length: 1203 }, () => ({
      ...kept!,
      id: randomUUID(),
      digest: randomUUID(),
      expires_at: app.parts.services.now() - 1,
    }))
    for (let at = 0; at < copies.length; at += 100) {
      await db
        .insertInto('access_tokens')
        .values(copies.slice(at, at + 100))
        .execute()
    }
    const [expired, live, endless] = [await addRecord(id, -1), await addRecord(id, 60_000), await addRecord(null, null)]
    await purgeIn(0)
    assert.deepEqual(await left('access_tokens'), [kept!.id])
    const records = await left('oauth_records')
    assert.deepEqual(
      [records.includes(expired), records.includes(live), records.includes(endless)],
      [false, true, true],
    )
  })

  test('purge: deletes sessions without a live refresh token, a day after they began', async () => {
    const [dead, refreshable, used] = [await session(), await session(), await session()]
    await addRecord(refreshable.id, 10 * DAY_MS)
    await addRecord(used.id, 10 * DAY_MS, true)
    await purgeIn(2 * 3_600_000)
    const before = await left('app_sessions')
    assert.ok([dead, refreshable, used].every(({ id }) => before.includes(id)))
    await purgeIn(DAY_MS + 60_000)
    const sessions = await left('app_sessions')
    assert.deepEqual(
      [dead, refreshable, used].map(({ id }) => sessions.includes(id)),
      [false, true, false],
    )
  })
})
