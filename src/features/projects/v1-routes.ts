import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { AdvisoryHolder } from '#features/advisories/holder.ts'
import { type Answer, answerChange } from '#foundation/http/change.ts'
import { Uuid } from '#foundation/http/documents.ts'
import { callerOf, orgOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { notFound, Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { type Change, type Changed, editProject, removeProjects } from './change-project.ts'
import { findIssueCounts } from './issue-counts-store.ts'
import { moveProject, noSuchDestination } from './move-project.ts'
import { getPathProject, pathProjectId } from './path-project.ts'
import { nothingToDo, toRemediation } from './remediation.ts'
import { findIssuesWithSafeAdvice } from './safe-advice.ts'
import { findPeople, type ProjectRow } from './store.ts'
import { ChangedV1Project, toV1Project, V1Project } from './v1-resource.ts'

const tags = ['Projects']
const one = '/org/:orgId/project/:projectId'
const params = Type.Object({ orgId: Type.String(), projectId: Type.String() })
const Nothing = Type.Object({}, { additionalProperties: false })

/** One project, as clients of v1 read and change it. */
export function v1ProjectRoutes(services: Services, advisories: AdvisoryHolder): Routes {
  const tools = { ...services, advisories }
  return (scope) => {
    readRoute(scope, tools)
    changeRoute(scope, tools)
    deleteRoutes(scope, services)
    statusRoutes(scope, services)
    moveRoute(scope, services)
  }
}

/** Runs a change of the organisation's projects and answers what came of it. */
function answer(
  services: Services,
  exchange: { request: FastifyRequest; reply: FastifyReply },
  work: (change: Change) => Promise<Answer>,
): Promise<FastifyReply> {
  const org = orgOf(exchange.request)
  return answerChange(services, exchange, (tx, actor) => work({ tx, org, actor, at: services.now() }))
}

interface Tools extends Services {
  readonly advisories: AdvisoryHolder
}

async function show({ db, now, baseUrl, advisories }: Tools, row: ProjectRow) {
  const read = await findIssuesWithSafeAdvice(db, row, { now: now(), advisories })
  return toV1Project(row, {
    baseUrl,
    counts: await findIssueCounts(db, [row], now()),
    people: await findPeople(db, [row.importer_id, row.owner_id]),
    remediation: read ? toRemediation(read) : nothingToDo,
  })
}

function readRoute(scope: Server, services: Tools): void {
  scope.get(
    one,
    {
      config: { access: { org: ['org.read', 'org.project.read', 'org.project.snapshot.read'] } },
      schema: {
        operationId: 'getProjectV1',
        summary: 'Read a project with its counts and what would mend it',
        tags,
        params,
        response: { 200: V1Project },
      },
    },
    async (request) => show(services, await getPathProject(services.db, request)),
  )
}

function changeRoute(scope: Server, services: Tools): void {
  scope.put(
    one,
    {
      config: { access: { org: ['org.read', 'org.project.read', 'org.project.edit'] } },
      schema: {
        operationId: 'updateProjectV1',
        summary: 'Change a project’s owner or branch',
        description: 'Another branch is read by the next import of it.',
        tags,
        params,
        body: ChangedV1Project,
        response: { 200: V1Project },
      },
    },
    async (request, reply) => {
      const { owner, branch } = request.body
      const changed: Changed = {
        ...(owner !== undefined && { owner_id: owner?.id?.toLowerCase() ?? null }),
        ...(branch !== undefined && { target_reference: branch }),
      }
      return answer(services, { request, reply }, async (change) => {
        const row = await editProject(change, pathProjectId(request), () => changed)
        return { status: 200, body: await show({ ...services, db: change.tx }, row) }
      })
    },
  )
}

function deleteRoutes(scope: Server, services: Services): void {
  scope.delete(
    one,
    {
      config: { access: { org: ['org.read', 'org.project.read', 'org.project.delete'] } },
      schema: {
        operationId: 'deleteProjectV1',
        summary: 'Delete a project with its history and ignores',
        tags,
        params,
        response: { 200: Nothing },
      },
    },
    async (request, reply) =>
      answer(services, { request, reply }, async (change) => {
        const id = pathProjectId(request)
        const gone = await removeProjects(change, [id])
        if (gone.length === 0) throw notFound(`Project ${id}`)
        return { status: 200, body: {} }
      }),
  )
  scope.post(
    '/org/:orgId/projects/bulk-delete',
    {
      config: { access: { org: ['org.read', 'org.project.read', 'org.project.delete'] } },
      schema: {
        operationId: 'deleteProjectsV1',
        summary: 'Delete several projects',
        description: 'Those that are not there are passed over; the answer names those that were.',
        tags,
        params: Type.Object({ orgId: Type.String() }),
        body: Type.Object({ projects: Type.Array(Uuid, { minItems: 1, maxItems: 1000 }) }),
        response: { 200: Type.Object({ projects: Type.Array(Uuid) }) },
      },
    },
    async (request, reply) => {
      const ids = [...new Set(request.body.projects.map((id) => id.toLowerCase()))]
      return answer(services, { request, reply }, async (change) => ({
        status: 200,
        body: { projects: await removeProjects(change, ids) },
      }))
    },
  )
}

function statusRoutes(scope: Server, services: Services): void {
  const both = [
    { verb: 'activate', status: 'active', summary: 'Test a project again from now on, and soon for the first time' },
    { verb: 'deactivate', status: 'inactive', summary: 'No longer test a project again' },
  ] as const
  for (const { verb, status, summary } of both) {
    scope.post(
      `${one}/${verb}`,
      {
        config: { access: { org: ['org.read', 'org.project.read', 'org.project.status'] } },
        schema: { operationId: `${verb}ProjectV1`, summary, tags, params, response: { 200: Nothing } },
      },
      async (request, reply) =>
        answer(services, { request, reply }, async (change) => {
          await editProject(change, pathProjectId(request), () => ({ status }))
          return { status: 200, body: {} }
        }),
    )
  }
}

function moveRoute(scope: Server, services: Services): void {
  scope.put(
    `${one}/move`,
    {
      config: { access: { org: ['org.read', 'org.project.read', 'org.project.delete'] } },
      schema: {
        operationId: 'moveProjectV1',
        summary: 'Move a project to another organisation',
        description:
          'Needs org.project.create there. History and ignores go with it; the integration that it came through does not.',
        tags,
        params,
        body: Type.Object({ targetOrgId: Uuid }),
        response: {
          200: Type.Object({ originOrg: Uuid, destinationOrg: Uuid, movedProject: Uuid }),
        },
      },
    },
    async (request, reply) => {
      const id = pathProjectId(request)
      const destination = await getDestination(services, request, request.body.targetOrgId.toLowerCase())
      return answer(services, { request, reply }, async (change) => {
        await moveProject(change, id, destination)
        const body = { originOrg: change.org.id, destinationOrg: destination.id, movedProject: id }
        return { status: 200, body }
      })
    },
  )
}

async function getDestination({ access }: Services, request: FastifyRequest, id: string) {
  const standing = await access.standingInOrg(callerOf(request).principal, { id })
  if (!standing?.org || !standing.permissions.has('org.read')) throw noSuchDestination(id)
  if (standing.permissions.has('org.project.create')) return standing.org
  throw new Problem('forbidden', 'This needs the permission org.project.create in the organisation moved to', {
    source: { pointer: '/targetOrgId' },
  })
}
