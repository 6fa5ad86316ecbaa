import { Type } from 'typebox'
import { checkedAtOf, type ExploitSource } from '#analysis/advisories/exploit-signals.ts'
import { listBestUpgrades } from '#features/issue-index/upgrades/upgrades-store.ts'
import { listOf, Timestamp } from '#foundation/http/documents.ts'
import { callerOf, orgOf } from '#foundation/http/request-context.ts'
import type { Routes } from '#foundation/http/server.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import type { Services } from '#foundation/services.ts'
import type { AdvisoryFacts, AdvisoryHolder } from '#scanning/advisories/advisory-holder.ts'
import { countPlace } from './counts-store.ts'
import { countDue } from './due-counts-store.ts'
import { listRepositories, type RepositoryRow, worstFirst } from './repositories-store.ts'
import {
  countOpenIssues,
  countProjects,
  countRepositories,
  isCounting,
  listNewlyExploited,
  listWorstRepositories,
} from './totals-store.ts'

const Count = Type.Integer()

const WORST = 7
const UPGRADES = 5
/** Number of newly exploited vulnerabilities in the overview, and the time for which they count as new. */
const EXPLOITED = 5
const NEW_MS = 30 * 86_400_000

const Counts = Type.Object({ critical: Count, high: Count, medium: Count, low: Count })
const Repository = Type.Object({
  id: Type.String({ description: 'The id of the target' }),
  name: Type.String(),
  projects: Count,
  incomplete: Count,
  open: Counts,
})
const ListedRepository = Type.Object({
  ...Repository.properties,
  untested: Count,
  is_clean: Type.Boolean({ description: 'True if everything was tested against all advisories without findings' }),
  types: Type.Array(Type.String()),
  tested_at: Type.Union([Timestamp, Type.Null()], { description: 'The time of the oldest test' }),
})
const AdvisoryState = Type.Object({
  source: Type.String(),
  is_starter_set: Type.Boolean(),
  has_exploited_catalog: Type.Boolean({ description: 'False hides everything about exploitation' }),
  exploit_sources: Type.Array(
    Type.Object({
      source: Type.String(),
      kind: Type.Union([Type.Enum(['kev', 'epss']), Type.Null()], { description: 'Null if it was never read' }),
      released: Type.String({ description: 'As the source states it; empty without' }),
      checked_at: Type.Union([Timestamp, Type.Null()], { description: 'Null if it was never read' }),
      entries: Count,
      failure: Type.Union([Type.String(), Type.Null()], {
        description: 'The reason why the last sync kept older data',
      }),
    }),
    { description: 'Empty: exploit data were never synced' },
  ),
  checked_at: Timestamp,
  registries: Type.Array(Type.Object({ registry: Type.String(), records: Count, newest: Type.String() })),
})
const Overview = Type.Object({
  projects: Type.Object({ complete: Count, incomplete: Count, untested: Count }),
  repositories: Count,
  open: Counts,
  is_counting: Type.Boolean({ description: 'True while newer advisories are not yet counted everywhere' }),
  worst_repositories: Type.Array(Repository),
  newly_exploited: Type.Array(
    Type.Object({ id: Type.String(), title: Type.String(), since: Timestamp, projects: Count }),
  ),
  due: Type.Union([Type.Object({ overdue: Count, soon: Count }), Type.Null()], {
    description: 'Vulnerabilities with open issues that are overdue, or due within 7 days; null without due dates',
  }),
  upgrades: Type.Array(
    Type.Object({
      registry: Type.String(),
      package: Type.String(),
      from_version: Type.String(),
      to_version: Type.String(),
      fixes: Count,
      critical: Count,
      projects: Count,
    }),
  ),
  advisories: AdvisoryState,
})
const PlaceCounts = Type.Partial(
  Type.Object({
    projects: Count,
    issues: Count,
    ignores: Count,
    failed_imports: Count,
    service_accounts: Count,
    apps: Count,
    installs: Count,
    members: Count,
  }),
)
const Repositories = Type.Object({
  data: Type.Array(Type.Union([ListedRepository, Type.Null()])),
  links: Type.Object({ next: Type.Optional(Type.String()), prev: Type.Optional(Type.String()) }),
})

const config = { access: { org: ['org.project.read'] } } as const
const schema = { hide: true, params: Type.Object({ org_id: Type.String() }) } as const

const listOptions = {
  config,
  schema: {
    ...schema,
    operationId: 'listRepositories',
    response: { 200: Repositories },
    querystring: Type.Object(
      {
        starting_after: Type.Optional(Type.String()),
        ending_before: Type.Optional(Type.String()),
        limit: Type.Optional(Type.Integer({ minimum: 10, maximum: 100, default: 20 })),
      },
      { additionalProperties: false },
    ),
  },
} as const

const countOptions = {
  config: { access: { org: ['org.read'] } },
  schema: { ...schema, operationId: 'getCounts', response: { 200: PlaceCounts } },
} as const

/** `/console`: exact totals of an organization, for the console's overview. */
export function overviewRoutes({ db, database, keyring, now }: Services, holder: AdvisoryHolder): Routes {
  return (scope) => {
    const overview = { ...schema, operationId: 'getOverview', response: { 200: Overview } } as const
    scope.get('/orgs/:org_id/overview', { config, schema: overview }, async (request) => {
      const { id } = orgOf(request)
      const exploited = await listNewlyExploited(db, id, { since: now() - NEW_MS, limit: EXPLOITED })
      const worst = await listWorstRepositories(db, id, WORST)
      return {
        projects: await countProjects(db, id),
        repositories: await countRepositories(db, id),
        open: await countOpenIssues(db, id),
        is_counting: await isCounting(db, now()),
        worst_repositories: worst.map(({ id: targetId, name, projects, incomplete, ...open }) => {
          return { id: targetId, name, projects, incomplete, open }
        }),
        newly_exploited: exploited.map(({ since, ...vulnerability }) => ({
          ...vulnerability,
          since: toTimestamp(since),
        })),
        due: await countDue(db, id, now()),
        upgrades: await listBestUpgrades(db, id, UPGRADES),
        advisories: describeAdvisories(holder.facts()),
      }
    })
    const state = { ...schema, operationId: 'getAdvisoryState', response: { 200: AdvisoryState } } as const
    scope.get('/orgs/:org_id/advisories', { config, schema: state }, async () => describeAdvisories(holder.facts()))
    scope.get('/orgs/:org_id/counts', countOptions, async (request) =>
      countPlace(db, { orgId: orgOf(request).id, permissions: callerOf(request).permissions, now: now() }),
    )
    scope.get('/orgs/:org_id/repositories', listOptions, async (request) => {
      const list = listOf(request, keyring)
      const { places, rows } = await listRepositories(database.reads, orgOf(request).id, list.window)
      const { isStarterSet } = holder.facts()
      return list.document(places, worstFirst, ({ target_id }) => toRepository(rows.get(target_id), isStarterSet))
    })
  }
}

function toRepository(row: RepositoryRow | undefined, isStarterSet: boolean) {
  // The repository was deleted meanwhile.
  if (!row) return null
  const { target_id, name, projects, incomplete, untested, types, testedAt, critical, high, medium, low } = row
  return {
    id: target_id,
    name,
    projects,
    incomplete,
    untested,
    types,
    tested_at: testedAt === null ? null : toTimestamp(testedAt),
    open: { critical, high, medium, low },
    // The starter set covers too few vulnerabilities to call a project clean.
    is_clean: !isStarterSet && incomplete + untested + critical + high + medium + low === 0,
  }
}

function describeAdvisories({ source, isStarterSet, exploitSources = [], checkedAt, registries }: AdvisoryFacts) {
  return {
    source,
    is_starter_set: isStarterSet,
    /** Without a catalog, nothing is known to be exploited or not. */
    has_exploited_catalog: exploitSources.some(({ kind }) => kind === 'kev'),
    exploit_sources: exploitSources.map((source) => toExploitSource(source, checkedAt)),
    checked_at: toTimestamp(checkedAt),
    registries: Object.entries(registries)
      .map(([registry, { records, newestModified }]) => ({ registry, records, newest: newestModified }))
      .sort((one, other) => other.records - one.records),
  }
}

function toExploitSource(source: ExploitSource, advisoriesCheckedAt: number) {
  const { label, kind = null, released, entries, failure = null } = source
  const checkedAt = checkedAtOf(source, advisoriesCheckedAt)
  const checked_at = checkedAt === undefined ? null : toTimestamp(checkedAt)
  return { source: label, kind, released, checked_at, entries, failure }
}
