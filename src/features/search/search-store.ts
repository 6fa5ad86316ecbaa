import { type RawBuilder, sql } from 'kysely'
import { toSeverity } from '#analysis/findings/known-issue.ts'
import { findNamesOfPart } from '#features/issue-index/storage/issue-search-store.ts'
import { packageKey } from '#features/issue-index/storage/listed-issues-store.ts'
import { findOrgNumber } from '#features/issue-index/storage/packages-store.ts'
import { listGroups } from '#features/issues/groups/group-list-store.ts'
import { toIssueGroup } from '#features/issues/groups/group-resource.ts'
import { findProjectsByWords } from '#features/projects/names/find-projects-store.ts'
import type { Db } from '#foundation/db/database.ts'
import { contains } from '#foundation/db/text-match.ts'
import type { Hit } from './resource.ts'

export interface Wanted {
  readonly orgId: string
  readonly words: readonly string[]
  readonly limit: number
  readonly now: number
}

/** Maximum number of projects ranked for the best matches. */
const MAX_COMPARED = 100

/** Finds up to `limit` hits of one kind, best first. */
export type Finder = (db: Db, query: Wanted) => Promise<Hit[]>

export const findVulnerabilities: Finder = async (db, { orgId, words, limit, now }) => {
  const orgNumber = await findOrgNumber(db, orgId)
  if (orgNumber === undefined) return []
  const input = { orgNumber, kind: 'vulnerability', filters: { words }, sort: '-priority', now } as const
  const { rows } = await listGroups(db, input, { limit, direction: 'after', position: 'start' })
  return rows.map((row) => {
    const { id, attributes } = toIssueGroup(row)
    const { name, severity, is_exploited, projects, packages = [], aliases = [] } = attributes
    const cve = aliases.find((alias) => alias.startsWith('CVE-'))
    const context = [cve, ...packages].filter((part) => part !== undefined).join(' · ')
    return toHit('vulnerability', { id, name, context, severity, is_exploited, projects })
  })
}

export const findPackages: Finder = async (db, { orgId, words, limit }) => {
  const orgNumber = await findOrgNumber(db, orgId)
  if (orgNumber === undefined) return []
  const text = words.join(' ')
  const at = text.lastIndexOf('@')
  const name = at > 0 ? text.slice(0, at) : text
  const names = bestFirst(await findNamesOfPart(db, orgNumber, name), name, (name) => name).slice(0, limit)
  if (names.length === 0) return []
  const { rows } = await sql<{ registry: string; name: string; severity: number; versions: number; projects: number }>`
    select k.registry, op.name, max(op.severity) as severity, count(distinct op.version) as versions,
      max(op.projects) as projects
    from org_packages op join packages k on k.number = op.package_number
    where op.org_number = ${orgNumber} and op.name in (${sql.join(names)})
    group by k.registry, op.name`.execute(db)
  return bestFirst(rows, name, (row) => row.name).map((row) => {
    const versions = Number(row.versions)
    const severity = Number(row.severity) === 0 ? undefined : toSeverity(Number(row.severity))
    const context = `${row.registry} · ${versions} ${versions === 1 ? 'version' : 'versions'}`
    return toHit('package', { id: packageKey(row.registry, row.name), name: row.name, context, severity })
  })
}

export const findProjects: Finder = async (db, { orgId, words, limit }) => {
  const projects = await findProjectsByWords(db, { orgId, words }, MAX_COMPARED)
  const best = bestFirst(projects, words[0]!, ({ name }) => name).slice(0, limit)
  if (best.length === 0) return []
  const ids = best.map(({ id }) => id)
  const targets = await db
    .selectFrom('projects as p')
    .innerJoin('targets as t', 't.id', 'p.target_id')
    .select(['p.id', 't.display_name'])
    .where('p.id', 'in', ids)
    .execute()
  const names = new Map(targets.map(({ id, display_name }) => [id, display_name]))
  return best.map(({ id, name }) => toHit('project', { id, name, context: names.get(id) }))
}

export const findApps = finderIn('app', sql`apps where ended_at is null`)
export const findServiceAccounts = finderIn('service_account', sql`service_accounts where true`)

function finderIn(type: Hit['type'], source: RawBuilder<unknown>): Finder {
  return async (db, { orgId, words, limit }) => {
    const { rows } = await sql<{ id: string; name: string }>`select id, name from ${source}
      and org_id = ${orgId} and ${allIn(db, ['name'], words)} order by name limit ${limit}`.execute(db)
    return rows.map((row) => toHit(type, row))
  }
}

export const findMembers: Finder = async (db, { orgId, words, limit }) => {
  const rows = await db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.principal_id')
    .select(['u.id', 'u.name', 'u.email'])
    .where('m.principal_kind', '=', 'user')
    .where('m.org_id', '=', orgId)
    .where(allIn(db, ['u.name', 'u.username', 'u.email'], words))
    .orderBy('u.name')
    .orderBy('u.id')
    .limit(limit)
    .execute()
  return rows.map(({ id, name, email }) => toHit('member', { id, name, context: email }))
}

/** Requires each word in one of the columns. */
function allIn(db: Db, columns: readonly string[], words: readonly string[]): RawBuilder<boolean> {
  const eachWord = words.map(
    (word) =>
      sql`(${sql.join(
        columns.map((column) => contains(db, column, word)),
        sql` or `,
      )})`,
  )
  return sql<boolean>`${sql.join(eachWord, sql` and `)}`
}

/** Ranks matches: equal text, then names that begin with it, then names with a word that does; shorter ones first. */
function bestFirst<T>(list: readonly T[], text: string, nameOf: (item: T) => string): T[] {
  const needle = text.toLowerCase()
  const rank = (item: T) => {
    const name = nameOf(item).toLowerCase()
    if (name === needle) return 0
    if (name.startsWith(needle)) return 1
    const before = name[name.indexOf(needle) - 1] ?? ''
    return /\w/.test(before) ? 3 : 2
  }
  return [...list].sort((a, b) => rank(a) - rank(b) || nameOf(a).length - nameOf(b).length)
}

type HitInput = { readonly [Name in keyof Hit['attributes']]: Hit['attributes'][Name] | undefined } & {
  readonly id: string
  readonly name: string
}

function toHit(type: Hit['type'], { id, ...attributes }: HitInput): Hit {
  const entries = Object.entries(attributes).filter(([, value]) => value !== undefined)
  return { id, type, attributes: Object.fromEntries(entries) as Hit['attributes'] }
}
