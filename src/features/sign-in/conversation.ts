import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Interaction, InteractionResult, Provider, Session } from 'oidc-provider'
import { type AppRow, findAppByClientId } from '#features/apps/store.ts'
import { adoptSession } from '#features/oauth/browser-session.ts'
import { DEFAULTED_REDIRECT } from '#features/oauth/endpoints.ts'
import { isSignInCurrent } from '#features/oauth/sign-in-mark.ts'
import { html } from '#foundation/pages/html.ts'
import { sendSheet } from '#foundation/pages/sheet.ts'
import { RefusedPage } from '#foundation/pages/web-pages.ts'
import type { Services } from '#foundation/services.ts'
import { messages } from './message-pages.ts'
import { type RedirectTarget, toRedirectTarget } from './redirect-target.ts'
import { type AccountRow, findAccount } from './store.ts'

export type Needs = Pick<Services, 'db' | 'keyring' | 'now' | 'baseUrl'> & { provider(): Promise<Provider> }

export interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** One authorization request that waits for its user: who asks, and who has signed in so far. */
export interface Conversation {
  readonly interaction: Interaction
  readonly app: AppRow
  readonly target: RedirectTarget
  /** The browser's sign-in session; it may have begun after the conversation did. */
  readonly session: Session
}

/**
 * The conversation that the browser proves to hold by its cookie. Throws a page when there is none, when it is over, or
 * when the browser has meanwhile been signed in as somebody else.
 */
export async function openConversation(needs: Needs, exchange: Exchange): Promise<Conversation> {
  const provider = await needs.provider()
  const interaction = await findInteraction(provider, exchange)
  const { uid } = exchange.request.params as { uid: string }
  if (interaction?.uid !== uid) throw new RefusedPage(messages.expired)
  const session = await sessionOf(provider, exchange)
  if (!(await adoptSession(interaction, session))) throw new RefusedPage(messages.anotherAccount)
  const app = await findAppByClientId(needs.db, interaction.params['client_id'] ?? '')
  if (!app) throw new RefusedPage(messages.appGone)
  return { interaction, app, target: toRedirectTarget(interaction.params['redirect_uri'] ?? ''), session }
}

async function findInteraction(provider: Provider, { request, reply }: Exchange): Promise<Interaction | undefined> {
  try {
    return await provider.interactionDetails(request.raw, reply.raw)
  } catch (error) {
    if ((error as { error?: string }).error !== 'invalid_request') throw error
    return undefined
  }
}

/** A new one, which is not stored, for a browser that is not signed in. */
export async function sessionOf(provider: Provider, { request, reply }: Exchange): Promise<Session> {
  return provider.Session.get({ req: request.raw, res: reply.raw })
}

/** Who has signed in; undefined when nobody has, or when that sign-in has ended since. */
export async function accountOf(needs: Needs, { interaction }: Conversation): Promise<AccountRow | undefined> {
  const { session } = interaction
  if (!session || !(await isSignInCurrent(needs, session))) return undefined
  return findAccount(needs.db, session.accountId)
}

/** Hands the user's answer to the provider, and goes on there. */
export async function answer(
  needs: Needs,
  exchange: Exchange,
  { conversation, result }: { conversation: Conversation; result: InteractionResult },
): Promise<FastifyReply> {
  const { request, reply } = exchange
  const provider = await needs.provider()
  await provider.interactionResult(request.raw, reply.raw, result)
  return goOn(reply, conversation)
}

/**
 * To the provider, which sends the browser on. By a page rather than a redirect: browsers hold whatever a form leads to
 * against the content policy of its page, also where the app redirects to afterwards, which nobody here can know. Programs
 * on the device redirect no further, and some systems start them only where a click led by redirects alone.
 */
export function goOn(reply: FastifyReply, { interaction, target }: Conversation): FastifyReply {
  // The path alone: the browser may know this server by another name.
  const next = new URL(interaction.returnTo).pathname
  if (target.scheme !== undefined) return reply.redirect(next, 303)
  return sendSheet(reply, {
    title: 'One moment',
    next,
    content: html`<h1>One moment</h1><p>If nothing happens, <a href="${next}">go on here</a>.</p>`,
  })
}

/** What the forms of a conversation may lead to besides this server. */
export function formTargetsOf({ target }: Conversation): string[] {
  return target.scheme === undefined ? [] : [target.scheme]
}

/** Begins the same authorization request anew, for whoever signs in then. */
export function startAgain(reply: FastifyReply, { params }: Interaction): FastifyReply {
  const query = new URLSearchParams()
  const isDefaulted = params[DEFAULTED_REDIRECT] !== undefined
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || name === DEFAULTED_REDIRECT || (isDefaulted && name === 'redirect_uri')) continue
    query.set(name, String(value))
  }
  // Relative to the page of the interaction.
  return reply.redirect(`../authorize?${query}`, 303)
}
