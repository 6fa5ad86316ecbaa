import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pino } from 'pino'
import type { NpmReader, VersionMetadata } from '#analysis/registries/npm.ts'
import { startHolder } from '#features/advisory-sync/holder.ts'
import { runAdvisoriesSync } from '#features/advisory-sync/sync.ts'
import { testThread } from '#features/package-tests/test-thread.ts'
import type { Database } from '#foundation/db/open-database.ts'
import { Problem } from '#foundation/problem.ts'
import type { AdvisoryHolder } from '#scanning/advisories/advisory-holder.ts'
import { toOsvRecord, writeOsvExport } from '#test/manifests/osv-export.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { freshDatabase } from '#test/servers/fresh-database.ts'
import { program } from '#test/servers/program.ts'
import type { SharedSnapshot } from '../advisories/snapshot-file.ts'
import type { TestTask } from '../reading/task.ts'
import type { TestAnswer } from '../results/answer.ts'
import { createTestPool, type PoolSettings } from './pool.ts'
import type { TestPool } from './test-pool.ts'

const org = { id: '8d0c2c55-0a5e-4c53-9d3c-1b8e2f3a4b5c', name: 'Org' }
const bounds: PoolSettings = {
  program: program.thread ?? testThread,
  threads: 1,
  timeoutSeconds: 60,
  waitSeconds: 60,
  maxWaiting: 100,
  memoryMb: 256,
  searchSeconds: 0,
  backgroundPercent: 50,
}

function toTask(target: unknown, lock?: unknown): TestTask {
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  const additional = lock === undefined ? [] : [text(lock)]
  const subject = { kind: 'files', target: text(target), additional, encoding: 'plain' } as const
  const choices = { acceptPartial: false, includeDev: false, repositories: [], licensePolicy: undefined }
  return { ecosystem: 'npm', subject, org, form: 'json', ...choices }
}

let made = 0
/** A project with one locked package, which the advisories know; no two are the same, as answers are kept. */
const small = () =>
  toTask(
    { name: `p${made++}`, dependencies: { a: '*' } },
    { lockfileVersion: 3, packages: { 'node_modules/a': { version: '0.1.0' } } },
  )
/** A project whose only dependency has to be looked up. */
const asking = (name: string) => toTask({ dependencies: { [name]: '*' } })

describe('the pool of test threads', () => {
  let database: Database & AsyncDisposable
  let root: string
  let snapshots: SharedSnapshot[]
  const holders: AdvisoryHolder[] = []
  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'gatehouse-pool-'))
    database = await freshDatabase('sqlite')
    snapshots = [await snapshotOf('GHSA-1', 'one'), await snapshotOf('GHSA-2', 'two')]
  })
  after(async () => {
    for (const holder of holders) await holder.close()
    await database[Symbol.asyncDispose]()
    rmSync(root, { recursive: true })
  })

  async function snapshotOf(id: string, name: string): Promise<SharedSnapshot> {
    const [from, dir] = [join(root, `export-${name}`), mkdtempSync(join(root, 'sync-'))]
    writeOsvExport(from, [toOsvRecord(id, 'npm', 'a')])
    const { db } = database
    await runAdvisoriesSync({ db, now: Date.now }, { from, dir, outgoing: { allow: [] } })
    const tools = { db, now: Date.now, log: pino({ level: 'silent' }) }
    const holder = await startHolder(tools, { dir: join(root, name), pollSeconds: 3600 })
    holders.push(holder)
    return holder.current()
  }

  async function withPool(settings: Partial<PoolSettings>, npm: NpmReader, work: (pool: TestPool) => Promise<void>) {
    const pool = createTestPool({ ...bounds, ...settings }, registriesOf({ npm }))
    pool.switchSnapshot(snapshots[0]!)
    try {
      await work(pool)
    } finally {
      await pool.close()
    }
  }

  test('warm() starts one thread and no more', async () => {
    await withPool({ threads: 4 }, silentRegistry, async (pool) => {
      assert.equal(pool.threads, 0)
      for (let times = 0; times < 3; times++) pool.warm()
      assert.equal(pool.threads, 1)
      assert.equal(idsIn(await pool.run(small())), 'GHSA-1')
      assert.equal(pool.threads, 1)
    })
  })

  test('waiting too long for registries fails with its own reason', async () => {
    // Long enough for a thread to start on a busy machine, as the same limit applies to waiting for one.
    await withPool({ timeoutSeconds: 600, waitSeconds: 8 }, silentRegistry, async (pool) => {
      const refusal = await refusalOf(pool.run(asking('b')))
      assert.match(refusal, /^registry-unreachable .*waited 8 s for package registries\. Send a lockfile/)
      await assertAnswers(pool)
      assert.equal(pool.open, 0)
    })
  })

  test('a thread that exceeds the test time is terminated, and the pool continues', async () => {
    const entries = Array.from({ length: 1_000_000 }, (_, index) => `"node_modules/p${index}":{"version":"1.0.0"}`)
    const endless = toTask('{"name":"p"}', `{"lockfileVersion":3,"packages":{${entries.join()}}}`)
    await withPool({ timeoutSeconds: 3, memoryMb: 1024 }, silentRegistry, async (pool) => {
      assert.match(await refusalOf(pool.run(endless)), /^test-too-expensive .*GATEHOUSE_TEST_SECONDS/)
      // A spare thread may stay.
      assert.ok(pool.threads <= 1)
      await assertAnswers(pool)
    })
  })

  test('a thread that runs out of memory fails its test; concurrent tests succeed', async () => {
    await withPool({ memoryMb: 64 }, endlessRegistry, async (pool) => {
      const patient = ['slow-1', 'slow-2', 'slow-3'].map((name) => pool.run(asking(name)))
      assert.match(await refusalOf(pool.run(asking('p0'))), /^test-too-expensive .*GATEHOUSE_TEST_MEMORY_MB/)
      for (const answer of await Promise.all(patient)) assert.equal(answer && 'problem' in answer, false)
      assert.equal(idsIn(await pool.run(small())), 'GHSA-1')
    })
  })

  const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  const unparsed: [what: string, target: string][] = [
    ['deeply nested lists', deep(1_400_000)],
    ['many objects', `{"a":[${'{},'.repeat(1_000_000)}0]}`],
    ['many names', `{"a":[${'{"16":0},'.repeat(300_000)}0]}`],
    ['many lines', '\n'.repeat(25_000_000)],
  ]
  for (const [what, target] of unparsed) {
    // In a too small thread, JSON.parse would end the process, not the thread.
    test(`input that might exceed the memory is refused without parsing: ${what}`, async () => {
      await withPool({ memoryMb: 64 }, silentRegistry, async (pool) => {
        const answer = await pool.run(toTask(target))
        assert.ok('problem' in answer)
        assert.equal(answer.problem.code, 'test-too-expensive')
        assert.match(answer.problem.faults[0]!.detail, /GATEHOUSE_TEST_MEMORY_MB/)
        assert.equal(idsIn(await pool.run(small())), 'GHSA-1')
      })
    })
  }

  test('switching advisories during a stream of tests loses none, and each test uses one snapshot', async () => {
    await withPool({ threads: 2 }, endlessRegistry, async (pool) => {
      const waiting = pool.run(asking('slow'))
      const seen: string[] = []
      for (let round = 0; round < 20; round++) {
        const running = Array.from({ length: 12 }, () => pool.run(small()))
        pool.switchSnapshot(snapshots[(round + 1) % 2]!)
        const later = await pool.run(small())
        assert.equal(idsIn(later), round % 2 === 0 ? 'GHSA-2' : 'GHSA-1')
        seen.push(...(await Promise.all(running)).map(idsIn))
      }
      assert.equal(seen.length, 240)
      assert.deepEqual([...new Set(seen)].sort(), ['GHSA-1', 'GHSA-2'])
      assert.ok('body' in (await waiting))
    })
  })

  test('a stalled registry costs a locked project its verified upgrades, not its result', async () => {
    await withPool({ searchSeconds: 0.2 }, silentRegistry, async (pool) => {
      const answer = await pool.run(small())
      assert.equal(idsIn(answer), 'GHSA-1')
      assert.match(textOf(answer), /judged by the files alone/)
    })
  })

  test('interactive tests run before background tests', async () => {
    await withPool({ threads: 1 }, silentRegistry, async (pool) => {
      const order: string[] = []
      const note = (name: string) => () => void order.push(name)
      const background = Array.from({ length: 30 }, (_, n) =>
        pool.run(small(), { urgency: 'background' }).then(note(`background ${n}`)),
      )
      const accepted = Array.from({ length: 3 }, (_, n) => pool.run(small()).then(note(`wanted ${n}`)))
      await Promise.all([...background, ...accepted])
      const last = Math.max(...[0, 1, 2].map((n) => order.indexOf(`wanted ${n}`)))
      // Background tests that began earlier may end earlier.
      assert.ok(last < 3 + 6 + 2, order.join())
    })
  })

  test('background tests leave threads to interactive ones', async () => {
    await withPool({ threads: 2, timeoutSeconds: 30, backgroundPercent: 50 }, silentRegistry, async (pool) => {
      const controller = new AbortController()
      const options = { urgency: 'background', signal: controller.signal } as const
      const stalled = Array.from({ length: 20 }, (_, n) => pool.run(asking(`b${n}`), options))
      const ended = Promise.allSettled(stalled)
      await pool.run(small(), { urgency: 'interactive' })
      // A spare thread may have started for the interactive test.
      assert.ok(pool.threads <= 3, `${pool.threads} threads`)
      assert.ok(pool.open <= 6, `${pool.open} have begun`)
      assert.equal(idsIn(await pool.run(small())), 'GHSA-1')
      controller.abort(new Error('no longer wanted'))
      for (const outcome of await ended) {
        assert.equal(outcome.status, 'rejected')
        assert.match(String((outcome as PromiseRejectedResult).reason), /no longer wanted/)
      }
      assert.equal(pool.open, 0)
      assert.equal(idsIn(await pool.run(small(), { urgency: 'background' })), 'GHSA-1')
    })
  })

  test('the timeout of a background test starts when it begins to run', async () => {
    await withPool({ threads: 1, waitSeconds: 1 }, silentRegistry, async (pool) => {
      const all = Array.from({ length: 13 }, (_, n) => pool.run(asking(`c${n}`), { urgency: 'background' }))
      const outcomes = await Promise.all(all.map((run) => refusalOf(run)))
      // The last one waited longer than a test may take, yet failed by its own timeout only.
      for (const outcome of outcomes) assert.match(outcome, /^registry-unreachable /)
    })
  })

  test('an aborted test does not start', async () => {
    await withPool({}, silentRegistry, async (pool) => {
      await assert.rejects(pool.run(small(), { signal: AbortSignal.abort(new Error('gone')) }), /gone/)
    })
  })

  test('a failing registry client fails only the test that used it', async () => {
    const reports: unknown[] = []
    const failure = new Error('the database went away')
    const failing: NpmReader = { get: () => Promise.reject(failure) }
    await withPool({ onError: (error) => reports.push(error) }, failing, async (pool) => {
      assert.match(await refusalOf(pool.run(asking('b'))), /^unavailable /)
      assert.ok(reports.length > 0 && reports.every((error) => error === failure))
      assert.equal(idsIn(await pool.run(small())), 'GHSA-1')
    })
  })

  test('a closed pool refuses pending and new tests as unavailable', async () => {
    const pool = createTestPool(bounds, registriesOf({ npm: silentRegistry }))
    pool.switchSnapshot(snapshots[0]!)
    const begun = Array.from({ length: 12 }, () => refusalOf(pool.run(asking('b'))))
    await pool.close()
    for (const refusal of [...(await Promise.all(begun)), await refusalOf(pool.run(small()))]) {
      assert.match(refusal, /^unavailable /)
    }
  })
})

const plain: VersionMetadata = {
  dependencies: {},
  optionalDependencies: {},
  peerDependencies: {},
  optionalPeers: [],
  deprecated: false,
}

const silentRegistry: NpmReader = { get: () => new Promise(() => {}) }

/** Every package requires the next, in a thousand long versions; those named slow respond late and require none. */
const endlessRegistry: NpmReader = {
  async get(name) {
    const next = Number(name.slice(1)) + 1
    const isSlow = name.startsWith('slow')
    if (isSlow) await new Promise((resolve) => setTimeout(resolve, 100))
    const dependencies: Record<string, string> = isSlow ? {} : { [`p${next}`]: '*' }
    const others = Array.from({ length: isSlow ? 0 : 1_000 }, (_, index) => `0.${index}.${next}-${'a'.repeat(4_000)}`)
    const versions = Object.fromEntries(
      [...others, '1.0.0'].map((version) => [version, { ...plain, dependencies: { ...dependencies } }]),
    )
    return { name, tags: { latest: '1.0.0' }, versions }
  },
}

/**
 * Asserts that the pool answers tests again. Retries, since a busy machine may take longer than a test's limit to start
 * a thread.
 */
async function assertAnswers(pool: TestPool): Promise<void> {
  let said = ''
  for (let tries = 0; tries < 30 && said !== 'answered'; tries++) said = await refusalOf(pool.run(small()))
  assert.equal(said, 'answered')
}

async function refusalOf(running: Promise<TestAnswer>): Promise<string> {
  try {
    const answer = await running
    return 'problem' in answer ? `${answer.problem.code} ${answer.problem.faults[0]?.detail}` : 'answered'
  } catch (error) {
    assert.ok(error instanceof Problem, String(error))
    return `${error.code} ${error.message}`
  }
}

function textOf(answer: TestAnswer): string {
  return 'body' in answer ? new TextDecoder().decode(answer.body) : ''
}

function idsIn(answer: TestAnswer): string {
  assert.ok('body' in answer, JSON.stringify(answer))
  const { issues } = JSON.parse(new TextDecoder().decode(answer.body)) as {
    issues: { vulnerabilities: { id: string }[] }
  }
  return issues.vulnerabilities.map(({ id }) => id).join()
}
