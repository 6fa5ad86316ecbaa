import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Config } from '#foundation/config.ts'
import { eventsIn, ORG, rowsIn } from '#test/access/stored-rows.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { type FreshDatabase, freshDatabase } from '#test/servers/fresh-database.ts'
import { announceAll, announceExpiries } from './announce-expiries.job.ts'
import { listEndingCredentials, recordAnnouncement } from './expiries-store.ts'

const DAY_MS = 86_400_000
const AT = 2_000_000_000_000
const NOTICE_DAYS = 3
const WEEK = 7 * DAY_MS
const config = { expiryNoticeDays: NOTICE_DAYS } as Config

onEveryEngine('expiries of credentials', (engine) => {
  let database: FreshDatabase
  let add: ReturnType<typeof rowsIn>
  before(async () => {
    database = await freshDatabase(engine)
    add = rowsIn(database.db)
    await add.place()
    await add.account({ id: 'account', name: 'Builds' })
  })
  after(() => database[Symbol.asyncDispose]())
  beforeEach(async () => {
    for (const table of ['credentials', 'events', 'webhooks', 'apps', 'app_installs'] as const)
      await database.db.deleteFrom(table).execute()
    await add.webhook(['*'])
  })
  const ofAccount = { owner_kind: 'service_account', owner_id: 'account' }
  const deps = (now = () => AT) => ({ db: database.db, config, now })
  const types = async () => (await eventsIn(database.db)).map(({ type }) => type)

  const ends: [when: string, expires: number | null, retires: number | null, announced: string[]][] = [
    ['never', null, null, []],
    ['now', AT, null, ['credential.expired']],
    ['less than a week ago', AT - WEEK + 1, null, ['credential.expired']],
    ['a week ago', AT - WEEK, null, []],
    ['a millisecond later', AT + 1, null, ['credential.expiring']],
    ['at the end of the notice period', AT + NOTICE_DAYS * DAY_MS, null, ['credential.expiring']],
    ['after the notice period', AT + NOTICE_DAYS * DAY_MS + 1, null, []],
    ['by retirement', null, AT + 1, ['credential.expiring']],
    ['by retirement long before the expiry', AT + 1, AT - WEEK - 1, []],
    ['by expiry before the retirement', AT - 1, AT + 1, ['credential.expired']],
    ['by retirement a week ago, before the expiry', AT - 1, AT - WEEK, []],
  ]
  for (const [when, expires_at, retires_at, announced] of ends) {
    test(`a credential that ends ${when}: ${announced.join() || 'not announced'}, once`, async () => {
      await add.credential({ ...ofAccount, expires_at, retires_at })
      await announceAll(deps())
      assert.deepEqual(await types(), announced)
      await announceAll(deps())
      assert.deepEqual(await types(), announced)
    })
  }

  test('the announcement names the owner, the credential and its end', async () => {
    const { id } = await add.credential({ ...ofAccount, kind: 'client_secret', expires_at: AT + 5 })
    await announceAll(deps())
    const owner = { kind: 'service_account', id: 'account', name: 'Builds' }
    const credential = { id, kind: 'client_secret', ends_at: new Date(AT + 5).toISOString() }
    assert.deepEqual(await eventsIn(database.db), [{ type: 'credential.expiring', data: { owner, credential } }])
    const [row] = await database.db.selectFrom('announced_expiries').selectAll().execute()
    assert.deepEqual(row, { credential_id: id, ends_at: AT + 5, type: 'credential.expiring', announced_at: AT })
  })

  test('without a subscriber an expiry stays unannounced, so that a later one is notified', async () => {
    await database.db.deleteFrom('webhooks').execute()
    await add.webhook(['credential.expired'])
    await add.credential({ ...ofAccount, expires_at: AT + 5 })
    await announceAll(deps())
    assert.deepEqual(await database.db.selectFrom('announced_expiries').selectAll().execute(), [])
    await add.webhook(['credential.expiring'])
    await announceAll(deps())
    assert.deepEqual(await types(), ['credential.expiring'])
  })

  test('an approaching expiry is announced again when it is reached; a changed expiry is announced anew', async () => {
    const { id } = await add.credential({ ...ofAccount, expires_at: AT + 5 })
    await announceAll(deps())
    await announceAll(deps(() => AT + 5))
    await database.db
      .updateTable('credentials')
      .set({ expires_at: AT + 9 })
      .where('id', '=', id)
      .execute()
    await announceAll(deps(() => AT + 6))
    assert.deepEqual(await types(), ['credential.expiring', 'credential.expired', 'credential.expiring'])
  })

  test('two simultaneous processes announce an expiry once', async () => {
    await add.credential({ ...ofAccount, expires_at: AT + 5 })
    await Promise.all([announceAll(deps()), announceAll(deps())])
    assert.deepEqual(await types(), ['credential.expiring'])
  })

  test('a credential that is deleted before its announcement is skipped', async () => {
    for (const id of ['first', 'second']) await add.credential({ ...ofAccount, id, expires_at: AT + 5 })
    let deletion: Promise<unknown> | undefined
    const now = () => {
      // The first announcement is under way: the deletion waits for it, and the second for the deletion.
      if (++reads === 2) deletion = database.db.deleteFrom('credentials').where('id', '=', 'second').execute()
      return AT
    }
    let reads = 0
    await announceAll(deps(now))
    await deletion
    assert.ok(deletion)
    assert.equal((await types())[0], 'credential.expiring')
  })

  test('an unexpected error ends the job that announces expiries', async () => {
    await add.credential({ ...ofAccount, expires_at: AT + 5 })
    let reads = 0
    const now = () => {
      if (++reads > 1) throw new Error('no clock')
      return AT
    }
    await assert.rejects(announceAll(deps(now)), /no clock/)
  })

  test('the job that announces expiries repeats every ten minutes, is not retried, and stops on request', async () => {
    const job = announceExpiries(deps())
    assert.deepEqual([job.name, job.everyMinutes, job.maxAttempts], ['announce-expiries', 10, 1])
    await add.credential({ ...ofAccount, expires_at: AT + 5 })
    const context = { attempt: 1 } as Parameters<typeof job.run>[1]
    await job.run({}, { ...context, signal: AbortSignal.abort() })
    assert.deepEqual(await types(), [])
    await job.run({}, { ...context, signal: new AbortController().signal })
    assert.deepEqual(await types(), ['credential.expiring'])
  })

  test('listing expiries returns the credentials of an organization’s programs that end within the range', async () => {
    const { db } = database
    for (const id of ['app', 'deleted']) await add.app({ id, ended_at: id === 'app' ? null : 1 })
    for (const id of ['app', 'deleted']) await add.install({ id: `install of ${id}`, app_id: id })
    await add.account({ id: 'of the group', org_id: null })
    await add.user({ id: 'user' })
    const owners = [
      ['a', 'service_account', 'account'],
      ['b', 'app', 'app'],
      ['c', 'app_install', 'install of app'],
      ['d', 'app_install', 'install of deleted'],
      ['e', 'service_account', 'of the group'],
      ['f', 'app', 'gone'],
      ['g', 'user', 'account'],
    ] as const
    for (const [id, owner_kind, owner_id] of owners) await add.credential({ id, owner_kind, owner_id, expires_at: 10 })
    const read = async (after: number, until: number, limit = 100) =>
      (await listEndingCredentials(db, { after, until }, { afterId: '', limit })).credentials
    const credentials = await read(9, 10)
    assert.deepEqual(
      credentials.map(({ row, program }) => [row.id, row.expires_at, program]),
      [
        ['a', 10, { kind: 'service_account', id: 'account', name: 'Builds', orgId: ORG }],
        ['b', 10, { kind: 'app', id: 'app', name: 'App app', orgId: ORG }],
        ['c', 10, { kind: 'app_install', id: 'install of app', name: 'App app', orgId: ORG }],
      ],
    )
    assert.deepEqual([await read(10, 11), await read(8, 9)], [[], []])
    await db.updateTable('credentials').set({ expires_at: null, retires_at: 10 }).execute()
    assert.equal((await read(9, 10)).length, 3)
    assert.deepEqual([await read(10, 11), await read(8, 9)], [[], []])
    await db.updateTable('credentials').set({ expires_at: 9, retires_at: 11 }).execute()
    assert.deepEqual(await read(9, 10), [])
  })

  test('listing expiries: pages are ordered by id, and the next page begins after the last id', async () => {
    for (const id of ['1', '2', '3']) await add.credential({ ...ofAccount, id, expires_at: 10 })
    const read = async (afterId: string, limit: number) => {
      const { credentials, lastId } = await listEndingCredentials(
        database.db,
        { after: 9, until: 10 },
        { afterId, limit },
      )
      return [credentials.map(({ row }) => row.id), lastId]
    }
    assert.deepEqual(await read('', 4), [['1', '2', '3'], undefined])
    assert.deepEqual(await read('', 3), [['1', '2', '3'], '3'])
    assert.deepEqual(await read('3', 3), [[], undefined])
    assert.deepEqual(await read('', 2), [['1', '2'], '2'])
    assert.deepEqual(await read('2', 2), [['3'], undefined])
  })

  test('an announcement is recorded once for each expiry and type', async () => {
    await add.credential({ ...ofAccount, id: 'one' })
    const take = (change: Partial<Parameters<typeof recordAnnouncement>[1]> = {}) =>
      recordAnnouncement(database.db, {
        credentialId: 'one',
        endsAt: 5,
        type: 'credential.expiring',
        at: 1,
        ...change,
      })
    assert.deepEqual([await take(), await take({ at: 2 })], [true, false])
    assert.deepEqual([await take({ endsAt: 6 }), await take({ type: 'credential.expired' })], [true, true])
  })
})
