import { findDefaultOrgId } from '#features/credentials/standings-store.ts'
import { Single, single, Versioned } from '#foundation/http/documents.ts'
import { callerOf } from '#foundation/http/request-context.ts'
import type { Routes } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import { Self, toSelf } from './resource.ts'

export function selfRoutes({ db }: Services): Routes {
  return (scope) => {
    scope.get(
      '/self',
      {
        config: { access: 'signed-in', releases: ['2022-03-01~experimental', '2022-09-14~experimental', '2024-04-22'] },
        schema: {
          operationId: 'getSelf',
          summary: 'Who the credential belongs to',
          tags: ['Self'],
          querystring: Versioned,
          response: { 200: Single(Self) },
        },
      },
      async (request) => {
        const { principal } = callerOf(request)
        return single(request, toSelf(principal, await findDefaultOrgId(db, principal)))
      },
    )
  }
}
