import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { insertIntegration } from '#features/integrations/store.ts'
import { openDatabase } from '#foundation/db/open-database.ts'
import { bareRepository, type CommittedFile } from '#test/repositories/git-repository.ts'
import { emptyRegistries } from '#test/repositories/manifest-trees.ts'
import { createPostgresDatabase } from '#test/servers/postgres.ts'
import { snapshotsDir } from '../src/features/advisory-sync/sync-settings.ts'
import type { Engine } from '../src/foundation/db/database.ts'
import { printTable, type Started, start } from './load.ts'
import { publishSynthetic } from './match-projects.ts'
import { syntheticProject } from './synthetic-lockfile.ts'

const MANIFESTS = 1_000
const SIZES = [20, 50, 100, 200, 400]
const RECORDS = 250_000

interface Measured {
  readonly firstMs: number
  readonly allMs: number
  readonly failed: number
  readonly manifests: number
}

/** The import of a repository of 1,000 manifests on this machine: when the first result is there, and when all are. */
export async function benchImports(): Promise<void> {
  const manifests = Number(process.env['BENCH_MANIFESTS'] ?? MANIFESTS)
  using repository = bareRepository()
  const files = repositoryFiles(manifests)
  repository.commit(files)
  const megabytes = files.reduce((sum, { content }) => sum + content.length, 0) / 1e6
  const registries = await emptyRegistries()
  const engines: Engine[] = ['sqlite', ...(process.env['TEST_DATABASE_URL'] ? ['postgres' as const] : [])]
  const rows: (string | number)[][] = []
  try {
    for (const engine of engines) rows.push(...(await benchOn(engine, repository.path, registries.environment)))
  } finally {
    await registries.close()
  }
  console.log(
    `Import of ${manifests.toLocaleString('en')} npm manifests with locks of ${SIZES.join(', ')} packages (${megabytes.toFixed(0)} MB) from a bare repository,`,
  )
  console.log(
    `${RECORDS.toLocaleString('en')} advisories, registries that know nothing (bars: first result 2 s, all 60 s)`,
  )
  printTable(['import', 'first s', 'all s', 'a second', 'failed', 'CPU s', 'memory MB'], rows)
}

function repositoryFiles(manifests: number): CommittedFile[] {
  return Array.from({ length: manifests }, (_, n) => {
    const { manifest, lock } = syntheticProject({ packages: SIZES[n % SIZES.length]!, known: 0.01, seed: n + 1 })
    return [
      { path: `packages/p${n}/package.json`, content: manifest },
      { path: `packages/p${n}/package-lock.json`, content: lock },
    ]
  }).flat()
}

async function benchOn(engine: Engine, path: string, environment: Record<string, string>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-imports-'))
  const postgres = engine === 'postgres' ? await createPostgresDatabase() : undefined
  const adminKey = randomUUID()
  const settings = {
    ...environment,
    GATEHOUSE_DATA_DIR: dataDir,
    GATEHOUSE_PORT: '0',
    GATEHOUSE_ADMIN_API_KEY: adminKey,
    GATEHOUSE_LOG_LEVEL: 'warn',
    GATEHOUSE_LOCAL_REPOSITORIES: tmpdir(),
    ...(postgres && { DATABASE_URL: postgres.url }),
  }
  try {
    await (await start(['src/main.ts', 'serve'], settings, 'all')).stop()
    const place = await prepare({ dataDir, databaseUrl: postgres?.url })
    const server = await start(['src/main.ts', 'serve'], settings, 'all')
    try {
      const rows = []
      for (const what of ['first', 'again']) {
        const before = server.cpuSeconds()
        const { firstMs, allMs, failed, manifests } = await measure(server, { ...place, adminKey, path })
        const cpu = server.cpuSeconds() - before
        const perSecond = manifests / (allMs / 1000)
        rows.push([`${engine}, ${what}`, firstMs / 1000, allMs / 1000, perSecond, failed, cpu, server.memoryMb()])
      }
      return rows
    } finally {
      await server.stop()
    }
  } finally {
    await postgres?.drop()
    rmSync(dataDir, { recursive: true })
  }
}

interface Place {
  readonly orgId: string
  readonly integrationId: string
}

async function prepare({ dataDir, databaseUrl }: { dataDir: string; databaseUrl: string | undefined }): Promise<Place> {
  const database = openDatabase({ url: databaseUrl, dataDir, maxConnections: 2, onError() {} })
  const { db } = database
  const dir = snapshotsDir(dataDir)
  mkdirSync(dir, { recursive: true })
  await publishSynthetic(db, { dir, records: Number(process.env['BENCH_RECORDS'] ?? RECORDS) })
  const { id: orgId } = await db.selectFrom('orgs').select('id').executeTakeFirstOrThrow()
  const integrationId = randomUUID()
  const plain = { baseUrl: null, settings: {}, sealedCredentials: null, createdAt: 1, updatedAt: 1 }
  await insertIntegration(db, { id: integrationId, orgId, kind: 'local', name: 'local', ...plain }, '/name')
  await database.close()
  return { orgId, integrationId }
}

async function measure(
  { baseUrl }: Started,
  { orgId, integrationId, adminKey, path }: Place & { adminKey: string; path: string },
): Promise<Measured> {
  const headers = { authorization: `token ${adminKey}`, 'content-type': 'application/json' }
  const begun = performance.now()
  const asked = await fetch(`${baseUrl}/v1/org/${orgId}/integrations/${integrationId}/import`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ target: { path } }),
  })
  if (asked.status !== 201) throw new Error(await asked.text())
  const id = asked.headers.get('location')!.split('/').at(-1)
  let firstMs: number | undefined
  for (;;) {
    const answer = await fetch(`${baseUrl}/rest/orgs/${orgId}/imports/${id}?version=2024-10-15`, { headers })
    const { data } = (await answer.json()) as {
      data: { attributes: { state: string; manifests: { done: number; failed: number } } }
    }
    const { state, manifests } = data.attributes
    if (manifests.done + manifests.failed > 0) firstMs ??= performance.now() - begun
    if (state !== 'pending') {
      const { done, failed } = manifests
      const allMs = performance.now() - begun
      return { firstMs: firstMs ?? allMs, allMs, failed, manifests: done + failed }
    }
    await sleep(50)
  }
}
