import { sql } from 'kysely'
import type { Db } from '../src/foundation/db/database.ts'

/** A page that is asked for, and the least that has to be asked of storage for it. */
export interface PageCase {
  readonly title: string
  /** Behind `/rest/orgs/<id>/`. */
  readonly path: string
  readonly sql: string
  readonly parameters: readonly (string | number)[]
  /** Number of preceding pages of a hundred. */
  readonly depth: number
}

interface Order {
  readonly sort: string
  readonly columns: string
  readonly descending: boolean
}

/** The sort order and depth of the requested pages, in pages of a hundred. */
export interface Asked {
  readonly orgId: string
  readonly depth: number
}

export async function projectCases(db: Db, { orgId, depth }: Asked): Promise<PageCase[]> {
  const from =
    'select p.*, t.display_name, t.url from projects p join targets t on t.id = p.target_id where p.org_id = ?'
  const orders: Order[] = [
    { sort: 'created', columns: 'p.created_at, p.id', descending: false },
    { sort: '-created', columns: 'p.created_at, p.id', descending: true },
    { sort: 'name', columns: 'p.name, p.id', descending: false },
    { sort: '-name', columns: 'p.name, p.id', descending: true },
  ]
  const cases: PageCase[] = []
  for (const order of orders) {
    const rows = from.replace('?', `'${orgId}'`)
    const deep = await positionAt(db, { rows, row: depth * 100 }, order)
    const path = `projects?sort=${order.sort}`
    cases.push({ title: `projects by ${order.sort}`, path, depth: 0, parameters: [orgId], sql: `${from} ${by(order)}` })
    cases.push({
      title: `projects by ${order.sort}, deep`,
      path,
      depth,
      parameters: [orgId, ...deep],
      sql: `${from} and (${order.columns}) ${order.descending ? '<' : '>'} (?, ?) ${by(order)}`,
    })
  }
  const filtered = (title: string, query: string, condition: string): PageCase => ({
    title: `projects, ${title}`,
    path: `projects?${query}`,
    depth: 0,
    parameters: [orgId],
    sql: `${from} and ${condition} ${by(orders[0]!)}`,
  })
  return [
    ...cases,
    filtered('inactive ones', 'status=inactive', `p.status = 'inactive'`),
    filtered('of one package manager', 'types=yarn', `p.type = 'yarn'`),
    filtered('whose name begins so', 'names_start_with=team-299/', `p.name like 'team-299/%'`),
    { ...cases[0]!, title: 'projects with counts of issues', path: 'projects?meta.latest_issue_counts=true' },
  ]
}

export async function issueCases(db: Db, { orgId, depth }: Asked): Promise<PageCase[]> {
  const { number } = await db
    .selectFrom('org_numbers')
    .select('number')
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow()
  const from = `select oi.*, pi.title, pi.facts, k.name, k.version, k.registry, p.number, p.id, p.name as project_name, p.type, p.created_at
    from org_issues oi
    join project_packages pp on pp.package_number = oi.package_number and pp.org_number = oi.org_number
    join projects p on p.number = pp.project_number
    join package_issues pi on pi.package_number = oi.package_number and pi.issue_id = oi.issue_id
    join packages k on k.number = oi.package_number where oi.org_number = ?`
  const bySeverity = 'oi.severity, oi.issue_id, oi.package_number, pp.project_number'
  const byAge = 'oi.known_since, oi.issue_id, oi.package_number, pp.project_number'
  const orders: Order[] = [
    { sort: '-severity', columns: bySeverity, descending: true },
    { sort: 'severity', columns: bySeverity, descending: false },
    { sort: '-known', columns: byAge, descending: true },
    { sort: 'known', columns: byAge, descending: false },
  ]
  const cases: PageCase[] = []
  for (const order of orders) {
    const deep = await positionAt(db, { rows: from.replace('?', String(number)), row: depth * 100 }, order)
    const path = `issues?sort=${order.sort}`
    const parameters = [Number(number)]
    cases.push({ title: `issues by ${order.sort}`, path, depth: 0, parameters, sql: `${from} ${by(order)}` })
    cases.push({
      title: `issues by ${order.sort}, deep`,
      path,
      depth,
      parameters: [...parameters, ...deep],
      sql: `${from} and (${order.columns}) ${order.descending ? '<' : '>'} (?, ?, ?, ?) ${by(order)}`,
    })
  }
  const project = await db
    .selectFrom('projects')
    .select(['id', 'number'])
    .where('org_id', '=', orgId)
    .orderBy('number')
    .limit(1)
    .executeTakeFirstOrThrow()
  const filtered = (title: string, query: string, condition: string): PageCase => ({
    title: `issues, ${title}`,
    path: `issues?${query}`,
    depth: 0,
    parameters: [Number(number)],
    sql: `${from} and ${condition} ${by(orders[0]!)}`,
  })
  return [
    ...cases,
    filtered('critical ones', 'effective_severity_level=critical', 'oi.severity = 4'),
    filtered('not ignored', 'ignored=false', '1 = 1'),
    filtered('of one project', `scan_item.id=${project.id}`, `pp.project_number = ${project.number}`),
    filtered('of one advisory', 'key=GHSA-one-more', `oi.issue_id = 'GHSA-one-more'`),
  ]
}

function by({ columns, descending }: Order): string {
  const direction = descending ? 'desc' : 'asc'
  return `order by ${columns
    .split(', ')
    .map((column) => `${column} ${direction}`)
    .join(', ')} limit 11`
}

/** The values of a row far into an order. */
async function positionAt(
  db: Db,
  { rows, row }: { rows: string; row: number },
  order: Order,
): Promise<(string | number)[]> {
  const names = order.columns.split(', ').map((column, n) => `${column} as c${n}`)
  const ordered = `select ${names.join(', ')} ${rows.slice(rows.search(/\sfrom /))} ${by(order)}`
  const found = await sql
    .raw<Record<string, string | number>>(ordered.replace('limit 11', `limit 1 offset ${row - 1}`))
    .execute(db)
  return Object.values(found.rows[0]!)
}
