import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { OrgChange } from '#foundation/audit/record.ts'
import { type Answer, answerChange, type Exchange } from '#foundation/http/change.ts'
import { Uuid } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { callerOf, orgOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { notFound, Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import type { AdvisoryHolder } from '#scanning/advisories/advisory-holder.ts'
import { findIssueCounts } from '../issue-index/counts/issue-counts-store.ts'
import { nothingToDo, toRemediation } from '../issues/remediation.ts'
import { findIssuesWithSafeAdvice } from '../issues/safe-advice.ts'
import { type Changed, editProject, removeProjects } from '../projects/change-project.ts'
import { moveProject, noSuchDestination } from '../projects/move-project.ts'
import { getPathProject, pathProjectId } from '../projects/path-project.ts'
import { findPeople, type ProjectRow } from '../projects/store.ts'
import { ChangedV1Project, toV1Project, V1Project } from './v1-resource.ts'

const tags = ['Projects']
const one = '/org/:orgId/project/:projectId'
const params = Type.Object({ orgId: Type.String(), projectId: Type.String() })
const Nothing = Type.Object({}, { additionalProperties: false })

/** Reading and changing one project in v1. */
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

/** Runs a change of the organization's projects and sends its result. */
function answer(
  services: Services,
  exchange: Exchange,
  work: (change: OrgChange) => Promise<Answer>,
): Promise<FastifyReply> {
  const org = orgOf(exchange.request)
  return answerChange(services, exchange, (change) => work({ ...change, org }))
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
  defineOperation(scope, {
    id: 'getProjectV1',
    at: `GET ${one}`,
    summary: 'Read a project with its counts and remediation',
    tags,
    access: { org: ['org.read', 'org.project.read', 'org.project.snapshot.read'] },
    params,
    response: { 200: V1Project },
    handler: async (request) => show(services, await getPathProject(services.db, request)),
  })
}

function changeRoute(scope: Server, services: Tools): void {
  defineOperation(scope, {
    id: 'updateProjectV1',
    at: `PUT ${one}`,
    summary: 'Change a project’s owner or branch',
    description: 'A new branch is read by its next import.',
    tags,
    access: { org: ['org.read', 'org.project.read', 'org.project.edit'] },
    params,
    body: ChangedV1Project,
    response: { 200: V1Project },
    handler: async (request, reply) => {
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
  })
}

function deleteRoutes(scope: Server, services: Services): void {
  defineOperation(scope, {
    id: 'deleteProjectV1',
    at: `DELETE ${one}`,
    summary: 'Delete a project with its history and ignores',
    tags,
    access: { org: ['org.read', 'org.project.read', 'org.project.delete'] },
    params,
    response: { 200: Nothing },
    handler: async (request, reply) =>
      answer(services, { request, reply }, async (change) => {
        const id = pathProjectId(request)
        const gone = await removeProjects(change, [id])
        if (gone.length === 0) throw notFound(`Project ${id}`)
        return { status: 200, body: {} }
      }),
  })
  defineOperation(scope, {
    id: 'deleteProjectsV1',
    at: 'POST /org/:orgId/projects/bulk-delete',
    summary: 'Delete several projects',
    description: 'Ids without a project are ignored; the response lists the deleted ones.',
    tags,
    access: { org: ['org.read', 'org.project.read', 'org.project.delete'] },
    body: Type.Object({ projects: Type.Array(Uuid, { minItems: 1, maxItems: 1000 }) }),
    response: { 200: Type.Object({ projects: Type.Array(Uuid) }) },
    handler: async (request, reply) => {
      const ids = [...new Set(request.body.projects.map((id) => id.toLowerCase()))]
      return answer(services, { request, reply }, async (change) => ({
        status: 200,
        body: { projects: await removeProjects(change, ids) },
      }))
    },
  })
}

function statusRoutes(scope: Server, services: Services): void {
  const both = [
    { verb: 'activate', status: 'active', summary: 'Activate a project; it is tested again soon, then regularly' },
    { verb: 'deactivate', status: 'inactive', summary: 'Deactivate a project, which is then no longer tested again' },
  ] as const
  for (const { verb, status, summary } of both) {
    defineOperation(scope, {
      id: `${verb}ProjectV1`,
      at: `POST ${one}/${verb}`,
      summary,
      tags,
      access: { org: ['org.read', 'org.project.read', 'org.project.status'] },
      params,
      response: { 200: Nothing },
      handler: async (request, reply) =>
        answer(services, { request, reply }, async (change) => {
          await editProject(change, pathProjectId(request), () => ({ status }))
          return { status: 200, body: {} }
        }),
    })
  }
}

function moveRoute(scope: Server, services: Services): void {
  defineOperation(scope, {
    id: 'moveProjectV1',
    at: `PUT ${one}/move`,
    summary: 'Move a project to another organization',
    description:
      'Also needs org.project.create in the destination organization. History and ignores move with the project; its integration does not.',
    tags,
    access: { org: ['org.read', 'org.project.read', 'org.project.delete'] },
    params,
    body: Type.Object({ targetOrgId: Uuid }),
    response: {
      200: Type.Object({ originOrg: Uuid, destinationOrg: Uuid, movedProject: Uuid }),
    },
    handler: async (request, reply) => {
      const id = pathProjectId(request)
      const destination = await getDestination(services, request, request.body.targetOrgId.toLowerCase())
      return answer(services, { request, reply }, async (change) => {
        await moveProject(change, id, destination)
        const body = { originOrg: change.org.id, destinationOrg: destination.id, movedProject: id }
        return { status: 200, body }
      })
    },
  })
}

async function getDestination({ access }: Services, request: FastifyRequest, id: string) {
  const effective = await access.permissionsInOrg(callerOf(request).principal, { id })
  if (!effective?.org || !effective.permissions.has('org.read')) throw noSuchDestination(id)
  if (effective.permissions.has('org.project.create')) return effective.org
  throw new Problem('forbidden', 'You need the permission org.project.create in the destination organization', {
    source: { pointer: '/targetOrgId' },
  })
}
