import type { FastifyRequest } from 'fastify'
import { type BrowserSession, newId } from '#features/user-sessions/browser-session.ts'
import type { SignIn } from '#features/user-sessions/sign-in-mark.ts'
import type { Db } from '#foundation/db/database.ts'
import { cookieLine, cookieOf } from '#foundation/http/browser/cookies.ts'
import type { Services } from '#foundation/services.ts'
import { interactionPath, resumePath } from '../endpoints.ts'
import { recordsOf } from '../records.ts'
import type { RecordKey } from '../records-store.ts'
import type { AuthorizationRequest } from './request.ts'

type Deps = Pick<Services, 'keyring' | 'now' | 'baseUrl'>

/** Seconds allowed for sign-in and consent. */
const INTERACTION_SECONDS = 3_600

const PAGES_COOKIE = 'gatehouse_interaction'
const RESUME_COOKIE = 'gatehouse_resume'

export interface InteractionResult {
  readonly login?: SignIn
  /** The app session that the consent created. */
  readonly consent?: { readonly grantId: string }
  readonly error?: string
  readonly error_description?: string
}

/** The stored form. Rows of earlier versions have further members. */
interface Payload {
  readonly prompt: { readonly name: 'login' | 'consent' }
  readonly params: AuthorizationRequest
  /** The browser's session when the page was first shown. */
  readonly session?: { readonly uid: string; readonly accountId: string }
  /** The previous answer of the same authorization. */
  readonly lastSubmission?: { readonly login?: SignIn }
  /**
   * Set while the user signs in at the console: the expected user, or any if undefined, and the earliest time (epoch
   * milliseconds).
   */
  readonly awaits?: { readonly accountId?: string; readonly since: number }
  readonly result?: InteractionResult
}

/** An authorization request that waits for its user. */
export interface Interaction extends Payload {
  readonly uid: string
  readonly key: RecordKey
}

const recordsIn = (deps: Deps) => recordsOf<Payload>(deps, 'Interaction')

export interface InteractionStart extends Pick<Payload, 'prompt' | 'params'> {
  readonly session: BrowserSession | undefined
  /** The sign-in that was a step of the same authorization. */
  readonly login: SignIn | undefined
}

/** Stores an interaction. Returns the path of its page and the cookies that bind it to the browser. */
export async function beginInteraction(
  deps: Deps,
  db: Db,
  { prompt, params, session, login }: InteractionStart,
): Promise<{ location: string; cookies: string[] }> {
  const uid = newId()
  const payload: Payload = {
    prompt,
    params,
    ...(session && { session: { uid: session.uid, accountId: session.accountId } }),
    ...(login && { lastSubmission: { login } }),
  }
  await recordsIn(deps).insert(db, uid, payload, { lifetimeSeconds: INTERACTION_SECONDS })
  const location = interactionPath(deps.baseUrl, uid)
  const expiresAt = deps.now() + INTERACTION_SECONDS * 1000
  const cookies = [
    cookieLine(deps.baseUrl, { name: PAGES_COOKIE, value: uid, path: location, expiresAt }),
    cookieLine(deps.baseUrl, { name: RESUME_COOKIE, value: uid, path: resumePath(deps.baseUrl, uid), expiresAt }),
  ]
  return { location, cookies }
}

/** Finds the interaction of a page; undefined if it has expired or belongs to another browser. */
export async function findInteraction(
  deps: Deps,
  db: Db,
  { request, uid }: { request: FastifyRequest; uid: string },
): Promise<Interaction | undefined> {
  if (cookieOf(request, PAGES_COOKIE) !== uid) return undefined
  const record = await recordsIn(deps).find(db, uid)
  return record && !record.isExpired ? { ...record.payload, uid, key: record.key } : undefined
}

/** Stores the user's answer together with the given session. */
export async function answerInteraction(
  deps: Deps,
  db: Db,
  { uid: _, key, ...payload }: Interaction & { readonly result: InteractionResult },
): Promise<void> {
  await recordsIn(deps).update(db, key, { payload })
}

/** Records that the user signs in at the console. A session of another user is no longer accepted. */
export async function awaitSignIn(
  deps: Deps,
  db: Db,
  { interaction, accountId }: { interaction: Interaction; accountId: string | undefined },
): Promise<void> {
  const { uid: _, key, session, ...others } = interaction
  const payload: Payload = {
    ...others,
    ...(session && session.accountId === accountId && { session }),
    awaits: { since: deps.now(), ...(accountId !== undefined && { accountId }) },
  }
  await recordsIn(deps).update(db, key, { payload })
}

/** Deletes and returns an interaction. Only one of several repeated requests gets it. */
export async function takeInteraction(
  deps: Deps,
  tx: Db,
  { request, uid }: { request: FastifyRequest; uid: string },
): Promise<{ interaction: Interaction; cookies: string[] } | { missing: string }> {
  if (cookieOf(request, RESUME_COOKIE) !== uid) return { missing: 'authorization request has expired' }
  const record = await recordsIn(deps).take(tx, uid)
  if (!record || record.isExpired) return { missing: 'interaction session not found' }
  const cookie = { name: RESUME_COOKIE, value: '', path: resumePath(deps.baseUrl, uid), expiresAt: 0 }
  return { interaction: { ...record.payload, uid, key: record.key }, cookies: [cookieLine(deps.baseUrl, cookie)] }
}
