/**
 * Loads 1, 2 and 4 serving processes on one core; PostgreSQL and the load have the other one:
 *
 *     npm run build
 *     taskset -c 1 node verification/bench/serve-processes.ts [--processes 1,2,4] [--seconds 6] [--replica]
 *
 * With --replica a standby on the core of the primary serves what may be read from it. The processor time that a request
 * costs at each place tells more than the rate of one core: it says how many cores a rate needs.
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { orgAdmin } from '../../src/foundation/access/built-in-roles.ts'
import type { PostgresServer } from '../../test/support/servers/postgres-server.ts'
import { startReplicatedPostgres } from '../../test/support/servers/replicated-postgres.ts'
import { type Load, load, printTable, readProcess, type Started, start, UNIQUE } from './load.ts'

const KEY = '7d4f3f5e-7f0e-4a53-8a53-6d0f3a1c9e12'
const VERSION = 'version=2024-10-15'
const CONNECTIONS = 32
const APPS = 500
const PACKAGES = 200

const { values } = parseArgs({
  options: {
    processes: { type: 'string', default: '1,2,4' },
    seconds: { type: 'string', default: '6' },
    replica: { type: 'boolean', default: false },
  },
})
const seconds = Number(values.seconds)

/** The database as a careful operator runs it. */
const SAFE = { fsync: 'on', full_page_writes: 'on', autovacuum: 'on', max_connections: 100, shared_buffers: '256MB' }

type Requests = Omit<Load, 'connections' | 'seconds' | 'url'> & { readonly path: string }

using postgres = await startReplicatedPostgres({ primary: SAFE, standby: SAFE })
const { primary, standby } = postgres
if (!values.replica) standby.stop('fast')
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-serve-processes-'))
try {
  for (const processes of values.processes.split(',').map(Number)) await measure(processes)
} finally {
  rmSync(folder, { recursive: true })
}

async function measure(processes: number): Promise<void> {
  const servers: Started[] = []
  try {
    for (let n = 0; n < processes; n++) servers.push(await startServing())
    const requests = await prepare(servers[0]!.baseUrl)
    const rows = []
    for (const [name, request] of Object.entries(requests)) rows.push(await measureRequests(name, servers, request))
    console.log(`${processes} serving on core 0, ${CONNECTIONS} connections in all`)
    printTable(['', 'requests/s', 'p50 ms', 'p99 ms', ...cpuColumns()], rows)
  } finally {
    for (const server of servers) await server.stop()
  }
}

function cpuColumns(): string[] {
  return ['Gatehouse', 'PostgreSQL', ...(values.replica ? ['replica'] : [])].map((name) => `${name} µs of CPU`)
}

function startServing(): Promise<Started> {
  return start(['dist/bin/gatehouse.js', 'serve'], {
    DATABASE_URL: primary.url,
    ...(values.replica && { GATEHOUSE_DATABASE_REPLICA_URL: standby.url }),
    GATEHOUSE_ADMIN_API_KEY: KEY,
    GATEHOUSE_DATA_DIR: folder,
    GATEHOUSE_SECRET_KEY: 'c0'.repeat(32),
    GATEHOUSE_LOG_LEVEL: 'error',
  })
}

async function measureRequests(name: string, servers: readonly Started[], { path, ...sent }: Requests) {
  const connections = CONNECTIONS / servers.length
  const run = (time: number) =>
    Promise.all(servers.map(({ baseUrl }) => load({ ...sent, url: `${baseUrl}${path}`, connections, seconds: time })))
  // Each has to compile what it runs often: they share the core.
  await run(4 * servers.length)
  const before = usedCpu(servers)
  const measured = await run(seconds)
  const used = usedCpu(servers).map((after, place) => after - before[place]!)
  const answers = measured.reduce((sum, one) => sum + one.answers, 0)
  return [
    name,
    measured.reduce((sum, { perSecond }) => sum + perSecond, 0),
    Math.max(...measured.map(({ p50Ms }) => p50Ms)),
    Math.max(...measured.map(({ p99Ms }) => p99Ms)),
    ...used.map((cpu) => (cpu * 1_000_000) / answers),
  ]
}

/** Seconds of processor time so far, in the order of the columns. */
function usedCpu(servers: readonly Started[]): number[] {
  const gatehouse = servers.reduce((sum, server) => sum + server.cpuSeconds(), 0)
  return [gatehouse, ...[primary, ...(values.replica ? [standby] : [])].map(cpuOf)]
}

/** Adds up the postmaster, its children that ended, and those that run. */
function cpuOf(server: PostgresServer): number {
  const { ownSeconds, endedSeconds } = readProcess(server.pid())
  return ownSeconds + endedSeconds + secondsOfChildren(server.pid())
}

function secondsOfChildren(postmaster: number): number {
  let sum = 0
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const { parent, ownSeconds } = readProcess(Number(entry))
      if (parent === postmaster) sum += ownSeconds
    } catch {
      // It ended meanwhile.
    }
  }
  return sum
}

async function prepare(baseUrl: string): Promise<Record<string, Requests>> {
  const asAdmin = { authorization: `token ${KEY}`, 'content-type': 'application/vnd.api+json' }
  const orgs = await fetch(`${baseUrl}/rest/orgs?${VERSION}`, { headers: asAdmin })
  const orgId = ((await orgs.json()) as { data: { id: string }[] }).data[0]!.id
  const create = async (type: string, attributes: object) => {
    const answer = await fetch(`${baseUrl}/rest/orgs/${orgId}/${type}s?${VERSION}`, {
      method: 'POST',
      headers: asAdmin,
      body: JSON.stringify({ data: { type, attributes } }),
    })
    if (!answer.ok && answer.status !== 409) throw new Error(await answer.text())
    return (await answer.json()) as { data: { id: string; attributes: Record<string, string> } }
  }
  const account = { name: `bench ${Date.now()}`, auth_type: 'oauth_client_secret', role_id: orgAdmin.id }
  const { data } = await create('service_account', account)
  const existing = await fetch(`${baseUrl}/rest/orgs/${orgId}/apps?${VERSION}&limit=10`, { headers: asAdmin })
  if (((await existing.json()) as { data: unknown[] }).data.length < 10) {
    for (let n = 0; n < APPS; n++)
      await create('app', { name: `app ${n}`, redirect_uris: ['https://app.example/'], scopes: ['org.read'] })
  }
  const client = Buffer.from(`${data.attributes['client_id']}:${data.attributes['client_secret']}`).toString('base64')
  const form = { authorization: `Basic ${client}`, 'content-type': 'application/x-www-form-urlencoded' }
  const byKey = { authorization: `token ${KEY}` }
  return {
    'one service account, by API key': {
      path: `/rest/orgs/${orgId}/service_accounts/${data.id}?${VERSION}`,
      headers: byKey,
    },
    'a search among 500 apps': {
      path: `/rest/orgs/${orgId}/search?${VERSION}&kinds=app&query=app%20499`,
      headers: byKey,
    },
    'tokens by client credentials': {
      path: '/oauth2/token',
      method: 'POST',
      headers: form,
      bodyFile: write('token', 'grant_type=client_credentials&scope=org.read'),
    },
    [`a package test of ${PACKAGES} npm packages`]: {
      path: `/v1/test/npm?org=${orgId}`,
      method: 'POST',
      headers: { ...byKey, 'content-type': 'application/json' },
      bodyFile: write('npm', npmFiles()),
    },
  }
}

function npmFiles(): string {
  const names = Array.from({ length: PACKAGES }, (_, n) => `package-${n}`)
  const dependencies = Object.fromEntries(names.map((name) => [name, '1.0.0']))
  const packages = Object.fromEntries(names.map((name) => [`node_modules/${name}`, { version: '1.0.0' }]))
  const manifest = { name: 'bench', version: '1.0.0', dependencies }
  const lock = { ...manifest, lockfileVersion: 3, packages: { '': manifest, ...packages } }
  // The answer to an unchanged request would be kept.
  const target = { contents: JSON.stringify(manifest), id: UNIQUE }
  return JSON.stringify({
    encoding: 'plain',
    files: { target, additional: [{ contents: JSON.stringify(lock) }] },
  })
}

function write(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}
