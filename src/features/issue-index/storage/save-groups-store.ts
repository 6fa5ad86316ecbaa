import type { Db } from '#foundation/db/database.ts'
import { saveChanges } from './groups-store.ts'
import {
  addListed,
  type Changes,
  type Listed,
  type ProjectIssues,
  packageKey,
  parseListed,
  serializeListed,
  toListed,
  totalsOf,
} from './listed-issues-store.ts'
import { toParts } from './packages-store.ts'

interface SavedProject {
  readonly number: number
  /** Null before the first test of the organization's projects. */
  readonly org_number: number | null
  /** Null before the project's first test. */
  readonly listed_org: number | null
  readonly listed: string | null
}

interface SavedProjects {
  readonly projects: readonly SavedProject[]
  readonly newlyListed: readonly number[]
  readonly recounts: ReadonlyMap<number, { readonly issues: ProjectIssues }>
}

/** Columns of `project_issue_counts`. */
interface SavedColumns {
  readonly org_number: number
  readonly listed: string
  readonly exploited: number
  readonly fixable: number
}

/** Updates the totals of groups with the issues of some projects. Returns the columns to store per project number. */
export async function saveGroups(
  tx: Db,
  { projects, newlyListed, recounts }: SavedProjects,
  now: number,
): Promise<ReadonlyMap<number, SavedColumns>> {
  const current = new Map([...recounts].map(([number, { issues }]) => [number, toListed(issues)]))
  const changes: Changes = new Map()
  for (const project of projects) addChanges(changes, project, current.get(project.number)!)
  await addDescribed(tx, changes, { orgNumber: Number(projects[0]?.org_number), newlyListed })
  await saveChanges(tx, changes, now)
  const saved = new Map<number, SavedColumns>()
  for (const [orgNumber, own] of Map.groupBy(projects, ({ org_number }) => Number(org_number ?? 0))) {
    const marks = await findMarks(
      tx,
      orgNumber,
      own.flatMap(({ number }) => current.get(number)!.open),
    )
    for (const { number } of own) saved.set(number, toColumns(orgNumber, current.get(number)!, marks))
  }
  return saved
}

function addChanges(changes: Changes, project: SavedProject, listed: Listed): void {
  const orgNumber = Number(project.org_number ?? 0)
  const isSame = Number(project.listed_org) === orgNumber && project.listed === serializeListed(listed)
  if (isSame) return
  const before = parseListed(project.listed ?? undefined)
  addListed(changes, Number(project.listed_org), { listed: before, by: -1 })
  addListed(changes, orgNumber, { listed, by: 1 })
}

/**
 * Adds the groups of packages that are new to the organization: their members changed, even if their totals did not.
 */
async function addDescribed(
  tx: Db,
  changes: Changes,
  { orgNumber, newlyListed }: { orgNumber: number; newlyListed: readonly number[] },
): Promise<void> {
  for (const part of toParts(newlyListed)) {
    const rows = await tx
      .selectFrom('package_issues as pi')
      .innerJoin('packages as k', 'k.number', 'pi.package_number')
      .select(['pi.issue_id', 'k.registry', 'k.name'])
      .where('pi.package_number', 'in', part)
      .execute()
    for (const { issue_id, registry, name } of rows) {
      totalsOf(changes, { orgNumber, kind: 'vulnerability', key: issue_id }).isRedescribed = true
      totalsOf(changes, { orgNumber, kind: 'package', key: packageKey(registry, name) }).isRedescribed = true
    }
  }
}

interface Marks {
  readonly exploited: ReadonlySet<string>
  readonly fixable: ReadonlySet<string>
}

async function findMarks(tx: Db, orgNumber: number, issueIds: readonly string[]): Promise<Marks> {
  const [exploited, fixable] = [new Set<string>(), new Set<string>()]
  for (const part of toParts([...new Set(issueIds)])) {
    const rows = await tx
      .selectFrom('issue_groups')
      .select(['group_key', 'is_exploited', 'is_fixable'])
      .where('org_number', '=', orgNumber)
      .where('kind', '=', 'vulnerability')
      .where('group_key', 'in', part)
      .execute()
    for (const { group_key, is_exploited, is_fixable } of rows) {
      if (is_exploited === 1) exploited.add(group_key)
      if (is_fixable === 1) fixable.add(group_key)
    }
  }
  return { exploited, fixable }
}

function toColumns(orgNumber: number, listed: Listed, { exploited, fixable }: Marks): SavedColumns {
  return {
    org_number: orgNumber,
    listed: serializeListed(listed),
    exploited: listed.open.filter((id) => exploited.has(id)).length,
    fixable: listed.open.filter((id) => fixable.has(id)).length,
  }
}
