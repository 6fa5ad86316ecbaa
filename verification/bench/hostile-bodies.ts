import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { orgAdmin } from '../../src/foundation/access/built-in-roles.ts'
import { createPostgresDatabase } from '../../test/support/servers/postgres.ts'
import { type HostileBody, hostileBodies } from './hostile-body-cases.ts'
import { printTable, type Started, start } from './load.ts'

const KEY = '7d4f3f5e-7f0e-4a53-8a53-6d0f3a1c9e12'
const CLIENTS = 8
const UNFINISHED = 60
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 6)
const PROBE_EVERY_MS = 10
const ANSWER_TIMEOUT_MS = 90_000

/**
 * Answer times of small requests while clients send the most expensive bodies that the limits allow. `BENCH_SERVER`
 * names the folder of another checkout to measure instead of this one.
 */
export async function benchHostileBodies(): Promise<void> {
  console.log(`Small requests while ${CLIENTS} clients send hostile bodies, ${SECONDS} s each`)
  printRows('SQLite', await measureServer('SQLite', {}))
  if (process.env['TEST_DATABASE_URL'] === undefined) {
    console.log('  PostgreSQL is measured under "node tools/with-postgres.ts npm run bench -- hostile-bodies".\n')
    return
  }
  const database = await createPostgresDatabase()
  printRows('PostgreSQL', await measureServer('PostgreSQL', { DATABASE_URL: database.url }))
  await database.drop()
}

type Row = [title: string, answers: string, healthP99: number, longestHealth: number, listP99: number, peakMb: number]

const TARGET_P99_MS = 100

function printRows(engine: string, rows: readonly Row[]): void {
  const worstOf = (column: 2 | 3 | 4 | 5) => Math.max(...rows.map((row) => row[column]))
  printTable(
    ['', 'answers', '/healthz p99 ms', 'longest /healthz ms', 'list p99 ms', 'server peak MB'],
    [
      ...rows,
      [`${engine}: worst`, '', worstOf(2), worstOf(3), worstOf(4), worstOf(5)],
      ['target', '', `≤ ${TARGET_P99_MS}`, '', `≤ ${TARGET_P99_MS}`, ''],
    ],
  )
}

async function measureServer(engine: string, environment: Record<string, string>): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-bodies-'))
  const server = await start(
    [join(process.env['BENCH_SERVER'] ?? '.', 'src/main.ts'), 'serve'],
    {
      GATEHOUSE_DATA_DIR: dataDir,
      GATEHOUSE_PORT: '0',
      GATEHOUSE_ADMIN_API_KEY: KEY,
      GATEHOUSE_LOG_LEVEL: 'error',
      GATEHOUSE_SECRET_KEY: 'c1'.repeat(32),
      ...environment,
    },
    'all',
  )
  try {
    const { orgId, keys } = await createClients(server.baseUrl)
    const list = `/rest/orgs/${orgId}/service_accounts?version=2024-10-15`
    await measure(server, list, async () => sleep(1000))
    const rows: Row[] = [[`${engine}: no hostile body`, ...(await measure(server, list, () => sleep(2000, '')))]]
    for (const body of hostileBodies(orgId)) {
      if (process.env['BENCH_CASE'] !== undefined && !body.title.includes(process.env['BENCH_CASE'])) continue
      const work = body.isUnfinished ? sendUnfinished : sendAgainAndAgain
      rows.push([body.title, ...(await measure(server, list, () => work(server.baseUrl, body, keys)))])
    }
    return rows
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true })
  }
}

/** Service accounts, each with a key of its own. */
async function createClients(baseUrl: string): Promise<{ orgId: string; keys: string[] }> {
  const headers = { authorization: `token ${KEY}`, 'content-type': 'application/vnd.api+json' }
  const orgs = (await (await fetch(`${baseUrl}/rest/orgs?version=2024-10-15`, { headers })).json()) as {
    data: { id: string }[]
  }
  const orgId = orgs.data[0]!.id
  const keys: string[] = []
  for (let n = 0; n < CLIENTS; n++) {
    const attributes = { name: `client ${n}`, auth_type: 'api_key', role_id: orgAdmin.id }
    const answer = await fetch(`${baseUrl}/rest/orgs/${orgId}/service_accounts?version=2024-10-15`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ data: { type: 'service_account', attributes } }),
    })
    const created = (await answer.json()) as { data: { attributes: { api_key: string } } }
    keys.push(created.data.attributes.api_key)
  }
  return { orgId, keys }
}

/** Asks for small answers during `work`; returns their times and the server's peak memory. */
async function measure(
  server: Started,
  list: string,
  work: () => Promise<unknown>,
): Promise<[string, number, number, number, number]> {
  server.forgetPeakMemory()
  let isOver = false
  const probe = async (path: string, headers: Record<string, string>) => {
    const times: number[] = []
    while (!isOver) {
      const begun = performance.now()
      await ask(server.baseUrl, { path, headers })
      times.push(performance.now() - begun)
      await sleep(PROBE_EVERY_MS)
    }
    return times
  }
  const health = probe('/healthz', {})
  const lists = probe(list, { authorization: `token ${KEY}` })
  const answers = String(await work())
  isOver = true
  const [healthMs, listMs] = await Promise.all([health, lists])
  return [answers, percentile(healthMs, 99), Math.max(...healthMs), percentile(listMs, 99), server.peakMemoryMb()]
}

/** Every client repeats the body until the time is over; returns how often which status was answered. */
async function sendAgainAndAgain(baseUrl: string, body: HostileBody, keys: readonly string[]): Promise<string> {
  const end = performance.now() + SECONDS * 1000
  const statuses = new Map<number, number>()
  const client = async (key: string) => {
    while (performance.now() < end) {
      const status = await ask(baseUrl, toRequest(body, key))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      // Clients wait after an answer that asks them to retry later.
      if (status === 429 || status === 503 || status === 0) await sleep(200)
    }
  }
  await Promise.all(keys.map(client))
  return [...statuses].map(([status, times]) => `${times} × ${status || 'closed'}`).join(', ')
}

/** Opens requests and leaves out the end of their bodies. */
async function sendUnfinished(baseUrl: string, body: HostileBody, keys: readonly string[]): Promise<string> {
  const aborter = new AbortController()
  const open = Array.from({ length: UNFINISHED }, (_, n) =>
    ask(baseUrl, { ...toRequest(body, keys[n % keys.length]!), signal: aborter.signal, isUnfinished: true }),
  )
  await sleep(SECONDS * 1000)
  aborter.abort()
  const statuses = await Promise.all(open)
  return `${statuses.filter((status) => status === 0).length} left open`
}

function toRequest({ method = 'POST', path, headers, bytes, isPublic }: HostileBody, key: string): Asked {
  return { method, path, headers: { ...headers, ...(!isPublic && { authorization: `token ${key}` }) }, bytes }
}

interface Asked {
  readonly method?: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly bytes?: Buffer
  readonly isUnfinished?: boolean
  readonly signal?: AbortSignal
}

/** The status of the answer; 0 when the connection ended without one. */
function ask(baseUrl: string, { method = 'GET', path, headers, bytes, isUnfinished, signal }: Asked): Promise<number> {
  return new Promise((resolve) => {
    const length = bytes && !isUnfinished ? { 'content-length': String(bytes.length) } : {}
    const options = { method, headers: { ...headers, ...length }, timeout: ANSWER_TIMEOUT_MS, agent: false as const }
    const sent = request(`${baseUrl}${path}`, { ...options, ...(signal && { signal }) }, (answer) => {
      answer.resume()
      answer.once('close', () => resolve(answer.statusCode ?? 0))
    })
    sent.once('timeout', () => sent.destroy())
    sent.once('error', () => resolve(0))
    if (isUnfinished) sent.write(bytes!.subarray(0, -100))
    else sent.end(bytes)
  })
}

function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))]!
}
