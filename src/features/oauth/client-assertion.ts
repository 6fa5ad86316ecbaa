import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import { isUsable } from '#foundation/access/is-usable.ts'
import { isUuid } from '#foundation/http/access.ts'
import { Problem } from '#foundation/problem.ts'
import { verifyJwt } from '#foundation/secrets/verify-jwt.ts'
import { clientKeys } from './client-keys.ts'
import { assertionAlgorithms, tokenUrl } from './endpoints.ts'
import { insertOnce } from './records-store.ts'
import { type ClientAuthenticationNeeds, refuse } from './refused-client.ts'
import { type AccountRow, findAccountByClientId } from './store.ts'

/** RFC 7523 §2.2. */
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** Tolerance for different clocks. */
const TOLERANCE_SECONDS = 30

/** Maximum lifetime of an assertion: each is stored until it expires, so that it works once. */
const MAX_LIFE_SECONDS = 86_400

/** The unverified content of an assertion. */
export interface ShownAssertion {
  readonly assertion: string
  readonly clientId: string
}

export function readAssertion(form: Readonly<Record<string, string | undefined>>): ShownAssertion {
  const { client_assertion: assertion, client_assertion_type: type, client_id } = form
  if (type !== ASSERTION_TYPE) throw new Problem('invalid-request', `client_assertion_type must be ${ASSERTION_TYPE}`)
  if (assertion === undefined) throw new Problem('invalid-request', 'client_assertion is missing')
  const clientId = readSubject(assertion)
  if (client_id !== undefined && client_id !== clientId) throw refuse('client_id differs from sub of the assertion')
  return { assertion, clientId }
}

/** Returns the service account that signed a client assertion (RFC 7523 §3, OpenID Connect Core §9). */
export async function verifyAssertion(
  needs: ClientAuthenticationNeeds,
  { assertion, clientId, address }: ShownAssertion & { readonly address: string },
): Promise<AccountRow> {
  const account = isUuid(clientId) ? await findAccountByClientId(needs.db, clientId) : undefined
  if (account?.auth_type !== 'oauth_private_key_jwt' || account.jwks_url === null) {
    throw refuse('Unknown client, or it does not authenticate with assertions')
  }
  const limits = { ...account, retires_at: null }
  if (!isUsable(limits, { address, at: needs.now() })) {
    throw refuse('The service account has expired, or is not allowed from this address')
  }
  const claims = await verify(needs, { assertion, clientId, jwksUrl: account.jwks_url })
  requireTimes(needs, claims)
  await refuseReplay(needs, clientId, claims)
  return account
}

/** Reads the subject before verification: it determines the keys. */
function readSubject(assertion: string): string {
  try {
    const { sub } = decodeJwt(assertion)
    if (typeof sub === 'string') return sub
  } catch {
    throw refuse('client_assertion is not a JWT')
  }
  throw refuse('client_assertion has no sub')
}

interface Assertion extends ShownAssertion {
  readonly jwksUrl: string
}

async function verify(
  { outgoing, baseUrl, now }: ClientAuthenticationNeeds,
  { assertion, clientId, jwksUrl }: Assertion,
): Promise<JWTPayload> {
  const options = {
    algorithms: [...assertionAlgorithms],
    issuer: clientId,
    subject: clientId,
    audience: [tokenUrl(baseUrl), baseUrl],
    requiredClaims: ['exp', 'jti'],
    clockTolerance: TOLERANCE_SECONDS,
    currentDate: new Date(now()),
  }
  const check = async (keys: JWTVerifyGetKey) => {
    try {
      return await verifyJwt(assertion, keys, options)
    } catch (error) {
      if (error instanceof errors.JOSEError) throw error
      // The library reports a faulty public key with many kinds of errors.
      throw refuse('The matching key at the jwks_url cannot be used; RSA keys need at least 2048 bits')
    }
  }
  const keys = clientKeys({ outgoing, now }, jwksUrl)
  try {
    const current = await keys.current()
    try {
      return await check(current)
    } catch (error) {
      // The client may have published a new key since, also under the same name.
      const newer = isOfKeys(error) ? await keys.newer() : undefined
      if (!newer) throw error
      return await check(newer)
    }
  } catch (error) {
    throw toRefusal(error, assertion)
  }
}

/** Returns true if other keys could accept the assertion. */
function isOfKeys(error: unknown): boolean {
  const kinds = [errors.JWKSNoMatchingKey, errors.JWSSignatureVerificationFailed, Problem]
  return kinds.some((kind) => error instanceof kind)
}

function toRefusal(error: unknown, assertion: string): unknown {
  if (error instanceof errors.JOSEAlgNotAllowed) {
    const { alg = '' } = decodeProtectedHeader(assertion)
    const name = /^[\w-]{1,20}$/.test(alg) ? `${alg} ` : ''
    return refuse(
      `The algorithm ${name}of the assertion is not supported. Use one of: ${assertionAlgorithms.join(', ')}`,
    )
  }
  if (error instanceof errors.JWKSNoMatchingKey)
    return refuse('No key at the jwks_url matches kid and alg of the assertion')
  if (error instanceof errors.JWTExpired) return refuse('The assertion has expired')
  if (error instanceof errors.JWTClaimValidationFailed) return refuse(`The assertion was refused: ${error.message}`)
  if (error instanceof errors.JOSEError) return refuse('The signature of the assertion is invalid')
  return error
}

/** Refuses times too far ahead, which the library accepts (RFC 7523 §3, items 4 and 6). */
function requireTimes({ now }: ClientAuthenticationNeeds, { exp = 0, iat = 0 }: JWTPayload): void {
  const latest = now() / 1000 + TOLERANCE_SECONDS
  if (exp > latest + MAX_LIFE_SECONDS) {
    throw refuse(`The lifetime of the assertion is too long; exp may be at most ${MAX_LIFE_SECONDS} seconds from now`)
  }
  if (iat > latest) throw refuse('iat of the assertion is in the future. Check the clock of the client')
}

async function refuseReplay(
  { db, keyring }: ClientAuthenticationNeeds,
  clientId: string,
  { jti, exp = 0 }: JWTPayload,
): Promise<void> {
  if (typeof jti !== 'string' || jti === '') throw refuse('jti of the assertion must be a string')
  const id = keyring.digest(`${clientId} ${jti}`)
  if (await insertOnce(db, { model: 'ClientAssertion', id }, (exp + TOLERANCE_SECONDS) * 1000)) return
  throw refuse('An assertion with this jti was used before')
}
