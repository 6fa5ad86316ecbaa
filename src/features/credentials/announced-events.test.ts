import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { eventsIn, ORG, rowsIn } from '#test/access/stored-rows.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { type FreshDatabase, freshDatabase } from '#test/servers/fresh-database.ts'
import { announceCreated, announceDeleted, announceEnd, announceExposed, announceRotated } from './announce.ts'
import type { Program } from './program.ts'
import type { CredentialRow } from './store.ts'

const AT = Date.UTC(2030, 0, 1)
const program: Program = { kind: 'app', id: 'an app', name: 'Dashboards', orgId: ORG }
const owner = { kind: 'app', id: 'an app', name: 'Dashboards' }
const row: CredentialRow = {
  id: 'a secret',
  kind: 'client_secret',
  owner_kind: 'app',
  owner_id: 'an app',
  name: 'First',
  digest: 'a digest',
  hint: 'abcd',
  created_at: 1,
  last_used_at: null,
  expires_at: null,
  retires_at: null,
  replaced_at: null,
  allowed_networks: null,
}
const other: CredentialRow = { ...row, id: 'another secret', expires_at: AT + 1000, retires_at: AT + 2000 }
const shown = { id: 'a secret', kind: 'client_secret', ends_at: null }
const shownOther = { id: 'another secret', kind: 'client_secret', ends_at: '2030-01-01T00:00:01.000Z' }
const located = {
  kind: 'client_secret',
  row: { table: 'credentials', id: 'a secret' },
  endsAt: Infinity,
  facts: {},
  concerns: [],
} as const
const report = { id: 'a report', reporter: 'a scanner', location: 'a place' }

type Context = Parameters<typeof announceCreated>[0]

const announcements: [
  type: string,
  announce: (context: Context, of: Program & { orgId: string }) => Promise<void>,
  data: object,
][] = [
  ['credential.created', (context, of) => announceCreated(context, of, row), { owner, credential: shown }],
  [
    'credential.rotated',
    (context, of) => announceRotated(context, of, { row, replaced: [other] }),
    { owner, credential: shown, replaced: [shownOther] },
  ],
  [
    'credential.deleted',
    (context, of) => announceDeleted(context, of, [row, other]),
    { owner, credentials: [shown, shownOther] },
  ],
  [
    'credential.expiring',
    (context, of) => announceEnd(context, of, { row: other, type: 'credential.expiring' }),
    { owner, credential: shownOther },
  ],
  [
    'credential.exposed',
    (context, of) => announceExposed(context, of, { located, report }),
    {
      owner,
      credential: { id: 'a secret', kind: 'client_secret' },
      report_id: 'a report',
      reporter: 'a scanner',
      found_at: 'a place',
    },
  ],
]

onEveryEngine('events about credentials', (engine) => {
  let database: FreshDatabase
  before(async () => {
    database = await freshDatabase(engine)
    const add = rowsIn(database.db)
    await add.place()
    await add.webhook(['*'])
  })
  after(() => database[Symbol.asyncDispose]())
  beforeEach(() => database.db.deleteFrom('events').execute())

  for (const [type, announce, data] of announcements) {
    test(`${type} is announced to the program's organization; for a group it is not announced`, async () => {
      await inTransaction(database.db, (tx) => announce({ tx, at: AT }, { ...program, orgId: ORG }))
      assert.deepEqual(await eventsIn(database.db), [{ type, data }])
      const { at } = await database.db.selectFrom('events').select('at').executeTakeFirstOrThrow()
      assert.equal(at, AT)
      if (type === 'credential.expiring') return
      const ofGroup = { ...program, orgId: null as unknown as string }
      await inTransaction(database.db, (tx) => announce({ tx, at: AT }, ofGroup))
      assert.equal((await eventsIn(database.db)).length, 1)
    })
  }

  test('deleting no credentials announces nothing', async () => {
    await announceDeleted({ tx: database.db, at: AT }, program, [])
    assert.deepEqual(await eventsIn(database.db), [])
  })

  test('an exposed token or session is announced without an id; details of the report may be missing', async () => {
    const session = { ...located, kind: 'refresh_token', row: { table: 'app_sessions', id: 'a session' } } as const
    await announceExposed({ tx: database.db, at: AT }, program, { located: session, report: { id: 'a report' } })
    const credential = { id: null, kind: 'refresh_token' }
    assert.deepEqual(await eventsIn(database.db), [
      {
        type: 'credential.exposed',
        data: { owner, credential, report_id: 'a report', reporter: null, found_at: null },
      },
    ])
  })
})
