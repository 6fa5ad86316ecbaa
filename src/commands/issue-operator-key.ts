import { issueCredential } from '#features/credentials/issue-credential.ts'
import { operator } from '#foundation/access/caller.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import type { Services } from '#foundation/services.ts'

/** Creates an API key for a user as the operator, and returns its secret. */
export async function issueOperatorKey(
  services: Services,
  tx: Db,
  user: { readonly id: string; readonly group_id: string },
): Promise<string> {
  const owner = { kind: 'user', id: user.id } as const
  const issued = await issueCredential(services, tx, { kind: 'api_key', owner, name: 'Created by the operator' })
  await recordAudit(
    { tx, actor: operator, at: services.now() },
    { id: issued.row.id, group_id: user.group_id },
    { action: 'api_key.create', after: { user_id: user.id, name: issued.row.name } },
  )
  return issued.secret
}
