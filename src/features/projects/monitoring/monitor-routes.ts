import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { sbom } from '#analysis/ecosystems/sbom/index.ts'
import type { MonitoringTester } from '#features/issue-index/recording/run-project-test.ts'
import { type PackedSource, packGraphSource, packSource } from '#features/issue-index/storage/packed-state.ts'
import type { Org, OrgReference } from '#foundation/access/caller.ts'
import type { Permission } from '#foundation/access/permissions.ts'
import { isUuid } from '#foundation/http/access.ts'
import { answerAgain, answerChange } from '#foundation/http/change.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { callerOf, orgOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { nameText, toStoredName } from '#foundation/http/text.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { waitingOf } from '#scanning/pool/waiting-client.ts'
import type { FilesSubject } from '#scanning/reading/files.ts'
import { MAX_VALUES_OF_GRAPH, toSentGraph, UNREAD } from '#scanning/reading/sent-graph.ts'
import type { SentSubject, Subject } from '#scanning/reading/task.ts'
import { requireLabels } from '../changed-project.ts'
import { projectUrl } from '../project-url.ts'
import { type Monitoring, type StoredMonitoring, storeMonitoring, toTarget } from './monitor.ts'
import { ClientMonitored, ClientMonitoring, Monitored, MonitoredGraph, MonitorQuery } from './monitor-resource.ts'

const tags = ['Projects']
const needed = ['org.read', 'org.project.create', 'org.package.test'] as const satisfies readonly Permission[]
const about =
  'Updates an existing project of the same name and place, whose history and ignores stay. A graph that is too large is refused with 422.'

/** Graphs that clients resolved, stored as projects and tested again with newer advisories. */
export function monitorRoutes(services: Services, tester: MonitoringTester): Routes {
  return (scope) => {
    graphRoute(scope, services, tester)
    billRoute(scope, services, tester)
    clientRoute(scope, services, tester)
  }
}

function graphRoute(scope: Server, services: Services, tester: MonitoringTester): void {
  defineOperation(scope, {
    id: 'monitorDepGraph',
    at: 'POST /monitor/dep-graph',
    summary: 'Store a dependency graph as a project',
    description: `The project is named after the root of the graph. ${about}`,
    tags,
    access: { orgOfQuery: needed },
    largeMember: { name: 'depGraph', maxValues: MAX_VALUES_OF_GRAPH },
    query: MonitorQuery,
    body: MonitoredGraph,
    response: { 200: Monitored },
    handler: async (request, reply) => {
      const graph = toSentGraph(request.body.depGraph, '/depGraph')
      const org = orgOf(request)
      const sent = { ...ofGraph(graph), toMonitored: toNamed }
      return monitor({ services, tester, org, request, reply }, sent, (stored) => toBody(services, org, stored))
    },
  })
}

/** Media types of bills; the content tells the format. */
const billTypes = [
  'application/json',
  'application/vnd.cyclonedx+json',
  'application/spdx+json',
  'application/xml',
  'text/xml',
  'application/vnd.cyclonedx+xml',
  'text/spdx',
  'text/plain',
  'application/octet-stream',
]

function billRoute(scope: Server, services: Services, tester: MonitoringTester): void {
  defineOperation(scope, {
    id: 'monitorBill',
    at: 'POST /monitor/sbom',
    summary: 'Store a bill of materials as a project',
    description: `An extension. The body is the file: CycloneDX or SPDX, as in \`POST /test/sbom\`. ${about}`,
    tags,
    access: { orgOfQuery: needed },
    bytesOf: billTypes,
    query: Type.Object({
      org: MonitorQuery.properties.org,
      name: Type.Optional(nameText(500, 'Name of the project; default: that of the bill’s subject')),
    }),
    response: { 200: Monitored },
    handler: async (request, reply) => {
      const subject = toBillSubject(request.body)
      // An Idempotency-Key covers the bytes of the file.
      request.body = { digest: hash('sha256', subject.target) } as never
      const org = orgOf(request)
      const sent = {
        ecosystem: sbom.id,
        subject,
        toSource: async () => ({ packed: await packSource(subject) }),
        toMonitored: (root: string) => toNamed(toStoredName(request.query.name ?? '') || root),
      }
      const exchange = { services, tester, org, request, reply }
      return monitor(exchange, sent, (stored) => toBody(services, org, stored)).catch(throwWithoutPlace)
    },
  })
}

/** Removes the location of a fault, which only makes sense in a request with several files. */
function throwWithoutPlace(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'manifest-unreadable') throw error
  throw new Problem(
    error.code,
    error.faults.map(({ detail }) => ({ detail })),
  )
}

/** Reads a file of unknown encoding; its reader decodes or refuses it. */
function toBillSubject(body: unknown): FilesSubject {
  if (!(body instanceof Uint8Array) || body.length === 0)
    throw new Problem('body-unreadable', 'The request has no body. Send the bill of materials as the body')
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const encoding = isUtf8(bytes) ? 'plain' : 'base64'
  return { kind: 'files', target: bytes.toString(encoding === 'plain' ? 'utf8' : 'base64'), additional: [], encoding }
}

function toBody({ baseUrl }: Services, org: Org, { projectId }: StoredMonitoring) {
  return { ok: true, id: projectId, uri: projectUrl(baseUrl, org.id, projectId) }
}

function toNamed(name: string): ToMonitor {
  if (name === '') {
    const detail = 'The bill of materials names no subject. Send a project name in the parameter name'
    throw new Problem('unprocessable', detail, { source: { parameter: 'name' } })
  }
  const target = toTarget('api', name, undefined)
  return { origin: 'api', name, target, targetFile: null, targetReference: null, labels: {} }
}

function clientRoute(scope: Server, services: Services, tester: MonitoringTester): void {
  defineOperation(scope, {
    id: 'monitorGraphOfClient',
    at: 'PUT /monitor/:packageManager/graph',
    summary: 'Store a dependency graph as a project, in the format of command-line clients',
    description: `Needs ${needed.join(', ')} in the named organization, or in the default one; labels need their own permissions. The ignores of an included policy file apply until the project is sent again. ${about}`,
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
      const sent = { ...ofGraph(graph), toMonitored }
      return monitor({ services, tester, org, request, reply }, sent, (stored) => ({
        ...toBody(services, org, stored),
        org: org.slug,
        projectName: stored.name,
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

interface SentProject {
  readonly ecosystem: string
  readonly subject: Subject
  /** Returns the data from which the project is tested again. */
  toSource(): Promise<PackedSource>
  toMonitored(root: string): ToMonitor
}

function ofGraph(graph: SentSubject): Omit<SentProject, 'toMonitored'> {
  return { ecosystem: UNREAD, subject: graph, toSource: () => packGraphSource(graph.json.bytes, graph.policy) }
}

/** Tests and stores a project. The test runs before the transaction begins, so no lock is held meanwhile. */
async function monitor(
  { services, tester, org, request, reply }: Exchange,
  { ecosystem, subject, toSource, toMonitored }: SentProject,
  toBody: (stored: StoredMonitoring) => object,
): Promise<FastifyReply> {
  if (await answerAgain(services, { request, reply })) return reply
  const client = waitingOf(request, reply)
  return tester.testAndStore(org.id, { ecosystem, subject, client }, async (outcome) => {
    if ('problem' in outcome) throw outcome.problem
    const { rootName, test } = outcome
    const monitoring = {
      ...toMonitored(rootName || test.graph.packages[0]!.name),
      source: await toSource(),
    }
    return answerChange(services, { request, reply }, async (made) => {
      const change = { ...made, org }
      return { status: 200, body: toBody(await storeMonitoring(change, monitoring, test)) }
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
    `You need the permission ${missing.join(', ')}, which the credential's role does not have`,
  )
}

function toReference(name: string | undefined): OrgReference {
  if (name === undefined || name === '') return 'default'
  return isUuid(name) ? { id: name.toLowerCase() } : { slug: name }
}
