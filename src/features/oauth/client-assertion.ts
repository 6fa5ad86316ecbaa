import { decodeJwt, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { isUsable } from '#foundation/access/is-usable.ts'
import { isUuid } from '#foundation/http/access.ts'
import { Problem } from '#foundation/problem.ts'
import { type ClientAuthenticationNeeds, refuse } from './client-authentication.ts'
import { clientKeys } from './client-keys.ts'
import { assertionAlgorithms, tokenUrl } from './endpoints.ts'
import { insertOnce } from './records-store.ts'
import { type AccountRow, findAccountByClientId } from './store.ts'

/** RFC 7523 §2.2. */
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** Clocks differ. */
const TOLERANCE_SECONDS = 30

/** An assertion is remembered until it ends, so that it works once; one that lives longer than this is refused. */
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

/** The service account that signed a client assertion (RFC 7523 §3, OpenID Connect Core §9). */
export async function verifyAssertion(
  needs: ClientAuthenticationNeeds,
  { assertion, clientId, address }: ShownAssertion & { readonly address: string },
): Promise<AccountRow> {
  const account = isUuid(clientId) ? await findAccountByClientId(needs.db, clientId) : undefined
  if (account?.auth_type !== 'oauth_private_key_jwt' || account.jwks_url === null) {
    throw refuse('The client is not known, or it does not authenticate by assertions')
  }
  const limits = { ...account, retires_at: null }
  if (!isUsable(limits, { address, at: needs.now() })) {
    throw refuse('The account has ended, or its keys do not work from here')
  }
  const claims = await verify(needs, { assertion, clientId, jwksUrl: account.jwks_url })
  await refuseReplay(needs, clientId, claims)
  return account
}

/** Read before it can be verified: it says whose keys to verify with. */
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
      return (await jwtVerify(assertion, keys, options)).payload
    } catch (error) {
      if (error instanceof errors.JOSEError) throw error
      // The library tells what is wrong with a published key by errors of many kinds.
      throw refuse('The key at the jwks_url that fits the assertion cannot be used; RSA keys have 2048 bits or more')
    }
  }
  const keys = clientKeys({ outgoing, now }, jwksUrl)
  try {
    const known = await keys.current()
    try {
      return await check(known)
    } catch (error) {
      // The client may have a new key since.
      const newer = error instanceof errors.JWKSNoMatchingKey ? await keys.newer() : undefined
      if (!newer) throw error
      return await check(newer)
    }
  } catch (error) {
    throw toRefusal(error)
  }
}

function toRefusal(error: unknown): unknown {
  if (error instanceof errors.JWKSNoMatchingKey)
    return refuse('No key at the jwks_url fits kid and alg of the assertion')
  if (error instanceof errors.JWTExpired) return refuse('The assertion has expired')
  if (error instanceof errors.JWTClaimValidationFailed)
    return refuse(`The assertion cannot be accepted: ${error.message}`)
  if (error instanceof errors.JOSEError) return refuse('The assertion is not signed as it must be')
  return error
}

async function refuseReplay(
  { db, keyring, now }: ClientAuthenticationNeeds,
  clientId: string,
  { jti, exp = 0 }: JWTPayload,
): Promise<void> {
  if (typeof jti !== 'string' || jti === '') throw refuse('jti of the assertion must be a text')
  const endsAt = (exp + TOLERANCE_SECONDS) * 1000
  if (endsAt - now() > (MAX_LIFE_SECONDS + 2 * TOLERANCE_SECONDS) * 1000) {
    throw refuse(`The assertion lives too long; exp may be ${MAX_LIFE_SECONDS} seconds from now at most`)
  }
  const id = keyring.digest(`${clientId} ${jti}`)
  if (await insertOnce(db, { model: 'ClientAssertion', id }, endsAt)) return
  throw refuse('An assertion with this jti was used before')
}
