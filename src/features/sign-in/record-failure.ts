import type { FastifyRequest } from 'fastify'
import { recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'

interface Failure {
  readonly request: FastifyRequest
  readonly account: { readonly id: string; readonly group_id: string }
  readonly at: number
  readonly reason: string
}

/** Records a refused second factor. The actor is unknown, since another person may know the password. */
export async function recordFailure(tx: Db, { request, account, at, reason }: Failure): Promise<void> {
  const actor = { kind: 'anonymous', name: 'Somebody', requestId: request.id, address: request.ip } as const
  await recordAudit({ tx, actor, at }, account, { action: 'user.second_factor_failed', after: { reason } })
}
