import { type Selectable, sql } from 'kysely'
import { registries } from '#analysis/advisories/package-names.ts'
import { countRows } from '#foundation/db/count-rows.ts'
import { type Db, isUniqueViolation } from '#foundation/db/database.ts'
import { type Keyset, type Page, partsOf, preparedPage, rememberedPage, type Window } from '#foundation/db/keyset.ts'
import { rememberedRow } from '#foundation/db/prepared.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import { beginsWithExactly, contains } from '#foundation/db/text-match.ts'
import { lockRows } from '#foundation/db/transaction-lock.ts'
import type { MaybePromise } from '#foundation/maybe-promise.ts'
import { notFound, Problem } from '#foundation/problem.ts'
import { subtractProjects } from '../issue-index/storage/groups-store.ts'
import { toParts } from '../issue-index/storage/packages-store.ts'
import { addDeletions } from '../issue-index/trends/changes-store.ts'
import { removeUpgrades } from '../issue-index/upgrades/upgrades-store.ts'
import { type ProjectNumbers, removeNameParts } from './names/name-parts-store.ts'

type Stored = Selectable<Tables['projects']>

export interface ProjectRow extends Stored {
  readonly target_name: string
  readonly target_url: string | null
}

/** Filters of a list of projects. A project must match one value of each filter, but all tags and attributes. */
export interface ProjectFilters {
  readonly ids?: readonly string[] | undefined
  readonly targetIds?: readonly string[] | undefined
  readonly targetReference?: string | undefined
  readonly targetFile?: string | undefined
  readonly names?: readonly string[] | undefined
  /** Case-sensitive prefix of the name. */
  readonly nameStarts?: readonly string[] | undefined
  /** Part of the name, case-insensitive. */
  readonly namePart?: string | undefined
  readonly origins?: readonly string[] | undefined
  readonly types?: readonly string[] | undefined
  readonly status?: string | undefined
  readonly importerIds?: readonly string[] | undefined
  readonly tags?: readonly Tag[] | undefined
  readonly businessCriticality?: readonly string[] | undefined
  readonly environment?: readonly string[] | undefined
  readonly lifecycle?: readonly string[] | undefined
  /** Time at which a client last sent it for monitoring, epoch milliseconds. */
  readonly monitoredBefore?: number | undefined
  readonly monitoredAfter?: number | undefined
}

export interface Tag {
  readonly key: string
  readonly value: string
}

export const sortKeys = ['created', '-created', 'name', '-name'] as const
export type SortKey = (typeof sortKeys)[number]

const byAge = {
  columns: ['p.created_at', 'p.id'],
  position: ({ created_at, id }: ProjectRow) => [created_at, id],
}
const byName = { columns: ['p.name', 'p.id'], position: ({ name, id }: ProjectRow) => [name, id] }

/** Each order has its index, so that all pages cost the same. */
export const projectOrders: Readonly<Record<SortKey, Keyset<ProjectRow>>> = {
  created: byAge,
  '-created': { ...byAge, order: 'desc' },
  name: byName,
  '-name': { ...byName, order: 'desc' },
}

/** Uses subqueries instead of a join with targets: for a page PostgreSQL would read and sort both tables. */
function shownProjects(db: Db) {
  const ofTarget = (column: string) => sql`(select ${sql.ref(`t.${column}`)} from targets t where t.id = p.target_id)`
  return db
    .selectFrom('projects as p')
    .selectAll('p')
    .select([
      ofTarget('display_name').$castTo<string>().as('target_name'),
      ofTarget('url').$castTo<string | null>().as('target_url'),
    ])
}

const wholeLists = new Map(
  sortKeys.map((sort) => [
    sort,
    preparedPage(
      (db: Db, { orgId }: { orgId: string }) => shownProjects(db).where('p.org_id', '=', orgId),
      projectOrders[sort],
    ),
  ]),
)

interface ProjectsInput {
  readonly orgId: string
  readonly filters: ProjectFilters
  readonly sort: SortKey
}

const filteredLists = rememberedPage(
  (db: Db, { orgId, filters, sort }: ProjectsInput) =>
    partsOf(shownProjects(db).where(isOf(orgId, filters)).where(fits(db, filters)), projectOrders[sort]),
  ({ sort }) => projectOrders[sort],
)

export function listProjects(
  db: Db,
  { orgId, filters, sort }: ProjectsInput,
  window: Window,
): MaybePromise<Page<ProjectRow>> {
  if (Object.values(filters).every((value) => value === undefined)) return wholeLists.get(sort)!(db, { orgId }, window)
  return filteredLists(db, { orgId, filters, sort }, window)
}

/** Filters by organization, in a form that keeps both engines from using its index if few ids are given. */
function isOf(orgId: string, { ids, targetIds }: ProjectFilters) {
  return ids || targetIds ? sql<boolean>`p.org_id || '' = ${orgId}` : sql<boolean>`p.org_id = ${orgId}`
}

export async function countProjects(db: Db, orgId: string, filters: ProjectFilters): Promise<number> {
  return countRows(db.selectFrom('projects as p').where('p.org_id', '=', orgId).where(fits(db, filters)))
}

/** Lists matching projects, oldest first, at most `most`. */
export async function listProjectsAtOnce(
  db: Db,
  { orgId, filters, most }: { orgId: string; filters: ProjectFilters; most: number },
): Promise<ProjectRow[]> {
  return shownProjects(db)
    .where('p.org_id', '=', orgId)
    .where(fits(db, filters))
    .orderBy('p.created_at')
    .orderBy('p.id')
    .limit(sql.lit(most))
    .execute()
}

/** Columns with a single value. */
const oneOf = {
  ids: 'p.id',
  targetIds: 'p.target_id',
  names: 'p.name',
  origins: 'p.origin',
  types: 'p.type',
  importerIds: 'p.importer_id',
} as const

/** Columns with a JSON list that must contain all values. */
const allOf = {
  businessCriticality: 'p.business_criticality',
  environment: 'p.environment',
  lifecycle: 'p.lifecycle',
} as const

function fits(db: Db, filters: ProjectFilters) {
  const parts = [sql<boolean>`1 = 1`]
  for (const [name, column] of Object.entries(oneOf)) {
    const values = filters[name as keyof typeof oneOf]
    if (values !== undefined) parts.push(sql<boolean>`${sql.ref(column)} in (${sql.join([...values])})`)
  }
  for (const [name, column] of Object.entries(allOf)) {
    // Each value once: SQLite limits the depth of an expression to 1,000.
    for (const value of new Set(filters[name as keyof typeof allOf])) parts.push(holdsJson(column, value))
  }
  for (const { key, value } of filters.tags ?? []) parts.push(holdsJson('p.tags', { key, value }))
  const { targetReference, targetFile, status, namePart, nameStarts, monitoredBefore, monitoredAfter } = filters
  if (targetReference !== undefined) parts.push(sql`p.target_reference = ${targetReference}`)
  if (targetFile !== undefined) parts.push(sql`p.target_file = ${targetFile}`)
  if (status !== undefined) parts.push(sql`p.status = ${status}`)
  if (namePart !== undefined) parts.push(contains(db, 'p.name', namePart))
  if (nameStarts !== undefined) {
    parts.push(
      sql`(${sql.join(
        nameStarts.map((start) => beginsWithExactly('p.name', start)),
        sql` or `,
      )})`,
    )
  }
  if (monitoredBefore !== undefined) parts.push(sql`p.monitored_at < ${monitoredBefore}`)
  if (monitoredAfter !== undefined) parts.push(sql`p.monitored_at > ${monitoredAfter}`)
  return sql<boolean>`(${sql.join(parts, sql` and `)})`
}

/**
 * Matches an element of a stored list, written by `JSON.stringify`, so equal values are equal texts; `like` would
 * ignore case on SQLite.
 */
function holdsJson(column: string, value: unknown) {
  return sql<boolean>`replace(${sql.ref(column)}, ${JSON.stringify(value)}, '') <> ${sql.ref(column)}`
}

/** Lists the tags of a group's projects, each once, sorted by key and value. */
export async function listTagsOfGroup(db: Db, groupId: string): Promise<Tag[]> {
  const rows = await db
    .selectFrom('projects as p')
    .innerJoin('orgs as o', 'o.id', 'p.org_id')
    .select('p.tags')
    .distinct()
    .where('o.group_id', '=', groupId)
    .where('p.tags', '<>', '[]')
    .execute()
  const texts = new Set(rows.flatMap(({ tags }) => (JSON.parse(tags) as Tag[]).map((tag) => JSON.stringify(tag))))
  return [...texts].sort().map((text) => JSON.parse(text) as Tag)
}

/** Projects have thousands of characters each, mostly licenses. */
const MAX_REMEMBERED_PROJECTS = 500

const projectById = rememberedRow(
  (db: Db, { orgId, id }: { orgId: string; id: string }) =>
    shownProjects(db).where('p.org_id', '=', orgId).where('p.id', '=', id),
  MAX_REMEMBERED_PROJECTS,
)

export async function findProject(db: Db, orgId: string, id: string): Promise<ProjectRow | undefined> {
  return projectById(db, { orgId, id })
}

const numberOfProject = rememberedRow((db: Db, { orgId, id }: { orgId: string; id: string }) =>
  db.selectFrom('projects').select('number').where('org_id', '=', orgId).where('id', '=', id),
)

export async function findProjectNumber(db: Db, orgId: string, id: string): Promise<number | undefined> {
  const row = await numberOfProject(db, { orgId, id })
  return row && Number(row.number)
}

export async function getProjectNumber(db: Db, orgId: string, id: string): Promise<number> {
  const number = await findProjectNumber(db, orgId, id)
  if (number === undefined) throw notFound(`Project ${id}`)
  return number
}

export async function getProject(db: Db, orgId: string, id: string): Promise<ProjectRow> {
  const row = await findProject(db, orgId, id)
  if (!row) throw notFound(`Project ${id}`)
  return row
}

/**
 * Locks a project that is about to change until the transaction ends. The lock is an update, which both engines
 * support.
 */
export async function lockProject(tx: Db, orgId: string, { id, at }: { id: string; at: number }): Promise<ProjectRow> {
  const locked = await tx
    .updateTable('projects')
    .set({ updated_at: at })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  if (!locked) throw notFound(`Project ${id}`)
  return getProject(tx, orgId, id)
}

export type ProjectChange = Partial<
  Pick<
    Stored,
    | 'business_criticality'
    | 'environment'
    | 'lifecycle'
    | 'tags'
    | 'test_frequency'
    | 'status'
    | 'owner_id'
    | 'next_test_at'
    | 'target_reference'
    | 'place_key'
    | 'org_id'
    | 'target_id'
  >
>

/** Throws 409 if another project of the target is at that place. */
export async function updateProject(tx: Db, id: string, change: ProjectChange): Promise<void> {
  if (Object.keys(change).length === 0) return
  try {
    await tx.updateTable('projects').set(change).where('id', '=', id).execute()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new Problem('conflict', 'Another project of the target already has this file at this reference')
  }
}

/** Deletes projects and, by reference, their history, ignores and packages. */
export async function deleteProjects(
  tx: Db,
  orgId: string,
  { ids, at }: { ids: readonly string[]; at: number },
): Promise<Stored[]> {
  if (ids.length === 0) return []
  const selection = tx.selectFrom('projects').select('number').where('org_id', '=', orgId).where('id', 'in', ids)
  await forgetProjects(tx, selection, at)
  return tx.deleteFrom('projects').where('org_id', '=', orgId).where('id', 'in', ids).returningAll().execute()
}

/** Locks projects that are about to be deleted, and subtracts them from lists, totals and trends. */
export async function forgetProjects(tx: Db, projects: ProjectNumbers, at: number): Promise<void> {
  await lockRows(tx, projects.orderBy('number').forUpdate())
  await addDeletions(tx, projects, at)
  await removeUpgrades(tx, projects)
  await removeNameParts(tx, projects)
  await subtractProjects(tx, await projects.execute(), at)
}

/** Returns true if the user is a member of the organization or its group. */
export async function isMember(db: Db, { userId, orgId }: { userId: string; orgId: string }): Promise<boolean> {
  const row = await db
    .selectFrom('memberships as m')
    .innerJoin('orgs as o', 'o.group_id', 'm.group_id')
    .select('m.id')
    .where('m.principal_kind', '=', 'user')
    .where('m.principal_id', '=', userId)
    .where('o.id', '=', orgId)
    .where((eb) => eb.or([eb('m.org_id', '=', orgId), eb('m.org_id', 'is', null)]))
    .executeTakeFirst()
  return row !== undefined
}

export type PersonRow = Pick<Selectable<Tables['users']>, 'id' | 'name' | 'username' | 'email'>

export async function findPeople(db: Db, ids: readonly (string | null)[]): Promise<ReadonlyMap<string, PersonRow>> {
  const uniqueIds = [...new Set(ids.filter((id) => id !== null))]
  const query = db.selectFrom('users').select(['id', 'name', 'username', 'email'])
  const people = await Array.fromAsync(toParts(uniqueIds), (part) => query.where('id', 'in', part).execute())
  return new Map(people.flat().map((row) => [row.id, row]))
}

export async function findProjectByNumber(db: Db, orgId: string, number: number): Promise<ProjectRow | undefined> {
  return shownProjects(db).where('p.org_id', '=', orgId).where('p.number', '=', number).executeTakeFirst()
}

export type LicensedRow = Pick<Stored, 'number' | 'id' | 'name' | 'type' | 'licenses' | 'created_at'>

interface LicensedWanted {
  readonly orgId: string
  readonly projectId: string | undefined
  /** Only projects with a package of one of these names, as in `packages`. */
  readonly packageNames: readonly string[] | undefined
  /** Only projects with an ignore that is valid after this time. */
  readonly ignoredAfter: number | undefined
  /** Creation time and id of the first project. */
  readonly from: readonly [number, string] | undefined
  readonly inclusive: boolean
  readonly forward: boolean
  readonly limit: number
}

/** Lists projects with their licenses, by creation time in either direction. */
export async function listLicensedProjects(
  db: Db,
  { orgId, projectId, packageNames, ignoredAfter, from, inclusive, forward, limit }: LicensedWanted,
): Promise<LicensedRow[]> {
  const direction = forward ? 'asc' : 'desc'
  let query = db
    .selectFrom('projects')
    .select(['number', 'id', 'name', 'type', 'licenses', 'created_at'])
    .where('org_id', '=', orgId)
  if (projectId !== undefined) query = query.where('id', '=', projectId)
  if (packageNames !== undefined) {
    query = query.where('number', 'in', (some) =>
      some
        .selectFrom('project_packages as pp')
        .innerJoin('org_numbers as n', 'n.number', 'pp.org_number')
        .innerJoin('packages as k', 'k.number', 'pp.package_number')
        .select('pp.project_number')
        .where('n.org_id', '=', orgId)
        .where('k.registry', 'in', registries)
        .where('k.name', 'in', packageNames),
    )
  }
  if (ignoredAfter !== undefined) {
    query = query.where('number', 'in', (some) =>
      some.selectFrom('ignored_issues').select('project_number').where('ignored_until', '>', ignoredAfter),
    )
  }
  if (from !== undefined) {
    const operator = `${forward ? '>' : '<'}${inclusive ? '=' : ''}`
    query = query.where(sql<boolean>`(created_at, id) ${sql.raw(operator)} (${from[0]}, ${from[1]})`)
  }
  return query.orderBy('created_at', direction).orderBy('id', direction).limit(sql.lit(limit)).execute()
}
