import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { Db } from '#foundation/db/database.ts'
import { findStep, isTotpCode } from '#foundation/secrets/totp.ts'
import type { Services } from '#foundation/services.ts'
import { type ChallengeFor, saveChallenge, takeChallenge } from './challenges-store.ts'
import { authenticationOptions, challengeOf, refused, requireRelyingParty, verifyAuthentication } from './passkeys.ts'
import { recoveryCodeDigest } from './recovery-codes.ts'
import { totpContext } from './set-up.ts'
import { type FactorRow, findPasskey, listFactors, saveSignCount, takeRecoveryCode, takeStep } from './store.ts'

type Deps = Pick<Services, 'db' | 'keyring' | 'now' | 'baseUrl'>

export type UsedFactor = 'totp' | 'recovery_code' | 'passkey'

/** Consumes a code of an authenticator app or a recovery code. Returns undefined if it is wrong or was used before. */
export async function takeCode(
  { keyring, now }: Pick<Deps, 'keyring' | 'now'>,
  tx: Db,
  { userId, typed }: { userId: string; typed: string },
): Promise<UsedFactor | undefined> {
  const code = typed.replace(/\s/g, '')
  if (!isTotpCode(code)) {
    const digest = recoveryCodeDigest(keyring, userId, typed)
    return digest !== undefined && (await takeRecoveryCode(tx, userId, digest)) ? 'recovery_code' : undefined
  }
  const at = now()
  for (const { id, secret } of await listFactors(tx, userId)) {
    const opened = secret === null ? undefined : keyring.open(secret, totpContext(userId))
    const step = opened === undefined ? undefined : findStep(opened, code, at)
    if (step !== undefined && (await takeStep(tx, id, { step, at }))) return 'totp'
  }
  return undefined
}

/** Returns the options for using one of the user's passkeys; without a user, any passkey. */
export async function offerPasskeyUse(
  deps: Deps,
  { userId, ...challengeFor }: ChallengeFor & { readonly userId?: string },
) {
  const party = requireRelyingParty(deps.baseUrl)
  const allowed = userId === undefined ? [] : await listFactors(deps.db, userId)
  const options = await authenticationOptions(party, allowed)
  await saveChallenge(deps, deps.db, { id: options.challenge, ...challengeFor })
  return options
}

/** A passkey whose use was verified but is not stored yet. */
export interface ShownPasskey {
  readonly passkey: FactorRow
  readonly signCount: number
}

/**
 * Returns the registered passkey of a response. Throws 403 if it is unknown, or belongs to a user other than this one.
 */
export async function getPasskey(
  { db }: Pick<Deps, 'db'>,
  credential: AuthenticationResponseJSON,
  userId?: string,
): Promise<FactorRow> {
  const passkey = await findPasskey(db, credential.id)
  const { userHandle } = credential.response
  const isOfUser = userHandle === undefined || Buffer.from(userHandle, 'base64url').toString() === passkey?.user_id
  if (passkey && isOfUser && (userId === undefined || userId === passkey.user_id)) return passkey
  throw refused('it is not registered here, or was removed')
}

/** Verifies a response to a challenge of this purpose. Throws 403 with the reason. */
export async function checkPasskey(
  deps: Deps,
  challengeFor: ChallengeFor,
  { passkey, credential }: { passkey: FactorRow; credential: AuthenticationResponseJSON },
): Promise<ShownPasskey> {
  const party = requireRelyingParty(deps.baseUrl)
  const challenge = challengeOf(credential)
  if (!(await takeChallenge(deps, deps.db, { id: challenge, ...challengeFor }))) {
    throw refused('it took too long, or was sent twice. Try again.')
  }
  return { passkey, signCount: await verifyAuthentication(party, { passkey, response: credential, challenge }) }
}

/** Stores the use of a passkey. Throws 403 if it was removed or used meanwhile. */
export async function recordPasskeyUse(tx: Db, { passkey, signCount }: ShownPasskey, at: number): Promise<void> {
  if (!(await saveSignCount(tx, passkey, { signCount, at }))) throw refused('it was removed or used meanwhile')
}
