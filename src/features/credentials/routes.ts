import { randomUUID } from 'node:crypto'
import { Single, single, Versioned } from '#foundation/http/documents.ts'
import type { Routes } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import { ExposureReport, NewExposureReport } from './exposed-resource.ts'
import { revokeExposed } from './revoke-exposed.ts'

/** Of one address. A scanner that finds more than twenty times a hundred values a minute has time to wait. */
const REPORTS_PER_MINUTE = 20

const BODY_LIMIT_BYTES = 1024 * 1024

/** Reports of credentials that were found where they should not be. */
export function exposureRoutes(services: Services): Routes {
  return (scope) => {
    scope.post(
      '/exposed_credentials',
      {
        // Public: who finds a secret has no account here, and a key that was exposed must die the sooner the better.
        config: { access: 'public', releases: ['2024-10-15'], limitPerAddress: REPORTS_PER_MINUTE },
        bodyLimit: Math.min(BODY_LIMIT_BYTES, services.config.bodyLimitBytes),
        schema: {
          operationId: 'reportExposedCredentials',
          summary: 'Revoke credentials that were found where they should not be',
          description:
            'An extension: the interface documents have no such operation. Needs no credential. Every value that is a credential of this server is refused from the answer on, and its owner reads of it in the audit log. The answer is the same whether there was one or not.',
          tags: ['Exposed credentials'],
          querystring: Versioned,
          body: NewExposureReport,
          response: { 200: Single(ExposureReport) },
        },
      },
      async (request) => {
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
    )
  }
}
