import { Type } from 'typebox'
import { defineOperation } from '#foundation/http/operation.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { unpackGraph } from '../issue-index/storage/packed-state.ts'
import { findState } from '../issue-index/storage/states-store.ts'
import { optionalBody } from '../issues/v1-issue-resource.ts'
import { countTests, listTests } from '../projects/history-store.ts'
import { linkHeader, pageLinks, pageQuery, toOffset } from '../projects/numbered-pages.ts'
import { getPathProject } from '../projects/path-project.ts'
import { GraphDocument, toGraphDocument } from './graph-document.ts'
import { History, toSnapshot } from './v1-resource.ts'

const tags = ['Projects']
const one = '/org/:orgId/project/:projectId'
const params = Type.Object({ orgId: Type.String(), projectId: Type.String() })
const reads = { access: { org: ['org.read', 'org.project.read', 'org.project.snapshot.read'] as const } }

/** A project's graph and history. Tickets are not supported, so their list is always empty. */
export function v1HistoryRoutes(services: Services): Routes {
  return (scope) => {
    historyRoute(scope, services)
    graphRoute(scope, services)
    ticketRoutes(scope, services)
  }
}

function historyRoute(scope: Server, { db, baseUrl }: Services): void {
  defineOperation(scope, {
    id: 'listProjectSnapshotsV1',
    at: `POST ${one}/history`,
    summary: 'List the tests of a project, the latest first',
    description: 'Counts exclude issues that were ignored at that time.',
    tags,
    ...reads,
    params,
    query: Type.Object(pageQuery({ perPage: 10, most: 100 })),
    body: optionalBody(
      Type.Object(
        {
          filters: Type.Optional(
            Type.Object({
              imageId: Type.Optional(Type.String({ description: 'Matches none: no project is an image' })),
            }),
          ),
        },
        { title: 'SnapshotSearch' },
      ),
    ),
    response: { 200: History },
    handler: async (request, reply) => {
      const { number } = await getPathProject(db, request)
      const { page = 1, perPage = 10 } = request.query
      if (request.body?.filters?.imageId) return { snapshots: [], total: 0 }
      const total = await countTests(db, number)
      const rows = await listTests(db, number, { limit: perPage, offset: toOffset({ page, perPage }) })
      const links = pageLinks(new URL(`${baseUrl}${request.url}`).href, { page, perPage }, total)
      return reply.headers(linkHeader(links)).send({ snapshots: rows.map(toSnapshot), total })
    },
  })
}

function graphRoute(scope: Server, { db }: Services): void {
  defineOperation(scope, {
    id: 'getProjectGraphV1',
    at: `GET ${one}/dep-graph`,
    summary: 'Read the resolved packages of a project, as of its last test',
    tags,
    ...reads,
    params,
    response: { 200: GraphDocument },
    handler: async (request) => {
      const project = await getPathProject(db, request)
      const state = await findState(db, project.number)
      const graph = state ? await unpackGraph(state.graph) : { packages: [], nodes: [] }
      return toGraphDocument(graph, project)
    },
  })
}

function ticketRoutes(scope: Server, { db }: Services): void {
  defineOperation(scope, {
    id: 'listJiraIssuesV1',
    at: `GET ${one}/jira-issues`,
    summary: 'List the tickets of a project’s issues; always empty',
    tags,
    access: { org: ['org.project.jira.issue.read'] },
    params,
    response: { 200: Type.Object({}, { additionalProperties: false }) },
    handler: async (request) => {
      await getPathProject(db, request)
      return {}
    },
  })
  defineOperation(scope, {
    id: 'createJiraIssueV1',
    at: `POST ${one}/issue/:issueId/jira-issue`,
    summary: 'Create a ticket for an issue; not supported',
    description: 'Always refused with 422: ticket systems are not supported. Use a webhook for new issues.',
    tags,
    access: { org: ['org.project.jira.issue.create'] },
    params: Type.Object({ ...params.properties, issueId: Type.String({ minLength: 1, maxLength: 2000 }) }),
    body: Type.Object({ fields: Type.Optional(Type.Unknown()) }),
    response: { 200: Type.Object({}) },
    handler: async (request) => {
      await getPathProject(db, request)
      throw new Problem(
        'unprocessable',
        'Ticket systems are not supported. Create a webhook that notifies your ticket system of new issues',
      )
    },
  })
}
