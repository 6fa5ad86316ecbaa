import { sql } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import type { GroupKind } from './group-keys.ts'
import { forProjects } from './page-of-projects-store.ts'

/** Issues of one project as included in the totals of groups. */
export interface Listed {
  /** Ids of open vulnerabilities, sorted. */
  readonly open: readonly string[]
  /** Ids of ignored vulnerabilities, sorted. */
  readonly ignored: readonly string[]
  /** Open ones in packages that the project declares itself, sorted. */
  readonly direct: readonly string[]
  /** Numbers of open and ignored vulnerabilities by package key, and 1 if the project declares the package. */
  readonly packages: Readonly<Record<string, readonly [open: number, ignored: number, direct?: 1]>>
}

const NOTHING: Listed = { open: [], ignored: [], direct: [], packages: {} }

/** A vulnerability of a package of a project. */
interface Row {
  readonly project_number: number
  readonly issue_id: string
  readonly severity: number
  readonly registry: string
  readonly name: string
  readonly is_direct: number
}

const listVulnerabilities = forProjects<Row>(
  (projects) => sql`
    select pp.project_number, pp.is_direct, pi.issue_id, pi.severity, k.registry, k.name
    from project_packages pp
    join package_issues pi on pi.package_number = pp.package_number
    join packages k on k.number = pi.package_number
    where pp.project_number in (${projects})`,
)

const listIgnored = forProjects<{ project_number: number; issue_id: string; ignored_until: number }>(
  (projects) => sql`
    select project_number, issue_id, ignored_until from ignored_issues where project_number in (${projects})`,
)

/** Current issues of one project. */
export interface ProjectIssues {
  readonly rows: readonly Row[]
  /** Highest severities of vulnerabilities, from 1 to 4, by id. */
  readonly severities: ReadonlyMap<string, number>
  /** Ends of current ignores of issues of any type, also of those that the project no longer has, by id. */
  readonly ignored: ReadonlyMap<string, number>
}

export async function listIssues(
  db: Db,
  numbers: readonly number[],
  now: number,
): Promise<ReadonlyMap<number, ProjectIssues>> {
  const [rows, ignored] = [await listVulnerabilities(db, numbers, {}), await listIgnored(db, numbers, {})]
  const issues = new Map(
    numbers.map((number) => [number, { rows: [] as Row[], severities: new Map(), ignored: new Map() }]),
  )
  for (const row of rows) {
    const { rows: own, severities } = issues.get(Number(row.project_number))!
    own.push(row)
    severities.set(row.issue_id, Math.max(severities.get(row.issue_id) ?? 0, Number(row.severity)))
  }
  for (const { project_number, issue_id, ignored_until } of ignored) {
    const until = Number(ignored_until)
    if (until > now) issues.get(Number(project_number))!.ignored.set(issue_id, until)
  }
  return issues
}

export function toListed({ rows, ignored: ignoredUntil }: ProjectIssues): Listed {
  const [open, ignored, direct] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const packages = new Map<string, { open: Set<string>; ignored: Set<string>; isDirect: boolean }>()
  for (const { issue_id, registry, name, is_direct } of rows) {
    const state = ignoredUntil.has(issue_id) ? 'ignored' : 'open'
    ;(state === 'ignored' ? ignored : open).add(issue_id)
    const key = packageKey(registry, name)
    const ofPackage = packages.get(key) ?? { open: new Set(), ignored: new Set(), isDirect: false }
    packages.set(key, ofPackage)
    ofPackage[state].add(issue_id)
    if (Number(is_direct) === 0) continue
    ofPackage.isDirect = true
    if (state === 'open') direct.add(issue_id)
  }
  // Sorted, so that equal lists are equal texts.
  const counts = [...packages]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, of]) => [key, [of.open.size, of.ignored.size, ...(of.isDirect ? [1] : [])]] as const)
  const texts = { open: [...open].sort(), ignored: [...ignored].sort(), direct: [...direct].sort() }
  return { ...texts, packages: Object.fromEntries(counts) as unknown as Listed['packages'] }
}

export function packageKey(registry: string, name: string): string {
  return `${registry}/${name}`
}

export function parsePackageKey(key: string): { readonly registry: string; readonly name: string } {
  const at = key.indexOf('/')
  return { registry: key.slice(0, Math.max(at, 0)), name: key.slice(at + 1) }
}

/** Returns the stored text, whose keys are short, since every project has one. */
export function serializeListed({ open, ignored, direct, packages }: Listed): string {
  return JSON.stringify({ o: open, i: ignored, d: direct, p: packages })
}

export function parseListed(text: string | undefined): Listed {
  if (text === undefined || text === '') return NOTHING
  const { o: open, i: ignored, d: direct = [], p: packages } = JSON.parse(text)
  return { open, ignored, direct, packages }
}

export interface Totals {
  projects: number
  /** Number of these projects that declare an affected package themselves. */
  direct: number
  issues: number
  ignored: number
}

export interface Change extends Totals {
  /** True if the group's packages changed. */
  isRedescribed: boolean
}

/** Changes of groups, by organization, kind and key. */
export type Changes = Map<number, Map<GroupKind, Map<string, Change>>>

export function addListed(changes: Changes, orgNumber: number, { listed, by }: { listed: Listed; by: 1 | -1 }): void {
  const change = (kind: GroupKind, key: string, { projects, direct, issues, ignored }: Totals) => {
    const totals = totalsOf(changes, { orgNumber, kind, key })
    totals.projects += by * projects
    totals.direct += by * direct
    totals.issues += by * issues
    totals.ignored += by * ignored
  }
  const direct = new Set(listed.direct)
  for (const id of listed.open) {
    change('vulnerability', id, { projects: 1, direct: direct.has(id) ? 1 : 0, issues: 1, ignored: 0 })
  }
  for (const id of listed.ignored) change('vulnerability', id, { projects: 0, direct: 0, issues: 0, ignored: 1 })
  for (const [key, [issues, ignored, declared = 0]] of Object.entries(listed.packages)) {
    const projects = issues > 0 ? 1 : 0
    change('package', key, { projects, direct: projects * declared, issues, ignored })
  }
}

/** Returns the change of a group; without one, adds an empty one. */
export function totalsOf(
  changes: Changes,
  { orgNumber, kind, key }: { orgNumber: number; kind: GroupKind; key: string },
): Change {
  const kinds = getOrAdd(changes, orgNumber, () => new Map<GroupKind, Map<string, Change>>())
  const groups = getOrAdd(kinds, kind, () => new Map<string, Change>())
  return getOrAdd(groups, key, () => ({ projects: 0, direct: 0, issues: 0, ignored: 0, isRedescribed: false }))
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const value = map.get(key) ?? create()
  map.set(key, value)
  return value
}
