import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gzipSync } from 'node:zlib'
import { migrations } from '#foundation/db/migrations/index.ts'
import { version } from '#foundation/product.ts'
import { storeSamples } from '#test/servers/sample-data.ts'
import { startServer } from '#test/servers/server-process.ts'
import { storagePlaces } from '#test/servers/storage-places.ts'

const KEY = '2d0c41e2-91f4-4d57-8a8b-0f6b8a6c2f10'

/** Tables that the next start fills again, and that would make the files large. */
const LEFT_OUT = ['advisory_snapshot_parts', 'advisory_snapshots', 'registry_cache']

/**
 * Writes `test/upgrades/VERSION`: what this version stores on both engines, for the test that later versions upgrade it.
 * Run it with each release: node tools/with-postgres.ts node tools/upgrade-fixtures.ts
 */
if (import.meta.main) await write()

async function write(): Promise<void> {
  const folder = new URL(`../test/upgrades/${version}/`, import.meta.url).pathname
  mkdirSync(folder, { recursive: true })
  await using places = storagePlaces()
  for (const engine of ['sqlite', 'postgres'] as const) {
    const { dataDir, environment } = await places.make(engine)
    const server = await startServer({ ...environment, GATEHOUSE_ADMIN_API_KEY: KEY })
    const samples = await storeSamples(server.baseUrl, KEY)
    await server.end('SIGTERM')
    const content = engine === 'sqlite' ? readEmbedded(dataDir) : readPostgres(environment['DATABASE_URL']!)
    writeFileSync(join(folder, `${engine}.gz`), gzipSync(content, { level: 9 }))
    copyFileSync(join(dataDir, 'secret.key'), join(folder, `${engine}.key`))
    const facts = { schema: migrations.at(-1)!.name, key: KEY, samples }
    writeFileSync(join(folder, `${engine}.json`), `${JSON.stringify(facts, undefined, 2)}\n`)
  }
}

function readEmbedded(dataDir: string): Buffer {
  const path = join(dataDir, 'gatehouse.sqlite')
  const database = new DatabaseSync(path)
  for (const table of LEFT_OUT) database.exec(`delete from ${table}`)
  database.exec('pragma journal_mode = delete; vacuum')
  database.close()
  return readFileSync(path)
}

/** Statements that any client can run. */
function readPostgres(url: string): Buffer {
  const left = LEFT_OUT.map((table) => `--exclude-table-data=${table}`)
  const dump = execFileSync('pg_dump', ['--inserts', '--no-owner', '--no-privileges', ...left, url], {
    encoding: 'utf8',
    maxBuffer: 100e6,
  })
  // Commands of psql, which later versions of pg_dump write.
  return Buffer.from(dump.replaceAll(/^\\(un)?restrict.*$/gm, ''))
}
