import { randomUUID } from 'node:crypto'
import { type SignIn, signInMark } from '#features/user-sessions/sign-in-mark.ts'
import { deleteSessions } from '#features/user-sessions/store.ts'
import { lockUser, type UserRow } from '#features/user-sessions/users-store.ts'
import { type Change, recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import { isUniqueViolation } from '#foundation/db/database.ts'
import { notFound, Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { newRecoveryCodes, recoveryCodeDigest } from './recovery-codes.ts'
import { findRequiringGroup } from './requirement-store.ts'
import {
  countRecoveryCodes,
  deleteFactor,
  deleteFactors,
  deleteRecoveryCodes,
  type FactorRow,
  insertFactor,
  insertRecoveryCodes,
  listFactors,
  saveFactorsChange,
} from './store.ts'

type Deps = Pick<Services, 'keyring'>

export interface FactorsChange extends Change {
  readonly userId: string
  /** The session that continues; it needs a new mark (`signIn` of the result). */
  readonly keptSessionId?: string | undefined
}

export interface Changed {
  readonly signIn: SignIn
  /** New recovery codes, which are shown once. */
  readonly recoveryCodes?: readonly string[]
}

/** A factor that proved to work. */
export type NewFactor = Pick<FactorRow, 'kind' | 'name'> & Partial<FactorRow>

/** More than a user needs; each is compared with every code. */
const MAX_FACTORS = 10

/** Adds a factor; creates recovery codes with the first one. Revokes the user's other sessions. */
export async function addFactor(deps: Deps, change: FactorsChange, factor: NewFactor): Promise<Changed> {
  const { tx, userId, at } = change
  const holder = await getHolder(change)
  const present = await listFactors(tx, userId)
  if (present.length >= MAX_FACTORS) {
    throw new Problem('conflict', `You have ${MAX_FACTORS} second factors, the maximum. Remove one first.`)
  }
  const id = randomUUID()
  await insert(change, { ...factor, id })
  await recordAudit(change, holder, { action: 'user.second_factor.create', after: { id, ...toAudited(factor) } })
  const hasCodes = (await countRecoveryCodes(tx, userId)) > 0
  const recoveryCodes = hasCodes ? undefined : await replaceRecoveryCodes(deps, { tx, userId })
  return { signIn: await endOthers(deps, change, holder, at), ...(recoveryCodes && { recoveryCodes }) }
}

async function insert({ tx, userId, at }: FactorsChange, factor: NewFactor & { id: string }): Promise<void> {
  try {
    await insertFactor(tx, { ...factor, user_id: userId, created_at: at })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new Problem('conflict', 'This passkey is already registered.')
  }
}

/** Removes a factor, and the recovery codes with the last one. Revokes the user's other sessions. */
export async function removeFactor(deps: Deps, change: FactorsChange, id: string): Promise<Changed> {
  const { tx, userId, at } = change
  const holder = await getHolder(change)
  const removed = await deleteFactor(tx, { id, userId })
  if (!removed) throw notFound(`Second factor ${id}`)
  if ((await listFactors(tx, userId)).length === 0) {
    const group = await findRequiringGroup(tx, userId)
    if (group !== undefined) {
      throw new Problem('in-use', `${group} requires a second factor. Add another one before you remove the last.`)
    }
    await deleteRecoveryCodes(tx, userId)
  }
  await recordAudit(change, holder, { action: 'user.second_factor.delete', before: { id, ...toAudited(removed) } })
  return { signIn: await endOthers(deps, change, holder, at) }
}

/** Replaces the recovery codes. Revokes the user's other sessions. */
export async function renewRecoveryCodes(deps: Deps, change: FactorsChange): Promise<Changed> {
  const { tx, userId, at } = change
  const holder = await getHolder(change)
  if ((await listFactors(tx, userId)).length === 0) {
    throw new Problem('conflict', 'Recovery codes replace a second factor. Add a second factor first.')
  }
  const recoveryCodes = await replaceRecoveryCodes(deps, { tx, userId })
  await recordAudit(change, holder, { action: 'user.recovery_codes.create', after: { count: recoveryCodes.length } })
  return { signIn: await endOthers(deps, change, holder, at), recoveryCodes }
}

/**
 * Removes all factors and recovery codes of a user who lost them, and revokes the sessions. Returns the number of
 * factors; undefined if the user does not exist.
 */
export async function resetFactors(change: FactorsChange): Promise<number | undefined> {
  const { tx, userId, at } = change
  const holder = await lockUser(tx, userId)
  if (!holder) return undefined
  const count = await deleteFactors(tx, userId)
  await deleteRecoveryCodes(tx, userId)
  await saveFactorsChange(tx, userId, nextChange(holder, at))
  await deleteSessions(tx, userId)
  await recordAudit(change, holder, { action: 'user.second_factors.reset', before: { count } })
  return count
}

async function getHolder({ tx, userId }: FactorsChange): Promise<UserRow> {
  const holder = await lockUser(tx, userId)
  if (!holder) throw new Problem('conflict', 'The account was deleted meanwhile.')
  return holder
}

async function replaceRecoveryCodes(
  { keyring }: Deps,
  { tx, userId }: { tx: Db; userId: string },
): Promise<readonly string[]> {
  const codes = newRecoveryCodes()
  await deleteRecoveryCodes(tx, userId)
  await insertRecoveryCodes(
    tx,
    userId,
    codes.map((code) => recoveryCodeDigest(keyring, userId, code)!),
  )
  return codes
}

/** Revokes the other sessions of the user, and every pending sign-in. */
async function endOthers(
  deps: Deps,
  { tx, userId, keptSessionId }: FactorsChange,
  holder: UserRow,
  at: number,
): Promise<SignIn> {
  const changedAt = nextChange(holder, at)
  await saveFactorsChange(tx, userId, changedAt)
  await deleteSessions(tx, userId, keptSessionId)
  return { accountId: userId, acr: signInMark(deps, { ...holder, factors_changed_at: changedAt }) }
}

/** Returns a time later than the previous change, even within a millisecond or after the clock was set back. */
function nextChange({ factors_changed_at }: UserRow, at: number): number {
  return Math.max(at, (factors_changed_at ?? 0) + 1)
}

function toAudited({ kind, name }: Pick<FactorRow, 'kind' | 'name'>): object {
  return { kind, name }
}
