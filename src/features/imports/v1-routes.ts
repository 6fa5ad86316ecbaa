import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Repositories } from '#features/integrations/open-repository.ts'
import { findIntegration, type StoredIntegration } from '#features/integrations/store.ts'
import { isUuid } from '#foundation/http/access.ts'
import { answerAgain, answerChange } from '#foundation/http/change.ts'
import { clientSignal } from '#foundation/http/client-signal.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import type { JobNotifier } from '#foundation/jobs/job-notifier.ts'
import { notFound } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { cancelImport } from './cancel-import.ts'
import { listEnded } from './manifests-store.ts'
import { parseWanted, refuseUnreadable, requestImport } from './request-import.ts'
import { getImport } from './store.ts'
import { toV1Job, V1ImportJob, V1NewImport } from './v1-resource.ts'

const tags = ['Imports']
const access = { org: ['org.edit'] } as const
const path = '/org/:orgId/integrations/:integrationId/import'
const params = Type.Object({ orgId: Type.String(), integrationId: Type.String() })
const jobParams = Type.Object({ ...params.properties, jobId: Type.String() })

export interface ImportDeps {
  readonly repositories: Repositories
  readonly jobNotifier: JobNotifier
}

/** `/v1/org/{orgId}/integrations/{integrationId}/import` and `…/import/{jobId}` */
export function v1ImportRoutes(services: Services, deps: ImportDeps): Routes {
  return (scope) => {
    requestRoute(scope, services, deps)
    jobRoutes(scope, services)
  }
}

function requestRoute(scope: Server, services: Services, { repositories, jobNotifier }: ImportDeps): void {
  const { db, config, baseUrl } = services
  defineOperation(scope, {
    id: 'importTargetV1',
    at: `POST ${path}`,
    summary: 'Import a target through an integration',
    description:
      'The `Location` header of the response is the URL of the import job. A repository that is found unreadable within seconds is refused; otherwise the job reports it. Every supported manifest becomes a project; importing again updates it.',
    tags,
    access,
    params,
    body: V1NewImport,
    response: {
      201: Type.Object({}, { description: 'Started. The `Location` header is the URL of the import job.' }),
    },
    handler: async (request, reply) => {
      if (await answerAgain(services, { request, reply })) return reply
      const org = orgOf(request)
      const integration = await integrationOf(request, db)
      const input = parseWanted(repositories, integration, request.body)
      await refuseUnreadable(repositories, integration, {
        target: input.target.target,
        seconds: config.importCheckSeconds,
        client: clientSignal(reply),
      })
      await answerChange(services, { request, reply }, async (change) => {
        const { id } = await requestImport({ ...change, org }, integration, input)
        const location = `${baseUrl}/api/v1/org/${org.id}/integrations/${integration.id}/import/${id}`
        return { status: 201, body: {}, headers: { location } }
      })
      jobNotifier.notifyWorkers()
      return reply
    },
  })
}

function jobRoutes(scope: Server, services: Services): void {
  const { db, baseUrl } = services
  defineOperation(scope, {
    id: 'getImportJobV1',
    at: `GET ${path}/:jobId`,
    summary: 'Read an import job',
    description: 'Returns the outcome of each target and of its manifests tested so far.',
    tags,
    access,
    params: jobParams,
    response: { 200: V1ImportJob },
    handler: async (request) => {
      const row = await getImport(db, placeOf(request), jobIdOf(request))
      return toV1Job(row, { ended: await listEnded(db, row.id), baseUrl })
    },
  })
  defineOperation(scope, {
    id: 'cancelImportJobV1',
    at: `DELETE ${path}/:jobId`,
    summary: 'Cancel an import job',
    description: 'An extension. Projects imported so far stay.',
    tags,
    access,
    params: jobParams,
    response: { 204: Type.Null() },
    handler: async (request, reply) => {
      const { id } = await getImport(db, placeOf(request), jobIdOf(request))
      return answerChange(services, { request, reply }, (change) => cancelImport(change, id))
    },
  })
}

interface InIntegration {
  readonly integrationId: string
}

async function integrationOf(request: FastifyRequest, db: Services['db']): Promise<StoredIntegration> {
  const { integrationId } = request.params as InIntegration
  const integration = isUuid(integrationId)
    ? await findIntegration(db, orgOf(request).id, integrationId.toLowerCase())
    : undefined
  if (integration === undefined) throw notFound('Integration')
  return integration
}

function placeOf(request: FastifyRequest): { orgId: string; integrationId: string } {
  return { orgId: orgOf(request).id, integrationId: (request.params as InIntegration).integrationId.toLowerCase() }
}

function jobIdOf(request: FastifyRequest): string {
  const { jobId } = request.params as { jobId: string }
  if (!isUuid(jobId)) throw notFound('Import')
  return jobId.toLowerCase()
}
