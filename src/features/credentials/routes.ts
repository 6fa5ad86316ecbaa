import { randomUUID } from 'node:crypto'
import { Single, single } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import type { Routes } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import { ExposureReport, NewExposureReport } from './exposed-resource.ts'
import { revokeExposed } from './revoke-exposed.ts'

/** Limit per address: with 100 values per report, 2,000 values per minute. */
const REPORTS_PER_MINUTE = 20

export function exposureRoutes(services: Services): Routes {
  return (scope) => {
    defineOperation(scope, {
      id: 'reportExposedCredentials',
      at: 'POST /exposed_credentials',
      summary: 'Revoke exposed credentials',
      description:
        'An extension. Needs no credential. Every value that is a credential of this server is revoked immediately, and the audit log of its owner records the report. The response is the same whether or not a value was a credential.',
      tags: ['Exposed credentials'],
      access: 'public',
      releases: ['2024-10-15'],
      limitPerAddress: REPORTS_PER_MINUTE,
      body: NewExposureReport,
      response: { 200: Single(ExposureReport) },
      handler: async (request) => {
        const { credentials, reporter, found_at: location } = request.body.data.attributes
        const id = randomUUID()
        await revokeExposed(services, {
          id,
          values: credentials.map((value) => value.trim()),
          reporter,
          location,
          actor: { kind: 'anonymous', name: 'Report of an exposure', requestId: request.id, address: request.ip },
        })
        return single(request, { id, type: 'exposure_report' as const, attributes: { received: credentials.length } })
      },
    })
  }
}
