import { isIP } from 'node:net'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { Problem } from '#foundation/problem.ts'
import type { FactorRow } from './store.ts'

/** The relying party of WebAuthn: its passkeys work only for this domain and on pages of this origin. */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
}

/**
 * Returns the relying party of a public address; undefined for an address with which browsers refuse passkeys: an IP
 * address, or http except on the machine itself (WebAuthn Level 3 §5.1.2, Secure Contexts §3.1).
 */
export function findRelyingParty(baseUrl: string): RelyingParty | undefined {
  const { hostname, origin, protocol } = new URL(baseUrl)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || (protocol !== 'https:' && !isLocal)) return undefined
  return { id: hostname, origin }
}

/** Throws 422 if this server cannot use passkeys. */
export function requireRelyingParty(baseUrl: string): RelyingParty {
  const party = findRelyingParty(baseUrl)
  if (party) return party
  throw new Problem(
    'unprocessable',
    `Browsers support passkeys only on https addresses with a domain name, and this server’s address is ${baseUrl} (GATEHOUSE_BASE_URL). Use an authenticator app.`,
  )
}

/** Loaded on first use: the library takes a tenth of a second to load. */
const library = () => import('@simplewebauthn/server')

const TIMEOUT_MS = 5 * 60_000
/** COSE identifiers of Ed25519, ECDSA with P-256, and RSA (RFC 9053, RFC 8812). */
const ALGORITHMS = [-8, -7, -257]

interface Owner {
  readonly id: string
  readonly name: string
  readonly email: string
}

/** Returns the options for creating a passkey. `existing` passkeys cannot be registered again. */
export async function registrationOptions(party: RelyingParty, owner: Owner, existing: readonly FactorRow[]) {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: 'Gatehouse',
    rpID: party.id,
    userID: new Uint8Array(Buffer.from(owner.id)),
    userName: owner.email,
    userDisplayName: owner.name,
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    excludeCredentials: existing.flatMap(toDescriptor),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
}

/** Returns the options for using a passkey: one of `allowed`, or any of the user's. */
export async function authenticationOptions(party: RelyingParty, allowed: readonly FactorRow[]) {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: party.id,
    timeout: TIMEOUT_MS,
    userVerification: 'required',
    allowCredentials: allowed.flatMap(toDescriptor),
  })
}

type Passkey = Pick<FactorRow, 'credential_id' | 'public_key' | 'sign_count' | 'transports'>

/** Verifies a new passkey. Throws 403 with the reason. */
export async function verifyRegistration(
  party: RelyingParty,
  response: RegistrationResponseJSON,
  challenge: string,
): Promise<Passkey> {
  const { verifyRegistrationResponse } = await library()
  const { verified, registrationInfo } = await refusing(() =>
    verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  )
  if (!verified || !registrationInfo) throw refused('it could not be verified')
  const { id, publicKey, counter, transports } = registrationInfo.credential
  return {
    credential_id: id,
    public_key: publicKey,
    sign_count: counter,
    transports: transports ? JSON.stringify(transports) : null,
  }
}

/**
 * Verifies a use of a passkey and returns its new signature counter. Throws 403 with the reason, for example when the
 * counter did not grow, which indicates a copy of the passkey (WebAuthn Level 3 §6.1.1).
 */
export async function verifyAuthentication(
  party: RelyingParty,
  { passkey, response, challenge }: { passkey: FactorRow; response: AuthenticationResponseJSON; challenge: string },
): Promise<number> {
  const { verifyAuthenticationResponse } = await library()
  const { verified, authenticationInfo } = await refusing(() =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: passkey.credential_id!,
        publicKey: new Uint8Array(passkey.public_key!),
        counter: passkey.sign_count!,
      },
    }),
  )
  if (!verified) throw refused('its signature is wrong')
  return authenticationInfo.newCounter
}

/** Returns the challenge that a browser says it answered; empty for a response that cannot be read. */
export function challengeOf({ response }: AuthenticationResponseJSON | RegistrationResponseJSON): string {
  try {
    const data: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8'))
    const challenge = (data as { challenge?: unknown } | null)?.challenge
    return typeof challenge === 'string' ? challenge : ''
  } catch {
    return ''
  }
}

/** The library throws for every invalid response. */
async function refusing<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify()
  } catch (cause) {
    throw refused(cause instanceof Error ? cause.message : 'it could not be read', cause)
  }
}

export function refused(reason: string, cause?: unknown): Problem {
  return new Problem('sign-in-failed', `The passkey was refused: ${reason}`, {
    source: { pointer: '/credential' },
    ...(cause !== undefined && { cause }),
  })
}

function toDescriptor({ credential_id, transports }: FactorRow) {
  if (credential_id === null) return []
  return [{ id: credential_id, ...(transports !== null && { transports: JSON.parse(transports) }) }]
}
