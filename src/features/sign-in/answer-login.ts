import type { FastifyReply } from 'fastify'
import { awaitSignIn } from '#features/oauth/authorization/interactions.ts'
import { interactionPath } from '#features/oauth/endpoints.ts'
import { findRelyingParty } from '#features/second-factors/passkeys.ts'
import { findProviderOfEmail, hasAnyProvider, type ProviderRow } from '#features/single-sign-on/providers-store.ts'
import { endBrowserSession } from '#features/user-sessions/browser-session.ts'
import { isSignInCurrent, signInMark } from '#features/user-sessions/sign-in-mark.ts'
import type { UserRow } from '#features/user-sessions/users-store.ts'
import { basePathOf } from '#foundation/http/base-path.ts'
import { cookieOf } from '#foundation/http/browser/cookies.ts'
import type { Exchange } from '#foundation/http/change.ts'
import { html } from '#foundation/pages/html.ts'
import { foreignForm } from '#foundation/pages/message.ts'
import { sendSheet } from '#foundation/pages/sheet.ts'
import { formOf, RefusedPage } from '#foundation/pages/web-pages.ts'
import { Problem } from '#foundation/problem.ts'
import type { PasswordCheck } from './check-password.ts'
import { answer, type Conversation, type Deps, formTargetsOf } from './conversation.ts'
import type { FormFault } from './fields.ts'
import { formToken, isFormToken } from './form-token.ts'
import { KNOWN_BROWSER_COOKIE, knownBrowserCookie } from './known-browser.ts'
import { beginPending } from './pending-sign-in.ts'
import { MAX_EMAIL_LENGTH, MAX_PASSWORD_LENGTH, signInPage } from './sign-in-page.ts'
import { beginSignOn, type SignOnDeps } from './single-sign-on/begin-sign-on.ts'
import { unreachablePage } from './single-sign-on/sign-on-pages.ts'

type LoginNeeds = Deps & SignOnDeps & { readonly checkPassword: PasswordCheck }

export async function showLogin(
  { db, keyring, baseUrl }: Pick<Deps, 'db' | 'keyring' | 'baseUrl'>,
  { reply }: Pick<Exchange, 'reply'>,
  page: { conversation: Conversation; email: string; faults?: readonly FormFault[]; status?: number },
): Promise<FastifyReply> {
  const { interaction, app } = page.conversation
  const hasProviders = await hasAnyProvider(db)
  const faults = page.faults ?? []
  return sendSheet(reply, {
    status: page.status ?? 200,
    title: faults.length > 0 ? 'Not signed in' : 'Sign in',
    formTargets: formTargetsOf(page.conversation),
    content: signInPage({
      token: formToken(keyring, { form: 'login', uid: interaction.uid }),
      appName: app.name,
      hasPasskeys: findRelyingParty(baseUrl) !== undefined,
      hasProviders,
      email: page.email,
      faults,
    }),
  })
}

/** Signs in with the submitted form, or shows it again with its faults. Never reveals whether an account exists. */
export async function answerLogin(
  deps: LoginNeeds,
  exchange: Exchange,
  conversation: Conversation,
): Promise<FastifyReply> {
  const { request } = exchange
  const form = formOf(request)
  const { uid } = conversation.interaction
  if (!isFormToken(deps.keyring, { form: 'login', uid }, form.get('token'))) throw new RefusedPage(foreignForm)
  if (form.get('decision') === 'cancel') {
    const result = { error: 'access_denied', error_description: 'The user did not sign in' }
    return answer(deps, exchange, { conversation, result })
  }
  if (form.get('decision') === 'passkey') return continueInConsole(deps, exchange, { conversation })
  const shown = { email: form.get('email') ?? '', password: form.get('password') ?? '' }
  const again = (faults: readonly FormFault[], status: number) =>
    showLogin(deps, exchange, { conversation, email: shown.email.slice(0, MAX_EMAIL_LENGTH), faults, status })
  if (form.get('decision') === 'single-sign-on') {
    const provider = await findProviderOfEmail(deps.db, shown.email)
    if (provider) return continueAtProvider(deps, exchange, { conversation, provider, email: shown.email.trim() })
    return again([{ field: 'email', text: 'Enter an e-mail address of a group with single sign-on.' }], 400)
  }
  const faults = faultsOf(shown)
  if (faults.length > 0) return again(faults, 400)
  const result = await deps.checkPassword({
    ...shown,
    address: request.ip,
    requestId: request.id,
    knownBrowsers: cookieOf(request, KNOWN_BROWSER_COOKIE),
  })
  if (result.outcome === 'wrong')
    return again([{ field: 'password', text: 'The e-mail address or the password is wrong.' }], 400)
  if (result.outcome === 'refused') return again([{ field: 'password', text: result.detail }], 403)
  if (result.outcome === 'blocked') {
    exchange.reply.header('retry-after', String(result.waitSeconds))
    return again([{ field: 'password', text: waitText(result.waitSeconds) }], 429)
  }
  const signedIn = { conversation, account: result.account }
  if (result.outcome === 'signed-in') return begin(deps, exchange, signedIn)
  await beginPending(deps, exchange, result.account)
  return continueInConsole(deps, exchange, signedIn)
}

/**
 * Redirects to the console, which has the pages for second factors and passkeys; `resumeSignIn` continues afterward.
 */
async function continueInConsole(
  deps: Deps,
  { reply }: Exchange,
  { conversation, account }: { conversation: Conversation; account?: UserRow },
): Promise<FastifyReply> {
  const { interaction } = conversation
  await awaitSignIn(deps, deps.db, { interaction, accountId: account?.id })
  const query = new URLSearchParams({ interaction: interaction.uid, ...(account === undefined && { way: 'passkey' }) })
  return reply.redirect(`${basePathOf(deps.baseUrl)}/console/second-step?${query}`, 303)
}

/** Redirects to an identity provider, from which the browser returns to the interaction. */
async function continueAtProvider(
  deps: LoginNeeds,
  { request, reply }: Exchange,
  { conversation, provider, email }: { conversation: Conversation; provider: ProviderRow; email: string },
): Promise<FastifyReply> {
  const { interaction } = conversation
  const returnTo = interactionPath(deps.baseUrl, interaction.uid)
  const begun = await beginSignOn(deps, { provider, returnTo, email }).catch((err: unknown) => {
    request.log.warn({ err, provider: provider.id }, 'a single sign-on could not start')
    throw new RefusedPage(unreachablePage(deps.baseUrl, provider))
  })
  await awaitSignIn(deps, deps.db, { interaction, accountId: undefined })
  // Sends a page instead of a redirect: the form's content policy would block a redirect to another server.
  return sendSheet(reply.header('set-cookie', begun.cookie), {
    title: 'One moment',
    next: begun.url,
    content: html`<h1>One moment</h1><p>If nothing happens, <a href="${begun.url}">continue to ${provider.name}</a>.</p>`,
  })
}

/** Returns the answer of an interaction whose user has meanwhile signed in at the console; otherwise undefined. */
export async function resumeSignIn(
  deps: Deps,
  exchange: Exchange,
  conversation: Conversation,
): Promise<FastifyReply | undefined> {
  const { interaction, session } = conversation
  const { awaits } = interaction
  if (!awaits || !session || session.loginTs < Math.floor(awaits.since / 1000)) return undefined
  if (awaits.accountId !== undefined && awaits.accountId !== session.accountId) return undefined
  if (!(await isSignInCurrent(deps, session))) return undefined
  const { accountId, acr } = session
  return answer(deps, exchange, { conversation, result: { login: { accountId, acr } } })
}

function faultsOf({ email, password }: { email: string; password: string }): FormFault[] {
  const faults: FormFault[] = []
  if (email.trim() === '') faults.push({ field: 'email', text: 'Enter your e-mail address.' })
  if (email.length > MAX_EMAIL_LENGTH) faults.push({ field: 'email', text: 'This e-mail address is too long.' })
  if (password === '') faults.push({ field: 'password', text: 'Enter your password.' })
  if (password.length > MAX_PASSWORD_LENGTH) faults.push({ field: 'password', text: 'This password is too long.' })
  return faults
}

/** Returns the refusal of an attempt that must wait. */
export function waitProblem(seconds: number): Problem {
  return new Problem('rate-limited', waitText(seconds), { headers: { 'retry-after': String(seconds) } })
}

/** Returns the message of a refusal, which is the same whether or not the account exists. */
export function waitText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  const wait =
    seconds === 1 ? 'a second' : seconds < 60 ? `${seconds} seconds` : minutes === 1 ? 'a minute' : `${minutes} minutes`
  return `Too many attempts have failed. Wait ${wait}, then try again; this attempt was not checked.`
}

/** Signs out another user of the browser before the new sign-in. */
async function begin(
  deps: Deps,
  exchange: Exchange,
  { conversation, account }: { conversation: Conversation; account: UserRow },
): Promise<FastifyReply> {
  const { interaction, session } = conversation
  const { session: before, ...others } = interaction
  const isSomebodyElse = session !== undefined && session.accountId !== account.id
  if (isSomebodyElse) await endBrowserSession(deps.db, session)
  exchange.reply.header('set-cookie', knownBrowserCookie(deps, exchange.request, account))
  const result = { login: { accountId: account.id, acr: signInMark(deps, account) } }
  const kept = { ...others, ...(before && !isSomebodyElse && { session: before }) }
  return answer(deps, exchange, { conversation: { ...conversation, interaction: kept }, result })
}
