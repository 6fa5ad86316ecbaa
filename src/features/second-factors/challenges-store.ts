import type { Db } from '#foundation/db/database.ts'
import type { SealedPlace } from '#foundation/secrets/sealed-place.ts'
import type { Services } from '#foundation/services.ts'

type Deps = Pick<Services, 'keyring' | 'now'>

export const sealedChallenges: SealedPlace = {
  table: 'factor_challenges',
  key: ['digest'],
  column: 'secret',
  context: ({ digest }) => contextOf(digest!),
}

/** Time for the user to find the device. */
const LIFETIME_MS = 10 * 60_000

/** The purpose of a challenge, and who may answer it. */
export interface ChallengeFor {
  readonly purpose: 'add-passkey' | 'add-totp' | 'second-step' | 'passkey-sign-in'
  /** The session or pending sign-in; empty before either. */
  readonly holder: string
}

/** Stores a challenge, and a secret that is being set up with it. `id` is random. */
export async function saveChallenge(
  { keyring, now }: Deps,
  db: Db,
  { id, purpose, holder, secret }: ChallengeFor & { readonly id: string; readonly secret?: string },
): Promise<void> {
  const digest = keyring.digest(id)
  await db
    .insertInto('factor_challenges')
    .values({
      digest,
      purpose,
      holder,
      ...(secret !== undefined && { secret: keyring.seal(secret, contextOf(digest)) }),
      expires_at: now() + LIFETIME_MS,
    })
    .execute()
}

/**
 * Deletes a challenge, even if the response is then refused. Returns false if it is not valid for this purpose and
 * holder.
 */
export async function takeChallenge(
  { keyring, now }: Deps,
  db: Db,
  { id, purpose, holder }: ChallengeFor & { readonly id: string },
): Promise<boolean> {
  const row = await db
    .deleteFrom('factor_challenges')
    .where('digest', '=', keyring.digest(id))
    .returningAll()
    .executeTakeFirst()
  return row !== undefined && row.purpose === purpose && row.holder === holder && row.expires_at > now()
}

/** Returns the secret that is being set up under this id. */
export async function findChallengeSecret(
  { keyring, now }: Deps,
  db: Db,
  { id, purpose, holder }: ChallengeFor & { readonly id: string },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('factor_challenges')
    .selectAll()
    .where('digest', '=', keyring.digest(id))
    .where('purpose', '=', purpose)
    .where('holder', '=', holder)
    .where('expires_at', '>', now())
    .executeTakeFirst()
  return row?.secret ? keyring.open(row.secret, contextOf(row.digest)) : undefined
}

export async function deleteExpiredChallenges(db: Db, at: number): Promise<void> {
  await db.deleteFrom('factor_challenges').where('expires_at', '<=', at).execute()
}

function contextOf(digest: string): string {
  return `secret being set up ${digest}`
}
