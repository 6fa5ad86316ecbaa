import { type Db, isReferenceViolation } from '#foundation/db/database.ts'
import { newSecret } from '#foundation/secrets/typed-secret.ts'
import type { Services } from '#foundation/services.ts'
import { createTimeOrderedIds } from '#foundation/time-ordered-id.ts'
import { currentSigningKey, type SigningKey } from './signing-keys.ts'
import { insertToken } from './store.ts'

/** The authorization that a token is based on. Deleting it revokes the token. */
export type TokenBasis =
  | { readonly sessionId: string }
  | { readonly installId: string }
  | { readonly serviceAccountId: string }

export interface TokenInput {
  readonly basis: TokenBasis
  readonly clientId: string
  /** Id of the principal that acts with the token. */
  readonly subject: string
  readonly botId: string
  /** Null for all permissions of a service account's role. */
  readonly scopes: readonly string[] | null
  readonly ttlSeconds: number
  /** The client secret with which the token is obtained. Revoking it revokes the token. */
  readonly credential?: { readonly id: string; readonly endsAt: number | null } | undefined
  /** Expiry of the client itself, epoch milliseconds. */
  readonly endsAt?: number | null | undefined
  /** Copied into the token, where the client finds it again. */
  readonly nonce?: string | undefined
}

export interface IssuedToken {
  readonly token: string
  readonly expiresInSeconds: number
  readonly jti: string
}

/** Ordered by creation time, so that rows that are stored together are close to each other on disk. */
const nextId = createTimeOrderedIds()

/** Thrown when the basis of the token was deleted meanwhile. */
export class TokenBasisGone extends Error {}

/**
 * Issues a signed JWT (RFC 9068) and stores its row. This server accepts a token by its row; the signature is for other
 * verifiers. Throws `TokenBasisGone`.
 */
export async function issueAccessToken(
  needs: Pick<Services, 'db' | 'keyring' | 'now' | 'config' | 'baseUrl'>,
  tx: Db,
  input: TokenInput,
): Promise<IssuedToken> {
  const { keyring, baseUrl } = needs
  const key = await currentSigningKey(needs, tx)
  const issuedAt = needs.now()
  const latest = Math.min(input.credential?.endsAt ?? Infinity, input.endsAt ?? Infinity)
  const endsAt = Math.min(issuedAt + input.ttlSeconds * 1000, latest)
  const [iat, exp] = [Math.floor(issuedAt / 1000), Math.floor(endsAt / 1000)]
  const jti = newSecret('access_token_id')
  const token = toJwt(key, {
    iss: baseUrl,
    sub: input.subject,
    aud: [baseUrl],
    client_id: input.clientId,
    iat,
    exp,
    jti,
    ...(input.scopes && { scope: input.scopes.join(' ') }),
    bot_id: input.botId,
    ...(input.nonce !== undefined && { nonce: input.nonce }),
  })
  try {
    await insertToken(tx, {
      id: nextId(issuedAt),
      digest: keyring.digest(token),
      client_id: input.clientId,
      ...toColumns(input.basis),
      credential_id: input.credential?.id ?? null,
      scopes: input.scopes && JSON.stringify(input.scopes),
      issued_at: issuedAt,
      expires_at: exp * 1000,
    })
  } catch (error) {
    if (isReferenceViolation(error)) throw new TokenBasisGone('The basis of the token has just been deleted')
    throw error
  }
  return { token, expiresInSeconds: Math.max(0, exp - iat), jti }
}

function toColumns(basis: TokenBasis) {
  return {
    session_id: 'sessionId' in basis ? basis.sessionId : null,
    install_id: 'installId' in basis ? basis.installId : null,
    service_account_id: 'serviceAccountId' in basis ? basis.serviceAccountId : null,
  }
}

function toJwt(key: SigningKey, claims: object): string {
  const header = { alg: key.algorithm, kid: key.id, typ: 'at+jwt' }
  const text = `${toPart(header)}.${toPart(claims)}`
  return `${text}.${key.sign(text).toString('base64url')}`
}

function toPart(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
