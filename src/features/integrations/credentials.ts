import type { Keyring } from '#foundation/secrets/keyring.ts'
import type { SealedPlace } from '#foundation/secrets/sealed-place.ts'
import type { StoredIntegration } from './store.ts'

export type Credentials =
  | { readonly token: string; readonly username?: undefined }
  | { readonly username: string; readonly password: string; readonly token?: undefined }

export const sealedIntegrations: SealedPlace = {
  table: 'integrations',
  key: ['id'],
  column: 'credentials',
  context: ({ id }) => contextOf(id!),
}

/** Encrypts credentials for one integration: they cannot be decrypted in the row of another. */
export function sealCredentials(keyring: Keyring, integrationId: string, credentials: Credentials): Uint8Array {
  return keyring.seal(JSON.stringify(credentials), contextOf(integrationId))
}

export function openCredentials(
  keyring: Keyring,
  { id, sealedCredentials }: Pick<StoredIntegration, 'id' | 'sealedCredentials'>,
): Credentials | undefined {
  if (sealedCredentials === null) return undefined
  const plain = keyring.open(sealedCredentials, contextOf(id))
  if (plain === undefined) throw new Error('the credentials of an integration were not encrypted with this secret key')
  return JSON.parse(plain) as Credentials
}

function contextOf(integrationId: string): string {
  return `integration ${integrationId}`
}
