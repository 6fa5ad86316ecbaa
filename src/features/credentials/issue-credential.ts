import { randomUUID } from 'node:crypto'
import type { Db } from '#foundation/db/database.ts'
import { hintOf, newSecret } from '#foundation/secrets/typed-secret.ts'
import type { Services } from '#foundation/services.ts'
import { canonicalSecret } from './access-store.ts'
import { type CredentialLimits, type CredentialRow, insertCredential, type Owner } from './store.ts'

interface CredentialInput {
  readonly kind: 'api_key' | 'client_secret'
  readonly owner: Owner
  readonly name: string
  /** An existing secret; by default a new one is generated. */
  readonly secret?: string | undefined
  readonly limits?: CredentialLimits | undefined
}

/**
 * Creates a credential. This is the only place that returns the secret; storage keeps its keyed digest and a hint of
 * four characters.
 */
export async function issueCredential(
  { keyring, now }: Pick<Services, 'keyring' | 'now'>,
  tx: Db,
  {
    kind,
    owner,
    name,
    limits,
    secret = kind === 'api_key' ? randomUUID() : newSecret('client_secret'),
  }: CredentialInput,
): Promise<{ row: CredentialRow; secret: string }> {
  const row = await insertCredential(tx, {
    id: randomUUID(),
    kind,
    owner_kind: owner.kind,
    owner_id: owner.id,
    name,
    digest: keyring.digest(canonicalSecret(secret)),
    hint: hintOf(secret),
    created_at: now(),
    expires_at: limits?.expiresAt ?? null,
    allowed_networks: limits?.allowedNetworks ? JSON.stringify(limits.allowedNetworks) : null,
  })
  return { row, secret }
}
