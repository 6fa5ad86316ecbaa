import { randomUUID } from 'node:crypto'
import { announceCreated } from '#features/credentials/announce.ts'
import { issueCredential } from '#features/credentials/issue-credential.ts'
import type { Services } from '#foundation/services.ts'
import { auditApp, type Change, programOf, toAudited } from './change.ts'
import type { WantedApp } from './parse-attributes.ts'
import type { Shown } from './resource.ts'
import { type AppRow, insertApp } from './store.ts'

/** The organisation that owns the app. */
interface Owner {
  readonly id: string
  readonly groupId: string
}

/** What only an operator decides. */
interface Chosen {
  readonly id?: string | undefined
  readonly clientId?: string | undefined
  readonly isPublic?: boolean | undefined
}

/**
 * Makes the app and, when it is a client that can keep one, its first secret. To register an app gives it nothing: what
 * its scopes allow is given by whoever installs it or lets it in, and only as far as they hold it themselves.
 */
export async function createApp(
  services: Pick<Services, 'keyring' | 'now'>,
  change: Change,
  { owner, wanted, chosen = {} }: { owner: Owner; wanted: WantedApp; chosen?: Chosen },
): Promise<{ app: AppRow; shown: Shown }> {
  const isClient = wanted.grantType === 'authorization_code'
  const app = await insertApp(change.tx, {
    ...wanted,
    id: chosen.id ?? randomUUID(),
    groupId: owner.groupId,
    orgId: owner.id,
    clientId: isClient ? (chosen.clientId ?? randomUUID()) : null,
    isPublic: chosen.isPublic ?? false,
    at: change.at,
  })
  const issued =
    isClient && wanted.isConfidential
      ? await issueCredential(services, change.tx, {
          kind: 'client_secret',
          owner: { kind: 'app', id: app.id },
          name: 'First',
          limits: wanted.limits,
        })
      : undefined
  await auditApp(change, app, {
    action: 'create',
    after: { ...toAudited(app), ...(issued && { credential_id: issued.row.id }) },
  })
  if (issued) await announceCreated(change, programOf(app), issued.row)
  return { app, shown: issued ? { client_secret: issued.secret } : {} }
}
