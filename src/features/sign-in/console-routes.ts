import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { changePassword } from '#features/passwords/change-password.ts'
import { useReset } from '#features/passwords/use-reset.ts'
import {
  type BrowserSession,
  endedSessionCookie,
  findBrowserSession,
  signInBrowser,
} from '#features/user-sessions/browser-session.ts'
import { bindToIdentity, identityOf, isSignInCurrent, signInMark } from '#features/user-sessions/sign-in-mark.ts'
import { findUser, type UserRow } from '#features/user-sessions/users-store.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { cookieOf } from '#foundation/http/browser/cookies.ts'
import { requireOwnPage } from '#foundation/http/browser/own-pages.ts'
import type { Exchange } from '#foundation/http/change.ts'
import { actorOf, callerOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { Problem } from '#foundation/problem.ts'
import { hashPassword } from '#foundation/secrets/password.ts'
import type { Services } from '#foundation/services.ts'
import { waitProblem } from './answer-login.ts'
import type { PasswordCheck, SignIn } from './check-password.ts'
import { KNOWN_BROWSER_COOKIE, knownBrowserCookie } from './known-browser.ts'
import { beginPending, describePending, PendingStep } from './pending-sign-in.ts'
import { MAX_EMAIL_LENGTH, MAX_PASSWORD_LENGTH } from './sign-in-page.ts'
import { signOut } from './sign-out.ts'

type Deps = Services & { readonly checkPassword: PasswordCheck }

/** Limit per minute and address of uses of reset links: a link cannot be guessed, but each use hashes a password. */
const RESETS_PER_MINUTE = 20

const isPublic = { access: 'public' } as const
const hide = true
const strict = { additionalProperties: false } as const
const SentPassword = Type.String({ minLength: 1, maxLength: MAX_PASSWORD_LENGTH })
const NewPassword = Type.String({ minLength: 12, maxLength: MAX_PASSWORD_LENGTH })

/**
 * `/console`: the browser session of the console. These routes are not part of the documented interface: they use a
 * cookie, where other clients use credentials.
 */
export function consoleSessionRoutes(services: Services, checkPassword: PasswordCheck): Routes {
  const deps = { ...services, checkPassword }
  return (scope) => {
    sessionRoutes(scope, deps)
    passwordRoutes(scope, deps)
  }
}

function sessionRoutes(scope: Server, deps: Deps): void {
  // The console requests this at its start, because scripts cannot read the cookie.
  const response = { 200: Type.Object({ id: Type.Optional(Type.String()) }) }
  const state = { hide, operationId: 'findSession', response: response } as const
  scope.get('/session', { config: isPublic, schema: state }, async (request) => {
    requireOwnPage(request, deps.baseUrl)
    const session = await findSignedIn(deps, request)
    return session ? { id: session.uid } : {}
  })

  const body = Type.Object(
    { email: Type.String({ minLength: 1, maxLength: MAX_EMAIL_LENGTH }), password: SentPassword },
    strict,
  )
  const begun = { 200: Type.Union([Type.Object({ id: Type.String() }), PendingStep]) }
  const schema = { hide, operationId: 'beginSession', body, response: begun } as const
  scope.post('/session', { config: isPublic, schema }, async (request, reply) => {
    requireOwnPage(request, deps.baseUrl)
    const exchange = { request, reply }
    const checked = await check(deps, exchange, { ...request.body, pointer: '/password' })
    if (checked.outcome === 'signed-in') return beginSession(deps, exchange, checked.account)
    await beginPending(deps, exchange, checked.account)
    return describePending(deps, checked)
  })

  scope.delete(
    '/session',
    { config: isPublic, schema: { hide, operationId: 'endSession' } },
    async (request, reply) => {
      requireOwnPage(request, deps.baseUrl)
      const session = await findSignedIn(deps, request)
      const account = session && (await findUser(deps.db, session.accountId))
      if (account) await signOut(deps, { request, reply }, { session, account })
      return reply.code(204).header('set-cookie', endedSessionCookie(deps)).send()
    },
  )
}

function passwordRoutes(scope: Server, deps: Deps): void {
  const change = Type.Object({ current_password: SentPassword, password: NewPassword }, strict)
  const options = {
    config: { access: 'in-person' },
    schema: { hide, operationId: 'changePassword', body: change },
  } as const
  scope.post('/password', options, async (request, reply) => {
    const { credentialId, email = '' } = callerOf(request).principal
    const { current_password, password } = request.body
    const confirmed = { email, password: current_password, isConfirmation: true, pointer: '/current_password' } as const
    const { account } = await check(deps, { request, reply }, confirmed)
    const hash = await hashPassword(password)
    const session = await findBrowserSession(deps, deps.db, request)
    const current = session?.uid === credentialId ? session : undefined
    const cookies = await inTransaction(deps.db, async (tx) => {
      const at = deps.now()
      const input = { userId: account.id, formerHash: account.password_hash, hash, keptSessionId: current?.uid }
      await changePassword({ tx, actor: actorOf(request), at }, input)
      if (!current) return []
      const mark = signInMark(deps, { ...account, password_hash: hash })
      const signIn = { accountId: account.id, acr: bindToIdentity(deps, mark, identityOf(current.acr)) }
      return (await signInBrowser(deps, tx, { request, signIn, current })).cookies
    })
    return reply.code(204).header('set-cookie', cookies).send()
  })

  const reset = Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }), password: NewPassword }, strict)
  const config = { ...isPublic, limitPerAddress: RESETS_PER_MINUTE }
  scope.post(
    '/password-reset',
    { config, schema: { hide, operationId: 'resetPassword', body: reset } },
    async (request, reply) => {
      requireOwnPage(request, deps.baseUrl)
      await useReset(deps, { ...request.body, requestId: request.id, address: request.ip })
      return reply.code(204).send()
    },
  )
}

interface Shown {
  readonly email: string
  readonly password: string
  readonly isConfirmation?: true
  /** The field to correct. */
  readonly pointer: string
}

type RightPassword = Extract<SignIn, { readonly account: UserRow }>

/** Returns the account of a correct password. Throws 403 or 429, the same whether or not the account exists. */
async function check(
  { checkPassword }: Deps,
  { request }: Exchange,
  { pointer, ...shown }: Shown,
): Promise<RightPassword> {
  const result = await checkPassword({
    ...shown,
    address: request.ip,
    requestId: request.id,
    knownBrowsers: cookieOf(request, KNOWN_BROWSER_COOKIE),
  })
  if (result.outcome === 'blocked') throw waitProblem(result.waitSeconds)
  const source = { pointer }
  if (result.outcome === 'refused') throw new Problem('sign-in-failed', result.detail, { source })
  if (result.outcome !== 'wrong') return result
  const detail = shown.isConfirmation
    ? 'The current password is wrong.'
    : 'The e-mail address or the password is wrong.'
  throw new Problem('sign-in-failed', detail, { source })
}

async function beginSession(deps: Deps, { request, reply }: Exchange, account: UserRow): Promise<FastifyReply> {
  const { session, cookies } = await inTransaction(deps.db, async (tx) => {
    const current = await findBrowserSession(deps, tx, request)
    const signIn = { accountId: account.id, acr: signInMark(deps, account) }
    return signInBrowser(deps, tx, { request, signIn, current })
  })
  return reply.header('set-cookie', [...cookies, knownBrowserCookie(deps, request, account)]).send({ id: session.uid })
}

async function findSignedIn(deps: Deps, request: FastifyRequest): Promise<BrowserSession | undefined> {
  const session = await findBrowserSession(deps, deps.db, request)
  return session && (await isSignInCurrent(deps, session)) ? session : undefined
}
