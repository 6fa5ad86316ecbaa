import { randomBytes, randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Principal } from '#foundation/access/caller.ts'
import type { Db } from '#foundation/db/database.ts'
import { cookieLine, cookieOf, cookiePath, sessionCookieName } from '#foundation/http/browser/cookies.ts'
import { andThen, type MaybePromise } from '#foundation/maybe-promise.ts'
import type { Services } from '#foundation/services.ts'
import { identityOf, isAllowed, isMarkOf, type SignIn } from './sign-in-mark.ts'
import {
  deleteSession,
  type Expiry,
  findSessionHolder,
  findSessionTimes,
  insertSession,
  renewSession,
  type SessionPolicy,
  saveSessionUse,
} from './store.ts'

type Deps = Pick<Services, 'keyring' | 'now' | 'baseUrl' | 'config'>

/** A browser in which a user signed in. */
export interface BrowserSession extends SignIn {
  /** Identifies the session where its secret must not appear. */
  readonly uid: string
  /** Time of the sign-in, epoch seconds. */
  readonly loginTs: number
}

const MAX_USER_AGENT_LENGTH = 300

/** Returns the times at and before which sessions have expired. Groups may shorten the server's limits. */
export function expiryOf({ config, now }: Pick<Services, 'config' | 'now'>, policy?: SessionPolicy): Expiry {
  const idleMinutes = Math.min(config.sessionIdleMinutes, policy?.session_idle_minutes ?? Number.POSITIVE_INFINITY)
  const hours = Math.min(config.sessionHours, policy?.session_hours ?? Number.POSITIVE_INFINITY)
  return { usedBefore: now() - idleMinutes * 60_000, signedInBefore: now() - hours * 3_600_000 }
}

/** Finds the session of the browser's cookie, whether or not its user may still sign in (see `isSignInCurrent`). */
export async function findBrowserSession(
  deps: Deps,
  db: Db,
  request: FastifyRequest,
): Promise<BrowserSession | undefined> {
  const cookie = cookieOf(request, sessionCookieName(deps.baseUrl))
  const row = cookie === undefined ? undefined : await findSessionHolder(db, deps.keyring.digest(cookie))
  if (!row || hasExpired(row, expiryOf(deps, row))) return undefined
  return { uid: row.id, accountId: row.user_id, acr: row.mark, loginTs: Math.floor(row.signed_in_at / 1000) }
}

/** Returns the user of a session cookie; undefined if the session is unknown, expired or revoked. */
export function authenticateSession(
  deps: Pick<Services, 'db' | 'keyring' | 'now' | 'config'>,
  cookie: string,
): MaybePromise<Principal | undefined> {
  return andThen(findSessionHolder(deps.db, deps.keyring.digest(cookie)), (row) => {
    if (!row || hasExpired(row, expiryOf(deps, row))) return undefined
    const { name, email, username, password_hash, factors_changed_at } = row
    if (!isAllowed(row, row.mark)) return undefined
    if (!isMarkOf(deps, { id: row.user_id, password_hash, factors_changed_at }, row.mark)) return undefined
    return { kind: 'user', id: row.user_id, name, email, username, credentialId: row.id }
  })
}

function hasExpired(row: { last_used_at: number; signed_in_at: number }, { usedBefore, signedInBefore }: Expiry) {
  return row.last_used_at <= usedBefore || row.signed_in_at <= signedInBefore
}

export async function extendBrowserSession({ now }: Deps, db: Db, { uid }: BrowserSession): Promise<void> {
  await saveSessionUse(db, uid, { at: now() })
}

export interface BrowserSignIn {
  readonly request: FastifyRequest
  readonly signIn: SignIn
  readonly current: BrowserSession | undefined
  /** The time of the sign-in if it was earlier, epoch milliseconds. */
  readonly signedInAt?: number
}

/**
 * Signs a user in. The browser always gets a new secret, which prevents session fixation and invalidates a stolen copy.
 * A session of the same user keeps its id, so that two tabs that finish together share it; a session of another user is
 * revoked.
 */
export async function signInBrowser(
  deps: Deps,
  tx: Db,
  { request, signIn, current, signedInAt }: BrowserSignIn,
): Promise<{ session: BrowserSession; cookies: string[] }> {
  const { accountId, acr, providerSession } = signIn
  const [secret, at] = [newId(), deps.now()]
  const identityId = identityOf(acr)
  const renewal = {
    digest: deps.keyring.digest(secret),
    mark: acr,
    user_agent: (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_LENGTH),
    address: request.ip,
    signed_in_at: signedInAt ?? at,
    last_used_at: at,
    identity_id: identityId,
    // A step that continues a sign-in by a provider keeps the provider's session.
    ...((identityId === null || providerSession !== undefined) && { provider_session: providerSession ?? null }),
  }
  let uid = current?.accountId === accountId ? current.uid : undefined
  if (current && uid === undefined) await endBrowserSession(tx, current)
  if (uid === undefined || !(await renewSession(tx, uid, renewal))) {
    uid = randomUUID()
    await insertSession(tx, { id: uid, user_id: accountId, created_at: at, ...renewal })
  }
  return {
    session: { uid, accountId, acr, loginTs: Math.floor(renewal.signed_in_at / 1000) },
    cookies: [sessionCookie(deps.baseUrl, secret)],
  }
}

function sessionCookie(baseUrl: string, value: string): string {
  return cookieLine(baseUrl, { name: sessionCookieName(baseUrl), value, path: cookiePath(baseUrl) })
}

/** Returns the header value that removes the session cookie. */
export function endedSessionCookie({ baseUrl }: Pick<Services, 'baseUrl'>): string {
  return cookieLine(baseUrl, {
    name: sessionCookieName(baseUrl),
    value: '',
    path: cookiePath(baseUrl),
    expiresAt: 0,
  })
}

export async function endBrowserSession(db: Db, { uid, accountId }: BrowserSession): Promise<void> {
  await deleteSession(db, { id: uid, userId: accountId })
}

/** Returns true until the session with this id expires or is revoked. */
export async function isBrowserSessionLive(
  deps: Pick<Services, 'now' | 'config'>,
  db: Db,
  uid: string,
): Promise<boolean> {
  const row = await findSessionTimes(db, uid)
  return row !== undefined && !hasExpired(row, expiryOf(deps, row))
}

/** Returns 256 random bits. */
export function newId(): string {
  return randomBytes(32).toString('base64url')
}
