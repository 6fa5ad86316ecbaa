import { type Static, type TSchema, Type } from 'typebox'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { LicenseIssue, Vulnerability } from '#scanning/results/test-result.ts'
import { criticalities } from '../resource.ts'

const Texts = Type.Array(Type.String())
const Severity = Type.Enum(criticalities)

/** A body that clients leave away when they have nothing to say. */
export function optionalBody<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()], { description: 'May be left away' })
}

const Filters = Type.Object({
  severities: Type.Optional(Type.Array(Severity, { description: 'Only issues of these severities' })),
  exploitMaturity: Type.Optional(
    Type.Array(Type.Enum(['mature', 'proof-of-concept', 'no-known-exploit', 'no-data']), {
      description: 'Only vulnerabilities of which this is known',
    }),
  ),
  types: Type.Optional(
    Type.Array(Type.Enum(['vuln', 'license', 'configuration']), { description: 'Only issues of these types' }),
  ),
  ignored: Type.Optional(Type.Boolean({ description: 'Only issues that are, or are not, ignored' })),
  patched: Type.Optional(Type.Boolean({ description: 'True finds none: nothing is patched here' })),
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

/** Members that are not described are ignored, as existing clients send some. */
export const IssuesInput = Type.Object({
  includeDescription: Type.Optional(Type.Boolean({ default: false, description: 'With what advisories say' })),
  includeIntroducedThrough: Type.Optional(
    Type.Boolean({ default: false, description: 'With the direct dependencies that lead to it' }),
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
  expires: Type.Optional(Type.String({ format: 'date-time', description: 'Absent for one that does not end' })),
  source: Type.Enum(['api', 'cli'], { description: 'cli: a policy file in the repository' }),
  path: Type.String({ description: 'An extension, as the next two: which paths are ignored; * for all' }),
  reasonType: Type.String(),
  ignoredBy: Type.Object({ id: Type.String(), name: Type.String() }),
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
  language: Type.String(),
  patches: Type.Array(Type.Unknown()),
  nearestFixedInVersion: Type.String(),
  path: Type.String({ description: 'Empty: a place in infrastructure code elsewhere' }),
  violatedPolicyPublicId: Type.String({ description: 'Empty, likewise' }),
  isMaliciousPackage: Type.Boolean(),
  instructions: Type.Optional(Type.Array(Type.String(), { description: 'An extension: what the license policy says' })),
})

const FixInfo = Type.Object({
  isUpgradable: Type.Boolean({ description: 'All of its paths can be upgraded' }),
  isPinnable: Type.Boolean(),
  isPatchable: Type.Boolean(),
  isFixable: Type.Boolean(),
  isPartiallyFixable: Type.Boolean({ description: 'Some of its paths can be fixed' }),
  nearestFixedInVersion: Type.String({
    description: 'The smallest fixed version above those in use; empty when none is known',
  }),
  recommendedVersion: Type.Optional(
    Type.String({
      description:
        'An extension: the smallest fixed version against which nothing else is known; a pre-release only for who is on one',
    }),
  ),
  fixedIn: Texts,
  pinTo: Type.Optional(
    Type.String({ description: 'An extension: the version to pin, accepted by all that ask for the package' }),
  ),
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
        isIgnored: Type.Boolean({ description: 'An extension: all paths that begin with it are' }),
      }),
    ),
  ),
  isPatched: Type.Boolean(),
  isIgnored: Type.Boolean({ description: 'All of its paths are' }),
  ignoreReasons: Type.Optional(Type.Array(IgnoreReason)),
  pathIgnores: Type.Optional(
    Type.Array(IgnoreReason, { description: 'An extension: what some of the paths are ignored by, where not all are' }),
  ),
  fixInfo: FixInfo,
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
    Type.Integer({ description: 'An extension, where a page is asked for: how many fit the filters' }),
  ),
  counts: Type.Optional(
    Type.Object(counted, { description: 'The same by severity, also those that the filters leave out for theirs' }),
  ),
  links: Type.Optional(PageLinks),
})

const marks = {
  isIgnored: Type.Boolean({ description: 'This path is' }),
  isPatched: Type.Boolean(),
  ignored: Type.Optional(Type.Array(IgnoreReason)),
  priorityScore: Type.Integer(),
}

export const MarkedVulnerability = Type.Object({ ...Vulnerability.properties, ...marks })
export const MarkedLicenseIssue = Type.Object({ ...LicenseIssue.properties, ...marks })

/** Issues with each of their paths, as a package test has them. */
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
          Type.String({ description: 'On the direct dependency: the version that ends the issue on this path' }),
        ),
      }),
    ),
  ),
  pathIgnores: Type.Array(Type.Array(IgnoreReason), {
    description: 'An extension: of each of `paths`, in their order, what it is ignored by; empty for one that is not',
  }),
  total: Type.Integer({ description: 'Paths found; no more than are looked for' }),
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
