import type { Db } from '../../src/foundation/db/database.ts'
import { printTable } from './load.ts'
import { type Served, startServed, waitUntilQuiet } from './served-projects.ts'

export interface View {
  readonly title: string
  /** Behind `/rest/orgs/<id>/`, or from the root of the server. */
  readonly paths: readonly string[]
}

/** Returns the answer to a path of a view. */
export type Get = (path: string) => Promise<string>

export const VERSION = 'version=2024-10-15'
/** With fewer, the 99th percentile of most views would be their longest request. */
const ROUNDS = 20
export const DEPTH = 40

/** The requests of the console's overview, its issues and its search. */
export async function measureConsoleViews(db: Db, served: Served): Promise<void> {
  console.log('Requests of the console (bars: overview 300 ms, issues 50 ms, search 100 ms)')
  await measureViews(db, served, findConsoleViews)
}

/**
 * Measures requests one at a time, from request to answer. Answers are cached until the next commit (decision 0030), so each
 * is requested once after a commit and once more. The processor time of the server depends little on other work of the machine.
 */
export async function measureViews(
  db: Db,
  served: Served,
  findViews: (orgId: string, get: Get) => Promise<View[]>,
): Promise<void> {
  const server = await startServed(served)
  await waitUntilQuiet(db)
  try {
    const get = async (path: string) => {
      const began = performance.now()
      const url = path.startsWith('/') ? path : `/rest/orgs/${served.orgId}/${path}`
      const answer = await fetch(`${server.baseUrl}${url}`, {
        headers: { authorization: `token ${served.adminKey}` },
      })
      const text = await answer.text()
      if (answer.status !== 200) throw new Error(`${path}: ${text.slice(0, 300)}`)
      return { ms: performance.now() - began, text }
    }
    const rows: (string | number)[][] = []
    for (const { title, paths } of await findViews(served.orgId, async (path) => (await get(path)).text)) {
      const after: number[] = []
      const again: number[] = []
      let cpuSeconds = 0
      for (let round = 0; round < ROUNDS; round++) {
        for (const path of paths) {
          await commit(db, served.orgId)
          const before = server.cpuSeconds()
          after.push((await get(path)).ms)
          cpuSeconds += server.cpuSeconds() - before
          again.push((await get(path)).ms)
        }
      }
      const cpuMs = ((1000 * cpuSeconds) / after.length).toFixed(0)
      rows.push([title, after.length, ...spread(after), cpuMs, ...spread(again)])
    }
    printTable(
      ['', 'requests', 'after a commit p50 ms', 'p99 ms', 'server’s processor ms', 'again p50 ms', 'p99 ms'],
      rows,
    )
  } finally {
    await server.stop()
  }
}

export async function findConsoleViews(orgId: string, get: Get): Promise<View[]> {
  const groups: View[] = []
  for (const by of ['vulnerability', 'package']) {
    for (const sort of ['-priority', '-severity', '-projects', '-known', 'known']) {
      groups.push(await pagesOf(`issues by ${by}, ${sort}`, `group_by=${by}&sort=${sort}`, get))
    }
    const filters = [
      'effective_severity_level=critical',
      'fixable=true',
      'exploited=true',
      'ignored=false',
      'query=common',
    ]
    groups.push({
      title: `issues by ${by}, filtered`,
      paths: filters.map((filter) => `issue_groups?${VERSION}&group_by=${by}&${filter}&limit=50`),
    })
  }
  // Projects have one order and no filters.
  groups.push(await pagesOf('issues by project', 'group_by=project', get))
  const month = new Date(Date.now() - 90 * 86_400_000).toISOString().slice(0, 10)
  const today = new Date().toISOString().slice(0, 10)
  const words = [
    'common',
    'team-29',
    'GHSA-one',
    '7',
    'nothing-has-this-name',
    'pack',
    'service-4711',
    'team-1%20team-2',
  ]
  return [
    { title: 'overview', paths: [`/console/orgs/${orgId}/overview`] },
    {
      title: 'trends of 90 days',
      paths: ['day', 'week'].map((interval) => `trends?${VERSION}&from=${month}&to=${today}&interval=${interval}`),
    },
    ...groups,
    {
      title: 'projects by repository',
      paths: [`/console/orgs/${orgId}/repositories`],
    },
    { title: 'search', paths: words.map((word) => `search?${VERSION}&query=${word}`) },
  ]
}

/** The first page, with totals and without, and one far behind it. */
async function pagesOf(title: string, query: string, get: Get): Promise<View> {
  const first = `issue_groups?${VERSION}&${query}&limit=50`
  return { title, paths: [first, `${first}&meta.totals=true`, await pageAfter(first, DEPTH, get)] }
}

/** Follows the links from a first page; a shorter list ends at its last page. */
export async function pageAfter(first: string, depth: number, get: Get): Promise<string> {
  let path = first
  for (let page = 0; page < depth; page++) {
    const { links } = JSON.parse(await get(path)) as { links: { next?: string } }
    if (links.next === undefined) break
    path = links.next.replace(/^.*\/orgs\/[^/]*\//, '')
  }
  return path
}

/** Makes every cached answer obsolete. */
async function commit(db: Db, orgId: string): Promise<void> {
  await db.updateTable('orgs').set({ updated_at: Date.now() }).where('id', '=', orgId).execute()
}

function spread(values: readonly number[]): [p50: number, p99: number] {
  const sorted = values.toSorted((a, b) => a - b)
  return [sorted[Math.floor(sorted.length / 2)]!, sorted[Math.floor(sorted.length * 0.99)]!]
}
