import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Db } from '#foundation/db/database.ts'
import { basePathOf } from '#foundation/http/base-path.ts'
import { cookieOf } from '#foundation/pages/web-pages.ts'
import type { Services } from '#foundation/services.ts'
import { recordsOf } from '../records.ts'
import { isRecordLive, type RecordKey } from '../records-store.ts'
import { cookieLine } from './cookies.ts'
import type { SignIn } from './sign-in-mark.ts'

type Deps = Pick<Services, 'keyring' | 'now' | 'baseUrl'>

/** Idle seconds after which a browser is signed out. */
export const SIGN_IN_SECONDS = 12 * 3_600

/** A browser in which a user signed in. */
export interface BrowserSession extends SignIn {
  readonly key: RecordKey
  /** Names the session where it is no secret. */
  readonly uid: string
  /** Time of the sign-in, epoch seconds. */
  readonly loginTs: number
}

type Payload = Partial<Pick<BrowserSession, 'uid' | 'accountId' | 'acr' | 'loginTs'>>

const recordsIn = (deps: Deps) => recordsOf<Payload>(deps, 'Session')

/** Returns the session of the browser's cookie, whether or not its user may still sign in (see `isSignInCurrent`). */
export async function findBrowserSession(
  deps: Deps,
  db: Db,
  request: FastifyRequest,
): Promise<BrowserSession | undefined> {
  const id = cookieOf(request, cookieName(deps))
  const record = id === undefined ? undefined : await recordsIn(deps).find(db, id)
  if (!record || record.isExpired) return undefined
  const { uid, accountId, acr, loginTs } = record.payload
  // Earlier versions also stored sessions before a sign-in.
  if (uid === undefined || accountId === undefined || acr === undefined || loginTs === undefined) return undefined
  return { key: record.key, uid, accountId, acr, loginTs }
}

/** Postpones the expiry of a session that is used. */
export async function extendBrowserSession(deps: Deps, db: Db, { key }: BrowserSession): Promise<void> {
  await recordsIn(deps).update(db, key, { lifetimeSeconds: SIGN_IN_SECONDS })
}

/**
 * Signs a user in. A session of the same user continues, so that two tabs which finish together keep it; otherwise the
 * browser gets a new secret, which prevents session fixation.
 */
export async function signInBrowser(
  deps: Deps,
  db: Db,
  { signIn, current }: { signIn: SignIn; current: BrowserSession | undefined },
): Promise<{ session: BrowserSession; cookies: string[] }> {
  const { accountId, acr } = signIn
  const loginTs = Math.floor(deps.now() / 1000)
  const records = recordsIn(deps)
  if (current?.accountId === accountId) {
    const { key, uid } = current
    const payload = { uid, accountId, acr, loginTs }
    await records.update(db, key, { payload, lifetimeSeconds: SIGN_IN_SECONDS })
    return { session: { ...payload, key }, cookies: [] }
  }
  const [id, uid] = [newId(), newId()]
  const payload = { uid, accountId, acr, loginTs }
  await records.insert(db, id, payload, { uid, lifetimeSeconds: SIGN_IN_SECONDS })
  const path = basePathOf(deps.baseUrl) || '/'
  const cookie = cookieLine(deps, { name: cookieName(deps), value: id, path })
  return { session: { ...payload, key: records.keyOf(id) }, cookies: [cookie] }
}

export async function endBrowserSession(deps: Deps, db: Db, { key }: BrowserSession): Promise<void> {
  await recordsIn(deps).remove(db, key)
}

/** Returns true until the session of this name expires or is ended. */
export async function isBrowserSessionLive({ now }: Pick<Deps, 'now'>, db: Db, uid: string): Promise<boolean> {
  return isRecordLive(db, { model: 'Session', uid, now: now() })
}

/** A host that is shared with others has no cookies of ours beyond our path; `__Host-` would require all of it. */
function cookieName({ baseUrl }: Deps): string {
  const prefix = !baseUrl.startsWith('https:') ? '' : basePathOf(baseUrl) === '' ? '__Host-' : '__Secure-'
  return `${prefix}gatehouse_session`
}

/** 256 random bits. */
export function newId(): string {
  return randomBytes(32).toString('base64url')
}
