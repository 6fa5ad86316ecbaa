import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { migrate } from '#foundation/db/migrate.ts'
import { migrations } from '#foundation/db/migrations/index.ts'
import { openDatabase } from '#foundation/db/open-database.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { createPostgresDatabase } from '#test/servers/postgres.ts'
import { type ServerProcess, startServer } from '#test/servers/server-process.ts'

const KEY = '0d6b7a1e-3b0c-4c55-9a54-0f5f6a3d1c27'

onEveryEngine('processes that start together on an empty database', (engine) => {
  const skip = engine === 'sqlite' && 'one process holds the data folder'

  test('concurrent migrations run each step once', { skip }, async () => {
    const postgres = await createPostgresDatabase()
    const settings = { url: postgres.url, dataDir: tmpdir(), maxConnections: 2, onError() {} }
    const databases = [1, 2, 3].map(() => openDatabase(settings))
    try {
      const steps = await Promise.all(databases.map((database) => migrate(database)))
      assert.deepEqual(steps.flat().sort(), migrations.map(({ name }) => name).sort())
    } finally {
      for (const database of databases) await database.close()
      await postgres.drop()
    }
  })

  test('concurrent first starts share one setup, and all processes serve it', { skip }, async () => {
    const postgres = await createPostgresDatabase()
    const folders = [1, 2, 3].map(() => mkdtempSync(join(tmpdir(), 'gatehouse-shared-')))
    let servers: ServerProcess[] = []
    try {
      servers = await Promise.all(
        folders.map((folder) =>
          startServer({
            GATEHOUSE_DATA_DIR: folder,
            GATEHOUSE_SECRET_KEY: 'b'.repeat(64),
            GATEHOUSE_ADMIN_API_KEY: KEY,
            GATEHOUSE_ADVISORIES_SYNC_MINUTES: '0',
            DATABASE_URL: postgres.url,
          }),
        ),
      )
      const seen = await Promise.all(
        servers.map(async ({ baseUrl }) => {
          const headers = { authorization: `token ${KEY}` }
          const answer = await fetch(`${baseUrl}/rest/orgs?version=2024-10-15`, { headers })
          assert.equal(answer.status, 200, await answer.clone().text())
          const { data } = JSON.parse(await answer.text())
          return data.map(({ id }: { id: string }) => id)
        }),
      )
      assert.equal(seen[0].length, 1)
      assert.deepEqual(seen, [seen[0], seen[0], seen[0]])
      assert.equal(servers.filter((server) => /first start/.test(server.printed())).length, 1)
      for (const server of servers) assert.equal(await server.end('SIGTERM'), 0)
    } finally {
      for (const server of servers) await server.end('SIGKILL')
      await postgres.drop()
      for (const folder of folders) rmSync(folder, { recursive: true })
    }
  })
})
