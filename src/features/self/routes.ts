import { findDefaultOrgId } from '#features/credentials/effective-permissions-store.ts'
import { Single, single } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { callerOf } from '#foundation/http/request-context.ts'
import type { Routes } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import { Self, toSelf } from './resource.ts'

export function selfRoutes({ db }: Services): Routes {
  return (scope) => {
    defineOperation(scope, {
      id: 'getSelf',
      at: 'GET /self',
      summary: 'Get the owner of the credential',
      tags: ['Self'],
      access: 'signed-in',
      releases: ['2022-03-01~experimental', '2022-09-14~experimental', '2024-04-22'],
      response: { 200: Single(Self) },
      handler: async (request) => {
        const { principal } = callerOf(request)
        return single(request, toSelf(principal, await findDefaultOrgId(db, principal)))
      },
    })
  }
}
