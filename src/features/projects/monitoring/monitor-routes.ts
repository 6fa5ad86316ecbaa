import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Org, OrgReference } from '#foundation/access/caller.ts'
import type { Permission } from '#foundation/access/permissions.ts'
import { isUuid } from '#foundation/http/access.ts'
import { answerAgain, answerChange } from '#foundation/http/change.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { callerOf, orgOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { waitingOf } from '#scanning/pool/waiting-client.ts'
import { MAX_VALUES_OF_GRAPH, toSentGraph, UNREAD } from '#scanning/reading/sent-graph.ts'
import type { SentSubject } from '#scanning/reading/task.ts'
import { requireLabels } from '../changed-project.ts'
import { projectUrl } from '../project-url.ts'
import type { MonitoringTester } from '../recording/run-project-test.ts'
import { packGraphSource } from '../storage/packed-state.ts'
import { type Monitoring, type StoredMonitoring, storeMonitoring, toTarget } from './monitor.ts'
import { ClientMonitored, ClientMonitoring, Monitored, MonitoredGraph, MonitorQuery } from './monitor-resource.ts'

const tags = ['Projects']
const needed = ['org.read', 'org.project.create', 'org.package.test'] as const satisfies readonly Permission[]
const about =
  'The project is the one of the same name and place where that is there already; its history and ignores stay. A graph that is too large is refused with 422.'

/** Graphs that clients resolved, kept as projects and tested again with newer advisories. */
export function monitorRoutes(services: Services, tester: MonitoringTester): Routes {
  return (scope) => {
    graphRoute(scope, services, tester)
    clientRoute(scope, services, tester)
  }
}

function graphRoute(scope: Server, services: Services, tester: MonitoringTester): void {
  defineOperation(scope, {
    id: 'monitorDepGraph',
    at: 'POST /monitor/dep-graph',
    summary: 'Keep a dependency graph as a project',
    description: `The name of the graph’s root is that of the project. ${about}`,
    tags,
    access: { orgOfQuery: needed },
    largeMember: { name: 'depGraph', maxValues: MAX_VALUES_OF_GRAPH },
    query: MonitorQuery,
    body: MonitoredGraph,
    response: { 200: Monitored },
    handler: async (request, reply) => {
      const graph = toSentGraph(request.body.depGraph, '/depGraph')
      const toMonitored = (name: string): ToMonitor => ({
        origin: 'api',
        name,
        target: toTarget('api', name, undefined),
        targetFile: null,
        targetReference: null,
        labels: {},
      })
      const org = orgOf(request)
      return monitor({ services, tester, org, request, reply }, { graph, toMonitored }, ({ projectId }) => ({
        ok: true,
        id: projectId,
        uri: projectUrl(services.baseUrl, org.id, projectId),
      }))
    },
  })
}

function clientRoute(scope: Server, services: Services, tester: MonitoringTester): void {
  defineOperation(scope, {
    id: 'monitorGraphOfClient',
    at: 'PUT /monitor/:packageManager/graph',
    summary: 'Keep a dependency graph as a project, as command-line clients do',
    description: `Needs ${needed.join(', ')} in the organization that is named, else in the caller’s own; labels need their permissions. The ignores of a policy file that is sent along are those of the project until the next time. ${about}`,
    tags,
    access: 'signed-in',
    largeMember: { name: 'depGraphJSON', maxValues: MAX_VALUES_OF_GRAPH },
    params: Type.Object({ packageManager: Type.String({ minLength: 1, maxLength: 100 }) }),
    query: Type.Object(MonitorQuery.properties),
    body: ClientMonitoring,
    response: { 200: ClientMonitored },
    handler: async (request, reply) => {
      const { org, permissions } = await getOrg(services, request, request.body.meta?.org ?? request.query.org)
      const { body } = request
      const labels = labelsOf(body)
      requireLabels(permissions, labels)
      const graph = toSentGraph(body.depGraphJSON, '/depGraphJSON', body.policy)
      const toMonitored = (root: string) => toMonitoring(body, { root, labels })
      const path = body.targetFile ?? body.targetFileRelativePath ?? ''
      return monitor({ services, tester, org, request, reply }, { graph, toMonitored }, ({ projectId, name }) => ({
        ok: true,
        id: projectId,
        uri: projectUrl(services.baseUrl, org.id, projectId),
        org: org.slug,
        projectName: name,
        path,
        isMonitored: true,
        trialStarted: false,
        licensesPolicy: null,
      }))
    },
  })
}

type ToMonitor = Omit<Monitoring, 'source'>

interface Exchange {
  readonly services: Services
  readonly tester: MonitoringTester
  readonly org: Org
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Tested before the transaction begins: nothing is held meanwhile. */
async function monitor(
  { services, tester, org, request, reply }: Exchange,
  { graph, toMonitored }: { graph: SentSubject; toMonitored: (root: string) => ToMonitor },
  toBody: (stored: StoredMonitoring) => object,
): Promise<FastifyReply> {
  if (await answerAgain(services, { request, reply })) return reply
  const client = waitingOf(request, reply)
  return tester.testAndStore(org.id, { ecosystem: UNREAD, subject: graph, client }, async (outcome) => {
    if ('problem' in outcome) throw outcome.problem
    const monitoring = {
      ...toMonitored(outcome.rootName),
      source: await packGraphSource(graph.json.bytes, graph.policy),
    }
    return answerChange(services, { request, reply }, async (tx, actor) => {
      const change = { tx, org, actor, at: services.now() }
      return { status: 200, body: toBody(await storeMonitoring(change, monitoring, outcome.test)) }
    })
  })
}

function toMonitoring(
  body: ClientMonitoring,
  { root, labels }: { root: string; labels: Monitoring['labels'] },
): ToMonitor {
  const { meta, target, targetFile, targetFileRelativePath, targetReference } = body
  const name = meta?.projectName ?? meta?.name ?? root
  return {
    origin: 'cli',
    name,
    target: toTarget('cli', target?.name ?? name, target?.remoteUrl ?? undefined),
    targetFile: targetFile ?? targetFileRelativePath ?? null,
    targetReference: targetReference ?? null,
    labels,
  }
}

function labelsOf({ tags, projectAttributes }: ClientMonitoring): Monitoring['labels'] {
  const { criticality, environment, lifecycle } = projectAttributes ?? {}
  return {
    ...(tags && { tags }),
    ...(criticality && { business_criticality: criticality }),
    ...(environment && { environment }),
    ...(lifecycle && { lifecycle }),
  }
}

async function getOrg({ access }: Services, request: FastifyRequest, name: string | undefined) {
  const effective = await access.permissionsInOrg(callerOf(request).principal, toReference(name))
  if (!effective?.org) {
    const noun = name === undefined ? 'an organization' : `Org ${name}`
    throw new Problem('not-found', `${noun} was not found or you may not have the correct permissions to access it.`)
  }
  const missing = needed.filter((permission) => !effective.permissions.has(permission))
  if (missing.length === 0) return { org: effective.org, permissions: effective.permissions }
  throw new Problem(
    'forbidden',
    `This needs the permission ${missing.join(', ')}, which the credential's role does not have`,
  )
}

function toReference(name: string | undefined): OrgReference {
  if (name === undefined || name === '') return 'default'
  return isUuid(name) ? { id: name.toLowerCase() } : { slug: name }
}
