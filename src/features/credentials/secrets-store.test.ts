import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { rowsIn } from '#test/access/stored-rows.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { type FreshDatabase, freshDatabase } from '#test/servers/fresh-database.ts'
import { deleteEndedSecrets, getCredentialOf, listCredentialsOf, retireSecret } from './secrets-store.ts'

onEveryEngine('secrets of an owner', (engine) => {
  let database: FreshDatabase
  let add: ReturnType<typeof rowsIn>
  before(async () => {
    database = await freshDatabase(engine)
    add = rowsIn(database.db)
  })
  after(() => database[Symbol.asyncDispose]())
  beforeEach(() => database.db.deleteFrom('credentials').execute())
  const left = async () =>
    (await database.db.selectFrom('credentials').select('id').orderBy('id').execute()).map(({ id }) => id)

  test('secrets are listed in pages by age, then by id; a secret of another owner is not found', async () => {
    for (const [id, created_at] of [
      ['c', 2],
      ['b', 2],
      ['d', 1],
    ] as const)
      await add.credential({ id, created_at, owner_id: 'an owner' })
    await add.credential({ id: 'other', owner_id: 'another owner' })
    const { db } = database
    const first = await listCredentialsOf(db, 'an owner', { limit: 2, direction: 'after', position: 'start' })
    assert.deepEqual([first.rows.map(({ id }) => id), first.hasNext, first.hasPrevious], [['d', 'b'], true, false])
    const rest = await listCredentialsOf(db, 'an owner', { limit: 2, direction: 'after', position: [2, 'b'] })
    assert.deepEqual([rest.rows.map(({ id }) => id), rest.hasNext, rest.hasPrevious], [['c'], false, true])
    assert.equal((await getCredentialOf(db, 'an owner', 'b')).id, 'b')
    await assert.rejects(getCredentialOf(db, 'an owner', 'other'), { code: 'not-found' })
    await assert.rejects(getCredentialOf(db, 'another owner', 'b'), { code: 'not-found' })
  })

  test('setting the retirement of a secret changes no other secret', async () => {
    for (const id of ['a', 'b']) await add.credential({ id, owner_id: 'an owner' })
    await retireSecret(database.db, { id: 'a', replaced_at: 5, retires_at: 6 })
    const rows = await database.db.selectFrom('credentials').selectAll().orderBy('id').execute()
    assert.deepEqual(
      rows.map(({ replaced_at, retires_at }) => [replaced_at, retires_at]),
      [
        [5, 6],
        [null, null],
      ],
    )
  })

  test('client secrets that expired or retired before a given time are deleted; API keys stay', async () => {
    const ends = { early: 9, 'on time': 10, late: 11 }
    for (const [id, end] of Object.entries(ends)) {
      const secret = { kind: 'client_secret', owner_id: 'an owner' }
      await add.credential({ ...secret, id: `expired ${id}`, expires_at: end })
      await add.credential({ ...secret, id: `retired ${id}`, retires_at: end })
    }
    await add.credential({ id: 'key', owner_id: 'an owner', expires_at: 9 })
    await deleteEndedSecrets(database.db, 10)
    assert.deepEqual(await left(), ['expired late', 'expired on time', 'key', 'retired late', 'retired on time'])
  })
})
