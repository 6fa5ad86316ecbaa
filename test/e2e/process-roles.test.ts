import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { insertIntegration } from '#features/integrations/store.ts'
import { type Database, openDatabase } from '#foundation/db/database.ts'
import { bareRepository } from '#test/repositories/git-repository.ts'
import { npmProject } from '#test/repositories/imports.ts'
import { onPostgres } from '#test/servers/engines.ts'
import { copyPreparedData, type PreparedData } from '#test/servers/prepared-data.ts'
import { type ServerProcess, startServer } from '#test/servers/server-process.ts'
import { ADMINISTRATOR } from '#test/servers/templates.ts'

/** Longer than a worker waits between two looks for jobs. */
const SEVERAL_POLLS_MS = 2500

onPostgres('processes of one role', (engine) => {
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

  test('the server takes no job; the worker does them and answers only health and metrics', async () => {
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
})
