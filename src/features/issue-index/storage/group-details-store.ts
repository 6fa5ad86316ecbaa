import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { schemes } from '#analysis/advisories/schemes.ts'
import { toScore } from '#analysis/advisories/severity.ts'
import { type IssueFacts, toSeverity } from '#analysis/findings/known-issue.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import { fixAbove } from '#analysis/versions/prerelease.ts'
import type { Db } from '#foundation/db/database.ts'
import { excludedOf } from '#foundation/db/insert-missing.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import { EPSS_PENDING, EPSS_UNKNOWN } from './group-epss.ts'
import type { GroupKind, GroupsOfOrgs } from './group-keys.ts'
import { packageKey, parsePackageKey } from './listed-issues-store.ts'

export interface GroupDetails {
  readonly title: string
  /** Names of its packages, at most `MAX_NAMES`. */
  readonly packages: readonly string[]
  readonly packageCount: number
  /** Affected versions in the organization. */
  readonly versions: number
  /** Ids of its vulnerabilities, worst first, at most `MAX_NAMES`. */
  readonly issueIds: readonly string[]
  readonly vulnerabilities: number
  /** Identifiers of a vulnerability, CVEs first. */
  readonly aliases: readonly string[]
  /** The smallest versions that fix it in one of its packages, one for each version in use; oldest first. */
  readonly fixedIn: readonly string[]
  readonly isMalicious: boolean
  /** True if a vector says that exploit code exists. */
  readonly hasExploit?: boolean
  /** The earliest dates of catalogs of exploited vulnerabilities: of listing, and until when to fix it. */
  readonly exploitedSince?: string
  readonly exploitDue?: string
}

const MAX_NAMES = 5
const MAX_ALIASES = 20

type Pair = Pick<Selectable<Tables['org_issues']>, 'org_number' | 'issue_id' | 'severity' | 'known_since'> &
  Pick<Selectable<Tables['package_issues']>, 'title' | 'facts'> &
  Pick<Selectable<Tables['packages']>, 'registry' | 'name' | 'version'>

/**
 * Stores the displayed facts of groups, for each key in each organization. The groups must exist. Groups without a
 * package keep their facts.
 */
export async function describeGroups(tx: Db, { orgNumbers, kind, keys }: GroupsOfOrgs, now: number): Promise<void> {
  if (keys.length === 0) return
  const pairs = await listPairs(tx, { orgNumbers, kind, keys })
  const totals = { projects: 0, direct: 0, issues: 0, ignored: 0, is_stale: 0 }
  const byOrg = [...Map.groupBy(pairs, ({ org_number }) => Number(org_number))].sort(([a], [b]) => a - b)
  const rows = byOrg.flatMap(([org_number, own]) =>
    [...Map.groupBy(own, (pair) => keyOf(kind, pair))]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([group_key, members]) => ({ org_number, kind, group_key, ...totals, ...toColumns(members, now) })),
  )
  if (rows.length === 0) return
  // One statement instead of an update per row: PostgreSQL scans a new table without statistics for every update.
  await tx
    .insertInto('issue_groups')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['org_number', 'kind', 'group_key']).doUpdateSet({
        ...excludedOf(rows[0]!, ['org_number', 'kind', 'group_key', 'epss_percentile', ...Object.keys(totals)]),
        epss: sql<number>`case when issue_groups.cves = excluded.cves then issue_groups.epss else excluded.epss end`,
        exploited_since: sql<number>`case when issue_groups.is_exploited = 1 and excluded.is_exploited = 1
          then issue_groups.exploited_since else excluded.exploited_since end`,
      }),
    )
    .execute()
}

function keyOf(kind: GroupKind, { issue_id, registry, name }: Pair): string {
  return kind === 'vulnerability' ? issue_id : packageKey(registry, name)
}

/** Lists the issues of organizations' packages that belong to groups, worst first. */
async function listPairs(db: Db, { orgNumbers, kind, keys }: GroupsOfOrgs): Promise<Pair[]> {
  const members =
    kind === 'vulnerability'
      ? sql`pi.issue_id in (${sql.join(keys)})`
      : sql`(k.registry, k.name) in (values ${sql.join(
          keys.map(parsePackageKey).map(({ registry, name }) => sql`(${registry}, ${name})`),
        )})`
  const { rows } = await sql<Pair>`
    select oi.org_number, oi.issue_id, oi.severity, oi.known_since, pi.title, pi.facts, k.registry, k.name, k.version
    from package_issues pi
    join packages k on k.number = pi.package_number
    join org_issues oi on oi.org_number in (${sql.join(orgNumbers)}) and oi.package_number = pi.package_number
      and oi.issue_id = pi.issue_id
    where ${members}
    order by oi.severity desc, oi.issue_id, pi.package_number`.execute(db)
  return rows
}

function toColumns(pairs: readonly Pair[], now: number) {
  const facts = pairs.map((pair) => JSON.parse(pair.facts) as IssueFacts)
  const scores = facts.map(
    ({ cvssScore }, at) => toScore({ severity: toSeverity(Number(pairs[at]!.severity)), cvssScore }).cvssScore,
  )
  const first = pairs[0]!
  const isExploited = facts.some((fact) => fact.isExploited)
  const details = toDetails(pairs, facts)
  const searched = [...details.aliases, details.title, ...new Set(pairs.map(({ name }) => name))]
  return {
    severity: Math.max(...pairs.map(({ severity }) => Number(severity))),
    score: Math.round(10 * Math.max(...scores)),
    is_exploited: isExploited ? 1 : 0,
    exploited_since: isExploited ? now : 0,
    is_fixable: facts.some(({ fixedIn }) => fixedIn.length > 0) ? 1 : 0,
    cves: [...new Set(facts.flatMap(({ cve }) => cve))].sort().join(' '),
    epss: EPSS_PENDING,
    epss_percentile: EPSS_UNKNOWN,
    known_since: Math.min(...pairs.map(({ known_since }) => Number(known_since))),
    registry: first.registry,
    details: JSON.stringify(details),
    search_text: searched.join('\n').slice(0, MAX_SEARCHED).toLowerCase(),
  }
}

const MAX_SEARCHED = 2_000

function toDetails(pairs: readonly Pair[], facts: readonly IssueFacts[]): GroupDetails {
  const first = pairs[0]!
  const names = [...new Set(pairs.map(({ name }) => name))]
  const ids = [...new Set(pairs.map(({ issue_id }) => issue_id))]
  const aliases = facts.flatMap(({ cve, ghsa, otherIds }) => [...cve, ...ghsa, ...otherIds])
  return {
    title: first.title,
    packages: names.slice(0, MAX_NAMES),
    packageCount: names.length,
    versions: new Set(pairs.map(({ name, version }) => `${name}\n${version}`)).size,
    issueIds: ids.slice(0, MAX_NAMES),
    vulnerabilities: ids.length,
    aliases: [...new Set([...aliases, ...ids])].slice(0, MAX_ALIASES),
    fixedIn: listFixes(pairs, facts),
    isMalicious: facts[0]!.basis === 'malicious',
    hasExploit: facts.some(({ exploitMaturity }) => exploitMaturity === 'mature'),
    ...earliestDates(facts),
  }
}

function earliestDates(facts: readonly IssueFacts[]): Pick<GroupDetails, 'exploitedSince' | 'exploitDue'> {
  const [exploitedSince] = facts.flatMap((fact) => fact.exploitedSince ?? []).sort()
  const [exploitDue] = facts.flatMap((fact) => fact.exploitDue ?? []).sort()
  return { ...(exploitedSince !== undefined && { exploitedSince }), ...(exploitDue !== undefined && { exploitDue }) }
}

function listFixes(pairs: readonly Pair[], facts: readonly IssueFacts[]): string[] {
  const { registry, name } = pairs[0]!
  const scheme = schemes[registry as Registry]
  const fixes = pairs.flatMap((pair, at) =>
    pair.registry === registry && pair.name === name
      ? (fixAbove(facts[at]!.fixedIn, [pair.version], scheme) ?? [])
      : [],
  )
  return [...new Set(fixes)].sort(scheme.compare)
}
