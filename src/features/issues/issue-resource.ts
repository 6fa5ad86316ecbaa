import { type Static, Type } from 'typebox'
import type { Severity } from '#analysis/advisories/cvss.ts'
import { schemes } from '#analysis/advisories/schemes.ts'
import type { IssueFacts } from '#analysis/findings/known-issue.ts'
import type { ProjectContext } from '#analysis/findings/priority.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import { fixAbove } from '#analysis/versions/prerelease.ts'
import { resource, Timestamp, Uuid } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { parseTimestamp, toTimestamp } from '#foundation/http/timestamp.ts'
import type { IgnoreRow } from '../issue-index/ignores/ignored-store.ts'
import { RiskFactor, SignalAttributes, toSignalAttributes } from '../issue-index/signal-attributes.ts'
import { dueDescription, IssueAssignee, toAssignee } from '../issue-index/triage/assignee-resource.ts'
import { writeDay } from '../issue-index/triage/due-days.ts'
import { triageParameters } from '../issue-index/triage/triage-filters.ts'
import type { Triage } from '../issue-index/triage/triage-store.ts'
import { severityWords } from '../projects/resource.ts'
import { isPolicy } from './ignore-reason.ts'
import { toIssueRisk } from './issue-risk.ts'
import { issueUuid } from './issue-uuid.ts'
import type { OrgIssueFilters } from './org-issue-filters-store.ts'
import { orgIssueSorts } from './org-issues-store.ts'
import type { ProjectIssue } from './project-issues.ts'

const Flag = (description: string) => Type.Optional(Type.Boolean({ description }))

const Coordinate = Type.Object({
  is_upgradeable: Flag('Whether some path can be upgraded, as of the last test; only for a single issue'),
  is_pinnable: Flag('As of the last test; only for a single issue'),
  is_patchable: Flag('Always false; only for a single issue'),
  is_fixable_snyk: Flag('Upgradeable or pinnable; only for a single issue'),
  is_fixable_manually: Flag('Always false; only for a single issue'),
  is_fixable_upstream: Type.Boolean({ description: 'Whether a fixed version was published' }),
  remedies: Type.Array(
    Type.Object({
      type: Type.Literal('indeterminate'),
      description: Type.String(),
      details: Type.Object({ upgrade_package: Type.String() }),
    }),
  ),
  representations: Type.Array(
    Type.Object({ dependency: Type.Object({ package_name: Type.String(), package_version: Type.String() }) }),
  ),
})

const Problem = Type.Object({ id: Type.String(), source: Type.String(), type: Type.String() })

const Related = (type: string) =>
  Type.Object({
    data: Type.Object({ id: Uuid, type: Type.Literal(type) }),
    links: Type.Object({ related: Type.String() }),
  })

const Plain = resource(
  'issue',
  Type.Object({
    key: Type.String({ description: 'Id of the advisory, or of the license issue' }),
    title: Type.String(),
    description: Type.Optional(Type.String({ description: 'Markdown; only for a single issue' })),
    type: Type.Enum(['package_vulnerability', 'license']),
    status: Type.Literal('open', { description: 'Resolved issues are not stored' }),
    ignored: Type.Boolean({ description: 'Whether all paths are currently ignored' }),
    ignores: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String(),
          reason: Type.String(),
          reason_type: Type.String(),
          expires: Type.Union([Timestamp, Type.Null()]),
          ignored_by: Type.Object({ id: Type.String(), name: Type.String() }),
          policy_id: Type.Optional(
            Type.String({ description: 'Present if a policy of the organization or group ignores it' }),
          ),
        }),
        {
          description:
            'An extension: the ignores of an ignored issue; for a single issue also those of partly ignored ones',
        },
      ),
    ),
    effective_severity_level: Type.Enum(severityWords),
    severity_change: Type.Optional(
      Type.Object(
        { original_severity_level: Type.Enum(severityWords), policy_id: Type.String() },
        { description: 'An extension: the policy that sets the severity, and the severity by the advisory' },
      ),
    ),
    created_at: Type.Union([Timestamp, Type.Null()], {
      description: 'Time since which the project has the issue; null if unknown',
    }),
    updated_at: Type.Union([Timestamp, Type.Null()]),
    assignee: Type.Optional(IssueAssignee),
    due_on: Type.Optional(Type.String({ format: 'date', description: `An extension: ${dueDescription}` })),
    problems: Type.Array(Problem),
    classes: Type.Array(Problem),
    coordinates: Type.Array(Coordinate),
    risk: Type.Object({
      score: Type.Object({ value: Type.Integer(), model: Type.String() }),
      factors: Type.Array(RiskFactor),
    }),
    ...SignalAttributes,
  }),
)

export const Issue = Type.Object({
  ...Plain.properties,
  relationships: Type.Object({ organization: Related('organization'), scan_item: Related('project') }),
})

nameSchemas({ IssueCoordinate: Coordinate, IssueProblem: Problem, Issue })
type Issue = Static<typeof Issue>

export interface ShownIssue {
  readonly orgId: string
  readonly projectId: string
  readonly projectNumber: number
  readonly issue: Pick<ProjectIssue, 'id' | 'type' | 'severity' | 'title' | 'facts' | 'isIgnored' | 'epss' | 'isDirect'>
  /** Undefined for license issues. */
  readonly context?: ProjectContext
  readonly severityChange?: { readonly policyId: string; readonly originalSeverity: Severity } | undefined
  readonly knownSince: number | undefined
  readonly packages: readonly { readonly name: string; readonly version: string; readonly registry?: Registry }[]
  /** Currently effective ignores. */
  readonly ignores: readonly IgnoreRow[]
  /** With the due day, of a user or of the SLA policy. */
  readonly triage?: Triage
  /** Members of single-issue responses only. */
  readonly detail?: { readonly description: string; readonly isUpgradeable: boolean; readonly isPinnable: boolean }
}

export function toIssue(shown: ShownIssue): Issue {
  const { orgId, projectId, projectNumber, issue, context, knownSince, ignores, detail, triage, severityChange } = shown
  const { id, type, severity, title, facts, isIgnored } = issue
  const base = `/orgs/${orgId}`
  const since = knownSince === undefined ? null : toTimestamp(knownSince)
  const { score, factors } = toIssueRisk(issue, context)
  return {
    id: issueUuid(projectNumber, id),
    type: 'issue',
    attributes: {
      key: id,
      title,
      ...(detail && { description: detail.description }),
      type: type === 'vuln' ? 'package_vulnerability' : 'license',
      status: 'open',
      ignored: isIgnored,
      ...((isIgnored || (detail && ignores.length > 0)) && { ignores: ignores.map(toIgnore) }),
      effective_severity_level: severity,
      ...(severityChange && {
        severity_change: {
          original_severity_level: severityChange.originalSeverity,
          policy_id: severityChange.policyId,
        },
      }),
      created_at: since,
      updated_at: since,
      ...(triage?.assignee && { assignee: toAssignee(triage.assignee) }),
      ...(triage?.dueDay !== undefined && { due_on: writeDay(triage.dueDay) }),
      problems: facts ? problemsOf(id, facts) : [{ id, source: 'LICENSE', type: 'rule' }],
      classes: (facts?.cwe ?? []).map((cwe) => ({ id: cwe, source: 'CWE', type: 'weakness' })),
      coordinates: shown.packages.map((entry) => toCoordinate(entry, shown)),
      risk: { score: { value: score, model: 'gatehouse-2' }, factors: [...factors] },
      ...(facts && toSignalAttributes({ ...facts, ...issue.epss })),
    },
    relationships: {
      organization: { data: { id: orgId, type: 'organization' }, links: { related: base } },
      scan_item: {
        data: { id: projectId, type: 'project' },
        links: { related: `${base}/projects/${projectId}` },
      },
    },
  }
}

function toIgnore({ id, path, reason, reason_type, expires_at, ignored_by_id, ignored_by_name, source }: IgnoreRow) {
  return {
    path,
    reason,
    reason_type,
    expires: expires_at === null ? null : toTimestamp(Number(expires_at)),
    ignored_by: { id: ignored_by_id, name: ignored_by_name },
    ...(isPolicy(source) && { policy_id: id }),
  }
}

function problemsOf(id: string, { cve, ghsa, otherIds }: IssueFacts) {
  const of = (source: string, ids: readonly string[]) => ids.map((id) => ({ id: id, source, type: 'vulnerability' }))
  const problems = [...of('NVD', cve), ...of('GHSA', ghsa), ...of('OSV', otherIds)]
  return problems.some((problem) => problem.id === id) ? problems : [...of('OSV', [id]), ...problems]
}

function toCoordinate(
  { name, version, registry }: ShownIssue['packages'][number],
  { issue: { facts }, detail }: ShownIssue,
): Issue['attributes']['coordinates'][number] {
  const fixedIn = facts?.fixedIn ?? []
  const fix = registry && fixAbove(fixedIn, [version], schemes[registry])
  return {
    ...(detail && {
      is_upgradeable: detail.isUpgradeable,
      is_pinnable: detail.isPinnable,
      is_patchable: false,
      is_fixable_snyk: detail.isUpgradeable || detail.isPinnable,
      is_fixable_manually: false,
    }),
    is_fixable_upstream: fixedIn.length > 0,
    remedies:
      fix === undefined
        ? []
        : [{ type: 'indeterminate', description: `Fixed in ${fix}`, details: { upgrade_package: fix } }],
    representations: [{ dependency: { package_name: name, package_version: version } }],
  }
}

const time = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }))

export const issueFilters = {
  'scan_item.id': Type.Optional(Type.String({ format: 'uuid', description: 'Only issues of this project' })),
  'scan_item.type': Type.Optional(
    Type.Enum(['project', 'environment'], { description: 'Only project: nothing else has issues on this server' }),
  ),
  type: Type.Optional(
    Type.Enum(['package_vulnerability', 'license'], {
      default: 'package_vulnerability',
      description: 'Vulnerabilities or license issues, which are separate lists',
    }),
  ),
  effective_severity_level: Type.Optional(
    Type.Array(Type.Enum(['info', ...severityWords]), { description: 'Only issues of these severities' }),
  ),
  status: Type.Optional(Type.Array(Type.Enum(['open', 'resolved']), { description: 'Resolved issues are not stored' })),
  ignored: Type.Optional(Type.Boolean({ description: 'Only issues that are currently ignored, or not' })),
  key: Type.Optional(
    Type.String({
      maxLength: 2000,
      description:
        'An extension: only issues with this id, case-insensitive: their own, a CVE, a GHSA or another alias',
    }),
  ),
  package: Type.Optional(
    Type.String({
      maxLength: 2000,
      description:
        'An extension: only issues of this package, or of name@version. If no package has this name, those with a word that begins with the text; if there are none, those whose name contains the text (at least 3 characters)',
    }),
  ),
  created_after: time('Only issues first seen in the organization at or after this time'),
  created_before: time('Only issues first seen in the organization at or before this time'),
  updated_after: time('The same as created_after'),
  updated_before: time('The same as created_before'),
  ...triageParameters,
  sort: Type.Optional(
    Type.Enum([...orgIssueSorts], {
      default: '-severity',
      description:
        'An extension: the sort key; `-` reverses the order. `-priority` lists the worst vulnerability first, in the order of the groups of issues. License issues are ordered by project, oldest first',
    }),
  ),
}

const Filters = Type.Object(issueFilters)
export type IssueQuery = Static<typeof Filters>

/** Converts the query to filters; undefined if nothing can match. */
export function toIssueFilters(query: IssueQuery): Omit<OrgIssueFilters, 'projectNumber'> | undefined {
  const { effective_severity_level: levels, status, key, ignored } = query
  if (query['scan_item.type'] === 'environment' || (status && !status.includes('open'))) return undefined
  const severities = levels?.flatMap((level) => (level === 'info' ? [] : [4 - severityWords.indexOf(level)]))
  if (severities?.length === 0) return undefined
  const at = query.package?.lastIndexOf('@') ?? -1
  const from = timesOf(query, ['created_after', 'updated_after'])
  const until = timesOf(query, ['created_before', 'updated_before'])
  return {
    issueId: key,
    severities,
    isIgnored: ignored,
    packageName: at > 0 ? query.package?.slice(0, at) : query.package,
    packageVersion: at > 0 ? query.package?.slice(at + 1) : undefined,
    knownFrom: from.length === 0 ? undefined : Math.max(...from),
    knownUntil: until.length === 0 ? undefined : Math.min(...until),
  }
}

type TimeName = 'created_after' | 'created_before' | 'updated_after' | 'updated_before'

function timesOf(query: IssueQuery, names: readonly TimeName[]): number[] {
  return names.flatMap((name) => {
    const text = query[name]
    return text === undefined ? [] : [parseTimestamp(text, name)]
  })
}
