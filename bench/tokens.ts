import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { orgCollaborator } from '#foundation/access/built-in-roles.ts'
import { createPostgresDatabase } from '#test/postgres.ts'
import { type Load, load, type Measured, median, printTable, type Started, start } from './load.ts'

const KEY = '7d4f3f5e-7f0e-4a53-8a53-6d0f3a1c9e11'
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3)
const SECONDS = 4
const CONNECTIONS = 32
const SECRET_KEY = 'c0'.repeat(32)

/** Tokens by client credentials, introspections, and requests that show a token: on every engine there is. */
export async function benchTokens(): Promise<void> {
  console.log(
    `Access tokens, ${CONNECTIONS} connections a process, median of ${ROUNDS} rounds (bars: 2,000 tokens/s with p99 ≤ 50 ms, 10,000 introspections or checks/s)`,
  )
  const head = ['', 'requests/s', 'p50 ms', 'p99 ms', 'µs of CPU each', 'MB']
  printTable(head, await measure('SQLite', 1, {}))
  if (process.env['TEST_DATABASE_URL'] === undefined) {
    console.log('  PostgreSQL is measured under "node tools/with-postgres.ts npm run bench -- tokens".\n')
    return
  }
  for (const processes of [1, 2]) {
    const database = await createPostgresDatabase()
    const title = `PostgreSQL, ${processes === 1 ? 'one process' : 'two processes'}`
    printTable(head, await measure(title, processes, { DATABASE_URL: database.url }))
    await database.drop()
  }
}

type Row = [string, number, number, number, number, number]

async function measure(title: string, processes: number, environment: Record<string, string>): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-tokens-'))
  const servers: Started[] = []
  for (let n = 0; n < processes; n++) {
    servers.push(
      await start(
        ['src/main.ts', 'serve'],
        {
          GATEHOUSE_DATA_DIR: dataDir,
          GATEHOUSE_PORT: '0',
          GATEHOUSE_ADMIN_API_KEY: KEY,
          GATEHOUSE_SECRET_KEY: SECRET_KEY,
          GATEHOUSE_LOG_LEVEL: 'warn',
          ...environment,
        },
        processes === 1 ? 'one' : 'all',
      ),
    )
  }
  try {
    const loads = await prepareLoads(servers[0]!.baseUrl, dataDir)
    const rows: Row[] = []
    for (const [name, wanted] of Object.entries(loads)) {
      const rounds: (Measured & { cpuMicros: number })[] = []
      for (let round = 0; round <= ROUNDS; round++) rounds.push(await loadAll(servers, wanted))
      // The first round warms up.
      rounds.shift()
      const of = (pick: (measured: (typeof rounds)[number]) => number) => median(rounds.map(pick))
      const memory = Math.max(...servers.map((server) => server.memoryMb()))
      const speed = [of((m) => m.perSecond), of((m) => m.p50Ms), of((m) => m.p99Ms), of((m) => m.cpuMicros)] as const
      rows.push([`${title}: ${name}`, ...speed, memory])
    }
    return rows
  } finally {
    for (const server of servers) await server.stop()
    rmSync(dataDir, { recursive: true })
  }
}

/** One load for each process at the same time, added up. */
async function loadAll(
  servers: readonly Started[],
  { path, ...wanted }: Wanted,
): Promise<Measured & { cpuMicros: number }> {
  const cpu = () => servers.reduce((sum, server) => sum + server.cpuSeconds(), 0)
  const before = cpu()
  const measured = await Promise.all(
    servers.map(({ baseUrl }) =>
      load({ ...wanted, url: `${baseUrl}${path}`, connections: CONNECTIONS, seconds: SECONDS }),
    ),
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

type Wanted = Pick<Load, 'headers' | 'method' | 'bodyFile'> & { readonly path: string }

async function prepareLoads(baseUrl: string, dataDir: string): Promise<Record<string, Wanted>> {
  const asAdmin = { authorization: `token ${KEY}`, 'content-type': 'application/vnd.api+json' }
  const orgs = await fetch(`${baseUrl}/rest/orgs?version=2024-10-15`, { headers: asAdmin })
  const orgId = ((await orgs.json()) as { data: { id: string }[] }).data[0]!.id
  const attributes = { name: 'bench', auth_type: 'oauth_client_secret', role_id: orgCollaborator.id }
  const made = await fetch(`${baseUrl}/rest/orgs/${orgId}/service_accounts?version=2024-10-15`, {
    method: 'POST',
    headers: asAdmin,
    body: JSON.stringify({ data: { type: 'service_account', attributes } }),
  })
  const client = ((await made.json()) as { data: { attributes: Record<string, string> } }).data.attributes
  const credentials = Buffer.from(`${client['client_id']}:${client['client_secret']}`).toString('base64')
  const headers = { authorization: `Basic ${credentials}`, 'content-type': 'application/x-www-form-urlencoded' }
  const grant = 'grant_type=client_credentials&scope=org.read'
  const issued = await fetch(`${baseUrl}/oauth2/token`, { method: 'POST', headers, body: grant })
  const { access_token: token } = (await issued.json()) as { access_token: string }
  const bodyFile = (name: string, text: string) => {
    const path = join(dataDir, name)
    writeFileSync(path, text)
    return path
  }
  const bearer = { authorization: `Bearer ${token}` }
  const settings = '/v1/user/me/notification-settings'
  return {
    'requests with a token': { path: settings, headers: bearer },
    'requests with a token, permission in an organisation': { path: `${settings}/org/${orgId}`, headers: bearer },
    'requests with an API key': { path: settings, headers: { authorization: `token ${KEY}` } },
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
      bodyFile: bodyFile('token', grant),
    },
  }
}
