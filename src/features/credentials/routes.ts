import { randomUUID } from 'node:crypto'
import { Single, single } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import type { Routes } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import { ExposureReport, NewExposureReport } from './exposed-resource.ts'
import { revokeExposed } from './revoke-exposed.ts'

/** Limit per address. A scanner with more than twenty times a hundred values per minute can wait. */
const REPORTS_PER_MINUTE = 20

/** Reports of credentials that were found where they should not be. */
export function exposureRoutes(services: Services): Routes {
  return (scope) => {
    defineOperation(scope, {
      id: 'reportExposedCredentials',
      at: 'POST /exposed_credentials',
      summary: 'Revoke credentials that were found where they should not be',
      description:
        'An extension. Needs no credential. Every value that is a credential of this server is refused from the answer on, and its owner reads of it in the audit log. The answer is the same whether there was one or not.',
      tags: ['Exposed credentials'],
      access: 'public',
      releases: ['2024-10-15'],
      limitPerAddress: REPORTS_PER_MINUTE,
      body: NewExposureReport,
      response: { 200: Single(ExposureReport) },
      handler: async (request) => {
        const { credentials, reporter, found_at: foundAt } = request.body.data.attributes
        const id = randomUUID()
        await revokeExposed(services, {
          id,
          values: credentials.map((value) => value.trim()),
          reporter,
          foundAt,
          actor: { kind: 'anonymous', name: 'Report of an exposure', requestId: request.id, address: request.ip },
        })
        return single(request, { id, type: 'exposure_report' as const, attributes: { received: credentials.length } })
      },
    })
  }
}
