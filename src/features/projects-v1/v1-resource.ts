import { type Static, Type } from 'typebox'
import { Timestamp, Uuid } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import type { IssueCounts, TestCounts } from '../issue-index/severity-counts.ts'
import type { TestRow } from '../projects/history-store.ts'
import { projectUrl } from '../projects/project-url.ts'
import {
  criticalities,
  environments,
  frequencies,
  type Labels,
  labelsOf,
  lifecycles,
  ProjectTag,
} from '../projects/resource.ts'
import { isWhole, toV1StaleSource, V1StaleSource } from '../projects/stale-source.ts'
import type { PersonRow, ProjectRow } from '../projects/store.ts'

const Counts = Type.Object({
  critical: Type.Integer(),
  high: Type.Integer(),
  medium: Type.Integer(),
  low: Type.Integer(),
})

const Person = Type.Object({
  id: Uuid,
  name: Type.String(),
  username: Type.String(),
  email: Type.String({ description: 'Empty for a service account or app' }),
})

export const V1Attributes = Type.Object({
  criticality: Type.Array(Type.Enum(criticalities)),
  environment: Type.Array(Type.Enum(environments)),
  lifecycle: Type.Array(Type.Enum(lifecycles)),
})

const Tags = Type.Array(Type.Object({ key: Type.String(), value: Type.String() }))

const Listed = Type.Object({
  name: Type.String(),
  id: Uuid,
  created: Timestamp,
  origin: Type.String(),
  type: Type.String(),
  readOnly: Type.Boolean(),
  testFrequency: Type.Enum(frequencies),
  totalDependencies: Type.Integer(),
  issueCountsBySeverity: Counts,
  ignoredIssueCountsBySeverity: Type.Object(Counts.properties, {
    description: 'An extension: ignored issues, not included in the other counts',
  }),
  remoteRepoUrl: Type.Optional(Type.String()),
  lastTestedDate: Timestamp,
  importingUser: Type.Union([Person, Type.Null()]),
  owner: Type.Union([Person, Type.Null()]),
  browseUrl: Type.String({ format: 'uri' }),
  isMonitored: Type.Boolean(),
  branch: Type.Union([Type.String(), Type.Null()]),
  targetReference: Type.Union([Type.String(), Type.Null()]),
  targetFile: Type.Union([Type.String(), Type.Null()], { description: 'An extension' }),
  failure: Type.Union([Type.String(), Type.Null()], {
    description: 'An extension: reason why the last test failed',
  }),
  isComplete: Type.Boolean({
    description:
      'An extension: false if the last test was incomplete, while staleSource is set, and before the first test',
  }),
  staleSource: V1StaleSource,
  tags: Tags,
  attributes: V1Attributes,
})

const Vulns = Type.Array(Type.String())

export const V1Project = Type.Object({
  ...Listed.properties,
  remediation: Type.Object({
    upgrade: Type.Record(
      Type.String(),
      Type.Object({ upgradeTo: Type.String(), upgrades: Type.Array(Type.String()), vulns: Vulns }),
    ),
    patch: Type.Object({}, { description: 'Always empty: patches are not supported' }),
    pin: Type.Record(
      Type.String(),
      Type.Object({ upgradeTo: Type.String(), vulns: Vulns, isTransitive: Type.Boolean() }),
    ),
    unresolved: Type.Record(Type.String(), Type.Object({ vulns: Vulns }), {
      description:
        'An extension: packages with vulnerabilities that no upgrade or pin to a version without known issues fixes',
    }),
  }),
})

export const V1Projects = Type.Object({
  org: Type.Object({ name: Type.String(), id: Uuid }),
  projects: Type.Array(Listed),
})

export interface ShownInV1 {
  readonly baseUrl: string
  readonly counts: ReadonlyMap<number, IssueCounts>
  /** Owners and importers, by id. */
  readonly people: ReadonlyMap<string, PersonRow>
}

export function toV1Listed(row: ProjectRow, { baseUrl, counts, people }: ShownInV1): Static<typeof Listed> {
  const issueCounts = counts.get(row.number)!
  const { importer_id: id, importer_name: name } = row
  return {
    name: row.name,
    id: row.id,
    created: toTimestamp(row.created_at),
    origin: row.origin,
    type: row.type,
    readOnly: false,
    testFrequency: row.test_frequency as (typeof frequencies)[number],
    totalDependencies: row.total_dependencies,
    issueCountsBySeverity: issueCounts.open,
    ignoredIssueCountsBySeverity: issueCounts.ignored,
    ...(row.target_url !== null && { remoteRepoUrl: row.target_url }),
    lastTestedDate: toTimestamp(row.tested_at ?? row.created_at),
    importingUser: id === null ? null : (people.get(id) ?? { id, name, username: name, email: '' }),
    owner: (row.owner_id !== null && people.get(row.owner_id)) || null,
    browseUrl: projectUrl(baseUrl, row.org_id, row.id),
    isMonitored: row.status === 'active',
    branch: row.target_reference,
    targetReference: row.target_reference,
    targetFile: row.target_file,
    failure: row.failure,
    isComplete: isWhole(row),
    staleSource: toV1StaleSource(row),
    tags: labelsOf(row).tags,
    attributes: toV1Attributes(row),
  }
}

export function toV1Attributes(row: Pick<ProjectRow, keyof Labels>): Static<typeof V1Attributes> {
  const { business_criticality: criticality, environment, lifecycle } = labelsOf(row)
  return { criticality, environment, lifecycle }
}

/** Unknown members are ignored, since existing clients send some. */
export const ChangedV1Project = Type.Object({
  owner: Type.Optional(
    Type.Union([Type.Object({ id: Type.Union([Uuid, Type.Null()]) }), Type.Null()], {
      description: 'A member of the organization; null for none',
    }),
  ),
  branch: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      pattern: '^[^\\u0000-\\u001f\\u007f]+$',
      description: 'The new reference of the project',
    }),
  ),
})

const off = (description: string) => Type.Optional(Type.Boolean({ description }))

export const V1Settings = Type.Object({
  testFrequency: Type.Optional(Type.Enum(frequencies, { description: 'An extension' })),
  pullRequestTestEnabled: off('Only false: this server does not test pull requests'),
  pullRequestFailOnAnyVulns: off('Only false: this server does not test pull requests'),
  pullRequestFailOnlyForHighSeverity: off('Only false: this server does not test pull requests'),
  pullRequestFailOnlyForIssuesWithFix: off('Only false: this server does not test pull requests'),
  pullRequestInheritance: Type.Optional(
    Type.Unknown({ description: 'Only inherit: the setting of integrations is off' }),
  ),
  pullRequestAssignment: Type.Optional(
    Type.Unknown({ description: 'Only off: this server does not open pull requests' }),
  ),
  autoDepUpgradeEnabled: off('Only false: this server does not open pull requests'),
  autoDepUpgradeIgnoredDependencies: Type.Optional(
    Type.Array(Type.String(), { description: 'Only empty: this server does not open pull requests' }),
  ),
  autoDepUpgradeMinAge: Type.Optional(Type.Number({ description: 'Only 0: this server does not open pull requests' })),
  autoDepUpgradeLimit: Type.Optional(Type.Number({ description: 'Only 0: this server does not open pull requests' })),
  autoRemediationPrs: Type.Optional(Type.Unknown({ description: 'Only off: this server does not open pull requests' })),
})

export const V1Tags = Type.Object({ tags: Tags })

export const TagBody = Type.Object(ProjectTag.properties)

export const History = Type.Object({
  snapshots: Type.Array(
    Type.Object({
      id: Uuid,
      created: Timestamp,
      totalDependencies: Type.Integer(),
      issueCounts: Type.Object({ vuln: Counts, license: Counts }),
      method: Type.Enum(['api', 'cli', 'recurring']),
      revision: Type.Union([Type.String(), Type.Null()], { description: 'An extension: the commit' }),
    }),
  ),
  total: Type.Integer(),
})

nameSchemas({
  V1SeverityCounts: Counts,
  V1Person: Person,
  V1ProjectAttributes: V1Attributes,
  V1ListedProject: Listed,
  V1Project,
  V1Projects,
  ChangedV1Project,
  V1ProjectSettings: V1Settings,
  V1Tags,
  TagBody,
  V1ProjectHistory: History,
})

const methods: Readonly<Record<string, 'api' | 'cli' | 'recurring'>> = {
  import: 'api',
  monitor: 'cli',
  retest: 'recurring',
}

export function toSnapshot(row: TestRow): Static<typeof History>['snapshots'][number] {
  const { vulnerabilities, licenses } = JSON.parse(row.counts) as TestCounts
  return {
    id: row.id,
    created: toTimestamp(Number(row.tested_at)),
    totalDependencies: row.total_dependencies,
    issueCounts: { vuln: vulnerabilities, license: licenses },
    method: methods[row.cause] ?? 'api',
    revision: row.revision,
  }
}
