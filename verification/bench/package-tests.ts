import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publishSnapshot } from '../../src/features/advisory-sync/publish.ts'
import { snapshotsDir } from '../../src/features/advisory-sync/sync-settings.ts'
import { migrate } from '../../src/foundation/db/migrate.ts'
import { openDatabase } from '../../src/foundation/db/open-database.ts'
import { openSnapshotFile } from '../../src/scanning/advisories/snapshot-file.ts'
import { corpusFolder } from '../corpus/folder.ts'
import { writeBenchSnapshot } from './advisories.ts'
import { load, printTable, start, UNIQUE } from './load.ts'
import { projectOfManyPaths, syntheticProject } from './synthetic-lockfile.ts'

const KEY = '7d4f3f5e-7f0e-4a53-8a53-6d0f3a1c9e11'
const RECORDS = 250_000
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 6)
const REST_MS = 5_000

interface Case {
  readonly title: string
  readonly manifest: string
  readonly lock: string
}

/** Tests of lockfiles of growing size over HTTP with 250,000 advisories: latency alone, throughput at eight at a time. */
export async function benchPackageTests(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-tests-'))
  const records = Number(process.env['BENCH_RECORDS'] ?? RECORDS)
  await prepareAdvisories(dataDir, records)
  const environment = {
    GATEHOUSE_DATA_DIR: dataDir,
    GATEHOUSE_PORT: '0',
    GATEHOUSE_ADMIN_API_KEY: KEY,
    GATEHOUSE_LOG_LEVEL: 'warn',
    GATEHOUSE_TEST_WORKERS: '2',
  }
  const server = await start(['src/main.ts', 'serve'], environment, 'all')
  try {
    const rows: (string | number)[][] = []
    for (const benchCase of cases()) rows.push(await measure(server.baseUrl, benchCase, dataDir))
    console.log(
      `Package tests with ${records.toLocaleString('en')} advisories (bars for 2,000 packages: p50 20 ms, 60/s)`,
    )
    printTable(
      ['lockfile', 'packages', 'entries', 'MB sent', 'MB answered', 'p50 ms', 'p99 ms', 'alone/s', '8 at a time/s'],
      rows,
    )
    const loadedMb = server.memoryMb()
    await new Promise((resolve) => setTimeout(resolve, REST_MS))
    console.log(
      `  memory after the load ${Math.round(loadedMb)} MB, five seconds later ${Math.round(server.memoryMb())} MB\n`,
    )
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true })
  }
}

/** Creates a server's database with that many advisories. */
export async function prepareAdvisories(dataDir: string, records: number): Promise<void> {
  const dir = snapshotsDir(dataDir)
  mkdirSync(dir, { recursive: true })
  const { path } = await writeBenchSnapshot(dir, records)
  const database = openDatabase({ dataDir, maxConnections: 1, onError: () => {} })
  await migrate(database)
  await publishSnapshot(database.db, openSnapshotFile(path), { now: Date.now() })
  await database.close()
}

function cases(): Case[] {
  const synthetic = [100, 1000, 2000, 5000].map((packages) => ({
    title: `synthetic, ${packages} packages`,
    ...syntheticProject({ packages, existing: 0.01, seed: packages }),
  }))
  const many = {
    title: 'synthetic, 2000, one in ten known',
    ...syntheticProject({ packages: 2000, existing: 0.1, seed: 7 }),
  }
  const paths = { title: 'synthetic, 2000, many paths', ...projectOfManyPaths() }
  return [...synthetic, many, paths, ...real('louislam__uptime-kuma-lockv2'), ...real('mozilla__pdf.js-lockv3')]
}

function real(project: string): Case[] {
  const folder = join(corpusFolder, 'manifests/npm', project)
  if (!existsSync(folder)) return []
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  return [{ title: `real: ${project}`, manifest: read('package.json'), lock: read('package-lock.json') }]
}

async function measure(
  baseUrl: string,
  { title, manifest, lock }: Case,
  dataDir: string,
): Promise<(string | number)[]> {
  // The answer to an unchanged request would be kept.
  const target = { contents: manifest, id: UNIQUE }
  const body = JSON.stringify({ files: { target, additional: [{ contents: lock }] } })
  const bodyFile = join(dataDir, 'body.json')
  writeFileSync(bodyFile, body)
  const url = `${baseUrl}/v1/test/npm?includeDev=true`
  const headers = { authorization: `token ${KEY}`, 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(text)
  const result = JSON.parse(text) as { dependencyCount: number; issues: { vulnerabilities: unknown[] } }
  const request = { url, headers, method: 'POST', bodyFile, seconds: SECONDS } as const
  await load({ ...request, connections: 2, seconds: 2 })
  const alone = await load({ ...request, connections: 1 })
  const busy = await load({ ...request, connections: 8 })
  return [
    title,
    result.dependencyCount,
    result.issues.vulnerabilities.length,
    body.length / 1e6,
    text.length / 1e6,
    alone.p50Ms,
    alone.p99Ms,
    alone.perSecond,
    busy.perSecond,
  ]
}
