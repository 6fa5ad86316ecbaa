import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Collection, listOf, listQuery } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { groupOf, orgOf } from '#foundation/http/request-context.ts'
import type { Routes } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import { AuditEvent, type FilterQuery, filters, toFilters, toResource } from './resource.ts'
import { listReferences } from './sentence.ts'
import { eventsByTime, listEvents, readNames } from './store.ts'

const common = { description: 'An extension. Newest first.', tags: ['Audit log'], releases: ['2024-10-15'] }

export function auditRoutes(services: Services): Routes {
  return (scope) => {
    defineOperation(scope, {
      id: 'listOrgAuditLogs',
      at: 'GET /orgs/:org_id/audit_logs',
      summary: 'Read the audit log of an organization',
      ...common,
      access: { org: ['org.audit.read'] },
      query: listQuery(filters),
      response: { 200: Collection(AuditEvent) },
      handler: (request) => readEvents(services, request, { orgId: orgOf(request).id }),
    })
    defineOperation(scope, {
      id: 'listGroupAuditLogs',
      at: 'GET /groups/:group_id/audit_logs',
      summary: 'Read the audit log of a group and all of its organizations',
      ...common,
      access: { group: ['group.audit.read'] },
      query: listQuery({
        ...filters,
        org_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only events of this organization' })),
      }),
      response: { 200: Collection(AuditEvent) },
      handler: (request) => readEvents(services, request, { groupId: groupOf(request).id }),
    })
  }
}

async function readEvents(
  { db, keyring }: Services,
  request: FastifyRequest,
  place: { orgId: string } | { groupId: string },
) {
  const list = listOf(request, keyring)
  const page = await listEvents(db, { place, filters: toFilters(request.query as FilterQuery) }, list.window)
  const names = await readNames(db, listReferences(page.rows))
  return list.document(page, eventsByTime, (row) => toResource(row, names))
}
