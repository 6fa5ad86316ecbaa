import type { AuthType } from '../../../api/resources.ts'

export const authTypes: Record<AuthType, { readonly name: string; readonly meaning: string }> = {
  api_key: { name: 'API key', meaning: 'One key, sent with each request. Simplest for CI jobs.' },
  oauth_client_secret: {
    name: 'Client secret',
    meaning: 'Short-lived tokens for a client id and secret. Two secrets can overlap during a rotation.',
  },
  oauth_private_key_jwt: {
    name: 'Private key',
    meaning: 'Short-lived tokens for an assertion signed with the program’s private key.',
  },
}
