import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../../src/foundation/db/database.ts'
import { DEPTH, type Get, measureViews, pageAfter, VERSION, type View } from '../console-views.ts'
import { printTable } from '../load.ts'
import { countMore, idOfMore, publishSynthetic } from '../match-projects.ts'
import { type Served, startServed } from '../served-projects.ts'

const LONGEST_WAIT_MS = 120_000

/** Pages of projects and issues of the largest organization, first, deep and filtered. */
export async function measureListPages(db: Db, served: Served): Promise<void> {
  console.log('Pages of the API (bar: 50 ms)')
  await measureViews(db, served, findPages)
}

async function findPages(_orgId: string, get: Get): Promise<View[]> {
  const views: View[] = []
  const add = async (title: string, query: string) => {
    const first = `${query}${query.includes('?') ? '&' : '?'}${VERSION}&limit=100`
    views.push({ title, paths: [first] }, { title: `${title}, deep`, paths: [await pageAfter(first, DEPTH, get)] })
  }
  for (const sort of ['created', '-created', 'name', '-name']) await add(`projects by ${sort}`, `projects?sort=${sort}`)
  await add('projects with counts of issues', 'projects?meta.latest_issue_counts=true')
  await add('targets', 'targets')
  for (const sort of ['-severity', 'severity', '-known', 'known']) await add(`issues by ${sort}`, `issues?sort=${sort}`)
  const single = (title: string, path: string) => views.push({ title, paths: [`${path}&${VERSION}&limit=100`] })
  single('projects, inactive', 'projects?status=inactive')
  single('projects of Yarn', 'projects?types=yarn')
  single('projects by the beginning of their names', 'projects?names_start_with=team-299/')
  single('issues, critical', 'issues?effective_severity_level=critical')
  single('issues, not ignored', 'issues?ignored=false')
  const { data } = JSON.parse(await get(`projects?${VERSION}&limit=10`)) as { data: { id: string }[] }
  single('issues of one project', `issues?scan_item.type=project&scan_item.id=${data[0]!.id}`)
  return views
}

/** Selects organizations of every size: the largest, and some of each further size. */
async function pickOrgs(db: Db): Promise<{ id: string; projects: number; projectId: string }[]> {
  const { rows } = await sql<{ id: string; projects: number; project_id: string }>`
    with sized as (select org_id, count(*) as projects, min(id) as project_id from projects group by org_id),
      placed as (select *, row_number() over (partition by round(log(projects)::numeric, 1) order by org_id) as place from sized)
    select org_id as id, projects, project_id from placed where place <= 2 order by projects desc`.execute(db)
  return rows.map(({ id, projects, project_id }) => ({ id, projects: Number(projects), projectId: project_id }))
}

/**
 * Publishes one advisory against the package that all projects have, while a server runs, and asks the pages of several
 * organizations until each shows it: the list of issues, the issues of a project, and the groups.
 */
export async function measureVisibleEverywhere(db: Db, served: Served, records: number): Promise<void> {
  const orgs = await pickOrgs(db)
  const more = await countMore(db)
  const id = idOfMore(more)
  const server = await startServed(served)
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-publish-'))
  try {
    const headers = { authorization: `token ${served.adminKey}` }
    const pages = orgs.flatMap(({ id: org, projects, projectId }) => [
      { title: `issues, ${projects} projects`, path: `${org}/issues?${VERSION}&key=${id}` },
      {
        title: `issues of one project, ${projects} projects`,
        path: `${org}/issues?${VERSION}&key=${id}&scan_item.type=project&scan_item.id=${projectId}`,
      },
      {
        title: `vulnerabilities, ${projects} projects`,
        path: `${org}/issue_groups?${VERSION}&group_by=vulnerability&query=${id.toLowerCase()}`,
      },
    ])
    const committedAt = await publishSynthetic(db, { dir, records }, more + 1)
    const rows = await Promise.all(
      pages.map(async ({ title, path }): Promise<[string, number]> => {
        for (;;) {
          const answer = await fetch(`${server.baseUrl}/rest/orgs/${path}`, { headers })
          const { data } = (await answer.json()) as { data: unknown[] }
          const ms = performance.now() - committedAt
          if (data.length > 0) return [title, ms]
          if (ms > LONGEST_WAIT_MS) throw new Error(`${title}: not shown after ${LONGEST_WAIT_MS} ms`)
          await sleep(50)
        }
      }),
    )
    console.log(
      'A new advisory against a package of all projects, from its commit until each page shows it (bar: 5,000 ms)',
    )
    printTable(['', 'ms'], rows)
  } finally {
    await server.stop()
    rmSync(dir, { recursive: true })
  }
}

/** Rows, bytes of tables and indexes, and the time of a vacuum after it is due. */
export async function measureSizes(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string; rows: number; heap: number; indexes: number; total: number }>`
    select relname as name, greatest(reltuples, 0)::bigint as rows, pg_table_size(oid) as heap,
      pg_indexes_size(oid) as indexes, pg_total_relation_size(oid) as total
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by total desc limit 20`.execute(
    db,
  )
  const sum = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(db)
  console.log(`Tables (database: ${(Number(sum.rows[0]!.bytes) / 1e9).toFixed(1)} GB)`)
  const mb = (bytes: number) => Math.round(Number(bytes) / 1e6)
  printTable(
    ['', 'rows', 'MB', 'MB of indexes', 'MB in all'],
    rows.map(({ name, rows: count, heap, indexes, total }) => [name, Number(count), mb(heap), mb(indexes), mb(total)]),
  )
}

/** Vacuums the largest tables, and what a hundredth of changed rows in one of them costs. */
export async function measureVacuum(db: Db): Promise<void> {
  const rows: [string, number][] = []
  const time = async (title: string, statement: string) => {
    const begun = performance.now()
    await sql.raw(statement).execute(db)
    rows.push([title, (performance.now() - begun) / 1000])
  }
  for (const table of ['project_packages', 'project_issue_counts', 'issue_groups', 'org_packages', 'org_issues']) {
    await time(`vacuum ${table}`, `vacuum ${table}`)
  }
  await time(
    'update of a hundredth of project_issue_counts',
    'update project_issue_counts set valid_until = valid_until where project_number % 100 = 7',
  )
  await time('vacuum project_issue_counts after it', 'vacuum project_issue_counts')
  printTable(['', 's'], rows)
}
