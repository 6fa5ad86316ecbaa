import { auditRoutes } from '#features/audit/routes.ts'
import { consoleRoutes } from '#features/console/routes.ts'
import { collectRoutes } from '#features/documentation/openapi.ts'
import { openApiRoutes } from '#features/documentation/routes.ts'
import { healthRoutes, storageCheck } from '#features/health/routes.ts'
import { selfRoutes } from '#features/self/routes.ts'
import { serviceAccountRoutes } from '#features/service-accounts/routes.ts'
import { measureRequests } from '#foundation/http/metrics.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import type { Parts } from './parts.ts'

/** Outside the two interfaces: health, metrics, documentation. */
export async function root(server: Server, { services, metrics }: Parts): Promise<void> {
  await collectRoutes(server)
  measureRequests(server, metrics)
  await consoleRoutes(server)
  healthRoutes(server, [storageCheck(services)])
}

/** `/rest`: JSON:API. */
export function rest({ services }: Parts): Routes[] {
  return [openApiRoutes(services), selfRoutes(services), serviceAccountRoutes(services), auditRoutes(services)]
}

/** `/v1` and `/api/v1`: plain JSON. */
export function v1(_parts: Parts): Routes[] {
  return []
}
