import { type Static, Type } from 'typebox'
import { registries } from '#analysis/advisories/package-names.ts'
import { toSeverity } from '#analysis/findings/known-issue.ts'
import { toRisk } from '#analysis/findings/priority.ts'
import { type IssueCounts, sumOf } from '#features/issue-index/severity-counts.ts'
import { RiskFactor, SignalAttributes, toSignalAttributes } from '#features/issue-index/signal-attributes.ts'
import type { GroupDetails } from '#features/issue-index/storage/group-details-store.ts'
import { fromStoredEpss } from '#features/issue-index/storage/group-epss.ts'
import { triageParameters } from '#features/issue-index/triage/triage-filters.ts'
import { severityWords } from '#features/projects/resource.ts'
import { Timestamp } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import { type CountedGroup, type GroupSort, groupSorts } from './group-list-store.ts'
import type { ProjectGroupRow } from './project-groups-store.ts'

export const groupings = ['vulnerability', 'package', 'project'] as const

const Texts = Type.Optional(Type.Array(Type.String()))
const Count = Type.Optional(Type.Integer())
export const IssueGroup = Type.Object({
  id: Type.String({ description: 'Id of the vulnerability or project, or registry and name of the package' }),
  type: Type.Literal('issue_group'),
  attributes: Type.Object({
    name: Type.String({ description: 'Title of the vulnerability, or name of the package or project' }),
    severity: Type.Optional(Type.Enum([...severityWords])),
    score: Type.Optional(Type.Number()),
    ...SignalAttributes,
    is_exploited: Type.Boolean({
      description: 'Whether a catalog of exploited vulnerabilities lists a vulnerability of the group',
    }),
    is_direct: Type.Optional(
      Type.Boolean({ description: 'Whether a project with open issues declares an affected package itself' }),
    ),
    risk_score: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1000,
        description: 'The sum of the points of `risk_factors`, without attributes of projects',
      }),
    ),
    risk_factors: Type.Optional(Type.Array(RiskFactor)),
    is_fixable: Type.Boolean({ description: 'Whether a vulnerability of the group has a fixed version' }),
    is_malicious: Type.Optional(Type.Boolean()),
    fixed_in: Type.Optional(
      Type.Array(Type.String(), {
        description: 'The smallest versions that fix the vulnerability, one for each version in use',
      }),
    ),
    registry: Type.Optional(Type.String()),
    packages: Texts,
    aliases: Texts,
    vulnerabilities: Count,
    versions: Count,
    projects: Count,
    issues: Type.Integer({ description: 'Number of open issues: vulnerabilities, counted per project' }),
    ignored: Type.Integer({ description: 'Number of ignored issues' }),
    counts: Type.Optional(Type.Record(Type.String(), Type.Integer())),
    known_since: Type.Optional(Timestamp),
  }),
})
type IssueGroup = Static<typeof IssueGroup>

nameSchemas({ IssueGroup })

export const groupFilters = {
  group_by: Type.Optional(Type.Enum([...groupings], { default: 'vulnerability', description: 'Group by' })),
  effective_severity_level: Type.Optional(
    Type.Array(Type.Enum([...severityWords]), { description: 'Only these severities' }),
  ),
  exploited: Type.Optional(
    Type.Boolean({ description: 'Only groups with a known exploited vulnerability, or without' }),
  ),
  fixable: Type.Optional(Type.Boolean({ description: 'Only groups with a fix, or without' })),
  ignored: Type.Optional(Type.Boolean({ description: 'Only groups with ignored issues, or with open ones' })),
  registry: Type.Optional(Type.Enum([...registries], { description: 'Only packages of this registry' })),
  query: Type.Optional(
    Type.String({ maxLength: 200, description: 'Words that must all occur in ids, names or title, case-insensitive' }),
  ),
  created_after: Type.Optional(Type.String({ format: 'date-time', description: 'Only groups known since this time' })),
  id: Type.Optional(Type.String({ maxLength: 2000, description: 'Only the group with this id' })),
  package: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: 'Only vulnerabilities of this package, written as registry/name',
    }),
  ),
  ...triageParameters,
  sort: Type.Optional(
    Type.Enum([...groupSorts], {
      default: '-priority',
      description:
        'Priority: exploited first, then by severity, EPSS, score, number of projects, direct dependencies and fixes',
    }),
  ),
  'meta.totals': Type.Optional(Type.Boolean({ description: 'Include the total number of matching groups and issues' })),
}

const Filters = Type.Object(groupFilters)
export type GroupQuery = Static<typeof Filters> & { readonly sort?: GroupSort }

export function toIssueGroup(row: CountedGroup): IssueGroup {
  const details = JSON.parse(row.details) as GroupDetails
  const isVulnerability = row.kind === 'vulnerability'
  const { projects, direct, issues, ignored } = row.live ?? row
  const facts = {
    isExploited: row.is_exploited === 1,
    severity: toSeverity(row.severity),
    epssScore: fromStoredEpss(row.epss),
    cvssScore: row.score / 10,
    isDirect: Number(direct) > 0,
    hasFix: row.is_fixable === 1,
  }
  const signals = {
    ...details,
    ...facts,
    epssPercentile: facts.epssScore === undefined ? undefined : fromStoredEpss(row.epss_percentile),
    exploitMaturity: details.hasExploit ? ('mature' as const) : ('no-data' as const),
  }
  const risk = toRisk(facts)
  return {
    id: row.group_key,
    type: 'issue_group',
    attributes: {
      name: isVulnerability ? details.title : details.packages[0]!,
      severity: facts.severity,
      score: facts.cvssScore,
      ...toSignalAttributes(signals),
      is_exploited: facts.isExploited,
      is_direct: facts.isDirect,
      is_fixable: facts.hasFix,
      risk_score: risk.score,
      risk_factors: [...risk.factors],
      is_malicious: details.isMalicious,
      registry: row.registry,
      packages: [...details.packages],
      aliases: isVulnerability ? details.aliases.filter((alias) => alias !== row.group_key) : [...details.issueIds],
      ...(isVulnerability ? { fixed_in: [...details.fixedIn] } : { vulnerabilities: details.vulnerabilities }),
      versions: details.versions,
      projects: Number(projects),
      issues: Number(issues),
      ignored: Number(ignored),
      known_since: toTimestamp(Number(row.known_since)),
    },
  }
}

export function toProjectGroup(row: ProjectGroupRow, { open, ignored }: IssueCounts): IssueGroup {
  const worst = severityWords.find((severity) => open[severity] > 0)
  return {
    id: row.id,
    type: 'issue_group',
    attributes: {
      name: row.name,
      ...(worst && { severity: worst }),
      is_exploited: row.exploited > 0,
      is_fixable: row.fixable > 0,
      issues: sumOf(open),
      ignored: sumOf(ignored),
      counts: { ...open },
    },
  }
}
