import type { AuthType } from '../../../api/service-accounts.ts'

export const authTypes: Record<AuthType, { readonly name: string; readonly meaning: string }> = {
  api_key: { name: 'API key', meaning: 'One key, sent with each request. The simplest for a CI job.' },
  oauth_client_secret: {
    name: 'Client secret',
    meaning: 'Short-lived tokens in exchange for an id and a secret. Two secrets can overlap while one is replaced.',
  },
  oauth_private_key_jwt: {
    name: 'Private key',
    meaning: 'Short-lived tokens in exchange for a statement signed with a key that never leaves the program.',
  },
}
