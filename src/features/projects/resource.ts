import { type Static, Type } from 'typebox'
import type { Severity } from '#analysis/advisories/cvss.ts'
import { Timestamp, Uuid } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { parseTimestamp, toTimestamp } from '#foundation/http/timestamp.ts'
import type { IssueCounts } from '../issue-index/severity-counts.ts'
import { isWhole, StaleSource, toStaleSource } from './stale-source.ts'
import { type ProjectFilters, type ProjectRow, sortKeys, type Tag } from './store.ts'

export const criticalities = ['critical', 'high', 'medium', 'low'] as const
export const environments = [
  'frontend',
  'backend',
  'internal',
  'external',
  'mobile',
  'saas',
  'onprem',
  'hosted',
  'distributed',
] as const
export const lifecycles = ['production', 'development', 'sandbox'] as const
export const frequencies = ['daily', 'weekly', 'never'] as const

/** Worst first, as in responses. */
export const severityWords = ['critical', 'high', 'medium', 'low'] as const satisfies readonly Severity[]

export const ProjectTag = Type.Object(
  {
    key: Type.String({ pattern: '^[a-zA-Z0-9_-]{1,30}$' }),
    value: Type.String({ pattern: '^[:/?#@&+=%a-zA-Z0-9_.~-]{1,256}$' }),
  },
  { additionalProperties: false },
)

const Shown = Type.Object({ key: Type.String(), value: Type.String() })

export const Attributes = Type.Object({
  name: Type.String(),
  type: Type.String({ description: 'The package manager' }),
  target_file: Type.String({
    description: 'Path of the manifest in the target; empty for an uploaded graph',
  }),
  target_reference: Type.String({ description: 'For example the branch; empty if there is none' }),
  origin: Type.String({ description: 'Origin: the kind of integration, cli or api' }),
  created: Timestamp,
  status: Type.Enum(['active', 'inactive'], { description: 'Inactive projects are not tested again' }),
  read_only: Type.Boolean({ description: 'Always false' }),
  business_criticality: Type.Array(Type.Enum(criticalities)),
  environment: Type.Array(Type.Enum(environments)),
  lifecycle: Type.Array(Type.Enum(lifecycles)),
  tags: Type.Array(Shown),
  settings: Type.Object({
    recurring_tests: Type.Object({ frequency: Type.Enum(frequencies) }),
    pull_requests: Type.Object({
      is_enabled: Type.Boolean({ description: 'Always false: pull requests are neither opened nor tested' }),
    }),
  }),
  last_tested_at: Type.Union([Timestamp, Type.Null()], { description: 'An extension' }),
  next_test_at: Type.Union([Timestamp, Type.Null()], {
    description:
      'An extension: time of the next test; in the past while the project waits for its turn, null for never',
  }),
  failure: Type.Union([Type.String(), Type.Null()], {
    description: 'An extension: reason why the last test failed; the results shown are of the test before',
  }),
  is_complete: Type.Boolean({
    description:
      'An extension: false if the last test was incomplete, for example because of unresolved dependencies (see …/coverage), while stale_source is set, and before the first test',
  }),
  stale_source: StaleSource,
})

const counts = Object.fromEntries(severityWords.map((severity) => [severity, Type.Integer()])) as Record<
  Severity,
  ReturnType<typeof Type.Integer>
>

const Meta = Type.Object({
  cli_monitored_at: Type.Union([Timestamp, Type.Null()], {
    description: 'Time at which a client last sent the project for monitoring',
  }),
  latest_issue_counts: Type.Optional(
    Type.Object(
      {
        ...counts,
        updated_at: {
          ...Timestamp,
          description:
            'Time of the last test or the last change by newer advisories; ignores are evaluated at the time of the request',
        },
        ignored: Type.Object(counts, { description: 'An extension: ignored issues, not included above' }),
      },
      { description: 'Current issues that are not ignored' },
    ),
  ),
  latest_dependency_total: Type.Optional(Type.Object({ total: Type.Integer(), updated_at: Timestamp })),
})

const RelatedLink = Type.Object({ related: Type.String() })
const RelatedUser = related('user')

// Named before their use, because an optional member copies the schema.
nameSchemas({ RelatedLink, RelatedUser })

function related(type: string) {
  return Type.Object({ data: Type.Object({ id: Uuid, type: Type.Literal(type) }), links: RelatedLink })
}

export const Project = Type.Object({
  id: Uuid,
  type: Type.Literal('project'),
  attributes: Attributes,
  meta: Meta,
  relationships: Type.Object({
    organization: related('org'),
    target: Type.Object({
      data: Type.Object({
        id: Uuid,
        type: Type.Literal('target'),
        attributes: Type.Optional(
          Type.Object(
            { display_name: Type.String(), url: Type.Union([Type.String(), Type.Null()]) },
            { description: 'Only when expanded' },
          ),
        ),
      }),
      links: RelatedLink,
    }),
    importer: Type.Optional(RelatedUser),
    owner: Type.Optional(RelatedUser),
  }),
})

nameSchemas({ ProjectTag, ProjectAttributes: Attributes, Project })

export interface ShownWith {
  readonly isTargetExpanded: boolean
  /** By the project's number; undefined if not requested. */
  readonly issueCounts?: ReadonlyMap<number, IssueCounts> | undefined
  readonly hasDependencyTotal: boolean
  /** Time at which newer advisories last changed issues. */
  readonly matchedAt: number
}

export function toProject(shown: ShownWith) {
  return (row: ProjectRow): Static<typeof Project> => {
    const base = `/orgs/${row.org_id}`
    const of = (type: 'user', id: string) => ({ data: { id, type }, links: { related: `${base}/users/${id}` } })
    return {
      id: row.id,
      type: 'project',
      attributes: toAttributes(row),
      meta: toMeta(row, shown),
      relationships: {
        organization: { data: { id: row.org_id, type: 'org' }, links: { related: base } },
        target: {
          data: {
            id: row.target_id,
            type: 'target',
            ...(shown.isTargetExpanded && { attributes: { display_name: row.target_name, url: row.target_url } }),
          },
          links: { related: `${base}/targets/${row.target_id}` },
        },
        ...(row.importer_id !== null && { importer: of('user', row.importer_id) }),
        ...(row.owner_id !== null && { owner: of('user', row.owner_id) }),
      },
    }
  }
}

function toAttributes(row: ProjectRow): Static<typeof Attributes> {
  return {
    name: row.name,
    type: row.type,
    target_file: row.target_file ?? '',
    target_reference: row.target_reference ?? '',
    origin: row.origin,
    created: toTimestamp(row.created_at),
    status: row.status as 'active' | 'inactive',
    read_only: false,
    ...labelsOf(row),
    settings: {
      recurring_tests: { frequency: row.test_frequency as (typeof frequencies)[number] },
      pull_requests: { is_enabled: false },
    },
    last_tested_at: row.tested_at === null ? null : toTimestamp(row.tested_at),
    next_test_at: row.next_test_at === null ? null : toTimestamp(row.next_test_at),
    failure: row.failure,
    is_complete: isWhole(row),
    stale_source: toStaleSource(row),
  }
}

export interface Labels {
  business_criticality: (typeof criticalities)[number][]
  environment: (typeof environments)[number][]
  lifecycle: (typeof lifecycles)[number][]
  tags: Tag[]
}

export function labelsOf(row: Pick<ProjectRow, keyof Labels>): Labels {
  return {
    business_criticality: JSON.parse(row.business_criticality),
    environment: JSON.parse(row.environment),
    lifecycle: JSON.parse(row.lifecycle),
    tags: JSON.parse(row.tags),
  }
}

function toMeta(row: ProjectRow, { issueCounts, hasDependencyTotal, matchedAt }: ShownWith) {
  const counts = issueCounts?.get(row.number)
  const testedAt = row.tested_at ?? row.created_at
  return {
    cli_monitored_at: row.monitored_at === null ? null : toTimestamp(Number(row.monitored_at)),
    ...(counts && {
      latest_issue_counts: {
        ...counts.open,
        updated_at: toTimestamp(Math.max(testedAt, matchedAt)),
        ignored: counts.ignored,
      },
    }),
    ...(hasDependencyTotal && {
      latest_dependency_total: {
        total: row.total_dependencies,
        updated_at: toTimestamp(testedAt),
      },
    }),
  }
}

const listOfText = (description: string) => Type.Array(Type.String({ maxLength: 2000 }), { maxItems: 100, description })
export const ids = (description: string) => Type.Array(Type.String({ format: 'uuid' }), { maxItems: 100, description })
const labels = (values: readonly string[], description: string) => Type.Array(Type.Enum([...values]), { description })

const time = (description: string) => Type.String({ format: 'date-time', description })

export const projectFilters = {
  ids: Type.Optional(ids('Only these projects')),
  target_id: Type.Optional(ids('Only projects of these targets')),
  target_reference: Type.Optional(Type.String({ maxLength: 2000, description: 'Only projects at this reference' })),
  target_file: Type.Optional(Type.String({ maxLength: 2000, description: 'Only projects of this file' })),
  target_runtime: Type.Optional(Type.String({ maxLength: 100, description: 'Matches none: no project has a runtime' })),
  names: Type.Optional(listOfText('Only projects of these names')),
  names_start_with: Type.Optional(listOfText('Only projects whose name begins with this, case-sensitive')),
  name: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: 'An extension: only projects whose name contains this, case-insensitive',
    }),
  ),
  origins: Type.Optional(listOfText('Only projects of these origins')),
  types: Type.Optional(listOfText('Only projects of these package managers')),
  status: Type.Optional(Type.Enum(['active', 'inactive'], { description: 'Only projects in this state' })),
  importing_user_public_id: Type.Optional(ids('Only projects that these users or service accounts imported')),
  tags: Type.Optional(
    Type.Array(Type.String({ pattern: '^[a-zA-Z0-9_-]{1,30}:[:/?#@&+=%a-zA-Z0-9_.~-]{1,256}$' }), {
      maxItems: 100,
      description: 'Only projects with all of these tags, written key:value',
    }),
  ),
  business_criticality: Type.Optional(labels(criticalities, 'Only projects with all of these values')),
  environment: Type.Optional(labels(environments, 'Only projects with all of these values')),
  lifecycle: Type.Optional(labels(lifecycles, 'Only projects with all of these values')),
  cli_monitored_before: Type.Optional(time('Only projects that a client last sent before this time')),
  cli_monitored_after: Type.Optional(time('Only projects that a client last sent after this time')),
}

export const shownParameters = {
  expand: Type.Optional(Type.Array(Type.Enum(['target']), { description: 'Include the target’s name and URL' })),
  'meta.latest_issue_counts': Type.Optional(Type.Boolean({ description: 'Include the numbers of current issues' })),
  'meta.latest_dependency_total': Type.Optional(
    Type.Boolean({ description: 'Include the number of packages in the last test' }),
  ),
}

export const sorting = {
  sort: Type.Optional(
    Type.Enum([...sortKeys], { default: 'created', description: 'An extension: the sort key; `-` reverses the order' }),
  ),
  meta_count: Type.Optional(Type.Enum(['only'], { description: 'Return only the number of projects' })),
}

const Filters = Type.Object(projectFilters)

/** Converts a query to filters. A value that nothing can match excludes all projects. */
export function toFilters(query: Static<typeof Filters>): ProjectFilters {
  const { target_runtime, tags, cli_monitored_before, cli_monitored_after } = query
  return {
    ids: target_runtime === undefined ? query.ids?.map(lower) : [''],
    targetIds: query.target_id?.map(lower),
    targetReference: query.target_reference,
    targetFile: query.target_file,
    names: query.names,
    nameStarts: query.names_start_with,
    namePart: query.name,
    origins: query.origins,
    types: query.types,
    status: query.status,
    importerIds: query.importing_user_public_id?.map(lower),
    tags: tags?.map(toTag),
    businessCriticality: query.business_criticality,
    environment: query.environment,
    lifecycle: query.lifecycle,
    monitoredBefore:
      cli_monitored_before === undefined ? undefined : parseTimestamp(cli_monitored_before, 'cli_monitored_before'),
    monitoredAfter:
      cli_monitored_after === undefined ? undefined : parseTimestamp(cli_monitored_after, 'cli_monitored_after'),
  }
}

function lower(id: string): string {
  return id.toLowerCase()
}

function toTag(text: string): Tag {
  const at = text.indexOf(':')
  return { key: text.slice(0, at), value: text.slice(at + 1) }
}
