import type { FastifyReply } from 'fastify'
import { type AppRow, findAppByClientId } from '#features/apps/store.ts'
import {
  answerInteraction,
  findInteraction,
  type Interaction,
  type InteractionResult,
} from '#features/oauth/authorization/interactions.ts'
import { DEFAULTED_REDIRECT } from '#features/oauth/authorization/request.ts'
import { resumePath } from '#features/oauth/endpoints.ts'
import {
  type BrowserSession,
  findBrowserSession,
  isBrowserSessionLive,
} from '#features/user-sessions/browser-session.ts'
import { isSignInCurrent } from '#features/user-sessions/sign-in-mark.ts'
import { findUser, type UserRow } from '#features/user-sessions/users-store.ts'
import type { Exchange } from '#foundation/http/change.ts'
import { html } from '#foundation/pages/html.ts'
import { sendSheet } from '#foundation/pages/sheet.ts'
import { RefusedPage } from '#foundation/pages/web-pages.ts'
import type { Services } from '#foundation/services.ts'
import { messages } from './message-pages.ts'
import { type RedirectTarget, toRedirectTarget } from './redirect-target.ts'

export type Deps = Pick<Services, 'db' | 'keyring' | 'now' | 'baseUrl' | 'config'>

/** An authorization request that waits for its user: its app and the user who has signed in so far. */
export interface Conversation {
  readonly interaction: Interaction
  readonly app: AppRow
  readonly target: RedirectTarget
  /** The browser session, which may be newer than the conversation. */
  readonly session: BrowserSession | undefined
}

/**
 * Opens the conversation of the browser's cookie. Throws a page if there is none, if it has expired, or if another user
 * has signed in meanwhile.
 */
export async function openConversation(deps: Deps, { request }: Exchange): Promise<Conversation> {
  const { db } = deps
  const { uid } = request.params as { uid: string }
  const interaction = await findInteraction(deps, db, { request, uid })
  if (!interaction) throw new RefusedPage(messages.expired)
  const before = interaction.session
  if (before && !(await isBrowserSessionLive(deps, db, before.uid))) throw new RefusedPage(messages.expired)
  const session = await findBrowserSession(deps, db, request)
  // A user who signs in with two tabs at once creates two sessions, of which the browser keeps the last.
  if (before && before.accountId !== session?.accountId) throw new RefusedPage(messages.anotherAccount)
  const { client_id, redirect_uri } = interaction.params
  const app = await findAppByClientId(db, client_id)
  if (!app) throw new RefusedPage(messages.appGone)
  return { interaction, app, target: toRedirectTarget(redirect_uri), session }
}

/** Returns the signed-in user; undefined before the sign-in and after a sign-out. */
export async function accountOf(deps: Deps, { interaction, session }: Conversation): Promise<UserRow | undefined> {
  if (!interaction.session || !session || !(await isSignInCurrent(deps, session))) return undefined
  return findUser(deps.db, session.accountId)
}

export async function answer(
  deps: Deps,
  { reply }: Exchange,
  { conversation, result }: { conversation: Conversation; result: InteractionResult },
): Promise<FastifyReply> {
  await answerInteraction(deps, deps.db, { ...conversation.interaction, result })
  return resumeAuthorization(deps, reply, conversation)
}

/**
 * Continues the authorization with a page instead of a redirect: browsers apply a form page's content policy to all
 * redirects, including later ones of the app, whose targets are unknown. Some systems start local programs only if the
 * redirect follows a click.
 */
export function resumeAuthorization(
  { baseUrl }: Pick<Deps, 'baseUrl'>,
  reply: FastifyReply,
  { interaction, target }: Conversation,
): FastifyReply {
  const next = resumePath(baseUrl, interaction.uid)
  if (target.scheme !== undefined) return reply.redirect(next, 303)
  return sendSheet(reply, {
    title: 'One moment',
    next,
    content: html`<h1>One moment</h1><p>If nothing happens, <a href="${next}">continue here</a>.</p>`,
  })
}

/** Returns the redirect targets of the conversation's forms other than this server. */
export function formTargetsOf({ target }: Conversation): string[] {
  return target.scheme === undefined ? [] : [target.scheme]
}

/** Restarts the authorization request for the next user who signs in. */
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
