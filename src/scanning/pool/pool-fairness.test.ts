import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testThread } from '#features/package-tests/test-thread.ts'
import { Problem } from '#foundation/problem.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { program } from '#test/servers/program.ts'
import { openSnapshotFile, type SharedSnapshot, writeSnapshotFile } from '../advisories/snapshot-file.ts'
import type { TestTask } from '../reading/task.ts'
import { createTestPool, type PoolSettings } from './pool.ts'
import type { TestPool } from './test-pool.ts'

const bounds: PoolSettings = {
  program: program.thread ?? testThread,
  threads: 1,
  timeoutSeconds: 600,
  waitSeconds: 600,
  maxWaiting: 100,
  memoryMb: 1024,
  searchSeconds: 0,
  backgroundPercent: 50,
}

function toTask(org: string, files: readonly [target: string, ...additional: string[]]): TestTask {
  const [target, ...additional] = files
  const subject = { kind: 'files', target, additional, encoding: 'plain' } as const
  const choices = { acceptPartial: false, includeDev: false, repositories: [], licensePolicy: undefined }
  return { ecosystem: 'npm', subject, org: { id: org, name: org }, form: 'json', ...choices }
}

const lockOf = (entries: readonly string[]) => `{"lockfileVersion":3,"packages":{${entries.join()}}}`
let made = 0
/** No two are the same, as answers are kept. */
const small = (org: string) => toTask(org, [`{"name":"p${made++}"}`, lockOf(['"node_modules/a":{"version":"1.0.0"}'])])
const asking = (org: string) => toTask(org, ['{"dependencies":{"a":"*"}}'])
const largeLock = lockOf(Array.from({ length: 1_000_000 }, (_, n) => `"node_modules/p${n}":{"version":"1.0.0"}`))
/** Computes for far longer than any of these tests takes. */
const endless = (org: string) => toTask(org, ['{"name":"p"}', largeLock])

/** Field 19 of proc(5); the second one is in parentheses and may hold spaces. */
function nicenessOf(folder: string): number {
  return Number(readFileSync(`${folder}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[16])
}

describe('test threads shared by organizations', () => {
  let snapshot: SharedSnapshot
  let dir: string
  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'gatehouse-fair-'))
    const written = await writeSnapshotFile(dir, { builtAt: 0, source: 'nothing', isStarterSet: false }, () => [])
    snapshot = openSnapshotFile(written.path)
  })
  after(() => rmSync(dir, { recursive: true }))

  async function withPool(settings: Partial<PoolSettings>, work: (pool: TestPool) => Promise<void>) {
    const npm = { get: () => new Promise<never>(() => {}) }
    const pool = createTestPool({ ...bounds, ...settings }, registriesOf({ npm }))
    pool.switchSnapshot(snapshot)
    try {
      await work(pool)
    } finally {
      await pool.close()
    }
  }

  test('large tests: one organization runs one at a time, whatever the number of threads; small ones continue', async () => {
    const large = (org: string) => toTask(org, [`{"dependencies":{"a":"*"}}${' '.repeat(20 * 1024 * 1024)}`])
    const ignored = () => {}
    await withPool({ threads: 3 }, async (pool) => {
      pool.run(large('one'), { credential: 'a' }).catch(ignored)
      pool.run(large('one'), { credential: 'b' }).catch(ignored)
      await pool.run(small('one'), { credential: 'c' })
      pool.run(large('two')).catch(ignored)
      await pool.run(small('two'), { credential: 'c' })
      // On a busy machine, a test may have just moved to another thread, for which it waits.
      for (let tries = 0; tries < 600 && pool.open !== 2; tries++) await sleep(50)
      assert.deepEqual([pool.open, pool.waiting], [2, 1])
    })
  })

  test('test threads have a lower scheduling priority than the main thread', {
    skip: process.platform !== 'linux',
  }, async () => {
    await withPool({}, async (pool) => {
      await pool.run(small('one'))
      const niceness = readdirSync('/proc/self/task').map((id) => nicenessOf(`/proc/self/task/${id}`))
      assert.ok(niceness.includes(Math.max(5, nicenessOf('/proc/self'))), `threads have ${niceness.join()}`)
    })
  })

  test("one organization queues fifty tests: another one's test is among the first to finish", async () => {
    await withPool({}, async (pool) => {
      const order: string[] = []
      const running = Array.from({ length: 50 }, () => pool.run(small('flood')).then(() => order.push('flood')))
      await pool.run(small('other')).then(() => order.push('other'))
      await Promise.all(running)
      assert.ok(order.indexOf('other') < 10, `answered after ${order.indexOf('other')} others`)
    })
  })

  test('one credential queues fifty tests: another one of the organization is among the first to finish', async () => {
    await withPool({}, async (pool) => {
      const order: string[] = []
      const flood = { credential: 'flood' }
      const running = Array.from({ length: 50 }, () => pool.run(small('o'), flood).then(() => order.push('flood')))
      await pool.run(small('o'), { credential: 'other' }).then(() => order.push('other'))
      await Promise.all(running)
      assert.ok(order.indexOf('other') < 10, `answered after ${order.indexOf('other')} others`)
    })
  })

  test('one organization computes on every thread: another one is still served', async () => {
    await withPool({}, async (pool) => {
      const controller = new AbortController()
      const stuck = Array.from({ length: 3 }, () => pool.run(endless('flood'), { signal: controller.signal }))
      const ended = Promise.allSettled(stuck)
      assert.ok('body' in (await pool.run(small('other'))))
      assert.equal(pool.open, 1)
      controller.abort(new Error('enough'))
      await ended
    })
  })

  test('one organization fills the threads with tests that wait for registries: another one is served', async () => {
    await withPool({}, async (pool) => {
      const controller = new AbortController()
      const waiting = Array.from({ length: 60 }, () => pool.run(asking('flood'), { signal: controller.signal }))
      const ended = Promise.allSettled(waiting)
      for (let times = 0; times < 5; times++) assert.ok('body' in (await pool.run(small('other'))))
      controller.abort(new Error('enough'))
      await ended
      assert.equal(pool.open, 0)
    })
  })

  test('an aborted computation ends with its thread, and its organization is served again', async () => {
    await withPool({}, async (pool) => {
      const controller = new AbortController()
      const endlessly = Array.from({ length: 8 }, () => pool.run(endless('o'), { signal: controller.signal }))
      // Another thread may serve the organization, but the useless computation must end.
      const ended = Promise.allSettled(endlessly)
      while (pool.open === 0) await sleep(10)
      controller.abort(new Error('gone'))
      for (const { status } of await ended) assert.equal(status, 'rejected')
      // A spare thread may stay.
      while (pool.threads > 1) await sleep(20)
      assert.ok('body' in (await pool.run(small('o'))))
    })
  })

  test('a full queue answers 503 with Retry-After, only to the organization that filled it', async () => {
    await withPool({ maxWaiting: 2 }, async (pool) => {
      const controller = new AbortController()
      const flood = (task: TestTask) => pool.run(task, { signal: controller.signal })
      const first = flood(endless('flood')).catch(() => {})
      while (pool.open === 0) await sleep(10)
      const accepted = Promise.allSettled([flood(small('flood')), flood(small('flood'))])
      const error = await flood(small('flood')).catch((reason: unknown) => reason)
      assert.ok(error instanceof Problem)
      assert.equal(error.status, 503)
      assert.match(error.message, /2 tests of this organization wait already/)
      assert.match(error.headers['retry-after'] ?? '', /^[1-9]\d?$/)
      assert.ok('body' in (await pool.run(small('other'))))
      controller.abort(new Error('enough'))
      await first
      await accepted
    })
  })

  test('a test that finds no free thread in time gets 503, not "too expensive"', async () => {
    await withPool({ waitSeconds: 1 }, async (pool) => {
      const controller = new AbortController()
      const computing = pool.run(endless('o'), { signal: controller.signal }).catch(() => {})
      const error = await pool.run(small('o')).catch((reason: unknown) => reason)
      assert.ok(error instanceof Problem)
      assert.equal(error.status, 503)
      assert.match(error.message, /No test thread was free for 1 s/)
      controller.abort(new Error('enough'))
      await computing
    })
  })
})
