import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { orgAdmin } from '../../src/foundation/access/built-in-roles.ts'
import { createPostgresDatabase } from '../../test/support/servers/postgres.ts'
import type { BarePage } from './bare-pages.ts'
import { type Load, load, type Measured, median, printTable, type Started, start } from './load.ts'

const KEY = '7d4f3f5e-7f0e-4a53-8a53-6d0f3a1c9e11'
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 4)
const SECRET_KEY = 'c0'.repeat(32)
const VERSION = 'version=2024-10-15'

const head = ['', 'connections', 'requests/s', 'p50 ms', 'p99 ms', 'µs of CPU each', 'MB']

/**
 * Tokens by client credentials, introspections, requests that show a token, and reads of one resource beside a bare route
 * that sends the same bytes: on every engine there is.
 */
export async function benchTokens(): Promise<void> {
  console.log(
    `Access tokens and credentials, median of ${ROUNDS} rounds (bars on SQLite: 2,600 tokens/s, p99 ≤ 30 ms with 32 connections a process and ≤ 150 ms with 128; ≤ 80 µs of CPU to read a resource, ≤ 90 µs on PostgreSQL; 10,000 introspections/s)`,
  )
  printTable(head, await measure('SQLite', 1, undefined))
  if (process.env['TEST_DATABASE_URL'] === undefined) {
    console.log('  PostgreSQL is measured under "node tools/with-postgres.ts npm run bench -- tokens".\n')
    return
  }
  for (const processes of [1, 2]) {
    const database = await createPostgresDatabase()
    const title = `PostgreSQL, ${processes === 1 ? 'one process' : 'two processes'}`
    printTable(head, await measure(title, processes, database.url))
    await database.drop()
  }
}

type Row = [string, number, number, number, number, number, number]

async function measure(title: string, processes: number, databaseUrl: string | undefined): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-tokens-'))
  const servers: Started[] = []
  let bare: Started | undefined
  for (let n = 0; n < processes; n++) {
    servers.push(
      await start(
        ['src/main.ts', 'serve'],
        {
          GATEHOUSE_DATA_DIR: dataDir,
          GATEHOUSE_PORT: '0',
          GATEHOUSE_ADMIN_API_KEY: KEY,
          GATEHOUSE_SECRET_KEY: SECRET_KEY,
          GATEHOUSE_LOG_LEVEL: 'error',
          ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
        },
        processes === 1 ? 'one' : 'all',
      ),
    )
  }
  try {
    const { loads, account } = await prepareLoads(servers[0]!.baseUrl, dataDir)
    const rows: Row[] = []
    const file = join(dataDir, 'bare-pages.json')
    writeFileSync(file, JSON.stringify([account]))
    bare = await start(['verification/bench/bare-pages.ts', databaseUrl ?? join(dataDir, 'gatehouse.sqlite'), file], {})
    rows.push(await measureLoad(`${title}: a bare route, one service account`, [bare], { path: '/0' }, 32))
    for (const [name, options] of Object.entries(loads)) {
      for (const connections of options.connections ?? [32])
        rows.push(await measureLoad(`${title}: ${name}`, servers, options, connections))
    }
    return rows
  } finally {
    for (const server of [...servers, ...(bare ? [bare] : [])]) await server.stop()
    rmSync(dataDir, { recursive: true })
  }
}

async function measureLoad(
  title: string,
  servers: readonly Started[],
  options: LoadOptions,
  connections: number,
): Promise<Row> {
  const rounds: (Measured & { cpuMicros: number })[] = []
  for (let round = 0; round <= ROUNDS; round++) rounds.push(await loadAll(servers, options, connections))
  // The first round warms up.
  rounds.shift()
  const of = (pick: (measured: (typeof rounds)[number]) => number) => median(rounds.map(pick))
  const memory = Math.max(...servers.map((server) => server.memoryMb()))
  const speed = [of((m) => m.perSecond), of((m) => m.p50Ms), of((m) => m.p99Ms), of((m) => m.cpuMicros)] as const
  return [title, connections, ...speed, memory]
}

/** One load for each process at the same time, added up. */
async function loadAll(
  servers: readonly Started[],
  { path, headers, method, bodyFile }: LoadOptions,
  connections: number,
): Promise<Measured & { cpuMicros: number }> {
  const cpu = () => servers.reduce((sum, server) => sum + server.cpuSeconds(), 0)
  const sent = { ...(headers && { headers }), ...(method && { method }), ...(bodyFile && { bodyFile }) }
  const before = cpu()
  const measured = await Promise.all(
    servers.map(({ baseUrl }) => load({ ...sent, url: `${baseUrl}${path}`, connections, seconds: SECONDS })),
  )
  const answers = measured.reduce((sum, one) => sum + one.answers, 0)
  return {
    perSecond: measured.reduce((sum, { perSecond }) => sum + perSecond, 0),
    p50Ms: Math.max(...measured.map(({ p50Ms }) => p50Ms)),
    p99Ms: Math.max(...measured.map(({ p99Ms }) => p99Ms)),
    answers,
    cpuMicros: ((cpu() - before) * 1_000_000) / answers,
  }
}

type LoadOptions = Pick<Load, 'headers' | 'method' | 'bodyFile'> & {
  readonly path: string
  /** 32 when nothing is said. */
  readonly connections?: readonly number[]
}

interface Prepared {
  readonly loads: Record<string, LoadOptions>
  /** One of the resources, as a bare route sends it. */
  readonly account: BarePage
}

async function prepareLoads(baseUrl: string, dataDir: string): Promise<Prepared> {
  const asAdmin = { authorization: `token ${KEY}`, 'content-type': 'application/vnd.api+json' }
  const orgs = await fetch(`${baseUrl}/rest/orgs?${VERSION}`, { headers: asAdmin })
  const orgId = ((await orgs.json()) as { data: { id: string }[] }).data[0]!.id
  const attributes = { name: 'bench', auth_type: 'oauth_client_secret', role_id: orgAdmin.id }
  const made = await fetch(`${baseUrl}/rest/orgs/${orgId}/service_accounts?${VERSION}`, {
    method: 'POST',
    headers: asAdmin,
    body: JSON.stringify({ data: { type: 'service_account', attributes } }),
  })
  const { id, attributes: client } = (
    (await made.json()) as { data: { id: string; attributes: Record<string, string> } }
  ).data
  const credentials = Buffer.from(`${client['client_id']}:${client['client_secret']}`).toString('base64')
  const headers = { authorization: `Basic ${credentials}`, 'content-type': 'application/x-www-form-urlencoded' }
  const grant = 'grant_type=client_credentials'
  const issued = await fetch(`${baseUrl}/oauth2/token`, { method: 'POST', headers, body: grant })
  const { access_token: token } = (await issued.json()) as { access_token: string }
  const bodyFile = (name: string, text: string) => {
    const path = join(dataDir, name)
    writeFileSync(path, text)
    return path
  }
  const byToken = { authorization: `Bearer ${token}` }
  const byKey = { authorization: `token ${KEY}` }
  const account = `/rest/orgs/${orgId}/service_accounts/${id}?${VERSION}`
  const document = await fetch(`${baseUrl}${account}`, { headers: byKey })
  return {
    account: {
      sql: `select s.*, m.role_id from service_accounts s join memberships m on m.principal_id = s.id where s.org_id = ? and s.id = ?`,
      parameters: [orgId, id],
      document: (await document.json()) as object,
    },
    loads: {
      'that service account, by API key': { path: account, headers: byKey },
      'that service account, by token': { path: account, headers: byToken },
      'GET /rest/self, by API key': { path: `/rest/self?${VERSION}`, headers: byKey },
      'GET /rest/self, by token': { path: `/rest/self?${VERSION}`, headers: byToken },
      'an organization, by token': { path: `/rest/orgs/${orgId}?${VERSION}`, headers: byToken },
      introspections: {
        path: '/oauth2/introspect',
        method: 'POST',
        headers,
        bodyFile: bodyFile('introspect', `token=${token}`),
      },
      'tokens by client credentials': {
        path: '/oauth2/token',
        method: 'POST',
        headers,
        bodyFile: bodyFile('token', `${grant}&scope=org.read`),
        connections: [32, 128],
      },
    },
  }
}
