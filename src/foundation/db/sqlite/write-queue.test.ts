import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { findStorageFault } from '../storage-faults.ts'
import { WriteQueue } from './write-queue.ts'

const LONGER_THAN_A_GAP_MS = 10

describe('SQLite write queue', () => {
  let folder: string
  let file: DatabaseSync
  let outside: DatabaseSync
  let executed: string[]
  let queue: WriteQueue
  /** Simulates the disk in a test; undefined completes at once. */
  let disk: (() => Promise<void>) | undefined

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-writes-'))
    file = new DatabaseSync(join(folder, 'x.sqlite'))
    file.exec('pragma journal_mode = wal; create table t (n integer primary key)')
    outside = new DatabaseSync(join(folder, 'x.sqlite'))
    executed = []
    disk = undefined
    queue = queueOn(file)
  })

  afterEach(() => {
    file.close()
    outside.close()
    rmSync(folder, { recursive: true })
  })

  function queueOn(connection: DatabaseSync, patienceMs?: number): WriteQueue {
    const exec = (text: string) => {
      executed.push(text)
      connection.exec(text)
    }
    return new WriteQueue({ exec, sync: async () => disk?.() }, patienceMs)
  }

  const stored = () =>
    outside
      .prepare('select n from t order by n')
      .all()
      .map((row) => row['n'])

  async function insert(n: number, [writes, connection] = [queue, file] as const): Promise<void> {
    const write = await writes.enter()
    try {
      connection.exec(`insert into t values (${n})`)
    } catch (error) {
      await write.leave('rollback')
      throw error
    }
    await write.leave('commit')
  }

  test('concurrent writes share one commit, and each is on disk when it resolves', async () => {
    await Promise.all(
      [1, 2, 3].map(async (n) => {
        await insert(n)
        assert.ok(stored().includes(n))
      }),
    )
    assert.equal(executed.filter((sql) => sql === 'commit').length, 1)
  })

  test('a failed write rolls back only itself', async () => {
    const outcomes = await Promise.allSettled([insert(1), insert(1), insert(2)])
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(stored(), [1, 2])
  })

  test('writes wait without blocking the event loop while another process holds the lock', async () => {
    outside.exec('begin immediate; insert into t values (1)')
    const waiting = insert(2)
    for (let turns = 0; turns < 20; turns++) await sleep(1)
    assert.deepEqual(stored(), [1], 'nothing of this process yet')
    outside.exec('commit')
    await waiting
    assert.deepEqual(stored(), [1, 2])
  })

  test('a write fails as locked after the timeout and succeeds once the lock is free', async () => {
    const impatient = queueOn(file, 5)
    outside.exec('begin immediate')
    await assert.rejects(insert(1, [impatient, file]), (error) => findStorageFault(error) === 'locked')
    outside.exec('commit')
    await insert(2, [impatient, file])
    assert.deepEqual(stored(), [2])
  })

  test('continuous writers leave gaps for another process, also on a slow disk', async () => {
    const slow = {
      exec(text: string) {
        if (text === 'commit') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LONGER_THAN_A_GAP_MS)
        file.exec(text)
      },
      sync: async () => {},
    }
    const writes = new WriteQueue(slow)
    const other = queueOn(outside)
    const end = performance.now() + 300_000
    let next = 2
    let isDone = false
    // One of them always waits while another writes over several turns of the event loop.
    const streams = Array.from({ length: 4 }, async () => {
      while (!isDone && performance.now() < end) {
        const write = await writes.enter()
        for (let turns = 0; turns < 3; turns++) await sleep(1)
        file.exec(`insert into t values (${next++})`)
        await write.leave('commit')
      }
    })
    await insert(1, [other, outside])
    isDone = true
    assert.ok(performance.now() < end, 'it wrote before the others were done')
    await Promise.all(streams)
  })

  test('a long transaction delays the other writes of its commit until all are saved', async () => {
    const first = insert(1)
    const long = await queue.enter()
    file.exec('insert into t values (2)')
    const last = insert(3)
    let completed = 0
    for (const write of [first, last]) void write.then(() => completed++)
    await sleep(20)
    assert.deepEqual([stored(), completed], [[], 0], 'no writer resolves before the shared commit')
    await long.leave('commit')
    await Promise.all([first, last])
    assert.deepEqual(stored(), [1, 2, 3])
  })

  test('a failed commit rejects all its writers', async () => {
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

  test('no writer resolves before the disk has its work; later writers share the next commit', async () => {
    const synced: (() => void)[] = []
    disk = () => new Promise((resolve) => synced.push(resolve))
    const done: number[] = []
    const write = (n: number) => insert(n).then(() => done.push(n))
    const first = write(1)
    while (synced.length === 0) await nextTurn()
    const others = [write(2), write(3), write(4)]
    for (let turn = 0; turn < 20; turn++) await nextTurn()
    assert.deepEqual(
      [done, stored(), synced.length],
      [[], [1], 1],
      'the first is committed, the others wait for the disk',
    )
    synced[0]!()
    await first
    while (synced.length < 2) await nextTurn()
    assert.deepEqual([done, stored()], [[1], [1, 2, 3, 4]])
    synced[1]!()
    await Promise.all(others)
    assert.equal(executed.filter((sql) => sql === 'commit').length, 2)
  })

  test('a disk error rejects all waiting writes, and nothing is written afterward', async () => {
    let fail: (error: Error) => void = () => {}
    disk = () => new Promise((_, reject) => (fail = reject))
    const first = insert(1)
    while (executed.at(-1) !== 'commit') await nextTurn()
    const meanwhile = insert(2)
    await nextTurn()
    const broken = new Error('I/O error')
    fail(broken)
    const outcomes = await Promise.allSettled([first, meanwhile, insert(3)])
    for (const outcome of outcomes) assert.equal(outcome.status === 'rejected' && outcome.reason, broken)
    assert.equal(queue.fault, broken)
    disk = undefined
    await assert.rejects(insert(4), broken)
    assert.deepEqual(stored(), [1], 'what was committed before may be there or not after a crash')
    await queue.idle()
  })

  test('a pause waits for earlier writes and delays later ones', async () => {
    const before = insert(1)
    const pausing = queue.pause()
    const after = insert(2)
    const resume = await pausing
    assert.deepEqual(stored(), [1])
    await before
    for (let turn = 0; turn < 20; turn++) await nextTurn()
    assert.deepEqual([stored(), file.isTransaction], [[1], false])
    resume()
    await after
    assert.deepEqual(stored(), [1, 2])
  })

  test('a failed single statement rolls back only itself', async () => {
    const statement = async (n: number) => {
      const write = await queue.enter('statement')
      try {
        file.exec(`insert into t values (${n})`)
      } catch (error) {
        await write.leave('rollback')
        throw error
      }
      await write.leave('commit')
    }
    const outcomes = await Promise.allSettled([statement(1), statement(1), insert(2), statement(3)])
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status),
      ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
    )
    assert.deepEqual(stored(), [1, 2, 3])
    assert.equal(executed.filter((sql) => sql === 'savepoint writer').length, 1)
  })

  test('idle() waits for the shared commit', async () => {
    const writing = insert(1)
    await queue.idle()
    assert.deepEqual(stored(), [1])
    await writing
  })
})
