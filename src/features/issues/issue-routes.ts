import type { FastifyRequest } from 'fastify'
import { type IssueFacts, toSeverity, toSeverityNumber } from '#analysis/findings/known-issue.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import type { Db } from '#foundation/db/database.ts'
import { Collection, listOf, listQuery, Single, single } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { notFound, Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import type { AdvisoryHolder } from '#scanning/advisories/advisory-holder.ts'
import { type IgnoreRow, listEffectiveIgnores } from '../issue-index/ignores/ignored-store.ts'
import { findPolicyIds } from '../issue-index/policies/severities-store.ts'
import { findIssuesOfAlias, findNamesOfPart, MAX_NAMES_OF_PART } from '../issue-index/storage/issue-search-store.ts'
import { findOrgNumber } from '../issue-index/storage/packages-store.ts'
import type { TriageFilters } from '../issue-index/triage/due-conditions-store.ts'
import type { SlaDays } from '../issue-index/triage/due-days.ts'
import { findSla } from '../issue-index/triage/sla-store.ts'
import { readTriageFilters } from '../issue-index/triage/triage-filters.ts'
import { findDueDay, readTriage, type Triage, triageKey } from '../issue-index/triage/triage-store.ts'
import { findProjectByNumber, findProjectNumber } from '../projects/store.ts'
import { readTexts } from './advisory-texts.ts'
import { Issue, type IssueQuery, issueFilters, type ShownIssue, toIssue, toIssueFilters } from './issue-resource.ts'
import { issueUuid, projectNumberOf } from './issue-uuid.ts'
import { type LicenseRow, licensesByProject, listLicenseIssues } from './license-list.ts'
import { listOrgIssues, type OrgIssueRow, orgIssueOrders } from './org-issues-store.ts'
import { listIgnoresByIssue } from './path-ignores.ts'
import { toContext } from './project-issues.ts'
import { readTriageOfProject } from './project-triage.ts'
import { findIssuesWithSafeAdvice } from './safe-advice.ts'

const tags = ['Projects']
const releases = ['2024-01-23']
const access = { org: ['org.read', 'org.project.read', 'org.project.snapshot.read'] } as const
const nothing = { rows: [], hasNext: false, hasPrevious: false }

export function issueRoutes(services: Services, advisories: AdvisoryHolder): Routes {
  return (scope) => {
    listRoute(scope, services, advisories)
    readRoute(scope, services, advisories)
  }
}

function listRoute(scope: Server, services: Services, advisories: AdvisoryHolder): void {
  defineOperation(scope, {
    id: 'listOrgIssues',
    at: 'GET /orgs/:org_id/issues',
    summary: 'List the issues of an organization’s projects',
    description:
      'Lists each issue once per project, including ignored ones, which are marked. License issues are listed with `type=license`.',
    tags,
    access,
    releases,
    query: listQuery(issueFilters),
    response: { 200: Collection(Issue) },
    handler: async (request) =>
      request.query.type === 'license'
        ? listLicenses(services, request, request.query)
        : listVulnerabilities({ ...services, advisories }, request, request.query),
  })
}

async function listVulnerabilities(
  { db, keyring, now, advisories }: Services & { readonly advisories: AdvisoryHolder },
  request: FastifyRequest,
  query: IssueQuery,
) {
  const list = listOf(request, keyring)
  const { id: orgId } = orgOf(request)
  const { sort = '-severity' } = query
  const at = now()
  const triageFilters = await readTriageFilters(db, orgId, { ...query, now: at })
  const filters = withTriage(toIssueFilters(query), triageFilters)
  const orgNumber = await findOrgNumber(db, orgId)
  const projectNumber = await findWantedProject(db, orgId, query)
  const searched = filters && orgNumber !== undefined ? await search(db, orgNumber, filters) : undefined
  const isNone = !searched || orgNumber === undefined || projectNumber === 'none'
  const page = isNone
    ? nothing
    : await listOrgIssues(db, { orgNumber, filters: { ...searched, projectNumber }, sort, now: at }, list.window)
  const [triage, sla] = [await readTriage(db, orgId, page.rows), await findSla(db, orgId)]
  const policyIds = await findPolicyIds(db, page.rows)
  // The page is independent of the time if no issue was ever ignored.
  if (page.rows.every(({ ignored_until }) => ignored_until === null)) {
    return list.lastingDocument(page, orgIssueOrders[sort], (row) =>
      toIssue(toShown(row, { orgId, ignores: NONE, policyIds, triage, sla, at, advisories })),
    )
  }
  const ignores = await readIgnores(db, page.rows, at)
  return list.document(page, orgIssueOrders[sort], (row) =>
    toIssue(toShown(row, { orgId, ignores, policyIds, triage, sla, at, advisories })),
  )
}

/** An ignored issue is never overdue. */
function withTriage(filters: ReturnType<typeof toIssueFilters>, triage: TriageFilters) {
  if (!filters || (triage.due && filters.isIgnored)) return undefined
  return { ...filters, ...triage, ...(triage.due && { isIgnored: false }) }
}

type Filters = NonNullable<ReturnType<typeof toIssueFilters>>

/** Resolves an alias and a part of a package name to filters; undefined if nothing matches. */
async function search(db: Db, orgNumber: number, filters: Filters): Promise<Filters | undefined> {
  const { issueId, packageName, ...rest } = filters
  const issueIds = issueId === undefined ? undefined : await findIssuesOfAlias(db, issueId)
  const packageNames = packageName === undefined ? undefined : await findNamesOfPart(db, orgNumber, packageName)
  if (issueIds?.length === 0 || packageNames?.length === 0) return undefined
  if (packageNames && packageNames.length > MAX_NAMES_OF_PART) {
    throw new Problem(
      'invalid-request',
      `More than ${MAX_NAMES_OF_PART} package names contain "${packageName}". Enter more of the name.`,
      { source: { parameter: 'package' } },
    )
  }
  return { ...rest, issueIds, packageNames }
}

const NONE: Ignores = new Map()

/** Returns the number of the named project; `none` if it does not exist. */
async function findWantedProject(db: Db, orgId: string, query: IssueQuery): Promise<number | 'none' | undefined> {
  const id = query['scan_item.id']?.toLowerCase()
  if (id === undefined) return undefined
  return (await findProjectNumber(db, orgId, id)) ?? 'none'
}

type Ignores = ReadonlyMap<string, readonly IgnoreRow[]>

async function readIgnores(
  db: Db,
  rows: readonly { readonly project_number: number; readonly issue_id: string }[],
  now: number,
): Promise<Ignores> {
  const projectNumbers = [...new Set(rows.map(({ project_number }) => Number(project_number)))]
  const issueIds = [...new Set(rows.map(({ issue_id }) => issue_id))]
  const ignores = await listEffectiveIgnores(db, { projectNumbers, issueIds, now })
  return Map.groupBy(ignores, ({ project_number, issue_id }) => `${project_number} ${issue_id}`)
}

interface ListContext {
  readonly orgId: string
  readonly ignores: Ignores
  readonly policyIds: ReadonlyMap<number, string>
  readonly triage: ReadonlyMap<string, Triage>
  readonly sla: SlaDays
  readonly at: number
  readonly advisories: AdvisoryHolder
}

function toShown(
  row: OrgIssueRow,
  { orgId, ignores, policyIds, triage, sla, at, advisories }: ListContext,
): ShownIssue {
  const projectNumber = Number(row.project_number)
  const facts = JSON.parse(row.facts) as IssueFacts
  const since = Math.max(Number(row.known_since), Number(row.project_created_at))
  const ofUsers = triage.get(triageKey(row))
  const dated = { severity: Number(row.severity), isExploited: facts.isExploited === true, since }
  const dueDay = findDueDay(ofUsers, sla, dated)
  return {
    orgId,
    projectId: row.project_id,
    projectNumber,
    issue: {
      id: row.issue_id,
      type: 'vuln',
      severity: toSeverity(Number(row.severity)),
      title: row.title,
      facts,
      epss: advisories.epssOf(facts.cve),
      isDirect: Number(row.is_direct) === 1,
      isIgnored: row.ignored_until !== null && Number(row.ignored_until) > at,
    },
    context: toContext(row),
    severityChange: toSeverityChange(row, policyIds),
    knownSince: since,
    triage: { ...ofUsers, ...(dueDay !== undefined && { dueDay }) },
    packages: [{ name: row.name, version: row.version, registry: row.registry as Registry }],
    ignores: ignores.get(`${projectNumber} ${row.issue_id}`) ?? [],
  }
}

function toSeverityChange(
  { policy_number, own_severity }: Pick<OrgIssueRow, 'policy_number' | 'own_severity'>,
  policyIds: ReadonlyMap<number, string>,
): ShownIssue['severityChange'] {
  const policyId = policy_number === null ? undefined : policyIds.get(Number(policy_number))
  return policyId === undefined ? undefined : { policyId, originalSeverity: toSeverity(Number(own_severity)) }
}

async function listLicenses({ db, keyring, now }: Services, request: FastifyRequest, query: IssueQuery) {
  const list = listOf(request, keyring)
  const { id: orgId } = orgOf(request)
  const filters = toIssueFilters(query)
  const projectId = query['scan_item.id']?.toLowerCase()
  // License issues have neither assignees nor due dates.
  const page =
    filters && !query.overdue && query.assignee === undefined
      ? await listLicenseIssues(db, { orgId, filters: { ...filters, projectId }, now: now() }, list.window)
      : nothing
  const ignores = await readIgnores(db, page.rows, now())
  return list.document(page, licensesByProject, (row) => toIssue(toShownLicense(row, orgId, ignores)))
}

function toShownLicense(row: LicenseRow, orgId: string, ignores: Ignores): ShownIssue {
  const { project_id, project_number, issue_id, severity, title, isIgnored, packages } = row
  return {
    orgId,
    projectId: project_id,
    projectNumber: project_number,
    issue: { id: issue_id, type: 'license', severity, title, isIgnored, isDirect: false },
    knownSince: undefined,
    packages,
    ignores: ignores.get(`${project_number} ${issue_id}`) ?? [],
  }
}

function readRoute(scope: Server, { db, now }: Services, advisories: AdvisoryHolder): void {
  defineOperation(scope, {
    id: 'getOrgIssue',
    at: 'GET /orgs/:org_id/issues/:issue_id',
    summary: 'Read an issue of a project',
    description: 'Takes the id from the list; an advisory has a different one in each project.',
    tags,
    access,
    releases,
    response: { 200: Single(Issue) },
    handler: async (request) => {
      const { id: orgId } = orgOf(request)
      const id = request.params.issue_id.toLowerCase()
      const project = await findProjectByNumber(db, orgId, projectNumberOf(id))
      const read = project && (await findIssuesWithSafeAdvice(db, project, { now: now(), advisories }))
      const issue = read?.issues.find((issue) => issueUuid(projectNumberOf(id), issue.id) === id)
      if (!project || !read || !issue) throw notFound(`Issue ${id}`)
      const ignores = (await listIgnoresByIssue({ db, now }, project.number, [issue])).get(issue.id) ?? []
      const triageOf = await readTriageOfProject(db, project)
      const { description } = readTexts(advisories, { manager: read.manager, issues: [issue] }).get(issue.id)!
      const changed = {
        policy_number: issue.policyNumber ?? null,
        own_severity: toSeverityNumber(issue.originalSeverity),
      }
      const shown: ShownIssue = {
        orgId,
        projectId: project.id,
        projectNumber: project.number,
        issue,
        context: read.context,
        severityChange: toSeverityChange(changed, await findPolicyIds(db, [changed])),
        knownSince: issue.knownSince,
        triage: triageOf(issue),
        packages: issue.places.map((place) => ({ registry: read.manager.registry, ...place })),
        ignores,
        detail: {
          description,
          isUpgradeable: issue.places.some(({ advice }) => advice?.isUpgradable),
          isPinnable: issue.places.some(({ advice }) => advice?.isPinnable),
        },
      }
      return single(request, toIssue(shown))
    },
  })
}
