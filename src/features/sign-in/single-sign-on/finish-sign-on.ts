import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  findSecondStep,
  isFactorRequiredElsewhere,
  type SecondStep,
} from '#features/second-factors/requirement-store.ts'
import { describeFault } from '#features/single-sign-on/describe-fault.ts'
import { findAccountOf } from '#features/single-sign-on/find-account.ts'
import type { ProvedUser } from '#features/single-sign-on/provider-client.ts'
import { findProvider, noteOutcome, type ProviderRow } from '#features/single-sign-on/providers-store.ts'
import { SignInRefused } from '#features/single-sign-on/sign-in-refused.ts'
import { takeSignOn } from '#features/single-sign-on/sign-ons-store.ts'
import { findBrowserSession, signInBrowser } from '#features/user-sessions/browser-session.ts'
import { bindToIdentity, isSignInCurrent, signInMark } from '#features/user-sessions/sign-in-mark.ts'
import type { UserRow } from '#features/user-sessions/users-store.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { basePathOf } from '#foundation/http/base-path.ts'
import { cookieOf } from '#foundation/http/browser/cookies.ts'
import type { Exchange } from '#foundation/http/change.ts'
import { RefusedPage } from '#foundation/pages/web-pages.ts'
import { knownBrowserCookie } from '../known-browser.ts'
import { type ByProvider, beginPending } from '../pending-sign-in.ts'
import { cookieNameOf, openSecrets, type SignOnDeps, type SignOnSecrets, signOnCookie } from './begin-sign-on.ts'
import { failedPage, unknownSignOnPage } from './sign-on-pages.ts'

/** A provider's response to a sign-on of this browser. */
interface Answered {
  readonly provider: ProviderRow
  readonly query: URLSearchParams
  readonly state: string
  readonly secrets: SignOnSecrets
}

/** Signs in with a provider's response, and redirects to the page on which the user began. Throws a page. */
export async function finishSignOn(deps: SignOnDeps, exchange: Exchange): Promise<FastifyReply> {
  const { request, reply } = exchange
  const answered = await takeAnswer(deps, request)
  const { provider, state, secrets } = answered
  const spent = signOnCookie(deps.baseUrl, { provider, state, value: '', expiresAt: 0 })
  reply.header('set-cookie', spent)
  try {
    const proved = await prove(deps, answered)
    const signedIn = await signIn(deps, request, { provider, proved })
    const next = signedIn.step === undefined ? secrets.returnTo : secondStepPath(deps.baseUrl, secrets.returnTo)
    if (signedIn.step !== undefined) await beginPending(deps, { reply }, signedIn.account, signedIn.byProvider)
    reply.header('set-cookie', signedIn.cookies)
    return reply.header('referrer-policy', 'no-referrer').redirect(next, 303)
  } catch (error) {
    deps.attempts.failed({ ...attemptOf(request, provider), proof: deps.keyring.digest(state) })
    throw await recordFault(deps, request, { provider, error })
  }
}

/** Counts failures per provider and address, so that an address with many users is not limited by its successes. */
export function attemptOf(request: FastifyRequest, { id }: ProviderRow) {
  return { kind: 'sign_in', address: request.ip, client: id } as const
}

/** Deletes the sign-on that the state names. Throws a page unless this browser began it with this provider. */
async function takeAnswer({ db, keyring, now, ...deps }: SignOnDeps, request: FastifyRequest): Promise<Answered> {
  const { provider_id: providerId } = request.params as { provider_id: string }
  const query = new URLSearchParams(/\?.*/s.exec(request.url)?.[0])
  const [state = '', ...others] = query.getAll('state')
  const browser = cookieOf(request, cookieNameOf(state))
  if (browser === undefined || others.length > 0) throw new RefusedPage(unknownSignOnPage(deps.baseUrl))
  const names = { digest: keyring.digest(state), provider_id: providerId, browser: keyring.digest(browser) }
  const row = await takeSignOn(db, names)
  const secrets = row && row.expires_at > now() ? openSecrets({ keyring }, row) : undefined
  const provider = secrets && (await findProvider(db, providerId))
  if (!secrets || !provider) throw new RefusedPage(unknownSignOnPage(deps.baseUrl))
  return { provider, query, state, secrets }
}

async function prove({ providers }: SignOnDeps, answered: Answered): Promise<ProvedUser> {
  const { provider, query, state, secrets } = answered
  const client = await providers.get(provider)
  return client.finish(query, { state, ...secrets })
}

interface SignedIn {
  readonly account: UserRow
  readonly byProvider: ByProvider
  /** A step that another group requires before the session. */
  readonly step: SecondStep | undefined
  readonly cookies: readonly string[]
}

async function signIn(
  deps: SignOnDeps,
  request: FastifyRequest,
  { provider, proved }: { provider: ProviderRow; proved: ProvedUser },
): Promise<SignedIn> {
  return inTransaction(deps.db, async (tx) => {
    const at = deps.now()
    const current = await findBrowserSession(deps, tx, request)
    const isCurrent = current !== undefined && (await isSignInCurrent({ ...deps, db: tx }, current))
    const from = { requestId: request.id, address: request.ip }
    const signedInId = isCurrent ? current.accountId : undefined
    const server = { kind: 'server', name: `identity provider ${provider.name}`, ...from } as const
    const match = await findAccountOf(deps, { tx, actor: server, at, provider, proved, signedInId })
    const { user: account, identityId } = match
    const byProvider = { identityId, providerSession: proved.providerSession }
    // The provider checks second factors for its own group.
    const isMore = await isFactorRequiredElsewhere(tx, account)
    const step = isMore ? await findSecondStep(tx, account.id) : undefined
    if (step !== undefined) return { account, byProvider, step, cookies: [] }
    const acr = bindToIdentity(deps, signInMark(deps, account), identityId)
    const by = { accountId: account.id, acr, providerSession: proved.providerSession }
    const { cookies } = await signInBrowser(deps, tx, { request, signIn: by, current })
    const actor = { kind: 'user', id: account.id, name: account.name, ...from } as const
    await recordAudit({ tx, actor, at }, account, {
      action: 'user.sign_in',
      after: { identity_provider: provider.name },
    })
    return { account, byProvider, step, cookies: [...cookies, knownBrowserCookie(deps, request, account)] }
  })
}

/** Returns the page for a failed sign-in, and records the reason for administrators. */
async function recordFault(
  { db, now, baseUrl }: SignOnDeps,
  request: FastifyRequest,
  { provider, error }: { provider: ProviderRow; error: unknown },
): Promise<RefusedPage> {
  const [at, failure] = [now(), describeFault(error)]
  request.log.warn({ provider: provider.id, failure }, 'a single sign-on failed')
  await inTransaction(db, async (tx) => {
    await noteOutcome(tx, provider.id, { at, failure })
    const actor = { kind: 'anonymous', name: 'Somebody', requestId: request.id, address: request.ip } as const
    await recordAudit({ tx, actor, at }, provider, {
      action: 'identity_provider.sign_in_failed',
      after: { reason: failure },
    })
  })
  const refused = error instanceof SignInRefused ? error : undefined
  return new RefusedPage(failedPage(baseUrl, { provider, refused }))
}

/** Returns the page of second steps, which continues to the consent page if an app waits. */
function secondStepPath(baseUrl: string, returnTo: string): string {
  const interaction = /\/oauth2\/interactions\/([\w-]{43})$/.exec(returnTo)?.[1]
  return `${basePathOf(baseUrl)}/console/second-step${interaction === undefined ? '' : `?interaction=${interaction}`}`
}
