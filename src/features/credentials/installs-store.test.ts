import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { rowsIn } from '#test/access/stored-rows.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { type FreshDatabase, freshDatabase } from '#test/servers/fresh-database.ts'
import { deleteCredentialsOfInstalls, deleteCredentialsOfInstallsIn } from './installs-store.ts'

onEveryEngine('credentials of installs', (engine) => {
  let database: FreshDatabase
  let add: ReturnType<typeof rowsIn>
  before(async () => {
    database = await freshDatabase(engine)
    add = rowsIn(database.db)
    await add.place()
    await add.org({ id: 'elsewhere' })
    for (const id of ['one', 'two']) {
      await add.app({ id })
      await add.install({ id, app_id: id })
    }
    await add.install({ id: 'far', app_id: 'one', org_id: 'elsewhere' })
  })
  after(() => database[Symbol.asyncDispose]())
  /** The owner `one` of another kind has the id of an install, as no other owner does in practice. */
  beforeEach(async () => {
    await database.db.deleteFrom('credentials').execute()
    for (const id of ['one', 'two', 'far']) await add.credential({ id, owner_kind: 'app_install', owner_id: id })
    await add.credential({ id: 'other', owner_kind: 'app', owner_id: 'one' })
  })
  const left = async () =>
    (await database.db.selectFrom('credentials').select('id').orderBy('id').execute()).map(({ id }) => id)

  test('deleting the credentials of some installs returns them and keeps all others', async () => {
    const deleted = await deleteCredentialsOfInstalls(database.db, ['one', 'far', 'unknown'])
    assert.deepEqual(deleted.map(({ id, hint }) => [id, hint]).toSorted(), [
      ['far', 'abcd'],
      ['one', 'abcd'],
    ])
    assert.deepEqual(await left(), ['other', 'two'])
  })

  test('deleting the credentials of the installs in an organization keeps all others', async () => {
    await deleteCredentialsOfInstallsIn(database.db, 'elsewhere')
    assert.deepEqual(await left(), ['one', 'other', 'two'])
    await deleteCredentialsOfInstallsIn(database.db, 'an org')
    assert.deepEqual(await left(), ['other'])
  })
})
