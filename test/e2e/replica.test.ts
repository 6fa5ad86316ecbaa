import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { prepareData } from '#features/setup/first-start.ts'
import { readConfig } from '#foundation/config.ts'
import { findPrimary } from '#foundation/db/hosts/find-primary.ts'
import { migrate } from '#foundation/db/migrate.ts'
import { type Database, openDatabase } from '#foundation/db/open-database.ts'
import type { Server } from '#foundation/http/server.ts'
import { onPostgres } from '#test/servers/engines.ts'
import { freePort } from '#test/servers/free-port.ts'
import {
  lacksPostgresPrograms,
  type ReplicatedPostgres,
  startReplicatedPostgres,
} from '#test/servers/replicated-postgres.ts'
import { ADMINISTRATOR } from '#test/servers/templates.ts'
import { createApp } from '../../src/app.ts'
import { checkStorage } from '../../src/commands/doctor/check-storage.ts'
import { createServices } from '../../src/composition/create-services.ts'
import { closeParts, createParts } from '../../src/composition/parts.ts'

const VERSION = 'version=2024-10-15'
const CALLERS = 8
const ROUNDS = 6
/** Tables that only checks of credentials and permissions read. */
const SECRET_TABLES = /credentials|access_tokens|memberships|user_sessions|app_sessions|signing_keys|secret_keys|oauth_/

onPostgres('a read replica', () => {
  if (lacksPostgresPrograms) {
    test('a standby follows a primary', { skip: lacksPostgresPrograms })
    return
  }
  let servers: ReplicatedPostgres
  let processes: Awaited<ReturnType<typeof startProcess>>[]
  let several: Database
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-replica-'))

  /** The standby comes first, so it has to be refused until it is promoted. */
  function severalHosts(): string {
    const { primary, standby } = servers
    return `postgres://gatehouse@127.0.0.1:${standby.port},127.0.0.1:${primary.port}/postgres?target_session_attrs=primary`
  }

  /** Returns the port of the server that answers a process with several hosts. */
  async function portOfSeveral(): Promise<number> {
    const { rows } = await sql<{ port: string }>`select current_setting('port') as port`.execute(several.db)
    return Number(rows[0]!.port)
  }

  before(async () => {
    servers = await startReplicatedPostgres({ standby: { log_statement: 'all' } })
    const addresses = { primary: servers.primary.url, replica: servers.standby.url }
    processes = [await startProcess(dataDir, addresses), await startProcess(dataDir, addresses)]
    several = openDatabase({ url: severalHosts(), dataDir, maxConnections: 4, onError: () => {} })
  })

  after(async () => {
    await several.close()
    for (const { close } of processes) await close()
    servers[Symbol.dispose]()
    rmSync(dataDir, { recursive: true })
  })

  /** Creates an app through one process and returns the search for it, through the other one, right after the answer. */
  async function writeAndRead(name: string): Promise<{ status: number; count: number }> {
    const [writer, reader] = processes
    const created = await writer!.call('POST', `/rest/orgs/${writer!.orgId}/apps`, {
      data: { type: 'app', attributes: { name, redirect_uris: ['https://app.example/'], scopes: ['org.read'] } },
    })
    assert.equal(created.statusCode, 201, created.body)
    const answer = await reader!.call('GET', `/rest/orgs/${writer!.orgId}/search?kinds=app&query=${name}`)
    return { status: answer.statusCode, count: answer.json().data?.length }
  }

  /** Reads through one process until its reads use the replica, or no longer do. */
  async function readUntil(isUsed: boolean): Promise<void> {
    const { database, call, orgId } = processes[1]!
    for (let n = 0; database.replica!.isUsed() !== isUsed; n++) {
      assert.ok(n < 500, `the replica is ${isUsed ? 'not used' : 'still used'}`)
      const { statusCode } = await call('GET', `/rest/orgs/${orgId}/search?query=none${n}`)
      assert.equal(statusCode, 200)
      await sleep(20)
    }
  }

  /** Examines the replica as the doctor does, until it finds a text: a busy replica may be behind for a moment. */
  async function examineUntil(expected: RegExp, replicaUrl = servers.standby.url): Promise<void> {
    const config = readConfig({
      GATEHOUSE_DATA_DIR: dataDir,
      GATEHOUSE_SECRET_KEY: 'a'.repeat(64),
      DATABASE_URL: servers.primary.url,
      GATEHOUSE_DATABASE_REPLICA_URL: replicaUrl,
    })
    for (let n = 0; ; n++) {
      const findings = await checkStorage(config, true)
      const finding = findings.find(({ check }) => check === 'read replica')
      const text = `${finding?.status}: ${finding?.text}`
      if (expected.test(text)) return
      assert.ok(n < 100, text)
      await sleep(50)
    }
  }

  test('a replica serves lists and searches, and no statement about credentials or permissions', async () => {
    const { call, orgId, totals } = processes[0]!
    const paths = ['projects', 'targets', 'issues', 'issue_groups', 'trends', 'search?query=x']
    for (const path of paths) {
      const { statusCode, body } = await call('GET', `/rest/orgs/${orgId}/${path}`)
      assert.equal(statusCode, 200, body)
    }
    for (const path of ['dependencies', 'licenses', 'projects']) {
      const { statusCode, body } = await call('POST', `/v1/org/${orgId}/${path}`, {})
      assert.equal(statusCode, 200, body)
    }
    assert.ok(totals().get('replica')! > 8, JSON.stringify([...totals()]))
    const statements = servers.standby.log()
    for (const table of ['projects', 'targets', 'issue_groups', 'org_trends', 'service_accounts']) {
      assert.ok(new RegExp(`from "?${table}`).test(statements), `${table} was not read from the replica`)
    }
    // A search for members reads their memberships, which is no check.
    const others = statements.split('\n').filter((line) => !/"u"\."email"/.test(line))
    assert.deepEqual(
      others.filter((line) => SECRET_TABLES.test(line)),
      [],
    )
  })

  test('a replica never hides a write from a caller, even from another process while replay pauses', async () => {
    const control = new pg.Client({ connectionString: servers.standby.url })
    await control.connect()
    const before = new Map(processes[1]!.totals())
    const rounds = async (caller: number) => {
      for (let round = 0; round < ROUNDS; round++) {
        if (caller === 0) {
          const isPause = round % 2 === 0
          await control.query(isPause ? 'select pg_wal_replay_pause()' : 'select pg_wal_replay_resume()')
        }
        assert.deepEqual(await writeAndRead(`app-${caller}-${round}`), { status: 200, count: 1 })
      }
    }
    await Promise.all(Array.from({ length: CALLERS }, (_, caller) => rounds(caller)))
    await control.query('select pg_wal_replay_pause()')
    assert.deepEqual(await writeAndRead('while-paused'), { status: 200, count: 1 })
    await control.query('select pg_wal_replay_resume()')
    await control.end()
    const totals = processes[1]!.totals()
    assert.ok(totals.get('behind')! > (before.get('behind') ?? 0), 'the paused replica was not noticed')
    await readUntil(true)
    assert.match(processes[1]!.log(), /"reason":"behind".*is not used/)
  })

  test('a crashed replica is skipped without an error and used again once it is back', async () => {
    const { call, orgId, totals, log, metrics } = processes[1]!
    const reads = Array.from({ length: 40 }, async (_, n) => {
      if (n === 20) servers.standby.stop('immediate')
      return (await call('GET', `/rest/orgs/${orgId}/search?query=crash${n}`)).statusCode
    })
    assert.deepEqual(new Set(await Promise.all(reads)), new Set([200]))
    await readUntil(false)
    assert.ok(totals().get('unreachable')! > 0)
    assert.match(log(), /"reason":"unreachable".*is not used/)
    assert.match(await metrics(), /gatehouse_replica_used 0\n/)
    assert.match(await metrics(), /gatehouse_replica_reads_total\{server="primary",reason="unreachable"\} \d/)
    servers.standby.start()
    await readUntil(true)
    assert.match(log(), /serves reads again/)
    assert.match(await metrics(), /gatehouse_replica_used 1\n/)
  })

  test('doctor examines the replica', async () => {
    await examineUntil(/^ok: .* has replayed all writes/)
    await examineUntil(/^warning: .*does not follow DATABASE_URL/, servers.primary.url)
    const other = new URL(servers.standby.url)
    other.pathname = '/template1'
    await examineUntil(/^warning: .*refuses to read projects .*Correct the database/, other.href)
    const nowhere = new URL(servers.standby.url)
    nowhere.port = String(await freePort())
    nowhere.password = 'replica-password-0001'
    await examineUntil(/^warning: .*cannot be reached(?!.*replica-password)/, nowhere.href)
    const control = new pg.Client({ connectionString: servers.standby.url })
    await control.connect()
    await control.query('select pg_wal_replay_pause()')
    assert.deepEqual(await writeAndRead('while-examined'), { status: 200, count: 1 })
    await examineUntil(/^warning: .*has not replayed/)
    await control.query('select pg_wal_replay_resume()')
    await control.end()
    await examineUntil(/^ok: /)
    await readUntil(true)
  })

  test('a statement canceled by the replica runs on the primary; writes are refused on the replica', async () => {
    const { database, totals } = processes[0]!
    // Only the replica refuses: the statement writes.
    const next = sql<{ next: number }>`select nextval(pg_get_serial_sequence('packages', 'number')) as next`
    const { rows } = await next.execute(database.reads)
    assert.ok(rows[0]!.next > 0)
    assert.equal(totals().get('failed'), 1)
    assert.ok(database.replica!.isUsed())
    await assert.rejects(
      database.reads.transaction().execute(async () => {}),
      /primary/,
    )
    await assert.rejects(database.reads.deleteFrom('jobs').execute(), /is not a read/)
  })

  test("a promoted replica is no longer used, as its changes are not the primary's", async () => {
    assert.deepEqual(await Promise.all(Array.from({ length: 6 }, portOfSeveral)), Array(6).fill(servers.primary.port))
    servers.standby.promote()
    await readUntil(false)
    assert.ok(processes[1]!.totals().get('not_a_replica')! > 0)
    assert.deepEqual(await writeAndRead('after-promotion'), { status: 200, count: 1 })
  })

  test('a promoted replica becomes the primary for a process that knows both hosts', async () => {
    assert.equal(await portOfSeveral(), servers.primary.port)
    servers.primary.stop('immediate')
    // Connections to the old primary break first.
    const ports = await Promise.all(Array.from({ length: 6 }, () => portOfSeveral().catch(() => servers.standby.port)))
    assert.deepEqual([...ports, await portOfSeveral()], Array(7).fill(servers.standby.port))
    assert.equal(new URL(await findPrimary(severalHosts())).port, String(servers.standby.port))
    // The processes of this test store times of use when they close.
    servers.primary.start()
  })
})

/** A server without a process of its own; it shares nothing but the database with others. */
async function startProcess(dataDir: string, { primary, replica }: { primary: string; replica: string }) {
  const database = openDatabase({ url: primary, replicaUrl: replica, dataDir, maxConnections: 4, onError: () => {} })
  await migrate(database)
  const environment = { ...ADMINISTRATOR, GATEHOUSE_METRICS_TOKEN: 'metrics-token-of-this-test-0001' }
  const config = readConfig({ GATEHOUSE_DATA_DIR: dataDir, ...environment })
  const lines: string[] = []
  const core = createServices(config, database, pino({}, { write: (line: string) => void lines.push(line) }))
  const parts = await createParts(core)
  await prepareData(core.services)
  const server: Server = await createApp(parts)
  await server.ready()
  const { id: orgId } = await database.db.selectFrom('orgs').select('id').executeTakeFirstOrThrow()
  return {
    database,
    orgId,
    totals: () => database.replica!.totals(),
    log: () => lines.join(''),
    metrics: () => parts.metrics.registry.metrics(),
    call(method: 'GET' | 'POST', path: string, payload?: object) {
      const isRest = path.startsWith('/rest')
      const url = isRest ? `${path}${path.includes('?') ? '&' : '?'}${VERSION}` : path
      const authorization = `token ${ADMINISTRATOR.GATEHOUSE_ADMIN_API_KEY}`
      const type = payload && { 'content-type': isRest ? 'application/vnd.api+json' : 'application/json' }
      return server.inject({ method, url, headers: { authorization, ...type }, ...(payload && { payload }) })
    },
    async close() {
      await server.close()
      await closeParts(parts)
      await database.close()
    },
  }
}
