import { Type } from 'typebox'
import { Collection, listOf, listQuery, Uuid } from '#foundation/http/documents.ts'
import { groupOf, orgOf } from '#foundation/http/request-context.ts'
import type { Routes } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import { AuditEvent, filters, toFilters, toResource } from './resource.ts'
import { eventsByTime, listEvents } from './store.ts'

const releases = ['2024-10-15']
const extension = 'An extension: the interface documents have no such operation. Newest first.'

/** Who did what and when, for administrators. */
export function auditRoutes({ db, keyring }: Services): Routes {
  return (scope) => {
    scope.get(
      '/orgs/:org_id/audit_logs',
      {
        config: { access: { org: ['org.audit.read'] }, releases },
        schema: {
          operationId: 'listOrgAuditLogs',
          summary: 'Read the audit log of an organisation',
          description: extension,
          tags: ['Audit log'],
          params: Type.Object({ org_id: Uuid }),
          querystring: listQuery(filters),
          response: { 200: Collection(AuditEvent) },
        },
      },
      async (request) => {
        const list = listOf(request, keyring)
        const wanted = { place: { orgId: orgOf(request).id }, filters: toFilters(request.query) }
        return list.document(await listEvents(db, wanted, list.window), eventsByTime, toResource)
      },
    )
    scope.get(
      '/groups/:group_id/audit_logs',
      {
        config: { access: { group: ['group.audit.read'] }, releases },
        schema: {
          operationId: 'listGroupAuditLogs',
          summary: 'Read the audit log of a group and all of its organisations',
          description: extension,
          tags: ['Audit log'],
          params: Type.Object({ group_id: Uuid }),
          querystring: listQuery({
            ...filters,
            org_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only events of this organisation' })),
          }),
          response: { 200: Collection(AuditEvent) },
        },
      },
      async (request) => {
        const list = listOf(request, keyring)
        const wanted = { place: { groupId: groupOf(request).id }, filters: toFilters(request.query) }
        return list.document(await listEvents(db, wanted, list.window), eventsByTime, toResource)
      },
    )
  }
}
