import type { FastifyReply } from 'fastify'
import { type BrowserSession, endBrowserSession, findBrowserSession } from '#features/user-sessions/browser-session.ts'
import { isSignInCurrent } from '#features/user-sessions/sign-in-mark.ts'
import { findUser, type UserRow } from '#features/user-sessions/users-store.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import type { Exchange } from '#foundation/http/change.ts'
import { userActor } from '#foundation/http/request-context.ts'
import { html } from '#foundation/pages/html.ts'
import { foreignForm } from '#foundation/pages/message.ts'
import { sendSheet } from '#foundation/pages/sheet.ts'
import { formOf, RefusedPage } from '#foundation/pages/web-pages.ts'
import type { Deps } from './conversation.ts'
import { formToken, isFormToken } from './form-token.ts'

interface SignedIn {
  readonly session: BrowserSession
  readonly account: UserRow
}

/** Ends a browser session. Authorizations of apps stay. */
export async function signOut(deps: Deps, { request }: Exchange, { session, account }: SignedIn): Promise<void> {
  const { db, now } = deps
  await endBrowserSession(db, session)
  const change = { tx: db, actor: userActor(request, account), at: now() }
  await recordAudit(change, account, { action: 'user.sign_out' })
}

/** Shows the user signed in with this browser, and the sign-out form. */
export async function showSignOut(deps: Deps, exchange: Exchange): Promise<FastifyReply> {
  const signedIn = await findSignedIn(deps, exchange)
  if (!signedIn) return sendSignedOut(exchange.reply)
  const { session, account } = signedIn
  const token = formToken(deps.keyring, { form: 'sign-out', uid: session.uid, accountId: account.id })
  return sendSheet(exchange.reply, {
    title: 'Sign out',
    content: html`<h1>Sign out</h1>
    <p>You are signed in with this browser as <strong><bdi>${account.name}</bdi></strong> <span class="quiet">${account.email}</span>.</p>
    <p>Apps that you authorized keep their access; revoke it in the <a href="/console/apps">console</a>.</p>
    <form method="post">
      <input type="hidden" name="token" value="${token}">
      <div class="actions"><button>Sign out</button></div>
    </form>`,
  })
}

export async function answerSignOut(deps: Deps, exchange: Exchange): Promise<FastifyReply> {
  const signedIn = await findSignedIn(deps, exchange)
  if (!signedIn) return sendSignedOut(exchange.reply)
  const { session, account } = signedIn
  const of = { form: 'sign-out', uid: session.uid, accountId: account.id } as const
  if (!isFormToken(deps.keyring, of, formOf(exchange.request).get('token'))) throw new RefusedPage(foreignForm)
  await signOut(deps, exchange, signedIn)
  return sendSignedOut(exchange.reply)
}

async function findSignedIn(deps: Deps, { request }: Exchange): Promise<SignedIn | undefined> {
  const session = await findBrowserSession(deps, deps.db, request)
  if (!session || !(await isSignInCurrent(deps, session))) return undefined
  const account = await findUser(deps.db, session.accountId)
  return account && { session, account }
}

function sendSignedOut(reply: FastifyReply): FastifyReply {
  return sendSheet(reply, {
    title: 'Signed out',
    content: html`<h1>You are signed out</h1><p>No account is signed in with this browser.</p>`,
  })
}
