import { randomUUID } from 'node:crypto'
import { announceCreated } from '#features/credentials/announce.ts'
import { issueCredential } from '#features/credentials/issue-credential.ts'
import { type Change, recordAudit } from '#foundation/audit/record.ts'
import type { Services } from '#foundation/services.ts'
import { programOf, toAudited } from './change.ts'
import type { AppInput } from './parse-attributes.ts'
import type { Shown } from './resource.ts'
import { type AppRow, insertApp } from './store.ts'

/** The organization that owns the app. */
interface Owner {
  readonly id: string
  readonly groupId: string
}

/** Attributes that only an operator sets. */
interface Chosen {
  readonly id?: string | undefined
  readonly clientId?: string | undefined
  readonly isPublic?: boolean | undefined
}

/**
 * Creates the app and, for confidential clients, its first secret. Registration grants nothing: permissions come from
 * installers and consenting users, limited to their own.
 */
export async function createApp(
  services: Pick<Services, 'keyring' | 'now'>,
  change: Change,
  { owner, input, chosen = {} }: { owner: Owner; input: AppInput; chosen?: Chosen },
): Promise<{ app: AppRow; shown: Shown }> {
  const isClient = input.grantType === 'authorization_code'
  const app = await insertApp(change.tx, {
    id: chosen.id ?? randomUUID(),
    group_id: owner.groupId,
    org_id: owner.id,
    name: input.name,
    client_id: isClient ? (chosen.clientId ?? randomUUID()) : null,
    context: input.context,
    grant_type: input.grantType,
    is_confidential: input.isConfidential ? 1 : 0,
    is_public: chosen.isPublic ? 1 : 0,
    redirect_uris: JSON.stringify(input.redirectUris),
    scopes: JSON.stringify(input.scopes),
    access_token_ttl_seconds: input.ttlSeconds,
    created_at: change.at,
    updated_at: change.at,
  })
  const issued =
    isClient && input.isConfidential
      ? await issueCredential(services, change.tx, {
          kind: 'client_secret',
          owner: { kind: 'app', id: app.id },
          name: 'First',
          limits: input.limits,
        })
      : undefined
  await recordAudit(change, app, {
    action: 'app.create',
    after: { ...toAudited(app), ...(issued && { credential_id: issued.row.id }) },
  })
  if (issued) await announceCreated(change, programOf(app), issued.row)
  return { app, shown: issued ? { client_secret: issued.secret } : {} }
}
