import { sql } from 'kysely'
import { toSeverityNumber } from '#analysis/findings/known-issue.ts'
import type { Db } from '#foundation/db/database.ts'
import { insertMissing } from '#foundation/db/insert-missing.ts'
import { noteIgnoresEnding, notePackagesToRecount } from '../counts/issue-counts-store.ts'
import { endOwn, listIgnoredUnder } from '../ignores/ignored-store.ts'
import { saveWorstSeverities } from '../packages/org-packages-store.ts'
import { listOrgsChangingSeverities, setSeverities } from '../policies/severities-store.ts'
import { noteUnevaluated } from '../policies/unevaluated-store.ts'
import { markStale } from '../storage/groups-store.ts'
import { deleteKnownIssues, saveKnownIssues } from '../storage/known-issues-store.ts'
import { packageKey } from '../storage/listed-issues-store.ts'
import type { NewIssue } from '../storage/new-issue.ts'
import { findPackagesByNumber, toParts } from '../storage/packages-store.ts'
import { followRenames } from '../triage/triage-store.ts'
import { type IssueChanges, renamesOf } from './match-package.ts'

/** Stores changes of packages' issues, and marks what must be announced and evaluated. */
export async function applyChanges(tx: Db, all: readonly IssueChanges[], at: number): Promise<void> {
  if (all.length === 0) return
  const written: NewIssue[] = []
  for (const { packageNumber, added, renamed, changed, removed } of all) {
    if (removed.length > 0) await deleteKnownIssues(tx, packageNumber, removed)
    for (const issue of [...added, ...renamed, ...changed]) written.push({ packageNumber, issue })
    for (const { issueId, severity } of changed) {
      await saveSeverity(tx, { packageNumber, issueId, severity: toSeverityNumber(severity) })
    }
  }
  await saveKnownIssues(tx, written)
  const packages = all.map(({ packageNumber }) => packageNumber)
  await notePackagesToRecount(tx, packages)
  const fresh = all.filter(({ added, renamed }) => added.length + renamed.length > 0)
  const orgs = await listOrgsWith(tx, packages)
  await noteFresh(tx, fresh, { orgs, at })
  await setChangedSeverities(tx, orgs)
  await saveWorstSeverities(tx, packages)
  await noteUnannounced(tx, fresh, { orgs, at })
  await markGroups(tx, all, { orgs, at })
  await judgeAgain(tx, all)
  await followRenames(tx, renamesOf(all))
  await noteUnevaluated(
    tx,
    all.flatMap(({ packageNumber: package_number, added, renamed, changed, removed }) =>
      [...[...added, ...renamed, ...changed].map(({ issueId }) => issueId), ...removed].map((issue_id) => ({
        package_number,
        issue_id,
      })),
    ),
  )
}

async function saveSeverity(
  tx: Db,
  { packageNumber, issueId, severity }: { packageNumber: number; issueId: string; severity: number },
): Promise<void> {
  await tx
    .updateTable('org_issues')
    .set({ severity })
    .where('package_number', '=', packageNumber)
    .where('issue_id', '=', issueId)
    .where('severity', '<>', severity)
    .where('policy_number', 'is', null)
    .execute()
}

/** Applies policies to the severities of packages' issues, in the organizations with such policies. */
async function setChangedSeverities(tx: Db, orgs: Noted['orgs']): Promise<void> {
  for (const orgNumber of await listOrgsChangingSeverities(tx)) {
    const packages = [...orgs].flatMap(([number, own]) => (own.includes(orgNumber) ? [number] : []))
    if (packages.length > 0) await setSeverities(tx, orgNumber, packages)
  }
}

/**
 * Finds the organizations with projects that contain each package. Skips along the inverted index, since there are many
 * projects.
 */
async function listOrgsWith(db: Db, packages: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>> {
  const orgsByPackage = new Map<number, number[]>(packages.map((number) => [number, []]))
  for (const part of toParts(packages)) {
    const { rows } = await sql<{ package_number: number; org_number: number }>`
      with recursive leaps (package_number, org_number) as (
        select number, (select min(org_number) from project_packages pp where pp.package_number = packages.number)
        from packages where number in (${sql.join(part)})
        union all
        select package_number, (
          select min(org_number) from project_packages pp
          where pp.package_number = leaps.package_number and pp.org_number > leaps.org_number
        ) from leaps where org_number is not null
      )
      select package_number, org_number from leaps where org_number is not null`.execute(db)
    for (const row of rows) orgsByPackage.get(Number(row.package_number))!.push(Number(row.org_number))
  }
  return orgsByPackage
}

async function markGroups(tx: Db, all: readonly IssueChanges[], { orgs, at }: Noted): Promise<void> {
  const packageRows = await findPackagesByNumber(
    tx,
    all.map(({ packageNumber }) => packageNumber),
  )
  const keyOf = new Map(packageRows.map(({ number, registry, name }) => [Number(number), packageKey(registry, name)]))
  const byOrg = new Map<number, { packages: Set<string>; vulnerabilities: Set<string> }>()
  for (const { packageNumber, added, renamed, changed, removed } of all) {
    const ids = [...[...added, ...renamed, ...changed].map(({ issueId }) => issueId), ...removed]
    for (const org of orgs.get(packageNumber)!) {
      const keys = byOrg.get(org) ?? { packages: new Set(), vulnerabilities: new Set() }
      keys.packages.add(keyOf.get(packageNumber)!)
      for (const id of ids) keys.vulnerabilities.add(id)
      byOrg.set(org, keys)
    }
  }
  for (const { orgNumbers, packages, vulnerabilities } of joinOrgs([...byOrg].sort(([a], [b]) => a - b))) {
    await markStale(tx, { orgNumbers, kind: 'package', keys: packages }, at)
    await markStale(tx, { orgNumbers, kind: 'vulnerability', keys: vulnerabilities }, at)
  }
}

interface Marked {
  readonly orgNumbers: number[]
  readonly packages: readonly string[]
  readonly vulnerabilities: readonly string[]
}

/** Merges adjacent entries with the same groups: an advisory of a common package affects all organizations alike. */
function joinOrgs(
  byOrg: readonly (readonly [number, { packages: ReadonlySet<string>; vulnerabilities: ReadonlySet<string> }])[],
): Marked[] {
  const joined: Marked[] = []
  let last = ''
  for (const [orgNumber, keys] of byOrg) {
    const [packages, vulnerabilities] = [[...keys.packages].sort(), [...keys.vulnerabilities].sort()]
    const text = JSON.stringify([packages, vulnerabilities])
    if (text === last) joined.at(-1)!.orgNumbers.push(orgNumber)
    else joined.push({ orgNumbers: [orgNumber], packages, vulnerabilities })
    last = text
  }
  return joined
}

interface Noted {
  readonly orgs: ReadonlyMap<number, readonly number[]>
  readonly at: number
}

async function noteFresh(tx: Db, all: readonly IssueChanges[], { orgs, at }: Noted): Promise<void> {
  const rows = all.flatMap(({ packageNumber, added, renamed }) =>
    [...added, ...renamed].flatMap(({ issueId, severity }) =>
      orgs.get(packageNumber)!.map((org) => ({
        org_number: org,
        package_number: packageNumber,
        issue_id: issueId,
        severity: toSeverityNumber(severity),
        known_since: at,
      })),
    ),
  )
  await insertMissing(tx, 'org_issues', rows)
}

async function noteUnannounced(tx: Db, all: readonly IssueChanges[], { orgs, at }: Noted): Promise<void> {
  const packages = new Map<string, { org_number: number; issue_id: string; packages: number[] }>()
  for (const { packageNumber, added } of all) {
    for (const { issueId } of added) {
      for (const org of orgs.get(packageNumber)!) {
        const key = `${org} ${issueId}`
        const existing = packages.get(key)
        if (existing) existing.packages.push(packageNumber)
        else packages.set(key, { org_number: org, issue_id: issueId, packages: [packageNumber] })
      }
    }
  }
  const inOrder = [...packages.values()].sort(
    (a, b) => a.org_number - b.org_number || (a.issue_id < b.issue_id ? -1 : 1),
  )
  for (const part of toParts(inOrder)) {
    const stored = await tx
      .selectFrom('unannounced_issues')
      .select(['org_number', 'issue_id', 'packages'])
      .where('known_since', '=', at)
      .where(sql<boolean>`(org_number, issue_id) in (values ${keysOf(part)})`)
      .execute()
    const before = new Map(
      stored.map((row) => [`${row.org_number} ${row.issue_id}`, JSON.parse(row.packages) as number[]]),
    )
    const rows = [...new Set(part)].map((row) => ({
      ...row,
      packages: JSON.stringify([...(before.get(`${row.org_number} ${row.issue_id}`) ?? []), ...row.packages]),
      after_project: 0,
      known_since: at,
    }))
    await tx
      .insertInto('unannounced_issues')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['org_number', 'issue_id', 'known_since'])
          .doUpdateSet(({ ref }) => ({ packages: ref('excluded.packages') })),
      )
      .execute()
  }
}

function keysOf(rows: readonly { readonly org_number: number; readonly issue_id: string }[]) {
  return sql.join(rows.map((row) => sql`(cast(${row.org_number} as bigint), ${row.issue_id})`))
}

/**
 * Marks ignores of changed issues, under any alias, for evaluation. Until then new issues count as not ignored: they
 * may be on paths without an ignore.
 */
async function judgeAgain(tx: Db, all: readonly IssueChanges[]): Promise<void> {
  const fresh = all.flatMap(({ added, renamed }) => [...added, ...renamed])
  const issues = [...fresh, ...all.flatMap(({ changed }) => changed)]
  const aliases = issues.flatMap(({ issueId, facts }) => [issueId, ...facts.cve, ...facts.ghsa, ...facts.otherIds])
  const ignored = await listIgnoredUnder(tx, [...new Set([...aliases, ...all.flatMap(({ removed }) => removed)])])
  if (ignored.length === 0) return
  for (const part of toParts([...new Set(fresh.map(({ issueId }) => issueId))])) {
    await noteIgnoresEnding(tx, part)
    await endOwn(tx, (eb) => eb('issue_id', 'in', part))
  }
  for (const part of toParts(ignored.toSorted())) {
    await tx
      .insertInto('unjudged_issues')
      .values([...new Set(part)].map((issue_id) => ({ issue_id, after_project: 0 })))
      .onConflict((conflict) => conflict.column('issue_id').doUpdateSet({ after_project: 0 }))
      .execute()
  }
}

export async function takeUnmatched(tx: Db, limit: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('unmatched_packages')
    .select('package_number')
    .orderBy('package_number')
    .limit(sql.lit(limit))
    .execute()
  const numbers = rows.map(({ package_number }) => Number(package_number))
  if (numbers.length > 0) await tx.deleteFrom('unmatched_packages').where('package_number', 'in', numbers).execute()
  return numbers
}

export async function hasUnmatched(db: Db): Promise<boolean> {
  const row = await db.selectFrom('unmatched_packages').select('package_number').limit(sql.lit(1)).executeTakeFirst()
  return row !== undefined
}

export async function listAffectedPackages(db: Db, after: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('package_issues')
    .select('package_number')
    .distinct()
    .where('package_number', '>', after)
    .orderBy('package_number')
    .limit(sql.lit(limit))
    .execute()
  return rows.map(({ package_number }) => Number(package_number))
}
