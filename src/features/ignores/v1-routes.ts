import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { MAX_ISSUE_ID_BYTES } from '#analysis/discovery/policy-files/ignore-path.ts'
import { listIgnores } from '#features/issue-index/ignores/ignored-store.ts'
import { getProjectNumber } from '#features/projects/store.ts'
import { isUuid } from '#foundation/http/access.ts'
import { type Answer, answerOrgChange, type Exchange } from '#foundation/http/change.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { callerOf, orgOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { notFound, Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { addIgnore, type IgnoresChange, MAX_PATHS_OF_ISSUE, removeIgnores, replaceIgnores } from './change-ignores.ts'
import {
  IgnoreEntries,
  IgnoreEntry,
  IgnoresByIssue,
  IssueId,
  NewIgnore,
  parseNewIgnore,
  parseReplacingIgnores,
  ReplacingIgnore,
  toEntry,
  toIgnoresByIssue,
  toMergedEntry,
} from './resource.ts'

const tags = ['Ignores']
const projectParams = { orgId: Type.String(), projectId: Type.String() }
const params = Type.Object({ ...projectParams, issueId: IssueId })
const path = '/org/:orgId/project/:projectId/ignore/:issueId'

/** `/v1/org/{orgId}/project/{projectId}/ignores` and `…/ignore/{issueId}` */
export function v1IgnoreRoutes(services: Services): Routes {
  return (scope) => {
    readRoutes(scope, services)
    writeRoutes(scope, services)
  }
}

function readRoutes(scope: Server, { db }: Services): void {
  defineOperation(scope, {
    id: 'listIgnoresV1',
    at: 'GET /org/:orgId/project/:projectId/ignores',
    summary: 'List what is ignored in a project, by issue',
    description:
      'Includes expired ignores. Ignores of policy files in repositories are only listed by `GET /rest/orgs/{org_id}/ignores`.',
    tags,
    access: { org: ['org.read', 'org.project.read', 'org.project.ignore.read'] },
    params: Type.Object(projectParams),
    response: { 200: IgnoresByIssue },
    handler: async (request) => {
      const number = await getProjectNumber(db, orgOf(request).id, projectIdOf(request))
      return toIgnoresByIssue(await listIgnores(db, number, { source: 'user' }))
    },
  })
  defineOperation(scope, {
    id: 'getIgnoreV1',
    at: `GET ${path}`,
    summary: 'Read how an issue of a project is ignored',
    description: 'One member per path.',
    tags,
    access: { org: ['org.project.read', 'org.project.ignore.read'] },
    params,
    response: { 200: IgnoreEntry },
    handler: async (request) => {
      const number = await getProjectNumber(db, orgOf(request).id, projectIdOf(request))
      const rows = await listIgnores(db, number, { issueId: issueIdOf(request), source: 'user' })
      if (rows.length === 0) throw notFound(`An ignore of ${issueIdOf(request)} in this project was`)
      return toMergedEntry(rows)
    },
  })
}

function writeRoutes(scope: Server, services: Services): void {
  const answer = ({ request, reply }: Exchange, work: (change: IgnoresChange) => Promise<Answer>) => {
    const place = { projectId: projectIdOf(request), issueId: issueIdOf(request) }
    const { email } = callerOf(request).principal
    return answerOrgChange(services, { request, reply }, (change) =>
      work({ ...change, email, ...place, now: services.now }),
    )
  }

  defineOperation(scope, {
    id: 'replaceIgnoresV1',
    at: `PUT ${path}`,
    summary: 'Replace how an issue of a project is ignored',
    description: 'Paths that are not sent are no longer ignored; an empty list removes all ignores.',
    tags,
    access: { org: ['org.read', 'org.project.ignore.read', 'org.project.ignore.edit'] },
    params,
    body: Type.Array(ReplacingIgnore, { maxItems: MAX_PATHS_OF_ISSUE }),
    response: { 200: IgnoreEntries },
    handler: async (request, reply) => {
      const inputs = parseReplacingIgnores(request.body)
      return answer({ request, reply }, async (change) => ({
        status: 200,
        body: (await replaceIgnores(change, inputs)).map(toEntry),
      }))
    },
  })
  defineOperation(scope, {
    id: 'addIgnoreV1',
    at: `POST ${path}`,
    summary: 'Ignore an issue of a project',
    description:
      'Ignores one path or all paths. An existing ignore of the same path is replaced. The project need not have the issue yet.',
    tags,
    access: { org: ['org.read', 'org.project.ignore.read', 'org.project.ignore.create'] },
    params,
    body: NewIgnore,
    response: { 200: IgnoreEntry },
    handler: async (request, reply) => {
      const input = parseNewIgnore(request.body)
      return answer({ request, reply }, async (change) => ({
        status: 200,
        body: toEntry(await addIgnore(change, input)),
      }))
    },
  })
  defineOperation(scope, {
    id: 'deleteIgnoresV1',
    at: `DELETE ${path}`,
    summary: 'Delete all ignores of an issue of a project',
    tags,
    access: { org: ['org.read', 'org.project.ignore.read', 'org.project.ignore.delete'] },
    params,
    response: { 200: Type.Null({ description: 'No body' }) },
    handler: async (request, reply) =>
      answer({ request, reply }, async (change) => {
        await removeIgnores(change)
        return { status: 200 }
      }),
  })
}

/** Parses a project id; an invalid UUID matches no project. */
function projectIdOf(request: FastifyRequest): string {
  const { projectId } = request.params as { projectId: string }
  if (!isUuid(projectId)) throw notFound(`Project ${projectId}`)
  return projectId.toLowerCase()
}

function issueIdOf(request: FastifyRequest): string {
  const { issueId } = request.params as { issueId: string }
  if (Buffer.byteLength(issueId) <= MAX_ISSUE_ID_BYTES) return issueId
  throw new Problem('invalid-request', `Parameter issueId has more than ${MAX_ISSUE_ID_BYTES} bytes`)
}
