import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { findRelyingParty } from '#features/second-factors/passkeys.ts'
import { findSecondStep, type SecondStep } from '#features/second-factors/requirement-store.ts'
import { listFactors } from '#features/second-factors/store.ts'
import type { UsedFactor } from '#features/second-factors/use-factor.ts'
import { findBrowserSession, newId, signInBrowser } from '#features/user-sessions/browser-session.ts'
import { bindToIdentity, isMarkOf, type SignIn, signInMark } from '#features/user-sessions/sign-in-mark.ts'
import { findUser, lockUser, type UserRow } from '#features/user-sessions/users-store.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import { basePathOf } from '#foundation/http/base-path.ts'
import { cookieLine, cookieOf } from '#foundation/http/browser/cookies.ts'
import type { Exchange } from '#foundation/http/change.ts'
import { userActor } from '#foundation/http/request-context.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { knownBrowserCookie } from './known-browser.ts'
import { findPendingRow, insertPending, type PendingRow, takePendingRow } from './pending-store.ts'

type Deps = Pick<Services, 'db' | 'keyring' | 'now' | 'baseUrl' | 'config'>

const COOKIE = 'gatehouse_sign_in'
/** Time for finding the device, or for setting one up. */
const LIFETIME_MS = 15 * 60_000

/** A sign-in with a correct password that waits for the second step. It grants no access. */
export interface PendingSignIn {
  readonly row: PendingRow
  readonly account: UserRow
  readonly step: SecondStep
}

/** The identity provider that checked the user instead of a password. */
export interface ByProvider {
  readonly identityId: string
  readonly providerSession: string | undefined
}

/** Starts the second step and binds it to the browser with a cookie, which is sent only to the console's own routes. */
export async function beginPending(
  deps: Deps,
  { reply }: Pick<Exchange, 'reply'>,
  account: UserRow,
  { identityId, providerSession }: Partial<ByProvider> = {},
): Promise<void> {
  const [secret, expiresAt] = [newId(), deps.now() + LIFETIME_MS]
  await insertPending(deps.db, {
    digest: deps.keyring.digest(secret),
    user_id: account.id,
    mark: signInMark(deps, account),
    failures: 0,
    expires_at: expiresAt,
    identity_id: identityId ?? null,
    provider_session: providerSession ?? null,
  })
  reply.header('set-cookie', pendingCookie(deps.baseUrl, secret, expiresAt))
}

/** Finds the browser's pending sign-in, unless it has expired or the password or the factors have changed since. */
export async function findPending(deps: Deps, request: FastifyRequest): Promise<PendingSignIn | undefined> {
  const cookie = cookieOf(request, COOKIE)
  const row = cookie === undefined ? undefined : await findPendingRow(deps.db, deps.keyring.digest(cookie))
  if (!row || row.expires_at <= deps.now()) return undefined
  const account = await findUser(deps.db, row.user_id)
  if (account?.disabled_at !== null) return undefined
  const step = await findSecondStep(deps.db, account.id)
  return step && isMarkOf(deps, account, row.mark) ? { row, account, step } : undefined
}

/** The step after a correct password: verifying a second factor, or setting up the first one. */
export const PendingStep = Type.Object({
  step: Type.Enum(['verify', 'enroll']),
  email: Type.String(),
  has_app: Type.Boolean(),
  has_passkey: Type.Boolean(),
  passkeys_supported: Type.Boolean(),
})

export async function describePending(
  { db, baseUrl }: Pick<Deps, 'db' | 'baseUrl'>,
  { account, step }: Pick<PendingSignIn, 'account' | 'step'>,
) {
  const factors = await listFactors(db, account.id)
  return {
    step,
    email: account.email,
    has_app: factors.some(({ kind }) => kind === 'totp'),
    has_passkey: factors.some(({ kind }) => kind === 'passkey'),
    passkeys_supported: findRelyingParty(baseUrl) !== undefined,
  }
}

/** Throws 404 without a pending sign-in that waits for this step. */
export async function getPending(deps: Deps, request: FastifyRequest, step: SecondStep): Promise<PendingSignIn> {
  const pending = await findPending(deps, request)
  if (pending?.step !== step) throw expired()
  return pending
}

function expired(): Problem {
  return new Problem('not-found', 'This sign-in has expired or was canceled. Enter your password again.')
}

/** Locks the user of a pending sign-in. Throws 404 if it has expired meanwhile. */
export async function lockPending(deps: Deps, tx: Db, { row }: PendingSignIn): Promise<UserRow> {
  const holder = await lockUser(tx, row.user_id)
  const current = await findPendingRow(tx, row.digest)
  if (!holder || holder.disabled_at !== null || !current || !isMarkOf(deps, holder, current.mark)) throw expired()
  return holder
}

type Began = Pick<PendingSignIn, 'row'> | undefined

/** Returns the sign-in of a user, by the provider with which a pending one began. */
export function toSignIn(deps: Deps, holder: UserRow, pending: Began): SignIn {
  return continueSignIn(deps, { accountId: holder.id, acr: signInMark(deps, holder) }, pending)
}

export function continueSignIn(deps: Deps, { accountId, acr }: SignIn, pending: Began): SignIn {
  return {
    accountId,
    acr: bindToIdentity(deps, acr, pending?.row.identity_id ?? null),
    providerSession: pending?.row.provider_session ?? undefined,
  }
}

export async function cancelPending(deps: Deps, { request, reply }: Exchange): Promise<void> {
  const cookie = cookieOf(request, COOKIE)
  if (cookie !== undefined) await takePendingRow(deps.db, deps.keyring.digest(cookie))
  reply.header('set-cookie', pendingCookie(deps.baseUrl, '', 0))
}

export interface Completion {
  readonly request: FastifyRequest
  readonly account: Pick<UserRow, 'id' | 'group_id' | 'name'>
  readonly signIn: SignIn
  /** The factor that completed the sign-in. */
  readonly factor: UsedFactor | 'new'
  /** Undefined for a sign-in with a passkey alone. */
  readonly pending?: PendingSignIn
}

/** Deletes the pending sign-in and creates the session, with a new secret. Returns its id and the cookies. */
export async function completeSignIn(
  deps: Deps,
  tx: Db,
  { request, account, signIn, factor, pending }: Completion,
): Promise<{ id: string; cookies: string[] }> {
  if (pending && !(await takePendingRow(tx, pending.row.digest))) throw expired()
  const current = await findBrowserSession(deps, tx, request)
  const { session, cookies } = await signInBrowser(deps, tx, { request, signIn, current })
  const change = { tx, actor: userActor(request, account), at: deps.now() }
  await recordAudit(change, account, {
    action: 'user.sign_in',
    after: { second_factor: factor },
  })
  const ended = pendingCookie(deps.baseUrl, '', 0)
  return { id: session.uid, cookies: [...cookies, ended, knownBrowserCookie(deps, request, account)] }
}

function pendingCookie(baseUrl: string, value: string, expiresAt: number): string {
  return cookieLine(baseUrl, { name: COOKIE, value, path: `${basePathOf(baseUrl)}/console`, expiresAt })
}
