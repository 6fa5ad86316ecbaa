import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { load, printTable, type Started, start, UNIQUE } from './load.ts'
import { prepareAdvisories } from './package-tests.ts'
import { type SyntheticLock, syntheticLocks } from './synthetic-locks/index.ts'

const KEY = '7d4f3f5e-7f0e-4a53-8a53-6d0f3a1c9e13'
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 4)
const RECORDS = 250_000
const PACKAGES = 2_000

/**
 * Lockfiles of every format without known vulnerabilities, from the request to the whole answer, one at a time: such
 * that differ in each request, and one that was tested before.
 */
export async function benchEcosystems(): Promise<void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'gatehouse-bench-ecosystems-'))
  await prepareAdvisories(dataDir, Number(process.env['BENCH_RECORDS'] ?? RECORDS))
  const environment = {
    GATEHOUSE_DATA_DIR: dataDir,
    GATEHOUSE_PORT: '0',
    GATEHOUSE_ADMIN_API_KEY: KEY,
    GATEHOUSE_LOG_LEVEL: 'warn',
    GATEHOUSE_TEST_WORKERS: '1',
    // Nothing listens there: the lockfile contains all that the test needs.
    GATEHOUSE_MAVEN_REPOSITORIES: 'http://127.0.0.1:9/',
  }
  const server = await start(['src/main.ts', 'serve'], environment, 'all')
  try {
    const rows: (string | number)[][] = []
    for (const lock of syntheticLocks(PACKAGES)) rows.push(await measure(server, lock, dataDir))
    console.log(
      `${PACKAGES.toLocaleString('en')} packages without known vulnerabilities over HTTP (bar: p50 100 ms, changed)`,
    )
    const measured = ['p50 ms', 'p99 ms', 'processor ms']
    const repeated = measured.map((name) => `${name}, unchanged`)
    printTable(['ecosystem', 'format', 'packages', 'named', 'kB answered', ...measured, ...repeated], rows)
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true })
  }
}

async function measure(server: Started, lock: SyntheticLock, dataDir: string): Promise<(string | number)[]> {
  const { ecosystem, name, target, additional } = lock
  const bodyOf = (id: string) =>
    JSON.stringify({
      files: { target: { contents: target, id }, additional: additional.map((contents) => ({ contents })) },
    })
  const [changing, unchanged] = [path.join(dataDir, 'changing.json'), path.join(dataDir, 'unchanged.json')]
  writeFileSync(changing, bodyOf(UNIQUE))
  writeFileSync(unchanged, bodyOf('one'))
  const url = `${server.baseUrl}/v1/test/${ecosystem}?acceptPartial=true`
  const headers = { authorization: `token ${KEY}`, 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: bodyOf('first') })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${name}: ${text}`)
  const { dependencyCount, coverage } = JSON.parse(text) as {
    dependencyCount: number
    coverage: { dependencies: { unresolved: number } }
  }
  const measureLoad = async (bodyFile: string) => {
    const request = { url, headers, method: 'POST', bodyFile, connections: 1 } as const
    await load({ ...request, seconds: 1 })
    const cpuBefore = server.cpuSeconds()
    const { p50Ms, p99Ms, answers } = await load({ ...request, seconds: SECONDS })
    return [p50Ms, p99Ms, ((server.cpuSeconds() - cpuBefore) * 1000) / answers]
  }
  const { unresolved } = coverage.dependencies
  const columns = [...(await measureLoad(changing)), ...(await measureLoad(unchanged))]
  return [ecosystem, name, dependencyCount, unresolved, text.length / 1000, ...columns]
}
