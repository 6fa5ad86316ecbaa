import { sql } from 'kysely'
import type { IssueFacts } from '#analysis/findings/known-issue.ts'
import type { PackageIssue } from '#analysis/findings/policy-conditions.ts'
import type { Db } from '#foundation/db/database.ts'
import { createSlices } from '#foundation/slices.ts'
import { listProjectsOfPackage, toParts } from '../storage/packages-store.ts'
import type { Policy } from './policies-store.ts'

const ISSUES_AT_ONCE = 500
const PROJECTS_AT_ONCE = 2_000

export interface IssueOfOrg extends PackageIssue {
  readonly packageNumber: number
  readonly title: string
  /** The severity after policies, which conditions do not test. */
  readonly shownSeverity: number
}

/** Lists the vulnerabilities of an organization's packages that meet a policy's conditions, in slices. */
export async function listMatchingIssues(
  db: Db,
  orgNumber: number,
  policy: Pick<Policy, 'ids' | 'matchesIssue'>,
): Promise<IssueOfOrg[]> {
  const matches: IssueOfOrg[] = []
  const pause = createSlices()
  const note = async (rows: readonly Row[]) => {
    for (const row of rows) {
      await pause()
      const issue = toIssue(row)
      if (policy.matchesIssue(issue)) matches.push(issue)
    }
  }
  if (policy.ids === undefined) {
    for (let after = { package_number: 0, issue_id: '' }; ; ) {
      const rows = await issuesOfOrg(db, orgNumber)
        .where(sql<boolean>`(oi.package_number, oi.issue_id) > (${after.package_number}, ${after.issue_id})`)
        .orderBy('oi.package_number')
        .orderBy('oi.issue_id')
        .limit(sql.lit(ISSUES_AT_ONCE))
        .execute()
      await note(rows)
      const last = rows.at(-1)
      if (!last || rows.length < ISSUES_AT_ONCE) return matches
      after = last
    }
  }
  const issueIds = new Set<string>()
  for (const part of toParts([...policy.ids])) {
    const rows = await db.selectFrom('issue_aliases').select('issue_id').where('alias', 'in', part).execute()
    for (const { issue_id } of rows) issueIds.add(issue_id)
  }
  for (const part of toParts([...issueIds])) {
    await note(await issuesOfOrg(db, orgNumber).where('pi.issue_id', 'in', part).execute())
  }
  return matches
}

type Row = Awaited<ReturnType<ReturnType<typeof issuesOfOrg>['execute']>>[number]

function issuesOfOrg(db: Db, orgNumber: number) {
  return db
    .selectFrom('org_issues as oi')
    .innerJoin('package_issues as pi', (join) =>
      join.onRef('pi.package_number', '=', 'oi.package_number').onRef('pi.issue_id', '=', 'oi.issue_id'),
    )
    .innerJoin('packages as k', 'k.number', 'oi.package_number')
    .select(['oi.package_number', 'oi.issue_id', 'pi.severity', 'oi.severity as shownSeverity', 'pi.title', 'pi.facts'])
    .select(['k.registry', 'k.name', 'k.version'])
    .where('oi.org_number', '=', orgNumber)
}

function toIssue({ package_number, issue_id, severity, shownSeverity, facts, ...rest }: Row): IssueOfOrg {
  return {
    ...rest,
    packageNumber: Number(package_number),
    issueId: issue_id,
    severity: Number(severity),
    shownSeverity: Number(shownSeverity),
    facts: JSON.parse(facts) as IssueFacts,
  }
}

export interface IssueAffecting {
  readonly orgNumber: number
  readonly issueId: string
  readonly packages: readonly number[]
}

/**
 * Yields the projects with one of the packages, where the issue is not ignored now, in pages. A project with several of
 * them is repeated.
 */
export async function* listOpenProjects(
  db: Db,
  { orgNumber, issueId, packages }: IssueAffecting,
  now: number,
): AsyncGenerator<number[]> {
  for (const packageNumber of packages) {
    for (let after = 0; ; ) {
      const rows = await db
        .selectFrom('project_packages as pp')
        .leftJoin('ignored_issues as ii', (join) =>
          join
            .onRef('ii.project_number', '=', 'pp.project_number')
            .on('ii.issue_id', '=', issueId)
            .on('ii.ignored_until', '>', now),
        )
        .select(['pp.project_number', 'ii.issue_id as ignored'])
        .where('pp.package_number', '=', packageNumber)
        .where('pp.org_number', '=', orgNumber)
        .where('pp.project_number', '>', after)
        .orderBy('pp.project_number')
        .limit(sql.lit(PROJECTS_AT_ONCE))
        .execute()
      yield rows.flatMap(({ project_number, ignored }) => (ignored === null ? [Number(project_number)] : []))
      if (rows.length < PROJECTS_AT_ONCE) break
      after = Number(rows.at(-1)!.project_number)
    }
  }
}

/** Lists the other packages of an organization that have the issue. */
export async function listOtherPackages(db: Db, { orgNumber, issueId, packages }: IssueAffecting): Promise<number[]> {
  const rows = await issuesOfOrg(db, orgNumber).where('pi.issue_id', '=', issueId).execute()
  return rows.map(({ package_number }) => Number(package_number)).filter((number) => !packages.includes(number))
}

/** Yields the projects of an organization with a package, in pages. */
export async function* listProjectsWith(db: Db, orgNumber: number, packageNumber: number): AsyncGenerator<number[]> {
  for (let after = 0; ; ) {
    const limit = PROJECTS_AT_ONCE
    const numbers = await listProjectsOfPackage(db, { packageNumber, orgNumber, after, limit })
    yield numbers
    if (numbers.length < limit) return
    after = numbers.at(-1)!
  }
}

/** Lists the numbers of an organization's projects that meet a policy's conditions on projects. */
export async function listMatchingProjects(
  db: Db,
  orgId: string,
  policy: Pick<Policy, 'matchesProject'>,
): Promise<Set<number>> {
  const numbers = new Set<number>()
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('projects')
      .select(['number', 'id', 'target_id', 'tags'])
      .where('org_id', '=', orgId)
      .where('number', '>', after)
      .orderBy('number')
      .limit(sql.lit(PROJECTS_AT_ONCE))
      .execute()
    for (const { number, id, target_id, tags } of rows) {
      if (policy.matchesProject({ id, targetId: target_id, tags: tagsOf(tags) })) numbers.add(Number(number))
    }
    if (rows.length < PROJECTS_AT_ONCE) return numbers
    after = Number(rows.at(-1)!.number)
  }
}

/** Parses the stored tags of a project, each as `key:value`. */
export function tagsOf(text: string): string[] {
  return (JSON.parse(text) as { key: string; value: string }[]).map(({ key, value }) => `${key}:${value}`)
}
