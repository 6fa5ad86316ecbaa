import { accessTokenPattern, apiKeyPattern } from '#foundation/secrets/find-secrets.ts'
import { secretPattern } from '#foundation/secrets/typed-secret.ts'

/** Regular expressions for secret scanners, by kind of credential. */
export const detectionPatterns: readonly (readonly [kind: string, pattern: string])[] = [
  ['client secret', secretPattern('client_secret')],
  ['refresh token', secretPattern('refresh_token')],
  ['authorization code', secretPattern('authorization_code')],
  ['access token', accessTokenPattern()],
  ['API key, by the preceding words', apiKeyPattern],
]
