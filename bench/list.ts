import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { orgCollaborator } from '#foundation/access/built-in-roles.ts'
import { type Load, load, type Measured, median, printTable, type Started, start } from './load.ts'

const KEY = '7d4f3f5e-7f0e-4a53-8a53-6d0f3a1c9e10'
const ROUNDS = 6
const SECONDS = 3
const ACCOUNTS = 500
const COMMITS_PER_SECOND = 100

/**
 * Authenticated list of ten against a bare route with the same bytes: interleaved rounds, medians. Since the server
 * remembers pages until something is committed, it is also asked while another process commits all the time.
 */
export async function benchList(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-list-'))
  const gatehouse = await start(['src/main.ts', 'serve'], {
    GATEHOUSE_DATA_DIR: dataDir,
    GATEHOUSE_PORT: '0',
    GATEHOUSE_ADMIN_API_KEY: KEY,
    GATEHOUSE_LOG_LEVEL: process.env['BENCH_LOG_LEVEL'] ?? 'warn',
  })
  const headers = { authorization: `token ${KEY}`, 'content-type': 'application/vnd.api+json' }
  const orgs = (await (await fetch(`${gatehouse.baseUrl}/rest/orgs?version=2024-10-15`, { headers })).json()) as {
    data: { id: string }[]
  }
  const orgId = orgs.data[0]!.id
  const list = `/rest/orgs/${orgId}/service_accounts?version=2024-10-15`
  for (let n = 0; n < ACCOUNTS; n++) {
    const attributes = { name: `account ${n}`, auth_type: 'api_key', role_id: orgCollaborator.id }
    const body = JSON.stringify({ data: { type: 'service_account', attributes } })
    await fetch(`${gatehouse.baseUrl}${list}`, { method: 'POST', headers, body })
  }
  const expected = await (await fetch(`${gatehouse.baseUrl}${list}`, { headers })).text()
  const copy = join(dataDir, 'copy.sqlite')
  const source = new DatabaseSync(join(dataDir, 'gatehouse.sqlite'))
  source.exec('pragma wal_checkpoint(truncate)')
  source.close()
  copyFileSync(join(dataDir, 'gatehouse.sqlite'), copy)
  const bare = await start(['bench/bare-server.ts', copy, orgId, JSON.stringify(JSON.parse(expected).links)], {})
  try {
    const same = await (await fetch(bare.baseUrl)).text()
    if (same !== expected) throw new Error(`the bare route does not send the same bytes:\n${same}\n${expected}`)
    const url = `${gatehouse.baseUrl}${list}`
    const ask = () => measure(gatehouse, { url, headers: { authorization: `token ${KEY}` } })
    const kinds: [keyof Round, () => Promise<Cost>][] = [
      ['bare', () => measure(bare, { url: bare.baseUrl })],
      ['ours', ask],
      ['changing', () => whileCommitting(dataDir, ask)],
    ]
    const measured: Round[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      const costs = new Map<keyof Round, Cost>()
      for (const [kind, run] of kinds) costs.set(kind, await run())
      measured.push(Object.fromEntries(costs) as unknown as Round)
      // Each program goes first once: on a busy machine the order matters.
      kinds.push(kinds.shift()!)
    }
    // The first round warms both up.
    measured.shift()
    console.log(
      `Authenticated REST list of 10 of ${ACCOUNTS} (${Buffer.byteLength(expected)} bytes), 32 connections, median of ${ROUNDS} rounds`,
    )
    printTable(
      ['', 'requests/s', 'of bare', 'p50 ms', 'p99 ms', 'processor µs', 'of bare'],
      [
        row('bare Fastify, one query', measured, ({ bare }) => bare),
        row('gatehouse (bar: 80 %)', measured, ({ ours }) => ours),
        row(`while another process commits ${COMMITS_PER_SECOND}/s`, measured, ({ changing }) => changing),
      ],
    )
    console.log(`  memory ${Math.round(gatehouse.memoryMb())} MB\n`)
  } finally {
    await bare.stop()
    await gatehouse.stop()
    rmSync(dataDir, { recursive: true })
  }
}

interface Cost extends Measured {
  /** Processor microseconds of the server per answer, which other load affects less than latency. */
  readonly microseconds: number
}

interface Round {
  readonly bare: Cost
  readonly ours: Cost
  readonly changing: Cost
}

async function measure(server: Started, request: Pick<Load, 'url' | 'headers'>): Promise<Cost> {
  const before = server.cpuSeconds()
  const measured = await load({ ...request, connections: 32, seconds: SECONDS })
  return { ...measured, microseconds: ((server.cpuSeconds() - before) * 1e6) / measured.answers }
}

function row(title: string, rounds: readonly Round[], pick: (round: Round) => Cost): (string | number)[] {
  const of = (value: (cost: Cost, bare: Cost) => number) =>
    median(rounds.map((round) => value(pick(round), round.bare)))
  return [
    title,
    of(({ perSecond }) => perSecond),
    percent(of((cost, bare) => cost.perSecond / bare.perSecond)),
    of(({ p50Ms }) => p50Ms),
    of(({ p99Ms }) => p99Ms),
    of(({ microseconds }) => microseconds),
    percent(of((cost, bare) => bare.microseconds / cost.microseconds)),
  ]
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

/** Does the work while this process commits to the server's database. */
async function whileCommitting<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const file = new DatabaseSync(join(dataDir, 'gatehouse.sqlite'), { timeout: 10_000 })
  // Keeps the disk out of the measurement.
  file.exec('pragma synchronous = off')
  const change = file.prepare(
    `insert into settings (name, value) values ('bench', ?) on conflict (name) do update set value = excluded.value`,
  )
  let changes = 0
  const timer = setInterval(() => change.run(String(changes++)), 1000 / COMMITS_PER_SECOND)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    file.close()
  }
}
