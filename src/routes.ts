import { selfRoutes } from '#features/self/routes.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import type { Parts } from './parts.ts'

/** Outside the two interfaces: health, metrics, documentation. */
export async function root(_server: Server, _parts: Parts): Promise<void> {}

/** `/rest`: JSON:API. */
export function rest({ services }: Parts): Routes[] {
  return [selfRoutes(services)]
}

/** `/v1` and `/api/v1`: plain JSON. */
export function v1(_parts: Parts): Routes[] {
  return []
}
