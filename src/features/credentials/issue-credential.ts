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
  /** A secret that was chosen elsewhere; by default a new one is made. */
  readonly secret?: string | undefined
  readonly limits?: CredentialLimits | undefined
}

/** The secret leaves the building once, here; only its keyed digest and a hint of four characters are kept. */
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
    kind,
    owner,
    name,
    digest: keyring.digest(canonicalSecret(secret)),
    hint: hintOf(secret),
    createdAt: now(),
    limits,
  })
  return { row, secret }
}
