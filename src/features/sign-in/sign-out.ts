import type { FastifyReply } from 'fastify'
import type { Session } from 'oidc-provider'
import { isSignInCurrent } from '#features/oauth/sign-in-mark.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import { html } from '#foundation/pages/html.ts'
import { foreignForm } from '#foundation/pages/message.ts'
import { sendSheet } from '#foundation/pages/sheet.ts'
import { formOf, RefusedPage } from '#foundation/pages/web-pages.ts'
import { type Exchange, type Needs, sessionOf } from './conversation.ts'
import { formToken, isFormToken } from './form-token.ts'
import { type AccountRow, findAccount } from './store.ts'

/** Ends a browser's sign-in session. What apps were allowed stays allowed. */
export async function signOut(
  { db, now }: Needs,
  { request }: Exchange,
  { session, account }: { session: Session; account: AccountRow },
): Promise<void> {
  await session.destroy()
  const actor = {
    kind: 'user',
    id: account.id,
    name: account.name,
    requestId: request.id,
    address: request.ip,
  } as const
  await recordAudit(db, actor, {
    at: now(),
    action: 'user.sign_out',
    groupId: account.group_id,
    target: { kind: 'user', id: account.id },
  })
}

/** Who is signed in with this browser, and the way out. */
export async function showSignOut(needs: Needs, exchange: Exchange): Promise<FastifyReply> {
  const { session, account } = await signedIn(needs, exchange)
  if (!account) return sendSignedOut(exchange.reply)
  const token = formToken(needs.keyring, { form: 'sign-out', uid: session.uid, accountId: account.id })
  return sendSheet(exchange.reply, {
    title: 'Sign out',
    content: html`<h1>Sign out</h1>
    <p>You are signed in with this browser as <strong><bdi>${account.name}</bdi></strong> <span class="quiet">${account.email}</span>.</p>
    <p>Signing out does not end what you have allowed apps; you end that in the <a href="/console/apps">console</a>.</p>
    <form method="post">
      <input type="hidden" name="token" value="${token}">
      <div class="actions"><button>Sign out</button></div>
    </form>`,
  })
}

export async function answerSignOut(needs: Needs, exchange: Exchange): Promise<FastifyReply> {
  const { session, account } = await signedIn(needs, exchange)
  if (!account) return sendSignedOut(exchange.reply)
  const of = { form: 'sign-out', uid: session.uid, accountId: account.id } as const
  if (!isFormToken(needs.keyring, of, formOf(exchange.request).get('token'))) throw new RefusedPage(foreignForm)
  await signOut(needs, exchange, { session, account })
  return sendSignedOut(exchange.reply)
}

async function signedIn(needs: Needs, exchange: Exchange): Promise<{ session: Session; account?: AccountRow }> {
  const session = await sessionOf(await needs.provider(), exchange)
  if (!(await isSignInCurrent(needs, session))) return { session }
  const account = await findAccount(needs.db, session.accountId!)
  return { session, ...(account && { account }) }
}

function sendSignedOut(reply: FastifyReply): FastifyReply {
  return sendSheet(reply, {
    title: 'Signed out',
    content: html`<h1>You are signed out</h1><p>Nobody is signed in with this browser.</p>`,
  })
}
