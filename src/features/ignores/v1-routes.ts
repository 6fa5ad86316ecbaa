import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { listIgnores } from '#features/projects/ignored-store.ts'
import { isUuid } from '#foundation/http/access.ts'
import { type Answer, answerChange } from '#foundation/http/change.ts'
import { callerOf, orgOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { notFound, Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { addIgnore, type Change, MAX_PATHS_OF_ISSUE, removeIgnores, replaceIgnores } from './change-ignores.ts'
import {
  IgnoreEntries,
  IgnoreEntry,
  IgnoresByIssue,
  IssueId,
  MAX_ISSUE_ID_BYTES,
  NewIgnore,
  parseNewIgnore,
  parseReplacingIgnores,
  ReplacingIgnore,
  toEntry,
  toIgnoresByIssue,
  toMergedEntry,
} from './resource.ts'
import { getIgnoringProject } from './store.ts'

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
  scope.get(
    '/org/:orgId/project/:projectId/ignores',
    {
      config: { access: { org: ['org.read', 'org.project.read', 'org.project.ignore.read'] } },
      schema: {
        operationId: 'listIgnoresV1',
        summary: 'List what is ignored in a project, by issue',
        description: 'Ended ones are among them. Those of policy files that belong to a project’s sources are not.',
        tags,
        params: Type.Object(projectParams),
        response: { 200: IgnoresByIssue },
      },
    },
    async (request) => {
      const { number } = await getIgnoringProject(db, orgOf(request).id, projectIdOf(request))
      return toIgnoresByIssue(await listIgnores(db, number, 'all'))
    },
  )
  scope.get(
    path,
    {
      config: { access: { org: ['org.project.read', 'org.project.ignore.read'] } },
      schema: {
        operationId: 'getIgnoreV1',
        summary: 'Read how an issue of a project is ignored',
        description: 'One member for each path.',
        tags,
        params,
        response: { 200: IgnoreEntry },
      },
    },
    async (request) => {
      const { number } = await getIgnoringProject(db, orgOf(request).id, projectIdOf(request))
      const rows = await listIgnores(db, number, [issueIdOf(request)])
      if (rows.length === 0) throw notFound(`An ignore of ${issueIdOf(request)} in this project was`)
      return toMergedEntry(rows)
    },
  )
}

function writeRoutes(scope: Server, services: Services): void {
  const answer = (
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
    work: (change: Change) => Promise<Answer>,
  ) => {
    const place = { org: orgOf(request), projectId: projectIdOf(request), issueId: issueIdOf(request) }
    const { email } = callerOf(request).principal
    return answerChange(services, { request, reply }, (tx, actor) =>
      work({ tx, actor, email, ...place, now: services.now }),
    )
  }

  scope.put(
    path,
    {
      config: { access: { org: ['org.read', 'org.project.ignore.read', 'org.project.ignore.edit'] } },
      schema: {
        operationId: 'replaceIgnoresV1',
        summary: 'Replace how an issue of a project is ignored',
        description: 'What is not sent is no longer ignored; an empty list ignores nothing.',
        tags,
        params,
        body: Type.Array(ReplacingIgnore, { maxItems: MAX_PATHS_OF_ISSUE }),
        response: { 200: IgnoreEntries },
      },
    },
    async (request, reply) => {
      const wanted = parseReplacingIgnores(request.body)
      return answer({ request, reply }, async (change) => ({
        status: 200,
        body: (await replaceIgnores(change, wanted)).map(toEntry),
      }))
    },
  )
  scope.post(
    path,
    {
      config: { access: { org: ['org.read', 'org.project.ignore.read', 'org.project.ignore.create'] } },
      schema: {
        operationId: 'addIgnoreV1',
        summary: 'Ignore an issue of a project',
        description:
          'For one path, or for all of them. A path that is ignored already is decided anew. The issue need not be known yet.',
        tags,
        params,
        body: NewIgnore,
        response: { 200: IgnoreEntry },
      },
    },
    async (request, reply) => {
      const wanted = parseNewIgnore(request.body)
      return answer({ request, reply }, async (change) => ({
        status: 200,
        body: toEntry(await addIgnore(change, wanted)),
      }))
    },
  )
  scope.delete(
    path,
    {
      config: { access: { org: ['org.read', 'org.project.ignore.read', 'org.project.ignore.delete'] } },
      schema: {
        operationId: 'deleteIgnoresV1',
        summary: 'No longer ignore an issue of a project, for any path',
        tags,
        params,
        response: { 200: Type.Null({ description: 'No body' }) },
      },
    },
    async (request, reply) =>
      answer({ request, reply }, async (change) => {
        await removeIgnores(change)
        return { status: 200 }
      }),
  )
}

/** What is no UUID names no project. */
function projectIdOf(request: FastifyRequest): string {
  const { projectId } = request.params as { projectId: string }
  if (!isUuid(projectId)) throw notFound(`Project ${projectId}`)
  return projectId.toLowerCase()
}

function issueIdOf(request: FastifyRequest): string {
  const { issueId } = request.params as { issueId: string }
  if (Buffer.byteLength(issueId) <= MAX_ISSUE_ID_BYTES) return issueId
  throw new Problem('invalid-request', `Parameter issueId has more than ${MAX_ISSUE_ID_BYTES} bytes`, {
    source: { parameter: 'issueId' },
  })
}
