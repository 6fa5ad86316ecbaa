import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findCommits } from '../src/foundation/db/commits.ts'
import type { Db } from '../src/foundation/db/database.ts'
import type { BarePage } from './bare-pages.ts'
import { type Load, load, type Measured, median, printTable, type Started, start } from './load.ts'
import { issueCases, type PageCase, projectCases } from './page-cases.ts'

export interface Served {
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly orgId: string
  readonly adminKey: string
  /** Projects of the organization. */
  readonly projects: number
}

const ROUNDS = 3
const SECONDS = 1
const VERSION = 'version=2024-10-15'

/** Starts a server on the stored projects, on one core. */
export function startServed({ dataDir, databaseUrl }: Served): Promise<Started> {
  return start(['src/main.ts', 'serve'], {
    GATEHOUSE_DATA_DIR: dataDir,
    GATEHOUSE_PORT: '0',
    GATEHOUSE_LOG_LEVEL: 'warn',
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  })
}

const QUIET_MS = 3_000
const LONGEST_WAIT_MS = 600_000

/** Waits until the background work of earlier measurements is done: every commit makes cached pages obsolete. */
export async function waitUntilQuiet(db: Db): Promise<void> {
  const commits = findCommits(db)!
  const begun = Date.now()
  let last = await commits.version()
  for (let since = begun; Date.now() - since < QUIET_MS && Date.now() - begun < LONGEST_WAIT_MS; ) {
    await sleep(100)
    const version = await commits.version()
    if (version !== last) since = Date.now()
    last = version
  }
  console.log(`  background work ended after ${Math.round((Date.now() - begun - QUIET_MS) / 1000)} s`)
}

/** Pages in every order offered, first, deep and filtered, against bare routes: interleaved rounds, medians. */
export async function measurePages(db: Db, served: Served): Promise<void> {
  const asked = { orgId: served.orgId, depth: Math.floor(served.projects / 200) }
  const wanted = process.env['BENCH_PAGES'] ?? ''
  const all = [...(await projectCases(db, asked)), ...(await issueCases(db, asked))]
  const cases = all.filter(({ title }) => title.includes(wanted))
  const gatehouse = await startServed(served)
  await waitUntilQuiet(db)
  const headers = { authorization: `token ${served.adminKey}` }
  try {
    const pages: { page: PageCase; url: string; document: object }[] = []
    for (const page of cases) {
      const url = await findPage(gatehouse.baseUrl, page, { orgId: served.orgId, headers })
      pages.push({ page, url, document: await read(url, headers) })
    }
    const file = join(served.dataDir, 'pages.json')
    const bare: BarePage[] = pages.map(({ page, document }) => ({
      sql: page.sql,
      parameters: page.parameters,
      document,
    }))
    writeFileSync(file, JSON.stringify(bare))
    const database = served.databaseUrl ?? join(served.dataDir, 'gatehouse.sqlite')
    const yardstick = await start(['bench/bare-pages.ts', database, file], {})
    try {
      const rows: (string | number)[][] = []
      for (const [n, { page, url }] of pages.entries()) {
        const own: Cost[] = []
        const other: Cost[] = []
        for (let round = 0; round <= ROUNDS; round++) {
          other.push(await measure(yardstick, { url: `${yardstick.baseUrl}/${n}` }))
          own.push(await measure(gatehouse, { url, headers }))
        }
        rows.push(toRow(page.title, own.slice(1), other.slice(1)))
      }
      console.log(`Pages of 10, 16 connections, median of ${ROUNDS} rounds (bar: 80 % of a bare route with one query)`)
      printTable(['', '/s', 'bare', 'of bare', 'p50 ms', 'p99 ms', 'processor µs', 'bare', 'of bare'], rows)
    } finally {
      await yardstick.stop()
    }
  } finally {
    await gatehouse.stop()
  }
}

interface Cost extends Measured {
  /** Processor microseconds of the server per answer, which other load affects less than latency. */
  readonly microseconds: number
}

async function measure(server: Started, request: Pick<Load, 'url' | 'headers'>): Promise<Cost> {
  const before = server.cpuSeconds()
  const measured = await load({ ...request, connections: 16, seconds: SECONDS })
  return { ...measured, microseconds: ((server.cpuSeconds() - before) * 1e6) / measured.answers }
}

function toRow(title: string, own: readonly Cost[], bare: readonly Cost[]): (string | number)[] {
  const of = (list: readonly Cost[], pick: (each: Cost) => number) => median(list.map(pick))
  const share = (value: (own: Cost, bare: Cost) => number) =>
    `${Math.round(100 * median(own.map((each, n) => value(each, bare[n]!))))} %`
  return [
    title,
    of(own, ({ perSecond }) => perSecond),
    of(bare, ({ perSecond }) => perSecond),
    share((one, other) => one.perSecond / other.perSecond),
    of(own, ({ p50Ms }) => p50Ms),
    of(own, ({ p99Ms }) => p99Ms),
    of(own, ({ microseconds }) => microseconds),
    of(bare, ({ microseconds }) => microseconds),
    share((one, other) => other.microseconds / one.microseconds),
  ]
}

interface Asking {
  readonly orgId: string
  readonly headers: Readonly<Record<string, string>>
}

/** A page is found as clients find it: by the links of the pages before it. */
async function findPage(baseUrl: string, { path, depth }: PageCase, { orgId, headers }: Asking): Promise<string> {
  const first = `${baseUrl}/rest/orgs/${orgId}/${path}&${VERSION}`
  let url = `${first}&limit=100`
  let cursor: string | null = null
  for (let n = 0; n < depth; n++) {
    const { links } = (await read(url, headers)) as { links: { next: string } }
    url = `${baseUrl}/rest${links.next}`
    cursor = new URL(url).searchParams.get('starting_after')
  }
  return cursor === null ? first : `${first}&starting_after=${encodeURIComponent(cursor)}`
}

async function read(url: string, headers: Readonly<Record<string, string>>): Promise<object> {
  const answer = await fetch(url, { headers })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${url}: ${text}`)
  return JSON.parse(text) as object
}
