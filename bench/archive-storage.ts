/**
 * Measures sending and importing one archive, and reading one entry of the size of a registry's answer, from the
 * database and from an object store on this machine, in turn. Needs `npm run install:versitygw`:
 *
 *     node tools/with-postgres.ts node bench/archive-storage.ts [--rounds 7] [--megabytes 64]
 */
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { getIntegration } from '#features/integrations/store.ts'
import { readAll } from '#test/repositories/git-reader.ts'
import { toTar } from '#test/repositories/tar.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { startObjectStore } from '#test/servers/object-store.ts'
import { availableEngines } from '#test/servers/postgres.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, megabytes: { type: 'string', default: '64' } },
})
const rounds = Number(values.rounds)
const archive = toTar([
  { name: 'pom.xml', content: '<project/>' },
  { name: 'noise', content: randomBytes(Number(values.megabytes) * 1024 * 1024) },
])
/** As large as the answers of a registry for most packages. */
const ENTRY = randomBytes(20_000)
const ENTRIES = 200

type Sample = { readonly ms: number; readonly cpuMs: number }
const samples = new Map<string, Sample[]>()

async function measure(name: string, work: () => Promise<unknown>): Promise<void> {
  const [from, cpu] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(cpu)
  const sample = { ms: performance.now() - from, cpuMs: (user + system) / 1000 }
  samples.set(name, [...(samples.get(name) ?? []), sample])
}

function median(numbers: number[]): string {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!.toFixed(1)
}

async function addIntegration(app: TestApp): Promise<string> {
  const body = { data: { type: 'integration', attributes: { kind: 'archive', name: 'archives' } } }
  return (await app.call('POST', `/rest/orgs/${app.orgId}/integrations`, { body })).json().data.id
}

async function send(app: TestApp, integrationId: string): Promise<void> {
  const path = `/rest/orgs/${app.orgId}/integrations/${integrationId}/archives`
  const answer = await app.server.inject({
    method: 'POST',
    url: `${path}?version=2024-10-15&name=large`,
    headers: { authorization: `token ${app.adminKey}`, 'content-type': 'application/octet-stream' },
    payload: archive,
  })
  if (answer.statusCode !== 201) throw new Error(answer.body)
}

/** Does what an import does until the files are read. */
async function read(app: TestApp, integrationId: string): Promise<void> {
  const integration = await getIntegration(app.parts.services.db, app.orgId, integrationId)
  const { source } = await app.parts.sources.open(integration, { name: 'large' })
  await readAll(source)
  await source.close()
}

async function readEntries({ parts: { services, objects } }: TestApp): Promise<void> {
  for (let n = 0; n < ENTRIES; n++) {
    if (objects) await objects.get('entry')
    else await services.db.selectFrom('registry_cache').select('body').where('key', '=', 'entry').execute()
  }
}

await using store = await startObjectStore()
for (const engine of availableEngines) {
  samples.clear()
  const apps = {
    database: await startApp(engine),
    bucket: await startApp(engine, store.environment(engine)),
  }
  const places = await Promise.all(
    Object.entries(apps).map(async ([place, app]) => ({ place, app, integrationId: await addIntegration(app) })),
  )
  await apps.bucket.parts.objects!.put('entry', ENTRY)
  const times = { fetched_at: 1, validated_at: 1, used_at: 1 }
  const entry = { key: 'entry', url: 'u', status: 200, etag: null, last_modified: null, body: ENTRY, ...times }
  await apps.database.parts.services.db
    .insertInto('registry_cache')
    .values({ ...entry, size_bytes: ENTRY.length })
    .execute()
  for (let round = 0; round < rounds; round++) {
    for (const { place, app, integrationId } of round % 2 === 0 ? places : places.toReversed()) {
      await measure(`send, ${place}`, () => send(app, integrationId))
      await measure(`read, ${place}`, () => read(app, integrationId))
      await measure(`${ENTRIES} entries, ${place}`, () => readEntries(app))
    }
  }
  console.log(`\n${engine}, ${values.megabytes} MiB, medians of ${rounds}\n| work | ms | processor ms |\n|---|---|---|`)
  for (const [name, all] of samples)
    console.log(`| ${name} | ${median(all.map(({ ms }) => ms))} | ${median(all.map(({ cpuMs }) => cpuMs))} |`)
  for (const { app } of places) await app.close()
}
