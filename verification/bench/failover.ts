/**
 * Kills the primary of a synchronously replicated pair under load, promotes the standby, and counts what was lost:
 *
 *     nice -n 10 node verification/bench/failover.ts [--seconds 5] [--writers 8] [--issuers 4]
 *
 * One server process has both addresses in DATABASE_URL. Writers create apps, issuers request tokens. A write counts as
 * acknowledged once its answer with 2xx has arrived. Afterward each acknowledged app must be readable and each
 * acknowledged token valid. PostgreSQL, the server and the load share the cores of this machine.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { orgCollaborator } from '../../src/foundation/access/built-in-roles.ts'
import { startReplicatedPostgres } from '../../test/support/servers/replicated-postgres.ts'
import { startServer } from '../../test/support/servers/server-process.ts'
import { ADMINISTRATOR } from '../../test/support/servers/templates.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    writers: { type: 'string', default: '8' },
    issuers: { type: 'string', default: '4' },
  },
})
const VERSION = 'version=2024-10-15'
const ADMIN = { authorization: `token ${ADMINISTRATOR.GATEHOUSE_ADMIN_API_KEY}` }

/** The members of answers that are read here. */
interface Answers {
  readonly orgs: { readonly data: readonly [{ readonly id: string }] }
  readonly created: {
    readonly data: { readonly attributes: { readonly client_id: string; readonly client_secret: string } }
  }
  readonly token: { readonly access_token: string }
}

interface Acknowledged {
  readonly at: number
  readonly value: string
}

/** Acknowledged work of one kind, and the outcomes of what was not. */
interface Load {
  readonly acknowledged: Acknowledged[]
  readonly refused: Map<string, number>
}

using servers = await startReplicatedPostgres({
  primary: { synchronous_standby_names: 'standby', synchronous_commit: 'on', fsync: 'on' },
  standby: { fsync: 'on' },
})
const { primary, standby } = servers
const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-failover-'))
const server = await startServer({
  ...ADMINISTRATOR,
  DATABASE_URL: `postgres://gatehouse@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres?target_session_attrs=read-write`,
  GATEHOUSE_DATA_DIR: dataDir,
  GATEHOUSE_LOG_LEVEL: 'error',
})
try {
  await measure()
} finally {
  await server.end('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
}

async function measure(): Promise<void> {
  const org = (await read<'orgs'>(await call('GET', `/rest/orgs?${VERSION}`))).data[0].id
  const client = await createClient(org)
  const ending = new AbortController()
  let serial = 0
  const apps = run(Number(values.writers), ending.signal, async () => {
    const attributes = { name: `app ${serial++}`, redirect_uris: ['https://app.example/'], scopes: ['org.read'] }
    const answer = await call('POST', `/rest/orgs/${org}/apps?${VERSION}`, { data: { type: 'app', attributes } })
    return [answer.status, answer.ok ? (await read<'created'>(answer)).data.attributes.client_id : undefined]
  })
  const tokens = run(Number(values.issuers), ending.signal, async () => {
    const answer = await fetch(`${server.baseUrl}/oauth2/token`, { method: 'POST', body: new URLSearchParams(client) })
    return [answer.status, answer.ok ? (await read<'token'>(answer)).access_token : undefined]
  })
  await sleep(Number(values.seconds) * 1000)
  const killedAt = performance.now()
  process.kill(primary.pid(), 'SIGKILL')
  standby.promote()
  const promotedAt = performance.now()
  await sleep(Number(values.seconds) * 1000)
  ending.abort()
  await Promise.all([apps.done, tokens.done])
  console.log(`promotion: ${seconds(promotedAt - killedAt)} s after the kill`)
  const isApp = async (id: string) => (await call('GET', `/rest/orgs/${org}/apps/${id}?${VERSION}`)).status === 200
  report('apps', apps.load, { killedAt, lost: await countLost(apps.load, isApp) })
  const isToken = async (token: string) => {
    const { status } = await fetch(`${server.baseUrl}/rest/orgs/${org}?${VERSION}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    return status === 200
  }
  report('tokens', tokens.load, { killedAt, lost: await countLost(tokens.load, isToken) })
}

/** Creates a service account and returns the form with which it requests tokens. */
async function createClient(org: string): Promise<Record<string, string>> {
  const attributes = {
    name: 'failover',
    auth_type: 'oauth_client_secret',
    role_id: orgCollaborator.id,
    access_token_ttl_seconds: 3600,
  }
  const answer = await call('POST', `/rest/orgs/${org}/service_accounts?${VERSION}`, {
    data: { type: 'service_account', attributes },
  })
  if (!answer.ok) throw new Error(await answer.text())
  const { client_id, client_secret } = (await read<'created'>(answer)).data.attributes
  return { grant_type: 'client_credentials', client_id, client_secret }
}

/** Repeats work in several lanes until the signal; a lane pauses a little after a refusal. */
function run(lanes: number, signal: AbortSignal, work: () => Promise<[status: number, value: string | undefined]>) {
  const load: Load = { acknowledged: [], refused: new Map() }
  const lane = async () => {
    while (!signal.aborted) {
      const [status, value] = await work().catch(() => ['no answer', undefined] as const)
      if (value !== undefined) {
        load.acknowledged.push({ at: performance.now(), value })
        continue
      }
      load.refused.set(String(status), (load.refused.get(String(status)) ?? 0) + 1)
      await sleep(20)
    }
  }
  return { load, done: Promise.all(Array.from({ length: lanes }, lane)) }
}

async function countLost({ acknowledged }: Load, isThere: (value: string) => Promise<boolean>): Promise<number> {
  let lost = 0
  for (let at = 0; at < acknowledged.length; at += 16) {
    const matches = await Promise.all(acknowledged.slice(at, at + 16).map(({ value }) => isThere(value)))
    lost += matches.filter((match) => !match).length
  }
  return lost
}

function report(
  title: string,
  { acknowledged, refused }: Load,
  { killedAt, lost }: { killedAt: number; lost: number },
) {
  const before = acknowledged.filter(({ at }) => at < killedAt).length
  const times = acknowledged.map(({ at }) => at).sort((a, b) => a - b)
  const gaps = times.slice(1).map((time, index) => time - times[index]!)
  const others = [...refused].map(([status, count]) => `${count} × ${status}`).join(', ') || 'none'
  console.log(
    `${title}: ${before} acknowledged before the kill, ${acknowledged.length - before} after it, ${lost} lost; ` +
      `interrupted for ${seconds(Math.max(...gaps))} s; refused: ${others}`,
  )
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(2)
}

function call(method: string, path: string, body?: object): Promise<Response> {
  const headers = body ? { ...ADMIN, 'content-type': 'application/vnd.api+json' } : ADMIN
  return fetch(`${server.baseUrl}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
}

async function read<K extends keyof Answers>(answer: Response): Promise<Answers[K]> {
  return (await answer.json()) as Answers[K]
}
