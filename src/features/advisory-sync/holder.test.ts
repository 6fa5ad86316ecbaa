import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { KyselyPlugin } from 'kysely'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import type { OsvRecord } from '#analysis/advisories/osv.ts'
import { migrate } from '#foundation/db/migrate.ts'
import { type Database, openDatabase } from '#foundation/db/open-database.ts'
import type { AdvisoryHolder } from '#scanning/advisories/advisory-holder.ts'
import { openSnapshotFile, writeSnapshotFile } from '#scanning/advisories/snapshot-file.ts'
import { SyncFailed } from '#scanning/advisories/sync-failed.ts'
import { toOsvRecord, writeOsvExport } from '#test/manifests/osv-export.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { createPostgresDatabase } from '#test/servers/postgres.ts'
import { startHolder } from './holder.ts'
import { advisoriesCheck, measureAdvisories } from './measurements.ts'
import { toStored } from './publish.ts'
import { beginSnapshot, insertPart, listReadySnapshots, markReady } from './store.ts'
import { runAdvisoriesSync, type SyncSettings } from './sync.ts'

onEveryEngine('advisory snapshots in use', (engine) => {
  let database: Database
  let root: string
  let drop: () => Promise<void>
  let clock = Date.parse('2027-01-01T00:00:00Z')
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const holders: AdvisoryHolder[] = []
  const tools = () => ({ db: database.db, log, now: () => clock })

  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'gatehouse-holder-'))
    const postgres = engine === 'postgres' ? await createPostgresDatabase() : undefined
    drop = async () => postgres?.drop()
    database = openDatabase({ url: postgres?.url, dataDir: root, maxConnections: 4, onError: () => {} })
    await migrate(database)
  })
  after(async () => {
    await database.close()
    await drop()
    rmSync(root, { recursive: true })
  })
  beforeEach(() => {
    clock += 3_600_000
    lines.length = 0
  })
  afterEach(async () => {
    for (const holder of holders.splice(0)) await holder.close()
    await database.db.deleteFrom('advisory_snapshots').execute()
  })

  async function start(dir = mkdtempSync(join(root, 'cache-')), pollSeconds = 3600): Promise<AdvisoryHolder> {
    const holder = await startHolder(tools(), { dir, pollSeconds })
    holders.push(holder)
    return holder
  }

  async function sync(records: readonly OsvRecord[], settings: Partial<SyncSettings> = {}) {
    const from = join(root, 'export')
    rmSync(from, { recursive: true, force: true })
    writeOsvExport(from, records)
    const dir = mkdtempSync(join(root, 'sync-'))
    return runAdvisoriesSync({ db: database.db, now: () => clock }, { from, dir, outgoing: { allow: [] }, ...settings })
  }

  const one = toOsvRecord('GHSA-1', 'npm', 'a')
  const two = toOsvRecord('GHSA-2', 'npm', 'a')
  const idsFor = (holder: AdvisoryHolder) => {
    const lease = holder.acquire()
    try {
      const { advisories } = lease
      return advisories.snapshot.affecting('npm', 'a', '0.1.0').map(({ record }) => advisories.readRecord(record).id)
    } finally {
      lease.release()
    }
  }

  test('a snapshot stored during a refresh is used after the next refresh', async () => {
    await sync([one])
    let gate: Promise<void> | undefined
    const { promise: hasRead, resolve: read } = Promise.withResolvers<void>()
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (gate) read()
        await gate
        return result
      },
    }
    const holder = await startHolder(
      { ...tools(), db: database.db.withPlugin(plugin) },
      { dir: mkdtempSync(join(root, 'cache-')), pollSeconds: 3600 },
    )
    holders.push(holder)
    const { promise, resolve: goOn } = Promise.withResolvers<void>()
    gate = promise
    const early = holder.refresh()
    await hasRead
    clock += 1000
    const { digest } = await sync([one, two])
    const late = holder.refresh()
    gate = undefined
    goOn()
    assert.deepEqual([await early, await late], [false, true])
    assert.equal(holder.current().header.digest, digest)
  })

  test('a first start without advisories uses the starter set; a second start shares it', async () => {
    const first = await start()
    const facts = first.facts()
    assert.ok(facts.isStarterSet && facts.records >= 100)
    assert.deepEqual(Object.keys(facts.registries).sort(), [
      'Go',
      'Maven',
      'NuGet',
      'Packagist',
      'PyPI',
      'RubyGems',
      'npm',
    ])
    assert.equal(facts.ageSeconds, Math.round((clock - facts.builtAt) / 1000))
    const lease = first.acquire()
    assert.ok(lease.advisories.snapshot.affecting('npm', 'lodash', '4.17.11').length >= 3)
    lease.release()
    const second = await start()
    assert.equal(second.facts().digest, facts.digest)
    assert.equal((await listReadySnapshots(database.db, 10)).length, 1)
  })

  test('several concurrent first starts share one starter set', async () => {
    const started = await Promise.all([start(), start(), start()])
    assert.equal(new Set(started.map((holder) => holder.facts().digest)).size, 1)
    assert.equal((await listReadySnapshots(database.db, 10)).length, 1)
  })

  test('a sync reaches every process through the database', async () => {
    const [here, there] = [await start(), await start()]
    const digests: string[] = []
    here.onChange(({ header }) => digests.push(header.digest))
    const result = await sync([one])
    assert.ok(result.outcome === 'new')
    assert.deepEqual([await here.refresh(), await there.refresh()], [true, true])
    assert.deepEqual([idsFor(here), idsFor(there)], [['GHSA-1'], ['GHSA-1']])
    assert.deepEqual(digests, [result.digest])
    assert.deepEqual([here.facts().isStarterSet, here.facts().records, here.facts().ageSeconds], [false, 1, 0])
    assert.equal(await here.refresh(), false)
    assert.equal((await start()).facts().digest, result.digest)
    assert.deepEqual(digests, [result.digest])
  })

  test('polling finds a new snapshot', async () => {
    const holder = await start(undefined, 0.02)
    await sync([one])
    for (let tries = 0; tries < 6000 && holder.facts().isStarterSet; tries++) await sleep(10)
    assert.deepEqual(idsFor(holder), ['GHSA-1'])
  })

  test('a snapshot is copied while it is being stored, so that nothing is left to fetch once it is ready', async () => {
    const folder = mkdtempSync(join(root, 'publish-'))
    const written = await writeSnapshotFile(folder, { builtAt: clock, source: 'test', isStarterSet: false }, (into) => {
      into.add(one)
      return []
    })
    const file = openSnapshotFile(written.path)
    const cache = mkdtempSync(join(root, 'cache-'))
    const holder = await start(cache)
    await beginSnapshot(database.db, toStored(file), clock)
    assert.equal(await holder.refresh(), false, 'it is not whole yet')
    await insertPart(database.db, written.digest, { n: 0, bytes: readFileSync(written.path) })
    const isCopied = () => readdirSync(cache).includes(`${written.digest}.snapshot`)
    for (let tries = 0; tries < 6000 && !isCopied(); tries++) await sleep(10)
    assert.ok(isCopied())
    await markReady(database.db, written.digest)
    await database.db.deleteFrom('advisory_snapshot_parts').execute()
    assert.equal(await holder.refresh(), true)
    assert.deepEqual(idsFor(holder), ['GHSA-1'])
  })

  test('a sync without changes resets the age of the advisories', async () => {
    await sync([one])
    const holder = await start()
    clock += 60_000
    const built = holder.facts().builtAt
    assert.equal(holder.facts().ageSeconds, 60)
    const result = await sync([one])
    assert.equal(result.outcome, 'unchanged')
    assert.equal(await holder.refresh(), false)
    assert.deepEqual([holder.facts().ageSeconds, holder.facts().builtAt], [0, built])
  })

  test('requests keep the snapshot they began with after a switch', async () => {
    await sync([one])
    const holder = await start()
    const lease = holder.acquire()
    for (const records of [[two], [one, two], [two]]) {
      clock += 1000
      await sync(records)
      assert.equal(await holder.refresh(), true)
    }
    assert.deepEqual(idsFor(holder), ['GHSA-2'])
    assert.equal(lease.advisories.readRecord(0).id, 'GHSA-1')
    lease.release()
    lease.release()
    assert.throws(() => lease.advisories.readRecord(0))
    assert.deepEqual(idsFor(holder), ['GHSA-2'])
  })

  test('a thread opens the same snapshot without copying its index', async () => {
    await sync([one])
    const holder = await start()
    const url = new URL('../../scanning/advisories/open-advisories.ts', import.meta.url).href
    const worker = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads')
       import(${JSON.stringify(url)}).then(({ openAdvisories }) => {
         const advisories = openAdvisories(workerData)
         const [match] = advisories.snapshot.affecting('npm', 'a', '0.1.0')
         parentPort.postMessage([advisories.describe(match, { registry: 'npm', name: 'a' }).id, workerData.index instanceof SharedArrayBuffer])
       })`,
      { eval: true, workerData: holder.current() },
    )
    const answer = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
    assert.deepEqual(answer, ['GHSA-1', true])
    await worker.terminate()
  })

  test('a broken snapshot is refused, the previous one stays, and a repaired one is used later', async () => {
    await sync([one])
    const holder = await start()
    clock += 1000
    const result = await sync([two])
    assert.ok(result.outcome === 'new')
    const parts = database.db.selectFrom('advisory_snapshot_parts').selectAll().where('digest', '=', result.digest)
    const { bytes } = await parts.executeTakeFirstOrThrow()
    const spoilt = Uint8Array.from(bytes)
    spoilt[10]! ^= 1
    await setPart(result.digest, spoilt)
    assert.equal(await holder.refresh(), false)
    assert.deepEqual(idsFor(holder), ['GHSA-1'])
    assert.equal(lines.filter((line) => line.includes('cannot be used')).length, 1)
    assert.equal(await holder.refresh(), false)
    assert.equal(lines.filter((line) => line.includes('cannot be used')).length, 1)
    await setPart(result.digest, bytes)
    clock += 6 * 60_000
    assert.equal(await holder.refresh(), true)
    assert.deepEqual(idsFor(holder), ['GHSA-2'])
  })

  test('a start with only a broken snapshot uses the starter set', async () => {
    const result = await sync([one])
    assert.ok(result.outcome === 'new')
    await setPart(result.digest, new Uint8Array(50))
    const holder = await start()
    assert.ok(holder.facts().isStarterSet)
    assert.ok(lines.some((line) => line.includes('cannot be used')))
  })

  test('a damaged cached file is replaced from the database', async () => {
    const result = await sync([one])
    assert.ok(result.outcome === 'new')
    const dir = mkdtempSync(join(root, 'cache-'))
    writeFileSync(join(dir, `${result.digest}.snapshot`), 'damaged')
    const holder = await start(dir)
    assert.deepEqual(idsFor(holder), ['GHSA-1'])
  })

  test('two snapshots are kept in the database and on disk; older files are removed', async () => {
    const dir = mkdtempSync(join(root, 'cache-'))
    const yesterday = new Date(clock - 2 * 24 * 3_600_000)
    for (const name of ['x.partial', 'unknown.snapshot', 'notes.txt']) {
      writeFileSync(join(dir, name), '')
      utimesSync(join(dir, name), yesterday, yesterday)
    }
    const holder = await start(dir)
    assert.deepEqual(
      ['x.partial', 'unknown.snapshot', 'notes.txt'].map((name) => existsSync(join(dir, name))),
      [false, false, true],
    )
    for (const records of [[one], [two], [one, two]]) {
      clock += 1000
      await sync(records)
      await holder.refresh()
    }
    const stored = await listReadySnapshots(database.db, 10)
    assert.deepEqual([stored.length, stored[0]?.records], [2, 2])
    const parts = await database.db.selectFrom('advisory_snapshot_parts').select('digest').distinct().execute()
    assert.deepEqual(parts.map(({ digest }) => digest).sort(), stored.map(({ digest }) => digest).sort())
    assert.equal(readdirSync(dir).filter((name) => name.endsWith('.snapshot')).length, 2)
  })

  test('a failed sync keeps the stored snapshots and leaves no partial file', async () => {
    await sync([one])
    const before = await listReadySnapshots(database.db, 10)
    const dir = mkdtempSync(join(root, 'sync-'))
    clock += 1000
    await assert.rejects(
      runAdvisoriesSync(
        { db: database.db, now: () => clock },
        { from: join(root, 'nowhere'), dir, outgoing: { allow: [] } },
      ),
      (error) => error instanceof SyncFailed && /does not exist/.test(error.message),
    )
    assert.deepEqual(await listReadySnapshots(database.db, 10), before)
    // The base snapshot may remain, but no partial file.
    assert.deepEqual(
      readdirSync(dir).filter((name) => !name.endsWith('.snapshot')),
      [],
    )
  })

  test('an aborted sync leaves no file and no snapshot', async () => {
    const stopping = new AbortController()
    const dir = mkdtempSync(join(root, 'sync-'))
    const syncing = sync([one], { dir, signal: stopping.signal, onProgress: () => stopping.abort() })
    await assert.rejects(syncing, /was stopped/)
    assert.deepEqual([readdirSync(dir), await listReadySnapshots(database.db, 10)], [[], []])
  })

  test('an unfinished snapshot is not used and is deleted later', async () => {
    await sync([one])
    await database.db.updateTable('advisory_snapshots').set({ ready: 0 }).execute()
    assert.deepEqual(await listReadySnapshots(database.db, 10), [])
    clock += 2 * 3_600_000
    await sync([two])
    const rows = await database.db.selectFrom('advisory_snapshots').select(['records', 'ready']).execute()
    assert.deepEqual(
      rows.map(({ records, ready }) => [records, ready]),
      [[1, 1]],
    )
  })

  test('metrics and readiness describe the snapshot in use', async () => {
    const holder = await start()
    const registry = new Registry()
    measureAdvisories(registry, holder)
    assert.match(await advisoriesCheck(holder).check(), /only the starter set/)
    await sync([one])
    await holder.refresh()
    clock += 5000
    const text = await registry.metrics()
    assert.match(text, /gatehouse_advisories_age_seconds 5/)
    assert.match(text, /gatehouse_advisories_records\{registry="npm"\} 1/)
    assert.match(
      text,
      new RegExp(`gatehouse_advisories_info\\{digest="${holder.facts().digest}",starter_set="false"\\} 1`),
    )
    assert.match(await advisoriesCheck(holder).check(), /^1 records, checked /)
  })

  async function setPart(digest: string, bytes: Uint8Array): Promise<void> {
    await database.db.updateTable('advisory_snapshot_parts').set({ bytes }).where('digest', '=', digest).execute()
  }
})
