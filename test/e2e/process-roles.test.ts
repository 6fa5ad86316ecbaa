import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { insertIntegration } from '#features/integrations/store.ts'
import { type Database, openDatabase } from '#foundation/db/open-database.ts'
import { bareRepository } from '#test/repositories/git-repository.ts'
import { npmProject } from '#test/repositories/imports.ts'
import { onPostgres } from '#test/servers/engines.ts'
import { copyPreparedData, type PreparedData } from '#test/servers/prepared-data.ts'
import { type ServerProcess, startServer } from '#test/servers/server-process.ts'
import { ADMINISTRATOR } from '#test/servers/templates.ts'

/** Longer than a worker's poll interval. */
const SEVERAL_POLLS_MS = 2500
/** Many more than a worker's first claim. */
const MANIFESTS = 200
/** Until then no other process leads the import of one that died. */
const LEASE_SECONDS = 5

onPostgres('processes with a role', (engine) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-roles-'))
  const started: ServerProcess[] = []
  let prepared: PreparedData
  let database: Database
  let orgId: string
  let integrationId: string

  before(async () => {
    prepared = await copyPreparedData(engine)
    database = openDatabase({ url: prepared.databaseUrl!, dataDir: folder, maxConnections: 2, onError() {} })
    orgId = (await database.db.selectFrom('orgs').select('id').executeTakeFirstOrThrow()).id
    integrationId = randomUUID()
    const plain = { baseUrl: null, settings: {}, sealedCredentials: null, createdAt: 1, updatedAt: 1 }
    await insertIntegration(database.db, { id: integrationId, orgId, kind: 'local', name: 'local', ...plain }, '/name')
  })
  after(async () => {
    for (const server of started) await server.end('SIGKILL')
    await database.close()
    await prepared.drop()
    rmSync(folder, { recursive: true })
  })

  async function start(role: 'serve' | 'work', environment: Record<string, string> = {}): Promise<ServerProcess> {
    const dataDir = join(folder, randomUUID())
    cpSync(prepared.dataDir, dataDir, { recursive: true })
    const server = await startServer({
      DATABASE_URL: prepared.databaseUrl!,
      GATEHOUSE_DATA_DIR: dataDir,
      GATEHOUSE_LOCAL_REPOSITORIES: tmpdir(),
      GATEHOUSE_ROLE: role,
      ...environment,
    })
    started.push(server)
    return server
  }

  function call({ baseUrl }: ServerProcess, path: string, body?: object): Promise<Response> {
    return fetch(`${baseUrl}${path}`, {
      headers: {
        authorization: `token ${ADMINISTRATOR.GATEHOUSE_ADMIN_API_KEY}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
  }

  async function requestImport(server: ServerProcess, path: string): Promise<string> {
    const at = `/v1/org/${orgId}/integrations/${integrationId}/import`
    const answer = await call(server, at, { target: { path } })
    assert.equal(answer.status, 201, await answer.text())
    return answer.headers.get('location')!.split('/').at(-1)!
  }

  async function waitForEnd(importId: string) {
    for (;;) {
      const row = await database.db
        .selectFrom('imports')
        .select(['state', 'message'])
        .where('id', '=', importId)
        .executeTakeFirstOrThrow()
      if (row.state !== 'pending') return row
      await sleep(50)
    }
  }

  test('role "serve" runs no jobs; role "work" runs them and answers only health checks and metrics', async () => {
    using repository = bareRepository()
    repository.commit(npmProject('app'))
    const server = await start('serve')
    const importId = await requestImport(server, repository.path)
    await sleep(SEVERAL_POLLS_MS)
    const jobs = await database.db.selectFrom('jobs').select(['kind', 'state', 'attempts']).execute()
    assert.deepEqual(
      jobs.filter(({ attempts }) => attempts > 0),
      [],
    )
    assert.deepEqual(
      jobs.filter(({ kind }) => kind === 'import'),
      [{ kind: 'import', state: 'waiting', attempts: 0 }],
    )
    const worker = await start('work')
    assert.deepEqual(await waitForEnd(importId), { state: 'complete', message: null })
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      assert.equal((await call(worker, path)).status, 200, path)
      assert.equal((await call(server, path)).status, 200, path)
    }
    for (const path of ['/', '/docs', `/rest/orgs?version=2024-10-15`, '/v1/user/me', '/oauth2/token']) {
      assert.equal((await call(worker, path)).status, 404, path)
    }
    assert.match(worker.printed(), /role {15}work/)
    assert.equal(await worker.end('SIGTERM'), 0)
    assert.equal(await server.end('SIGTERM'), 0)
  })
  test('two workers share an import; after kill -9 of its leader nothing is duplicated or lost', async () => {
    using repository = bareRepository()
    const folders = Array.from({ length: MANIFESTS }, (_, n) => `p${n}`)
    repository.commit(folders.flatMap((name, n) => npmProject(name, `package-${n}`, `1.${n}.0`)))
    const lease = { GATEHOUSE_JOB_LEASE_SECONDS: String(LEASE_SECONDS) }
    const [lead, server] = await Promise.all([start('work', lease), start('serve', lease)])
    const { importId, helper } = await database.db.transaction().execute(async (tx) => {
      // Meanwhile no worker can store a test, so that each keeps its first claim.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
      await sql`lock table project_tests in exclusive mode`.execute(tx)
      const importId = await requestImport(server, repository.path)
      await waitFor(async () => (await listClaims(importId)).workers.size === 1)
      const helper = await start('work', lease)
      await waitFor(async () => (await listClaims(importId)).workers.size === 2)
      await lead.end('SIGKILL')
      return { importId, helper }
    })
    assert.deepEqual(await waitForEnd(importId), { state: 'complete', message: null })
    const { rows } = await listClaims(importId)
    assert.equal(rows.length, MANIFESTS)
    assert.ok(rows.every(({ state }) => state === 'done'))
    const tests = await database.db
      .selectFrom('project_tests')
      .innerJoin('projects', 'projects.number', 'project_tests.project_number')
      .select(['projects.id', 'projects.target_file'])
      .where(
        'projects.id',
        'in',
        rows.map(({ project_id }) => project_id!),
      )
      .execute()
    assert.deepEqual(
      tests.map(({ target_file }) => target_file).sort(),
      folders.map((name) => `${name}/package.json`).sort(),
    )
    assert.deepEqual(await database.db.selectFrom('import_workers').selectAll().execute(), [])
    assert.equal(await helper.end('SIGTERM'), 0)
  })

  async function listClaims(importId: string) {
    const rows = await database.db
      .selectFrom('import_manifests')
      .select(['path', 'state', 'project_id', 'claimed_by'])
      .where('import_id', '=', importId)
      .execute()
    return { rows, workers: new Set(rows.flatMap(({ claimed_by }) => claimed_by ?? [])) }
  }

  async function waitFor(isThere: () => Promise<boolean>): Promise<void> {
    while (!(await isThere())) await sleep(5)
  }
})
