/**
 * Measures how fast 1, 2 and 4 working processes test the manifests of one import, beside PostgreSQL:
 *
 *     node tools/with-postgres.ts node bench/import-processes.ts [--manifests 2000] [--processes 1,2,4]
 *
 * All processes share the cores of this machine with PostgreSQL, so the figures tell less than separate machines would.
 */
import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { insertIntegration } from '#features/integrations/store.ts'
import { openDatabase } from '#foundation/db/database.ts'
import { bareRepository } from '#test/repositories/git-repository.ts'
import { npmProject } from '#test/repositories/imports.ts'
import { copyPreparedData } from '#test/servers/prepared-data.ts'
import { type ServerProcess, startServer } from '#test/servers/server-process.ts'
import { ADMINISTRATOR } from '#test/servers/templates.ts'

const { values } = parseArgs({
  options: { manifests: { type: 'string', default: '2000' }, processes: { type: 'string', default: '1,2,4' } },
})
const manifests = Number(values.manifests)

console.log(`${manifests} manifests, ${availableParallelism()} cores`)
console.log('| processes | seconds | manifests/s | tested by each worker |')
console.log('|---|---|---|---|')
for (const processes of values.processes.split(',').map(Number)) {
  const { seconds, shares } = await measure(processes)
  console.log(`| ${processes} | ${seconds.toFixed(1)} | ${Math.round(manifests / seconds)} | ${shares.join(', ')} |`)
}

async function measure(processes: number): Promise<{ seconds: number; shares: number[] }> {
  const prepared = await copyPreparedData('postgres')
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-import-processes-'))
  const database = openDatabase({ url: prepared.databaseUrl!, dataDir: folder, maxConnections: 2, onError() {} })
  const started: ServerProcess[] = []
  using repository = bareRepository()
  repository.commit(
    Array.from({ length: manifests }, (_, n) => npmProject(`p${n}`, `package-${n % 100}`, `1.${n}.0`)).flat(),
  )
  try {
    for (let n = 0; n < processes; n++) {
      const dataDir = join(folder, String(n))
      cpSync(prepared.dataDir, dataDir, { recursive: true })
      const environment = {
        DATABASE_URL: prepared.databaseUrl!,
        GATEHOUSE_DATA_DIR: dataDir,
        GATEHOUSE_LOCAL_REPOSITORIES: tmpdir(),
        GATEHOUSE_LOG_LEVEL: 'warn',
      }
      started.push(await startServer(environment))
    }
    const { db } = database
    const { orgId } = prepared
    const integrationId = randomUUID()
    const plain = { baseUrl: null, settings: {}, sealedCredentials: null, createdAt: 1, updatedAt: 1 }
    await insertIntegration(db, { id: integrationId, orgId, kind: 'local', name: 'local', ...plain }, '/name')
    const begin = performance.now()
    const answer = await fetch(`${started[0]!.baseUrl}/v1/org/${orgId}/integrations/${integrationId}/import`, {
      method: 'POST',
      headers: {
        authorization: `token ${ADMINISTRATOR.GATEHOUSE_ADMIN_API_KEY}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ target: { path: repository.path } }),
    })
    if (answer.status !== 201) throw new Error(await answer.text())
    const imports = db.selectFrom('imports').select(['state', 'message'])
    while ((await imports.executeTakeFirstOrThrow()).state === 'pending') await sleep(50)
    const seconds = (performance.now() - begin) / 1000
    const rows = await db
      .selectFrom('import_manifests')
      .select(({ fn }) => ['claimed_by', 'state', fn.countAll<number>().as('count')])
      .groupBy(['claimed_by', 'state'])
      .execute()
    const done = rows.filter(({ state }) => state === 'done').map(({ count }) => count)
    if (done.reduce((sum, count) => sum + count, 0) !== manifests) throw new Error('not every manifest was tested')
    return { seconds, shares: done.sort((a, b) => b - a) }
  } finally {
    for (const server of started) await server.end('SIGKILL')
    await database.close()
    await prepared.drop()
    rmSync(folder, { recursive: true, force: true })
  }
}
