import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { addFactor, type NewFactor } from '#features/second-factors/change-factors.ts'
import { UsedCredential } from '#features/second-factors/credential-schemas.ts'
import { refused } from '#features/second-factors/passkeys.ts'
import { setUpRoutes } from '#features/second-factors/set-up-operations.ts'
import {
  checkPasskey,
  getPasskey,
  offerPasskeyUse,
  recordPasskeyUse,
  takeCode,
} from '#features/second-factors/use-factor.ts'
import { findSignInState } from '#features/user-sessions/store.ts'
import { findUser, lockUser } from '#features/user-sessions/users-store.ts'
import type { Db } from '#foundation/db/database.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { cookieOf } from '#foundation/http/browser/cookies.ts'
import { requireOwnPage } from '#foundation/http/browser/own-pages.ts'
import type { Exchange } from '#foundation/http/change.ts'
import { userActor } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { waitProblem } from './answer-login.ts'
import { findKnownBrowser, KNOWN_BROWSER_COOKIE } from './known-browser.ts'
import {
  type Completion,
  cancelPending,
  completeSignIn,
  continueSignIn,
  describePending,
  findPending,
  getPending,
  lockPending,
  type PendingSignIn,
  PendingStep,
  toSignIn,
} from './pending-sign-in.ts'
import { countPendingFailure } from './pending-store.ts'
import { recordFailure } from './record-failure.ts'
import { faultOfAccount } from './single-sign-on/required.ts'
import { type Admitted, admitAttempt, confirmFailure, forgiveAttempt } from './throttle.ts'

/** Wrong codes after which the password must be entered again. */
const MAX_FAILURES = 5
/**
 * Requests per minute and address: each stores a challenge, or verifies a signature. An address may have many users;
 * failures are delayed separately.
 */
const REQUESTS_PER_MINUTE = 600

const config = { access: 'public', limitPerAddress: REQUESTS_PER_MINUTE } as const
const hide = true
const strict = { additionalProperties: false } as const
const Begun = Type.Object({ id: Type.String() })
const PasskeyChallenge = Type.Object({ challenge: Type.String() })

/**
 * `/console/sign-in`: the step after a correct password, and the sign-in with only a passkey. A cookie binds the step
 * to the browser that sent the password.
 */
export function secondStepRoutes(services: Services): Routes {
  return (scope) => {
    stateRoutes(scope, services)
    codeRoute(scope, services)
    passkeyRoutes(scope, services)
    passwordlessRoutes(scope, services)
    enrollmentRoutes(scope, services)
  }
}

function stateRoutes(scope: Server, services: Services): void {
  const response = { 200: Type.Union([PendingStep, Type.Object({})]) }
  const state = { hide, operationId: 'findSecondStep', response } as const
  scope.get('/sign-in/pending', { config: { access: 'public' }, schema: state }, async (request) => {
    requireOwnPage(request, services.baseUrl)
    const pending = await findPending(services, request)
    return pending ? describePending(services, pending) : {}
  })

  scope.delete(
    '/sign-in/pending',
    { config, schema: { hide, operationId: 'cancelSecondStep' } },
    async (request, reply) => {
      requireOwnPage(request, services.baseUrl)
      await cancelPending(services, { request, reply })
      return reply.code(204).send()
    },
  )
}

function codeRoute(scope: Server, services: Services): void {
  const body = Type.Object({ code: Type.String({ minLength: 1, maxLength: 100 }) }, strict)
  const schema = { hide, operationId: 'sendCode', body, response: { 200: Begun } } as const
  scope.post('/sign-in/code', { config, schema }, async (request, reply) => {
    requireOwnPage(request, services.baseUrl)
    const pending = await getPending(services, request, 'verify')
    const admitted = await admitCode(services, request, pending)
    const begun = await inTransaction(services.db, async (tx) => {
      const holder = await lockPending(services, tx, pending)
      const factor = await takeCode(services, tx, { userId: holder.id, typed: request.body.code })
      if (factor === undefined) {
        await confirmFailure(tx, admitted, services.now())
        await countPendingFailure(tx, pending.row.digest, MAX_FAILURES)
        await recordFailure(tx, { request, account: holder, at: services.now(), reason: 'wrong code' })
        return undefined
      }
      await forgiveAttempt(tx, admitted)
      const signIn = toSignIn(services, holder, pending)
      return completeSignIn(services, tx, { request, account: holder, signIn, factor, pending })
    })
    if (begun) return sendBegun(reply, begun)
    services.attempts.count('sign_in', 'failed')
    const detail = 'The code is wrong or was already used. Enter the current one.'
    throw new Problem('sign-in-failed', detail, { source: { pointer: '/code' } })
  })
}

/** Counts the attempt. Throws 429 if the account, the browser or the address must wait. */
async function admitCode(services: Services, request: FastifyRequest, { account }: PendingSignIn): Promise<Admitted> {
  const cookie = cookieOf(request, KNOWN_BROWSER_COOKIE)
  const knownBrowser = findKnownBrowser(services.keyring, cookie, { id: account.id, at: services.now() })
  const attempt = { email: account.email, address: request.ip, knownBrowser, isSecondStep: true } as const
  const admitted = await admitAttempt(services, attempt)
  if ('counts' in admitted) return admitted
  services.attempts.count('sign_in', 'not_checked')
  throw waitProblem(admitted.waitSeconds)
}

function passkeyRoutes(scope: Server, services: Services): void {
  const challengeFor = ({ row }: PendingSignIn) => ({ purpose: 'second-step', holder: row.digest }) as const

  const offer = { hide, operationId: 'offerPasskeyVerification', response: { 200: PasskeyChallenge } } as const
  scope.post('/sign-in/passkey/challenge', { config, schema: offer }, async (request) => {
    requireOwnPage(request, services.baseUrl)
    const pending = await getPending(services, request, 'verify')
    return offerPasskeyUse(services, { ...challengeFor(pending), userId: pending.account.id })
  })

  const body = Type.Object({ credential: UsedCredential }, strict)
  const schema = { hide, operationId: 'verifyWithPasskey', body, response: { 200: Begun } } as const
  scope.post('/sign-in/passkey', { config, schema }, async (request, reply) => {
    requireOwnPage(request, services.baseUrl)
    const pending = await getPending(services, request, 'verify')
    const shown = { ...challengeFor(pending), credential: request.body.credential as AuthenticationResponseJSON }
    return signInWithPasskey(services, { request, reply }, { ...shown, pending })
  })
}

/** Sign-in with only a passkey, which is two factors: the device, and the fingerprint, face or PIN that unlocks it. */
function passwordlessRoutes(scope: Server, services: Services): void {
  const challengeFor = { purpose: 'passkey-sign-in', holder: '' } as const

  const offer = { hide, operationId: 'offerPasskeySignIn', response: { 200: PasskeyChallenge } } as const
  scope.post('/passkey-session/challenge', { config, schema: offer }, async (request) => {
    requireOwnPage(request, services.baseUrl)
    return offerPasskeyUse(services, challengeFor)
  })

  const body = Type.Object({ credential: UsedCredential }, strict)
  const schema = { hide, operationId: 'signInWithPasskey', body, response: { 200: Begun } } as const
  scope.post('/passkey-session', { config, schema }, async (request, reply) => {
    requireOwnPage(request, services.baseUrl)
    const credential = request.body.credential as AuthenticationResponseJSON
    return signInWithPasskey(services, { request, reply }, { ...challengeFor, credential })
  })
}

interface PasskeyStep {
  readonly purpose: 'second-step' | 'passkey-sign-in'
  readonly holder: string
  readonly credential: AuthenticationResponseJSON
  readonly pending?: PendingSignIn
}

async function signInWithPasskey(
  services: Services,
  { request, reply }: Exchange,
  { credential, pending, ...challengeFor }: PasskeyStep,
): Promise<FastifyReply> {
  const passkey = await getPasskey(services, credential, pending?.account.id)
  const account = pending?.account ?? (await findUser(services.db, passkey.user_id))
  if (!account) throw refused('its account was deleted')
  try {
    const shown = await checkPasskey(services, challengeFor, { passkey, credential })
    const begun = await inTransaction(services.db, async (tx) => {
      const holder = pending ? await lockPending(services, tx, pending) : await lockUser(tx, account.id)
      if (!holder) throw refused('its account was deleted')
      if (!pending) await requirePasswordless(tx, holder.id)
      await recordPasskeyUse(tx, shown, services.now())
      const signIn = toSignIn(services, holder, pending)
      return completeSignIn(services, tx, toCompletion({ request, account: holder, signIn }, pending))
    })
    return sendBegun(reply, begun)
  } catch (error) {
    if (error instanceof Problem && error.code === 'sign-in-failed') {
      services.attempts.count('sign_in', 'failed')
      await recordFailure(services.db, { request, account, at: services.now(), reason: error.message })
    }
    throw error
  }
}

/** Requires that the user may sign in with a passkey instead of a password. */
async function requirePasswordless(tx: Db, userId: string): Promise<void> {
  const fault = faultOfAccount(await findSignInState(tx, userId))
  if (fault) throw new Problem('sign-in-failed', fault.detail)
}

function toCompletion(
  same: Pick<Completion, 'request' | 'account' | 'signIn'>,
  pending: PendingSignIn | undefined,
): Completion {
  return { ...same, factor: 'passkey', ...(pending && { pending }) }
}

/** Members of a group that requires a second factor set up their first one here, before anything else. */
function enrollmentRoutes(scope: Server, services: Services): void {
  setUpRoutes(scope, services, {
    prefix: '/sign-in/factors',
    factor: 'FirstFactor',
    config,
    async findApplicant(request) {
      requireOwnPage(request, services.baseUrl)
      const { row } = await getPending(services, request, 'enroll')
      return { userId: row.user_id, holder: row.digest }
    },
    finish: (exchange, factor) => enroll(services, exchange, factor),
  })
}

async function enroll(services: Services, { request, reply }: Exchange, factor: NewFactor): Promise<FastifyReply> {
  const pending = await getPending(services, request, 'enroll')
  const { begun, recoveryCodes } = await inTransaction(services.db, async (tx) => {
    const holder = await lockPending(services, tx, pending)
    const change = { tx, actor: userActor(request, holder), at: services.now(), userId: holder.id }
    const { signIn: changed, recoveryCodes } = await addFactor(services, change, factor)
    const signIn = continueSignIn(services, changed, pending)
    const completion = { request, account: holder, signIn, factor: 'new', pending } as const
    return { begun: await completeSignIn(services, tx, completion), recoveryCodes }
  })
  return sendBegun(reply, begun, recoveryCodes)
}

function sendBegun(
  reply: FastifyReply,
  { id, cookies }: { id: string; cookies: string[] },
  recoveryCodes?: readonly string[],
): FastifyReply {
  reply.header('set-cookie', cookies)
  return reply.send({ id, ...(recoveryCodes && { recovery_codes: recoveryCodes }) })
}
