import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Db } from '../../src/foundation/db/database.ts'
import type { BarePage } from './bare-pages.ts'
import { median, pinned, printTable, type Started, start } from './load.ts'
import { type Served, startServed, waitUntilQuiet } from './served-projects.ts'

/** Different requests that are sent in turn, so that no answer is repeated from memory. */
export interface Turn {
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
  readonly requests: readonly TurnRequest[]
  readonly connections: number
  readonly seconds: number
}

interface TurnRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

interface TurnCase {
  readonly title: string
  readonly requests: readonly TurnRequest[]
  /** The smallest query that each of them needs. */
  readonly sql: string
  readonly parameters: (n: number) => readonly (string | number)[]
}

const PAGES = 20
const ROUNDS = 3
const SECONDS = 2
const READERS = 8
const VERSION = 'version=2024-10-15'

/** Pages that differ from request to request, with 8 readers, against bare routes that send the same bytes. */
export async function measurePagesInTurn(db: Db, served: Served): Promise<void> {
  const gatehouse = await startServed(served)
  await waitUntilQuiet(db)
  const headers = { authorization: `token ${served.adminKey}` }
  try {
    const cases = (await turnCases(db, served, { baseUrl: gatehouse.baseUrl, headers })).filter(({ title }) =>
      `in turn: ${title}`.includes(process.env['BENCH_PAGES'] ?? ''),
    )
    const bare: BarePage[] = []
    for (const { requests, sql, parameters } of cases) {
      for (const [n, request] of requests.entries()) {
        const document = await ask(gatehouse.baseUrl, request, headers)
        bare.push({ sql, parameters: parameters(n), document })
      }
    }
    const file = join(served.dataDir, 'pages-in-turn.json')
    writeFileSync(file, JSON.stringify(bare))
    const database = served.databaseUrl ?? join(served.dataDir, 'gatehouse.sqlite')
    const yardstick = await start(['verification/bench/bare-pages.ts', database, file], {})
    try {
      const rows: (string | number)[][] = []
      let at = 0
      for (const { title, requests } of cases) {
        const routes = requests.map((_, n): TurnRequest => ({ method: 'GET', path: `/${at + n}` }))
        at += requests.length
        const [own, other]: [Measured[], Measured[]] = [[], []]
        for (let round = 0; round <= ROUNDS; round++) {
          other.push(await loadInTurn(yardstick, { headers: {}, requests: routes }))
          own.push(await loadInTurn(gatehouse, { headers, requests }))
        }
        rows.push(toRow(title, own.slice(1), other.slice(1)))
      }
      console.log(
        `Different pages in turn, ${READERS} readers, median of ${ROUNDS} rounds (bar: 80 % of bare, p99 50 ms)`,
      )
      printTable(['', '/s', 'bare', 'of bare', 'p50 ms', 'p99 ms', 'bare p99 ms', 'KB'], rows)
    } finally {
      await yardstick.stop()
    }
  } finally {
    await gatehouse.stop()
  }
}

interface Asking {
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
}

async function turnCases(db: Db, { orgId }: Served, asking: Asking): Promise<TurnCase[]> {
  const { number: orgNumber } = await db
    .selectFrom('org_numbers')
    .select('number')
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow()
  const projects = await db
    .selectFrom('projects')
    .select(['id', 'number', 'created_at'])
    .where('org_id', '=', orgId)
    .orderBy('number')
    .limit(PAGES)
    .execute()
  const first = `/rest/orgs/${orgId}/projects?${VERSION}&limit=100`
  const dependencies = (sort: string, n: number): TurnRequest => ({
    method: 'POST',
    path: `/v1/org/${orgId}/dependencies?sortBy=${sort}&order=desc&perPage=20&page=${n + 1}`,
    body: '{}',
    headers: { 'content-type': 'application/json' },
  })
  return [
    {
      title: 'projects, 100 with counts of issues',
      requests: await followPages(`${first}&meta.latest_issue_counts=true`, asking),
      sql: `select p.*, t.display_name, t.url from projects p join targets t on t.id = p.target_id
        where p.org_id = ? and p.created_at > ? order by p.created_at, p.id limit 101`,
      parameters: (n) => [orgId, projects[0]!.created_at + n * 1_000],
    },
    { ...(await plainProjects(first, asking)), parameters: (n) => [orgId, projects[0]!.created_at + n * 1_000] },
    {
      title: 'issues of one project',
      requests: projects.map(({ id }) => ({
        method: 'GET',
        path: `/rest/orgs/${orgId}/issues?${VERSION}&scan_item.id=${id}&scan_item.type=project&limit=100`,
      })),
      sql: `select pi.*, k.name, k.version, k.registry from project_packages pp
        join package_issues pi on pi.package_number = pp.package_number join packages k on k.number = pi.package_number
        where pp.project_number = ?`,
      parameters: (n) => [Number(projects[n]!.number)],
    },
    ...['dependency', 'projects'].map(
      (sort): TurnCase => ({
        title: `dependencies by ${sort}`,
        requests: Array.from({ length: PAGES }, (_, n) => dependencies(sort, n)),
        sql: 'select * from org_packages where org_number = ? order by name, version, package_number limit 20',
        parameters: () => [Number(orgNumber)],
      }),
    ),
    {
      title: 'licenses of all projects',
      requests: ['asc', 'desc'].map((order) => ({
        method: 'POST',
        path: `/v1/org/${orgId}/licenses?order=${order}`,
        body: '{}',
        headers: { 'content-type': 'application/json' },
      })),
      sql: 'select license, count(*) from org_packages where org_number = ? group by license',
      parameters: () => [Number(orgNumber)],
    },
  ]
}

async function plainProjects(first: string, asking: Asking): Promise<Omit<TurnCase, 'parameters'>> {
  return {
    title: 'projects, 100 without counts',
    requests: await followPages(first, asking),
    sql: `select p.*, t.display_name, t.url from projects p join targets t on t.id = p.target_id
      where p.org_id = ? and p.created_at > ? order by p.created_at, p.id limit 101`,
  }
}

/** Finds pages as clients do: by the links of the pages before them. */
async function followPages(first: string, { baseUrl, headers }: Asking): Promise<TurnRequest[]> {
  const matches: TurnRequest[] = []
  let path = first
  while (matches.length < PAGES) {
    matches.push({ method: 'GET', path })
    const { links } = (await ask(baseUrl, matches.at(-1)!, headers)) as { links: { next?: string } }
    if (links.next === undefined) return matches
    path = `/rest${links.next}`
  }
  return matches
}

async function ask(baseUrl: string, { method, path, body, headers: own }: TurnRequest, headers: Asking['headers']) {
  const answer = await fetch(`${baseUrl}${path}`, { method, headers: { ...headers, ...own }, body: body ?? null })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${path}: ${text.slice(0, 300)}`)
  return JSON.parse(text) as object
}

interface Measured {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly bytes: number
}

async function loadInTurn(server: Started, turn: Pick<Turn, 'headers' | 'requests'>): Promise<Measured> {
  const requested: Turn = { ...turn, baseUrl: server.baseUrl, connections: READERS, seconds: SECONDS }
  const [command, ...args] = pinned(1, [
    process.execPath,
    'verification/bench/load-in-turn.ts',
    JSON.stringify(requested),
  ])
  const { stdout } = await promisify(execFile)(command, args, { maxBuffer: 1 << 26 })
  const { requests, latency, throughput, non2xx, errors } = JSON.parse(stdout) as {
    requests: { average: number; total: number }
    latency: { p50: number; p99: number }
    throughput: { average: number }
    non2xx: number
    errors: number
  }
  if (non2xx > 0 || errors > 0) throw new Error(`${turn.requests[0]!.path}: ${non2xx} refusals, ${errors} errors`)
  return {
    perSecond: requests.average,
    p50Ms: latency.p50,
    p99Ms: latency.p99,
    bytes: throughput.average / requests.average,
  }
}

function toRow(title: string, own: readonly Measured[], bare: readonly Measured[]): (string | number)[] {
  const of = (list: readonly Measured[], pick: (measured: Measured) => number) => median(list.map(pick))
  const share = median(own.map((measured, n) => measured.perSecond / bare[n]!.perSecond))
  return [
    title,
    of(own, ({ perSecond }) => perSecond),
    of(bare, ({ perSecond }) => perSecond),
    `${Math.round(100 * share)} %`,
    of(own, ({ p50Ms }) => p50Ms),
    of(own, ({ p99Ms }) => p99Ms),
    of(bare, ({ p99Ms }) => p99Ms),
    of(own, ({ bytes }) => bytes / 1024),
  ]
}
