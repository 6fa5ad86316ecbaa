import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { WriteQueue } from './sqlite-write-queue.ts'

describe('writes on SQLite', () => {
  let folder: string
  let file: DatabaseSync
  let outside: DatabaseSync
  let executed: string[]
  let queue: WriteQueue

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-writes-'))
    file = new DatabaseSync(join(folder, 'x.sqlite'))
    file.exec('pragma journal_mode = wal; create table t (n integer primary key)')
    outside = new DatabaseSync(join(folder, 'x.sqlite'))
    executed = []
    queue = new WriteQueue((sql) => {
      executed.push(sql)
      file.exec(sql)
    })
  })

  afterEach(() => {
    file.close()
    outside.close()
    rmSync(folder, { recursive: true })
  })

  const stored = () =>
    outside
      .prepare('select n from t order by n')
      .all()
      .map((row) => row['n'])

  async function insert(n: number): Promise<void> {
    const write = await queue.enter()
    try {
      file.exec(`insert into t values (${n})`)
    } catch (error) {
      await write.leave('rollback')
      throw error
    }
    await write.leave('commit')
  }

  test('that arrive together share one commit, and each is on disk when it says so', async () => {
    await Promise.all(
      [1, 2, 3].map(async (n) => {
        await insert(n)
        assert.ok(stored().includes(n))
      }),
    )
    assert.equal(executed.filter((sql) => sql === 'commit').length, 1)
  })

  test('one that fails takes nothing with it', async () => {
    const outcomes = await Promise.allSettled([insert(1), insert(1), insert(2)])
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(stored(), [1, 2])
  })

  test('a long transaction keeps the others of its commit waiting, and none of them unsaved', async () => {
    const first = insert(1)
    const long = await queue.enter()
    file.exec('insert into t values (2)')
    const last = insert(3)
    let told = 0
    for (const write of [first, last]) void write.then(() => told++)
    await sleep(20)
    assert.deepEqual([stored(), told], [[], 0], 'nobody is told "done" before the shared commit')
    await long.leave('commit')
    await Promise.all([first, last])
    assert.deepEqual(stored(), [1, 2, 3])
  })

  test('a commit that fails is told to everybody in it', async () => {
    file.exec(
      'create table parent (id integer primary key); create table child (p references parent deferrable initially deferred)',
    )
    file.exec('pragma foreign_keys = on')
    const orphan = (async () => {
      const write = await queue.enter()
      file.exec('insert into child values (7)')
      await write.leave('commit')
    })()
    const outcomes = await Promise.allSettled([insert(1), orphan])
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status),
      ['rejected', 'rejected'],
    )
    assert.deepEqual(stored(), [])
    await insert(2)
    assert.deepEqual(stored(), [2])
  })

  test('idle waits for the shared commit', async () => {
    const writing = insert(1)
    await queue.idle()
    assert.deepEqual(stored(), [1])
    await writing
  })
})
