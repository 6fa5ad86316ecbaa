import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase } from '#test/servers/fresh-database.ts'

const group = (id: string) => ({ id, name: id, slug: id, created_at: 0, updated_at: 0 })

test('a read does not wait for an open transaction and sees the state before it', async () => {
  await using database = await freshDatabase('sqlite')
  const { db } = database
  await db.insertInto('groups').values(group('before')).execute()
  await db.transaction().execute(async (tx) => {
    await tx.insertInto('groups').values(group('within')).execute()
    assert.deepEqual(await db.selectFrom('groups').select('id').execute(), [{ id: 'before' }])
  })
  assert.equal((await db.selectFrom('groups').select('id').execute()).length, 2)
})

test('a transaction begins while the previous one waits for the disk', async () => {
  await using database = await freshDatabase('sqlite')
  const { db } = database
  const order: string[] = []
  const write = async (id: string) => {
    await db.transaction().execute(async (tx) => {
      order.push(`${id} begins`)
      await tx.insertInto('groups').values(group(id)).execute()
    })
    order.push(`${id} is stored`)
  }
  await Promise.all([write('a'), write('b'), write('c')])
  assert.deepEqual(order.slice(0, 3), ['a begins', 'b begins', 'c begins'])
})

test('a transaction of many statements yields to reads between them and stays atomic', async () => {
  await using database = await freshDatabase('sqlite')
  const { db } = database
  let turns = 0
  let isOver = false
  const countTurns = () => {
    turns++
    if (!isOver) setImmediate(countTurns)
  }
  setImmediate(countTurns)
  const failing = db.transaction().execute(async (tx) => {
    const begun = performance.now()
    // Far longer than a slice on any machine.
    for (let n = 0; performance.now() - begun < 200; n++)
      await tx
        .insertInto('groups')
        .values(group(`g${n}`))
        .execute()
    throw new Error('undone')
  })
  await assert.rejects(failing, /undone/)
  isOver = true
  assert.ok(turns > 1, `${turns} turns of the event loop`)
  assert.deepEqual(await db.selectFrom('groups').select('id').execute(), [])
})
