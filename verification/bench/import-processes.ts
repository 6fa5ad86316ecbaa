/**
 * Measures how fast 1, 2 and 4 processes on one core test the manifests of one import; PostgreSQL has the other core:
 *
 *     npm run build
 *     taskset -c 1 node tools/with-postgres.ts node verification/bench/import-processes.ts [--manifests 2000] [--processes 1,2,4]
 *
 * The processor time of a manifest tells more than the rate: it says how many cores a rate needs.
 */
import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { insertIntegration } from '../../src/features/integrations/store.ts'
import { openDatabase } from '../../src/foundation/db/open-database.ts'
import { bareRepository } from '../../test/support/repositories/git-repository.ts'
import { npmProject } from '../../test/support/repositories/imports.ts'
import { copyPreparedData } from '../../test/support/servers/prepared-data.ts'
import { ADMINISTRATOR } from '../../test/support/servers/templates.ts'
import { printTable, type Started, start } from './load.ts'

const { values } = parseArgs({
  options: { manifests: { type: 'string', default: '2000' }, processes: { type: 'string', default: '1,2,4' } },
})
const manifests = Number(values.manifests)

const rows = []
for (const processes of values.processes.split(',').map(Number)) {
  const { seconds, cpuSeconds, shares } = await measure(processes)
  rows.push([String(processes), seconds, manifests / seconds, (cpuSeconds / manifests) * 1000, shares.join(', ')])
}
console.log(`${manifests} manifests`)
printTable(['processes', 'seconds', 'manifests/s', 'ms of CPU each', 'tested by each process'], rows)

async function measure(processes: number): Promise<{ seconds: number; cpuSeconds: number; shares: number[] }> {
  const prepared = await copyPreparedData('postgres')
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-import-processes-'))
  const database = openDatabase({ url: prepared.databaseUrl!, dataDir: folder, maxConnections: 2, onError() {} })
  const started: Started[] = []
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
      started.push(await start(['dist/bin/gatehouse.js', 'serve'], environment))
    }
    const { db } = database
    const { orgId } = prepared
    const integrationId = randomUUID()
    const plain = { baseUrl: null, settings: {}, sealedCredentials: null, createdAt: 1, updatedAt: 1 }
    await insertIntegration(db, { id: integrationId, orgId, kind: 'local', name: 'local', ...plain }, '/name')
    const cpu = () => started.reduce((sum, server) => sum + server.cpuSeconds(), 0)
    const [begin, cpuBefore] = [performance.now(), cpu()]
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
    const cpuSeconds = cpu() - cpuBefore
    const rows = await db
      .selectFrom('import_manifests')
      .select(({ fn }) => ['claimed_by', 'state', fn.countAll<number>().as('count')])
      .groupBy(['claimed_by', 'state'])
      .execute()
    const done = rows.filter(({ state }) => state === 'done').map(({ count }) => count)
    if (done.reduce((sum, count) => sum + count, 0) !== manifests) throw new Error('not every manifest was tested')
    return { seconds, cpuSeconds, shares: done.sort((a, b) => b - a) }
  } finally {
    for (const server of started) await server.stop()
    await database.close()
    await prepared.drop()
    rmSync(folder, { recursive: true, force: true })
  }
}
