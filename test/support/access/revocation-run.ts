import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { Agent, request } from 'undici'
import { readConfig } from '#foundation/config.ts'
import { openDatabase } from '#foundation/db/open-database.ts'
import { createServices } from '../../../src/composition/create-services.ts'
import { type ServerProcess, startServer } from '../servers/server-process.ts'
import { revocations, type Send, type Sent, type SentRequest, type Subject, type World } from './revocations.ts'

export interface RunInput {
  /** So many requests with credentials that had been ended, at least. */
  readonly checks: number
  /** And so many kills, at least. */
  readonly kills: number
  readonly processes: number
  /** PostgreSQL's; undefined for SQLite, which one process has for itself. */
  readonly databaseUrl: string | undefined
  /** Checks between two kills of a random process, on average: counted, so that a slow machine does no more of them. */
  readonly killEveryChecks: number
  onProgress?(report: RevocationReport): void
}

export interface RevocationReport {
  /** Requests with credentials that were alive all the while, and accepted. */
  readonly accepted: number
  /** Number of requests that began during a revocation: either answer is right. */
  readonly undecided: number
  /** Requests that began after a revocation had been answered. */
  readonly checks: number
  /** Revoked credentials that were still accepted; must be empty. */
  readonly wronglyAccepted: readonly string[]
  /** Number of refused requests with a valid credential; must be 0. */
  readonly wronglyRefused: readonly string[]
  /** Requests that a killed process did not answer. */
  readonly unanswered: number
  readonly kills: number
  /** Number of revocations by kind. */
  readonly revocations: Readonly<Record<string, number>>
}

const ADMIN_KEY = '3e0f3f5e-7f0e-4a53-8a53-6d0f3a1c9e42'
const LANES = 12
const CHECKS_AFTER_EACH = 24
const CHECKS_AT_ONCE = 6

/**
 * Ends credentials in every way there is while requests show them, kills processes meanwhile, and counts what was
 * accepted though the request began after the revocation had been answered.
 */
export async function checkRevocations(input: RunInput): Promise<RevocationReport> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-revocations-'))
  const environment = {
    GATEHOUSE_DATA_DIR: dataDir,
    GATEHOUSE_ADMIN_API_KEY: ADMIN_KEY,
    GATEHOUSE_SECRET_KEY: randomBytes(32).toString('hex'),
    GATEHOUSE_LOG_LEVEL: 'error',
    GATEHOUSE_TEST_WORKERS: '1',
    // Every dead secret is to be looked up, however many come from this one address.
    GATEHOUSE_FAILED_SECRETS_PER_MINUTE: '0',
    ...(input.databaseUrl !== undefined && { DATABASE_URL: input.databaseUrl }),
  }
  const fleet = await startFleet(environment, input)
  const agent = new Agent({ connections: 64, pipelining: 1 })
  const world = await openWorld(environment, fleet, agent)
  try {
    return await run(world, fleet, { ...input, agent })
  } finally {
    await world.close()
    await fleet.close()
    await agent.destroy()
    rmSync(dataDir, { recursive: true })
  }
}

interface Fleet {
  readonly kills: number
  /** Processes that are up now; waits until there is one. */
  pick(): Promise<string>
  /** Kills a random process and starts it again. One at a time. */
  kill(): Promise<void>
  close(): Promise<void>
}

/** Server processes that are killed and started again. */
async function startFleet(environment: Record<string, string>, { processes }: RunInput): Promise<Fleet> {
  const servers: (ServerProcess | undefined)[] = []
  for (let n = 0; n < processes; n++) servers.push(await startServer(environment))
  let kills = 0
  return {
    get kills() {
      return kills
    },
    async pick() {
      for (;;) {
        const up = servers.filter((server) => server !== undefined)
        if (up.length > 0) return up[Math.floor(Math.random() * up.length)]!.baseUrl
        await sleep(20)
      }
    },
    async kill() {
      const at = Math.floor(Math.random() * servers.length)
      const victim = servers[at]!
      servers[at] = undefined
      await victim.end('SIGKILL')
      kills++
      servers[at] = await startServer(environment)
    },
    async close() {
      for (const server of servers) await server?.end('SIGTERM')
    },
  }
}

async function openWorld(
  environment: Record<string, string>,
  fleet: Fleet,
  agent: Agent,
): Promise<World & { close(): Promise<void> }> {
  const config = readConfig(environment)
  const settings = { url: config.databaseUrl, dataDir: config.dataDir, maxConnections: 8, onError: () => {} }
  const database = openDatabase(settings)
  const { services, lastUses } = createServices(config, database, pino({ level: 'silent' }))
  const { id: orgId, group_id: groupId } = await services.db.selectFrom('orgs').selectAll().executeTakeFirstOrThrow()
  const send: Send = async (sent) => {
    for (;;) {
      const answer = await sendOnce(agent, await fleet.pick(), sent)
      if (answer) return answer
    }
  }
  return {
    parts: { services },
    groupId,
    orgId,
    adminKey: ADMIN_KEY,
    send,
    async close() {
      await lastUses.close()
      await database.close()
    },
  }
}

/** Undefined when the process ended before it answered, or is just stopping. */
async function sendOnce(agent: Agent, baseUrl: string, sent: SentRequest): Promise<Sent | undefined> {
  try {
    const { method, path, headers, body } = sent
    const answer = await request(`${baseUrl}${path}`, { dispatcher: agent, method, headers, body: body ?? null })
    return { status: answer.statusCode, body: await answer.body.text() }
  } catch (error) {
    if (isConnectionEnd(error)) return undefined
    throw error
  }
}

function isConnectionEnd(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? ''
  return /^(ECONN|EPIPE|UND_ERR_SOCKET)/.test(code)
}

async function run(
  world: World,
  fleet: Fleet,
  { checks: wantedChecks, kills: wantedKills, killEveryChecks, agent, onProgress }: RunInput & { agent: Agent },
): Promise<RevocationReport> {
  const counts = { accepted: 0, undecided: 0, checks: 0, unanswered: 0 }
  const wronglyAccepted: string[] = []
  const wronglyRefused: string[] = []
  const done: Record<string, number> = Object.fromEntries(Object.keys(revocations).map((kind) => [kind, 0]))
  const report = (): RevocationReport => ({
    ...counts,
    wronglyAccepted,
    wronglyRefused,
    kills: fleet.kills,
    revocations: done,
  })
  const untilKill = () => killEveryChecks * (0.5 + Math.random())
  let nextKillAt = untilKill()
  let killing: Promise<void> | undefined
  const killWhenDue = () => {
    if (counts.checks < nextKillAt) return
    nextKillAt = Number.POSITIVE_INFINITY
    killing = sleep(Math.random() * 20)
      .then(() => fleet.kill())
      .then(() => {
        nextKillAt = counts.checks + untilKill()
      })
    // Its failure is that of the run.
    killing.catch(() => {})
  }
  let turn = 0
  const lane = async () => {
    const kinds = Object.keys(revocations)
    while (counts.checks < wantedChecks || fleet.kills < wantedKills || turn < kinds.length) {
      const kind = kinds[turn++ % kinds.length]!
      await tryOne(kind, await revocations[kind]!(world))
      done[kind]!++
      onProgress?.(report())
    }
  }

  async function tryOne(kind: string, subject: Subject): Promise<void> {
    let state: 'live' | 'ending' | 'ended' = 'live'
    let wasAccepted = false
    const show = async () => {
      const before = state
      const answer = await sendOnce(agent, await fleet.pick(), {
        method: 'GET',
        path: `/rest/orgs/${world.orgId}?version=2024-10-15`,
        headers: { authorization: `Bearer ${subject.credential}` },
      })
      const said = `${kind}: ${answer?.status} ${answer?.body.slice(0, 200)}`
      if (!answer) counts.unanswered++
      else if (before === 'ended') {
        counts.checks++
        killWhenDue()
        if (answer.status !== subject.refusedWith) wronglyAccepted.push(said)
      } else if (before === 'live' && state === 'live') {
        if (answer.status !== 200) wronglyRefused.push(said)
        else wasAccepted = true
        counts.accepted++
      } else counts.undecided++
    }
    // What was never accepted shows nothing by being refused.
    while (!wasAccepted && wronglyRefused.length === 0) await show()
    const showing = Array.from({ length: 2 }, async () => {
      do await show()
      while (state !== 'ended')
    })
    await sleep(Math.random() * 20)
    state = 'ending'
    await subject.revoke()
    state = 'ended'
    for (let shown = 0; shown < CHECKS_AFTER_EACH; shown += CHECKS_AT_ONCE) {
      await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, show))
    }
    await Promise.all(showing)
  }

  await Promise.all(Array.from({ length: LANES }, lane)).finally(() => killing)
  return report()
}
