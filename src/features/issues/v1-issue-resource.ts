import { type Static, type TSchema, Type } from 'typebox'
import { dueDescription, IssueAssignee } from '#features/issue-index/triage/assignee-resource.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { LicenseIssue, Vulnerability } from '#scanning/results/test-result.ts'
import { criticalities } from '../projects/resource.ts'

const Texts = Type.Array(Type.String())
const Severity = Type.Enum(criticalities)

export function optionalBody<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()], { description: 'Optional' })
}

const Filters = Type.Object({
  severities: Type.Optional(Type.Array(Severity, { description: 'Only issues of these severities' })),
  exploitMaturity: Type.Optional(
    Type.Array(Type.Enum(['mature', 'proof-of-concept', 'no-known-exploit', 'no-data']), {
      description: 'Only vulnerabilities with this exploit maturity',
    }),
  ),
  types: Type.Optional(
    Type.Array(Type.Enum(['vuln', 'license', 'configuration']), { description: 'Only issues of these types' }),
  ),
  ignored: Type.Optional(Type.Boolean({ description: 'Only ignored issues, or only others' })),
  patched: Type.Optional(Type.Boolean({ description: 'true matches none: patches are not supported' })),
  priority: Type.Optional(
    Type.Object({
      score: Type.Optional(
        Type.Object(
          { min: Type.Optional(Type.Number()), max: Type.Optional(Type.Number()) },
          { description: '0 to 1000' },
        ),
      ),
    }),
  ),
})
export type IssueFilters = Static<typeof Filters>

/** Unknown members are ignored, since existing clients send some. */
export const IssuesInput = Type.Object({
  includeDescription: Type.Optional(
    Type.Boolean({ default: false, description: 'Include the texts of the advisories' }),
  ),
  includeIntroducedThrough: Type.Optional(
    Type.Boolean({ default: false, description: 'Include the direct dependencies that introduce the issue' }),
  ),
  filters: Type.Optional(Filters),
})
export type IssuesInput = Static<typeof IssuesInput>

const PageLinks = Type.Object({
  prev: Type.Optional(Type.String()),
  next: Type.Optional(Type.String()),
  last: Type.Optional(Type.String()),
})

const IgnoreReason = Type.Object({
  reason: Type.String(),
  expires: Type.Optional(Type.String({ format: 'date-time', description: 'Absent for an ignore without expiry' })),
  source: Type.Enum(['api', 'cli'], { description: 'cli: a policy file in the repository' }),
  path: Type.String({ description: 'An extension, like the next three: the ignored paths; * for all' }),
  reasonType: Type.String(),
  ignoredBy: Type.Object({ id: Type.String(), name: Type.String() }),
  policyId: Type.Optional(Type.String({ description: 'Present if a policy of the organization or group ignores it' })),
})

const IssueData = Type.Object({
  id: Type.String(),
  title: Type.String(),
  severity: Severity,
  originalSeverity: Severity,
  url: Type.String(),
  description: Type.Optional(Type.String({ description: 'Markdown' })),
  identifiers: Type.Optional(Vulnerability.properties.identifiers),
  credit: Type.Optional(Texts),
  exploitMaturity: Type.String(),
  semver: Type.Optional(Type.Object({ vulnerable: Texts, unaffected: Type.Optional(Type.String()) })),
  publicationTime: Type.Optional(Type.String()),
  disclosureTime: Type.Optional(Type.String()),
  CVSSv3: Type.Optional(Type.String()),
  cvssScore: Type.Optional(Type.Number()),
  cvssScoreBasis: Type.Optional(Vulnerability.properties.cvssScoreBasis),
  isExploited: Type.Optional(Vulnerability.properties.isExploited),
  exploitedSince: Vulnerability.properties.exploitedSince,
  exploitDue: Vulnerability.properties.exploitDue,
  epssScore: Vulnerability.properties.epssScore,
  epssPercentile: Vulnerability.properties.epssPercentile,
  language: Type.String(),
  patches: Type.Array(Type.Unknown()),
  nearestFixedInVersion: Type.String(),
  path: Type.String({ description: 'Always empty; used for infrastructure code by other servers' }),
  violatedPolicyPublicId: Type.String({ description: 'Always empty; used for infrastructure code by other servers' }),
  isMaliciousPackage: Type.Boolean(),
  instructions: Type.Optional(
    Type.Array(Type.String(), { description: 'An extension: instructions of the license policy' }),
  ),
})

const FixInfo = Type.Object({
  isUpgradable: Type.Boolean({ description: 'Whether all paths can be upgraded' }),
  isPinnable: Type.Boolean(),
  isPatchable: Type.Boolean(),
  isFixable: Type.Boolean(),
  isPartiallyFixable: Type.Boolean({ description: 'Whether some path can be fixed' }),
  nearestFixedInVersion: Type.String({
    description: 'The smallest fixed version above those in use; empty if unknown',
  }),
  recommendedVersion: Type.Optional(
    Type.String({
      description:
        'An extension: the smallest fixed version without other known issues; a pre-release only if a pre-release is in use',
    }),
  ),
  fixedIn: Texts,
  advice: Type.String({
    description: 'An extension: one sentence that says what to do; empty for license issues',
  }),
  pinTo: Type.Optional(Type.String({ description: 'An extension: the version to pin, accepted by all dependents' })),
})

export const AggregatedIssue = Type.Object({
  id: Type.String(),
  issueType: Type.Enum(['vuln', 'license']),
  pkgName: Type.String(),
  pkgVersions: Texts,
  issueData: IssueData,
  introducedThrough: Type.Optional(
    Type.Array(
      Type.Object({
        kind: Type.Literal('dependency'),
        data: Type.Object({ name: Type.String(), version: Type.String() }),
        isIgnored: Type.Boolean({ description: 'An extension: whether all paths that begin with it are ignored' }),
      }),
    ),
  ),
  isPatched: Type.Boolean(),
  isIgnored: Type.Boolean({ description: 'Whether all paths are ignored' }),
  ignoreReasons: Type.Optional(Type.Array(IgnoreReason)),
  pathIgnores: Type.Optional(
    Type.Array(IgnoreReason, { description: 'An extension: the ignores of some paths, if not all are ignored' }),
  ),
  fixInfo: FixInfo,
  assignee: Type.Optional(IssueAssignee),
  dueOn: Type.Optional(
    Type.String({
      format: 'date',
      description: `An extension, present like assignee if a page is requested. ${dueDescription}`,
    }),
  ),
  priority: Type.Object({
    score: Type.Integer({ minimum: 0, maximum: 1000 }),
    factors: Type.Array(Type.Object({ name: Type.String(), description: Type.String() })),
  }),
  links: Type.Object({ paths: Type.String({ format: 'uri' }) }),
})
export type AggregatedIssue = Static<typeof AggregatedIssue>

const counted = Object.fromEntries(criticalities.map((severity) => [severity, Type.Integer()])) as Record<
  (typeof criticalities)[number],
  ReturnType<typeof Type.Integer>
>

export const AggregatedIssues = Type.Object({
  issues: Type.Array(AggregatedIssue),
  total: Type.Optional(
    Type.Integer({ description: 'An extension, present if a page is requested: number of matching issues' }),
  ),
  counts: Type.Optional(
    Type.Object(counted, { description: 'The same by severity, regardless of the severity filter' }),
  ),
  links: Type.Optional(PageLinks),
})

const marks = {
  isIgnored: Type.Boolean({ description: 'Whether this path is ignored' }),
  isPatched: Type.Boolean(),
  ignored: Type.Optional(Type.Array(IgnoreReason)),
  priorityScore: Type.Integer(),
}

export const MarkedVulnerability = Type.Object({ ...Vulnerability.properties, ...marks })
export const MarkedLicenseIssue = Type.Object({ ...LicenseIssue.properties, ...marks })

/** Issues with each of their paths, in the format of package tests. */
export const OldIssues = Type.Object({
  ok: Type.Boolean(),
  packageManager: Type.String(),
  dependencyCount: Type.Integer(),
  issues: Type.Object({
    vulnerabilities: Type.Array(MarkedVulnerability),
    licenses: Type.Array(MarkedLicenseIssue),
  }),
})
export type OldIssues = Static<typeof OldIssues>

export const IssuePaths = Type.Object({
  snapshotId: Type.String(),
  paths: Type.Array(
    Type.Array(
      Type.Object({
        name: Type.String(),
        version: Type.String(),
        fixVersion: Type.Optional(
          Type.String({ description: 'Version of the direct dependency that fixes the issue on this path' }),
        ),
      }),
    ),
  ),
  pathAdvice: Type.Array(Type.String(), {
    description: 'An extension: what to do about each of `paths`, in the same order; empty for license issues',
  }),
  pathIgnores: Type.Array(Type.Array(IgnoreReason), {
    description:
      'An extension: the ignores of each of `paths`, in the same order; empty for a path that is not ignored',
  }),
  total: Type.Integer({ description: 'Number of paths found, up to the search limit' }),
  links: PageLinks,
})

nameSchemas({
  IssueSearch: IssuesInput,
  V1PageLinks: PageLinks,
  IgnoreReason,
  IssueData,
  IssueFixInfo: FixInfo,
  AggregatedIssue,
  AggregatedIssues,
  MarkedVulnerability,
  MarkedLicenseIssue,
  OldIssues,
  IssuePaths,
})
