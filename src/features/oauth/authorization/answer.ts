import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type BrowserSession,
  extendBrowserSession,
  findBrowserSession,
  signInBrowser,
} from '#features/user-sessions/browser-session.ts'
import { isSignInCurrent, type SignIn } from '#features/user-sessions/sign-in-mark.ts'
import type { Db } from '#foundation/db/database.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import type { Exchange } from '#foundation/http/change.ts'
import { RefusedPage } from '#foundation/pages/web-pages.ts'
import type { Services } from '#foundation/services.ts'
import { beginInteraction, type Interaction, takeInteraction } from './interactions.ts'
import { issueCode } from './issue-code.ts'
import { refusalSheet } from './refusal-sheet.ts'
import {
  type AuthorizationRequest,
  promptsOf,
  readAuthorizationRequest,
  requireApp,
  requireRedirectUri,
} from './request.ts'
import { type AuthorizationAnswer, toResponseUrl } from './response.ts'

type Deps = Pick<Services, 'db' | 'keyring' | 'now' | 'baseUrl' | 'config'>

/** The browser's next address: a page of ours or the app's. */
interface Redirect {
  readonly location: string
  readonly cookies: readonly string[]
}

interface Progress {
  readonly authorization: AuthorizationRequest
  readonly session: BrowserSession | undefined
  /** The sign-in that was a step of this authorization. */
  readonly login?: SignIn | undefined
  /** The app session that the consent created. */
  readonly consentedId?: string | undefined
}

/**
 * Starts an authorization: sends the browser of an app's user to sign-in or consent, or back to the app with an error.
 */
export async function answerAuthorization(deps: Deps, { request, reply }: Exchange): Promise<FastifyReply> {
  // Take everything after the first question mark: values may contain further ones (RFC 3986 §3.4).
  const query = new URLSearchParams(/\?.*/s.exec(request.url)?.[0])
  const read = await readAuthorizationRequest(deps.db, query)
  if ('fault' in read) {
    request.log.debug({ fault: read.fault }, 'an authorization was refused')
    return send(reply, { location: toResponseUrl(read.recipient, read.fault, deps.baseUrl), cookies: [] })
  }
  const redirect = await inTransaction(deps.db, async (tx) => {
    const session = await findBrowserSession(deps, tx, request)
    if (session) await extendBrowserSession(deps, tx, session)
    return proceed(deps, tx, { authorization: read.request, session })
  })
  return send(reply, redirect)
}

/** Continues an authorization after sign-in, consent or refusal. Throws a page if its interaction has ended. */
export async function resumeAuthorization(
  deps: Deps,
  { request, reply }: Exchange,
  uid: string,
): Promise<FastifyReply> {
  const redirect = await inTransaction(deps.db, async (tx) => {
    const taken = await takeInteraction(deps, tx, { request, uid })
    if ('missing' in taken) throw over(taken.missing)
    const { interaction } = taken
    const current = await findBrowserSession(deps, tx, request)
    if (!isOfSameUser(interaction, current)) throw over('interaction session and authentication session mismatch')
    if (current) await extendBrowserSession(deps, tx, current)
    const next = await resume(deps, tx, { request, interaction, current })
    return { ...next, cookies: [...taken.cookies, ...next.cookies] }
  })
  return send(reply, redirect)
}

/** Returns false if another user has signed in with the browser, or the user was signed out. */
function isOfSameUser({ session, result }: Interaction, current: BrowserSession | undefined): boolean {
  if (session && session.accountId !== current?.accountId) return false
  return !result?.login || !current || result.login.accountId === current.accountId
}

interface Resumed {
  readonly request: FastifyRequest
  readonly interaction: Interaction
  readonly current: BrowserSession | undefined
}

async function resume(deps: Deps, tx: Db, { request, interaction, current }: Resumed): Promise<Redirect> {
  const { params: authorization, prompt, result, lastSubmission } = interaction
  // Both may have changed since the request was validated.
  requireRedirectUri(await requireApp(tx, authorization.client_id), authorization.redirect_uri)
  if (result?.error !== undefined) {
    const { error, error_description: description } = result
    return toApp(deps, authorization, { error, ...(description !== undefined && { description }) })
  }
  if (prompt.name === 'login' && result?.login) {
    const { session, cookies } = await signInBrowser(deps, tx, { request, signIn: result.login, current })
    const next = await proceed(deps, tx, { authorization, session, login: result.login })
    return { ...next, cookies: [...next.cookies, ...cookies] }
  }
  const consentedId = result?.consent?.grantId
  return proceed(deps, tx, { authorization, session: current, login: lastSubmission?.login, consentedId })
}

/** Requests the next missing step from the user, or redirects to the app with a code. */
async function proceed(deps: Deps, tx: Db, progress: Progress): Promise<Redirect> {
  const { authorization, session, login, consentedId } = progress
  const signInFault = await missingSignIn(deps, tx, progress)
  // Always require consent: any program on the machine may start an authorization for the current user (RFC 8252 §8.6).
  const name = signInFault !== undefined ? 'login' : consentedId === undefined ? 'consent' : undefined
  if (name !== undefined) {
    if (promptsOf(authorization).includes('none')) {
      return toApp(deps, authorization, {
        error: `${name}_required`,
        description: signInFault ?? 'consent is required',
      })
    }
    return beginInteraction(deps, tx, { prompt: { name }, params: authorization, session, login })
  }
  const code = await issueCode(deps, tx, {
    request: authorization,
    accountId: session!.accountId,
    sessionId: consentedId!,
  })
  if (code !== undefined) return toApp(deps, authorization, { code })
  return toApp(deps, authorization, { error: 'access_denied', description: 'The consent was revoked' })
}

/** Returns the reason for a new sign-in (OpenID Connect Core §3.1.2.3); undefined if the current one is sufficient. */
async function missingSignIn(
  { keyring, now }: Deps,
  tx: Db,
  { authorization, session, login }: Progress,
): Promise<string | undefined> {
  if (promptsOf(authorization).includes('login') && !login) return 'login prompt was not resolved'
  if (!session) return 'End-User authentication is required'
  const age = Math.floor(now() / 1000) - session.loginTs
  if (authorization.max_age !== undefined && age > Number(authorization.max_age) && !login) {
    return 'End-User authentication could not be obtained'
  }
  return (await isSignInCurrent({ db: tx, keyring }, session)) ? undefined : 'sign-in is required'
}

function toApp({ baseUrl }: Deps, authorization: AuthorizationRequest, answer: AuthorizationAnswer): Redirect {
  return { location: toResponseUrl(authorization, answer, baseUrl), cookies: [] }
}

function over(description: string): RefusedPage {
  return new RefusedPage(refusalSheet({ error: 'over', description }))
}

function send(reply: FastifyReply, { location, cookies }: Redirect): FastifyReply {
  if (cookies.length > 0) reply.header('set-cookie', [...cookies])
  return reply.code(303).header('location', location).send()
}
