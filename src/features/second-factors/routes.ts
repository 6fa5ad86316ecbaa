import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type BrowserSession, findBrowserSession, signInBrowser } from '#features/user-sessions/browser-session.ts'
import { bindToIdentity, identityOf } from '#features/user-sessions/sign-in-mark.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import type { Exchange } from '#foundation/http/change.ts'
import { Timestamp } from '#foundation/http/documents.ts'
import { actorOf, callerOf } from '#foundation/http/request-context.ts'
import type { Routes } from '#foundation/http/server.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { addFactor, type Changed, type FactorsChange, removeFactor, renewRecoveryCodes } from './change-factors.ts'
import { findRelyingParty } from './passkeys.ts'
import { findRequiringGroup } from './requirement-store.ts'
import { AddedFactor, setUpRoutes } from './set-up-operations.ts'
import { countRecoveryCodes, type FactorRow, listFactors } from './store.ts'

const config = { access: 'in-person' } as const
const hide = true

const Factors = Type.Object({
  factors: Type.Array(
    Type.Object({
      id: Type.String(),
      kind: Type.Enum(['totp', 'passkey']),
      name: Type.String(),
      created_at: Timestamp,
      last_used_at: Type.Union([Timestamp, Type.Null()]),
    }),
  ),
  recovery_codes: Type.Integer({ description: 'Unused recovery codes' }),
  required_by: Type.Union([Type.String(), Type.Null()], { description: 'The group that requires a second factor' }),
  passkeys_supported: Type.Boolean(),
  can_change: Type.Boolean({ description: 'True if the sign-in was recent enough for changes' }),
})

/** Time after a sign-in for which second factors can be changed. */
const RECENT_MS = 10 * 60_000

/** `/console`: the second factors and recovery codes of the calling user. */
export function secondFactorRoutes(services: Services): Routes {
  return (scope) => {
    scope.get(
      '/factors',
      { config, schema: { hide, operationId: 'listFactors', response: { 200: Factors } } },
      async (request) => {
        const { id } = callerOf(request).principal
        const factors = await listFactors(services.db, id)
        return {
          factors: factors.map(toFactor),
          recovery_codes: await countRecoveryCodes(services.db, id),
          required_by: (await findRequiringGroup(services.db, id)) ?? null,
          passkeys_supported: findRelyingParty(services.baseUrl) !== undefined,
          can_change: (await findRecentSession(services, request)) !== undefined,
        }
      },
    )

    setUpRoutes(scope, services, {
      prefix: '/factors',
      factor: 'Factor',
      config,
      async findApplicant(request) {
        const { accountId, uid } = await getRecentSession(services, request)
        return { userId: accountId, holder: uid }
      },
      finish: (exchange, factor) => answerChange(services, exchange, (change) => addFactor(services, change, factor)),
    })

    const params = Type.Object({ id: Type.String() })
    scope.delete(
      '/factors/:id',
      { config, schema: { hide, operationId: 'deleteFactor', params } },
      async (request, reply) =>
        answerChange(services, { request, reply }, (change) => removeFactor(services, change, request.params.id)),
    )

    const renewal = { hide, operationId: 'createRecoveryCodes', response: { 200: AddedFactor } } as const
    scope.post('/recovery-codes', { config, schema: renewal }, async (request, reply) =>
      answerChange(services, { request, reply }, (change) => renewRecoveryCodes(services, change)),
    )
  }
}

/** Runs a change in a transaction. The caller's session continues with a new secret. */
async function answerChange(
  services: Services,
  { request, reply }: Exchange,
  change: (change: FactorsChange) => Promise<Changed>,
): Promise<FastifyReply> {
  const current = await getRecentSession(services, request)
  const { cookies, recoveryCodes } = await inTransaction(services.db, async (tx) => {
    const { accountId: userId, uid: keptSessionId, loginTs } = current
    const context = { tx, actor: actorOf(request), at: services.now(), userId, keptSessionId }
    const { signIn: changed, recoveryCodes } = await change(context)
    const signIn = { ...changed, acr: bindToIdentity(services, changed.acr, identityOf(current.acr)) }
    const { cookies } = await signInBrowser(services, tx, { request, signIn, current, signedInAt: loginTs * 1000 })
    return { cookies, recoveryCodes }
  })
  return reply.header('set-cookie', cookies).send({ recovery_codes: recoveryCodes ?? [] })
}

/** Returns the caller's session. Throws 403 if it did not begin recently: a stolen session must not change factors. */
async function getRecentSession(services: Services, request: FastifyRequest): Promise<BrowserSession> {
  const session = await findRecentSession(services, request)
  if (session) return session
  throw new Problem('recent-sign-in-required', 'Sign in again to change second factors.')
}

async function findRecentSession(services: Services, request: FastifyRequest): Promise<BrowserSession | undefined> {
  const { credentialId } = callerOf(request).principal
  const session = await findBrowserSession(services, services.db, request)
  const isRecent = session?.uid === credentialId && services.now() - session.loginTs * 1000 <= RECENT_MS
  return isRecent ? session : undefined
}

function toFactor({ id, kind, name, created_at, last_used_at }: FactorRow) {
  return {
    id,
    kind: kind === 'totp' ? ('totp' as const) : ('passkey' as const),
    name,
    created_at: toTimestamp(created_at),
    last_used_at: last_used_at === null ? null : toTimestamp(last_used_at),
  }
}
