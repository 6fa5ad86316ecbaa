import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { migrate } from '#foundation/db/migrate.ts'
import { openDatabase } from '#foundation/db/open-database.ts'
import { bareRepository } from '#test/repositories/git-repository.ts'
import { npmProject } from '#test/repositories/imports.ts'
import { onPostgres } from '#test/servers/engines.ts'
import { freshDatabase } from '#test/servers/fresh-database.ts'
import { lacksPgbouncer, startPgbouncer } from '#test/servers/pgbouncer.ts'
import { createPostgresDatabase } from '#test/servers/postgres.ts'
import { type ServerProcess, startServer } from '#test/servers/server-process.ts'

const KEY = '0d6b7a1e-3b0c-4c55-9a54-0f5f6a3d1c27'
const VERSION = 'version=2024-10-15'
const MANIFESTS = 30
const AT_ONCE = 60

onPostgres('PgBouncer in transaction mode', () => {
  test('without a pooler, connections prepare their statements', async () => {
    await using database = await freshDatabase('postgres')
    const count = () =>
      sql<{ prepared: number }>`
        select count(*) as prepared from pg_prepared_statements where name <> ${''}`.execute(database.db)
    await count()
    const { rows } = await count()
    assert.ok(rows[0]!.prepared > 0)
  })

  test('processes that start together behind PgBouncer migrate one after the other', {
    skip: lacksPgbouncer,
  }, async () => {
    const postgres = await createPostgresDatabase()
    const bouncer = await startPgbouncer(postgres.url, 3)
    const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-pgbouncer-data-'))
    const databases = Array.from({ length: 6 }, () =>
      openDatabase({ url: bouncer.url, dataDir, maxConnections: 2, onError: () => {} }),
    )
    try {
      const ran = await Promise.all(databases.map((database) => migrate(database)))
      assert.equal(ran.filter((steps) => steps.length > 0).length, 1)
      // Other tests migrate databases of the same server at the same time.
      const { rows } = await sql`select 1 from pg_locks join pg_database on pg_database.oid = database
        where locktype = 'advisory' and datname = current_database()`.execute(databases[0]!.db)
      assert.deepEqual(rows, [])
    } finally {
      for (const database of databases) await database.close()
      await bouncer[Symbol.asyncDispose]()
      await postgres.drop()
      rmSync(dataDir, { recursive: true })
    }
  })

  test('two processes start, serve and import through three connections of PgBouncer', {
    skip: lacksPgbouncer,
  }, async () => {
    const postgres = await createPostgresDatabase()
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-pgbouncer-data-'))
    const servers: ServerProcess[] = []
    const bouncer = await startPgbouncer(postgres.url, 3)
    using repository = bareRepository()
    repository.commit(Array.from({ length: MANIFESTS }, (_, n) => npmProject(`p${n}`, `package-${n}`, '1.0.0')).flat())
    try {
      const started = ['a', 'b'].map((name) =>
        startServer({
          DATABASE_URL: bouncer.url,
          GATEHOUSE_DATABASE_LISTEN_URL: postgres.url,
          GATEHOUSE_DATA_DIR: join(folder, name),
          GATEHOUSE_SECRET_KEY: 'b'.repeat(64),
          GATEHOUSE_ADMIN_API_KEY: KEY,
          GATEHOUSE_LOCAL_REPOSITORIES: tmpdir(),
        }),
      )
      servers.push(...(await Promise.all(started)))
      const orgs = await read(servers[0]!, `/rest/orgs?${VERSION}`)
      const orgId = orgs.data[0]!.id
      const lists = ['projects', 'service_accounts', 'imports', 'integrations']
      const paths = lists.map((list) => `/rest/orgs/${orgId}/${list}?${VERSION}`)
      const all = Array.from({ length: AT_ONCE }, (_, n) => read(servers[n % 2]!, paths[n % paths.length]!))
      for (const { data } of await Promise.all(all)) assert.ok(Array.isArray(data))
      const integration = await send(servers[1]!, `/rest/orgs/${orgId}/integrations?${VERSION}`, {
        data: { type: 'integration', attributes: { kind: 'local', name: 'local' } },
      })
      const importPath = `/v1/org/${orgId}/integrations/${integration.data.id}/import`
      await send(servers[1]!, importPath, { target: { path: repository.path } })
      await waitForImport(servers[0]!, `/rest/orgs/${orgId}/imports?${VERSION}`)
      const { data } = await read(servers[0]!, `/rest/orgs/${orgId}/projects?${VERSION}&limit=100`)
      assert.equal(data.length, MANIFESTS)
      for (const server of servers) {
        assert.equal(await server.end('SIGTERM'), 0)
        // A clone without a built console logs this.
        const lines = server
          .logged()
          .split('\n')
          .filter((line) => !line.includes('web/dist'))
        const complaints = lines.filter((line) => /"level":(40|50|60)/.test(line))
        assert.deepEqual(complaints, [])
      }
    } finally {
      for (const server of servers) await server.end('SIGKILL')
      await bouncer[Symbol.asyncDispose]()
      await postgres.drop()
      rmSync(folder, { recursive: true })
    }
  })
})

interface Listed {
  readonly data: readonly { readonly id: string; readonly attributes: { readonly state?: string } }[]
}

async function read({ baseUrl }: ServerProcess, path: string): Promise<Listed> {
  const answer = await fetch(`${baseUrl}${path}`, { headers: { authorization: `token ${KEY}` } })
  const text = await answer.text()
  assert.equal(answer.status, 200, `${path}: ${text}`)
  return JSON.parse(text)
}

async function send({ baseUrl }: ServerProcess, path: string, body: object): Promise<{ data: { id: string } }> {
  const type = path.startsWith('/rest') ? 'application/vnd.api+json' : 'application/json'
  const headers = { authorization: `token ${KEY}`, 'content-type': type }
  const answer = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await answer.text()
  assert.equal(answer.status, 201, `${path}: ${text}`)
  return JSON.parse(text || '{}')
}

async function waitForImport(server: ServerProcess, path: string): Promise<void> {
  for (;;) {
    const { data } = await read(server, path)
    const states = data.map(({ attributes }) => attributes.state)
    if (!states.includes('pending')) return assert.deepEqual(states, ['complete'])
    await sleep(50)
  }
}
