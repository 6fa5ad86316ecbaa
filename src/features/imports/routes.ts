import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { answerChange } from '#foundation/http/change.ts'
import {
  Collection,
  CountedCollection,
  countParameter,
  listOf,
  listQuery,
  Single,
  single,
} from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import { cancelImport } from './cancel-import.ts'
import { eventsRoute } from './events-route.ts'
import { countManifests, countManifestsOf, listManifests, manifestsByPath } from './manifests-store.ts'
import {
  causes,
  Import,
  ImportManifest,
  manifestStates,
  states,
  toManifestResource,
  toResource,
  toWholeResource,
} from './resource.ts'
import { countImports, getImport, type ImportRow, importsByAge, listImports } from './store.ts'

const config = { access: { org: ['org.edit'] }, releases: ['2024-10-15'] } as const
const tags = ['Imports']
const extension = 'An extension.'

const filterId = (description: string) => Type.Optional(Type.String({ format: 'uuid', description }))

export function importRoutes(services: Services): Routes {
  return (scope) => {
    readRoutes(scope, services)
    cancelRoute(scope, services)
    eventsRoute(scope, services)
  }
}

function readRoutes(scope: Server, { db, keyring }: Services): void {
  defineOperation(scope, {
    id: 'listImports',
    at: 'GET /orgs/:org_id/imports',
    summary: 'List the imports of an organization',
    description: `${extension} Newest first.`,
    tags,
    ...config,
    query: listQuery({
      integration_id: filterId('Only imports through this integration'),
      target_id: filterId('Only imports of this target'),
      state: Type.Optional(Type.Enum(states, { description: 'Only imports in this state' })),
      cause: Type.Optional(Type.Enum(causes, { description: 'Only imports with this cause' })),
      created_after: Type.Optional(
        Type.String({ format: 'date-time', description: 'Only imports created at or after this time' }),
      ),
      has_failed_manifests: Type.Optional(
        Type.Boolean({ description: 'true: only imports with a failed manifest; false: only those without' }),
      ),
      ...countParameter,
    }),
    response: { 200: CountedCollection(Import) },
    handler: async (request) => {
      const list = listOf(request, keyring)
      const { integration_id, target_id, state, cause, created_after, has_failed_manifests, count } = request.query
      const filters = {
        integrationId: integration_id?.toLowerCase(),
        targetId: target_id?.toLowerCase(),
        state,
        cause,
        createdAfter: created_after === undefined ? undefined : Date.parse(created_after),
        hasFailedManifests: has_failed_manifests,
      }
      const input = { orgId: orgOf(request).id, filters }
      const page = await listImports(db, input, list.window)
      const counts = await countManifestsOf(
        db,
        page.rows.map(({ id }) => id),
      )
      const document = list.document(page, importsByAge, (row) => toResource(row, counts.get(row.id)!))
      return count ? { ...document, meta: { count: await countImports(db, input) } } : document
    },
  })
  defineOperation(scope, {
    id: 'getImport',
    at: 'GET /orgs/:org_id/imports/:import_id',
    summary: 'Read an import',
    description: extension,
    tags,
    ...config,
    response: { 200: Single(Import) },
    handler: async (request) => {
      const row = await importOf(request, db)
      return single(request, toWholeResource(row, await countManifests(db, row.id)))
    },
  })
  defineOperation(scope, {
    id: 'listImportManifests',
    at: 'GET /orgs/:org_id/imports/:import_id/manifests',
    summary: 'List the manifests of an import',
    description: `${extension} By path.`,
    tags,
    ...config,
    query: listQuery({
      state: Type.Optional(Type.Enum(manifestStates, { description: 'Only manifests in this state' })),
    }),
    response: { 200: Collection(ImportManifest) },
    handler: async (request) => {
      const list = listOf(request, keyring)
      const { id } = await importOf(request, db)
      const page = await listManifests(db, { importId: id, state: request.query.state }, list.window)
      return list.document(page, manifestsByPath, toManifestResource)
    },
  })
}

function cancelRoute(scope: Server, services: Services): void {
  defineOperation(scope, {
    id: 'cancelImport',
    at: 'DELETE /orgs/:org_id/imports/:import_id',
    summary: 'Cancel an import',
    description: `${extension} Projects imported so far stay. Repeating the request has no effect.`,
    tags,
    ...config,
    response: { 204: Type.Null() },
    handler: async (request, reply) => {
      const { id } = await importOf(request, services.db)
      return answerChange(services, { request, reply }, (change) => cancelImport(change, id))
    },
  })
}

function importOf(request: FastifyRequest, db: Services['db']): Promise<ImportRow> {
  const { import_id } = request.params as { import_id: string }
  return getImport(db, { orgId: orgOf(request).id }, import_id.toLowerCase())
}
