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
export interface Vulnerability {
  readonly project_number: number
  readonly is_direct: number
  readonly package_number: number
  readonly issue_id: string
  readonly severity: number
  /** The severity by the advisory, which policies test. */
  readonly own_severity: number
  /** JSON. */
  readonly facts: string
  readonly registry: string
  readonly name: string
  readonly version: string
  readonly variant: string
}

/** Vulnerabilities by project number. */
export type Vulnerabilities = ReadonlyMap<number, readonly Vulnerability[]>

const readVulnerabilities = forProjects<Vulnerability>(
  (projects) => sql`
    select pp.project_number, pp.is_direct, pi.package_number, pi.issue_id, pi.facts,
      coalesce(oi.severity, pi.severity) as severity, pi.severity as own_severity,
      k.registry, k.name, k.version, k.variant
    from project_packages pp
    join package_issues pi on pi.package_number = pp.package_number
    join packages k on k.number = pi.package_number
    left join org_issues oi on oi.org_number = pp.org_number and oi.package_number = pi.package_number
      and oi.issue_id = pi.issue_id
    where pp.project_number in (${projects})`,
)

export async function listVulnerabilities(db: Db, numbers: readonly number[]): Promise<Vulnerabilities> {
  const rows = await readVulnerabilities(db, numbers, {})
  const byProject = Map.groupBy(rows, ({ project_number }) => Number(project_number))
  return new Map(numbers.map((number) => [number, byProject.get(number) ?? []]))
}

const listIgnored = forProjects<{ project_number: number; issue_id: string; ignored_until: number }>(
  (projects) => sql`
    select project_number, issue_id, ignored_until from ignored_issues where project_number in (${projects})`,
)

/** Current issues of one project. */
export interface ProjectIssues {
  readonly vulnerabilities: readonly Vulnerability[]
  /** Highest severities of vulnerabilities, from 1 to 4, by id. */
  readonly severities: ReadonlyMap<string, number>
  /** Ends of current ignores of issues of any type, also of those that the project no longer has, by id. */
  readonly ignored: ReadonlyMap<string, number>
}

/** Lists the issues of projects. Reads the vulnerabilities of those that `read` does not have. */
export async function listIssues(
  db: Db,
  { numbers, read = new Map() }: { numbers: readonly number[]; read?: Vulnerabilities | undefined },
  now: number,
): Promise<ReadonlyMap<number, ProjectIssues>> {
  const unread = numbers.filter((number) => !read.has(number))
  const others = await listVulnerabilities(db, unread)
  const rows = (await listIgnored(db, numbers, {})).filter(({ ignored_until }) => Number(ignored_until) > now)
  const ignored = Map.groupBy(rows, ({ project_number }) => Number(project_number))
  return new Map(
    numbers.map((number) => {
      const vulnerabilities = read.get(number) ?? others.get(number)!
      const own = ignored.get(number) ?? []
      const ends = new Map(own.map(({ issue_id, ignored_until }) => [issue_id, Number(ignored_until)]))
      return [number, { vulnerabilities, severities: severitiesOf(vulnerabilities), ignored: ends }]
    }),
  )
}

function severitiesOf(vulnerabilities: readonly Vulnerability[]): ReadonlyMap<string, number> {
  const severities = new Map<string, number>()
  for (const { issue_id, severity } of vulnerabilities) {
    severities.set(issue_id, Math.max(severities.get(issue_id) ?? 0, Number(severity)))
  }
  return severities
}

export function toListed({ vulnerabilities, ignored: ends }: ProjectIssues): Listed {
  const [open, ignored, direct] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const packages = new Map<string, { open: Set<string>; ignored: Set<string>; isDirect: boolean }>()
  for (const { issue_id, registry, name, is_direct } of vulnerabilities) {
    const state = ends.has(issue_id) ? 'ignored' : 'open'
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
