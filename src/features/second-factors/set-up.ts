import { randomBytes } from 'node:crypto'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { findUser } from '#features/user-sessions/users-store.ts'
import { Problem } from '#foundation/problem.ts'
import type { SealedPlace } from '#foundation/secrets/sealed-place.ts'
import { findStep, newTotpSecret, totpAddress } from '#foundation/secrets/totp.ts'
import type { Services } from '#foundation/services.ts'
import { findChallengeSecret, saveChallenge, takeChallenge } from './challenges-store.ts'
import type { NewFactor } from './change-factors.ts'
import { challengeOf, refused, registrationOptions, requireRelyingParty, verifyRegistration } from './passkeys.ts'
import { listFactors } from './store.ts'

type Deps = Pick<Services, 'db' | 'keyring' | 'now' | 'baseUrl'>

/** A user who sets up a factor in a session, or in a sign-in that requires one. */
export interface Applicant {
  readonly userId: string
  /** The session or pending sign-in. */
  readonly holder: string
}

export interface TotpOffer {
  readonly id: string
  /** Base32, for manual entry. */
  readonly secret: string
  /** The address that a QR code contains. */
  readonly address: string
}

export async function offerTotp(deps: Deps, { userId, holder }: Applicant): Promise<TotpOffer> {
  const user = await getUser(deps, userId)
  const [id, secret] = [randomBytes(32).toString('base64url'), newTotpSecret()]
  await saveChallenge(deps, deps.db, { id, purpose: 'add-totp', holder, secret })
  const issuer = `Gatehouse ${new URL(deps.baseUrl).hostname}`
  return { id, secret, address: totpAddress({ secret, issuer, account: user.email }) }
}

/**
 * Returns the authenticator app whose first code was entered. Throws 403 for a wrong code, after which another one can
 * be entered.
 */
export async function acceptTotp(
  { db, keyring, now }: Deps,
  { userId, holder }: Applicant,
  input: { id: string; name: string; code: string },
): Promise<NewFactor> {
  const at = now()
  const secret = await findChallengeSecret({ keyring, now }, db, { id: input.id, purpose: 'add-totp', holder })
  if (secret === undefined) throw new Problem('not-found', 'The QR code has expired. Start again.')
  const step = findStep(secret, input.code, at)
  if (step === undefined) {
    const detail = 'The code is wrong. Check that the clock of your device is right, then enter the current code.'
    throw new Problem('sign-in-failed', detail, { source: { pointer: '/code' } })
  }
  await takeChallenge({ keyring, now }, db, { id: input.id, purpose: 'add-totp', holder })
  const sealed = keyring.seal(secret, totpContext(userId))
  return { kind: 'totp', name: input.name, secret: sealed, last_step: step, last_used_at: at }
}

export const sealedFactors: SealedPlace = {
  table: 'second_factors',
  key: ['id'],
  column: 'secret',
  beside: ['user_id'],
  context: ({ user_id }) => totpContext(user_id!),
}

/** The context in which a user's secrets are encrypted. */
export function totpContext(userId: string): string {
  return `authenticator app of ${userId}`
}

export async function offerPasskey(deps: Deps, { userId, holder }: Applicant) {
  const party = requireRelyingParty(deps.baseUrl)
  const user = await getUser(deps, userId)
  const options = await registrationOptions(party, user, await listFactors(deps.db, userId))
  await saveChallenge(deps, deps.db, { id: options.challenge, purpose: 'add-passkey', holder })
  return options
}

/** Returns the passkey that the browser created for an offer. Throws 403 with the reason. */
export async function acceptPasskey(
  deps: Deps,
  { holder }: Applicant,
  { name, credential }: { name: string; credential: RegistrationResponseJSON },
): Promise<NewFactor> {
  const party = requireRelyingParty(deps.baseUrl)
  const challenge = challengeOf(credential)
  if (!(await takeChallenge(deps, deps.db, { id: challenge, purpose: 'add-passkey', holder }))) {
    throw refused('it took too long, or was sent twice. Try again.')
  }
  return { kind: 'passkey', name, ...(await verifyRegistration(party, credential, challenge)) }
}

async function getUser({ db }: Deps, id: string) {
  const user = await findUser(db, id)
  if (!user) throw new Problem('conflict', 'The account was deleted meanwhile.')
  return user
}
