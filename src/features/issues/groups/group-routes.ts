import type { FastifyRequest } from 'fastify'
import { findOrgNumber } from '#features/issue-index/storage/packages-store.ts'
import { readTriageFilters } from '#features/issue-index/triage/triage-filters.ts'
import { findProjectsByWords } from '#features/projects/names/find-projects-store.ts'
import type { Db } from '#foundation/db/database.ts'
import { Collection, listOf, listQuery } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import type { Routes } from '#foundation/http/server.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { toFilters } from './group-filters.ts'
import { countGroups, groupOrders, listGroups } from './group-list-store.ts'
import { type GroupQuery, groupFilters, IssueGroup, toIssueGroup, toProjectGroup } from './group-resource.ts'
import { countProjectGroups, listProjectGroups, worstProjectsFirst } from './project-groups-store.ts'

const MAX_NAMED_PROJECTS = 200
/** A number that no organization has. */
const NO_ORG = 0

export function issueGroupRoutes(services: Services): Routes {
  return (scope) => {
    defineOperation(scope, {
      id: 'listIssueGroups',
      at: 'GET /orgs/:org_id/issue_groups',
      summary: 'List issues by vulnerability, package or project',
      description:
        'An extension. Groups contain only vulnerabilities, except that those by project include license issues.',
      tags: ['Projects'],
      access: { org: ['org.read', 'org.project.read', 'org.project.snapshot.read'] },
      releases: ['2024-01-23'],
      query: listQuery(groupFilters),
      response: { 200: Collection(IssueGroup) },
      handler: async (request) => {
        const { group_by: grouping = 'vulnerability' } = request.query
        return grouping === 'project'
          ? listByProject(services, request, request.query)
          : listByKind(services, request, { ...request.query, group_by: grouping })
      },
    })
  }
}

async function listByKind(
  { db, keyring, now }: Services,
  request: FastifyRequest,
  query: GroupQuery & { readonly group_by: 'vulnerability' | 'package' },
) {
  const { sort = '-priority', group_by: kind } = query
  for (const name of ofVulnerabilitiesOnly)
    if (kind === 'package' && query[name] !== undefined) throw refuse(kind, name)
  const list = listOf(request, keyring)
  const orgNumber = (await findOrgNumber(db, orgOf(request).id)) ?? NO_ORG
  const filters = { ...toFilters(query), ...(await readTriageFilters(db, orgOf(request).id, { ...query, now: now() })) }
  const input = { orgNumber, kind, filters, now: now() }
  const page = await listGroups(db, { ...input, sort }, list.window)
  const document = list.document(page, groupOrders[sort], toIssueGroup)
  return query['meta.totals'] ? { ...document, meta: { ...(await countGroups(db, input)) } } : document
}

const ofVulnerabilitiesOnly = ['overdue', 'assignee'] as const
const ofGroupsOnly = ['registry', 'created_after', 'id', 'package', ...ofVulnerabilitiesOnly] as const

async function listByProject({ db, keyring, now }: Services, request: FastifyRequest, query: GroupQuery) {
  for (const name of ofGroupsOnly) if (query[name] !== undefined) throw refuse('project', name)
  if (query.sort !== undefined && query.sort !== '-priority') throw refuse('project', 'sort')
  const list = listOf(request, keyring)
  const { id: orgId } = orgOf(request)
  const orgNumber = (await findOrgNumber(db, orgId)) ?? NO_ORG
  const { words, ...filters } = toFilters(query)
  const projectNumbers = words && (await findNamed(db, orgId, words))
  const input = { orgNumber, filters: { ...filters, projectNumbers } }
  const page = await listProjectGroups(db, input, { window: list.window, now: now() })
  const document = list.document(page, worstProjectsFirst, (row) =>
    toProjectGroup(row, page.counts.get(Number(row.project_number))!),
  )
  return query['meta.totals'] ? { ...document, meta: { ...(await countProjectGroups(db, input)) } } : document
}

function refuse(grouping: string, parameter: string): Problem {
  return new Problem(
    'invalid-request',
    `Groups by ${grouping} cannot be restricted or ordered by ${parameter}. Omit it.`,
    {
      source: { parameter },
    },
  )
}

async function findNamed(db: Db, orgId: string, words: readonly string[]): Promise<readonly number[]> {
  const projects = await findProjectsByWords(db, { orgId, words }, MAX_NAMED_PROJECTS + 1)
  if (projects.length > MAX_NAMED_PROJECTS) {
    throw new Problem(
      'invalid-request',
      `More than ${MAX_NAMED_PROJECTS} project names match. Enter more of the name.`,
      { source: { parameter: 'query' } },
    )
  }
  return projects.map(({ number }) => Number(number))
}
