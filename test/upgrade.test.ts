import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { onEveryEngine } from '#test/servers/engines.ts'
import { checkSamples, type Samples } from '#test/servers/sample-data.ts'
import { startServer } from '#test/servers/server-process.ts'
import { type StoragePlace, storagePlaces } from '#test/servers/storage-places.ts'

const fixtures = new URL('./upgrades/', import.meta.url)

onEveryEngine('upgrades from earlier versions', (engine) => {
  for (const version of readdirSync(fixtures)) {
    test(`a server started on data of version ${version} has its credentials, projects and webhooks`, async () => {
      const read = (name: string) => readFileSync(new URL(`${version}/${engine}.${name}`, fixtures))
      const { key, samples } = JSON.parse(read('json').toString()) as { key: string; samples: Samples }
      await using places = storagePlaces()
      const place = await places.make(engine)
      mkdirSync(place.dataDir, { mode: 0o700 })
      writeFileSync(join(place.dataDir, 'secret.key'), read('key'), { mode: 0o600 })
      await fill(place, gunzipSync(read('gz')))
      const server = await startServer(place.environment)
      try {
        await checkSamples(server.baseUrl, key, samples)
      } finally {
        await server.end('SIGTERM')
      }
    })
  }
})

async function fill({ dataDir, environment }: StoragePlace, content: Buffer): Promise<void> {
  const url = environment['DATABASE_URL']
  if (url === undefined) return writeFileSync(join(dataDir, 'gatehouse.sqlite'), content)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(content.toString())
  } finally {
    await client.end()
  }
}
