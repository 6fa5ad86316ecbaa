import type { FastifyReply } from 'fastify'
import { listInstallsOfAppAndUser } from '#features/app-installs/store.ts'
import type { UserRow } from '#features/user-sessions/users-store.ts'
import { isScope } from '#foundation/access/scopes.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import type { Exchange } from '#foundation/http/change.ts'
import { userActor } from '#foundation/http/request-context.ts'
import { foreignForm, unreadableForm } from '#foundation/pages/message.ts'
import { sendSheet } from '#foundation/pages/sheet.ts'
import { formOf, RefusedPage } from '#foundation/pages/web-pages.ts'
import { Problem } from '#foundation/problem.ts'
import { consentPage } from './consent-page.ts'
import {
  accountOf,
  answer,
  type Conversation,
  type Deps,
  formTargetsOf,
  openConversation,
  resumeAuthorization,
  startAgain,
} from './conversation.ts'
import type { FormFault } from './fields.ts'
import { formToken, isFormToken } from './form-token.ts'
import { grantConsent, onlyGroupOf, PlacesRefused } from './grant-consent.ts'
import { listPlaces, type PlacesOfGroup, possiblePlaces } from './places.ts'
import { signOut } from './sign-out.ts'
import { findOrgName } from './store.ts'

interface Question {
  readonly conversation: Conversation
  readonly account: UserRow
}

interface Choice {
  /** Keys of places; undefined before the first choice. */
  readonly chosen?: ReadonlySet<string>
  readonly find?: string
  readonly faults?: readonly FormFault[]
}

/** Shows the consent page. Selects the places of the previous consent, or the only possible organization. */
export async function askConsent(deps: Deps, exchange: Exchange, question: Question): Promise<FastifyReply> {
  const { conversation, account } = question
  const installs = await listInstallsOfAppAndUser(deps.db, conversation.app.id, account.id)
  const before = installs.map(({ org_id, group_id }) => (org_id === null ? `group:${group_id}` : `org:${org_id}`))
  return showConsent(deps, exchange, { ...question, ...(before.length > 0 && { chosen: new Set(before) }) })
}

async function showConsent(
  { db, keyring }: Deps,
  { reply }: Exchange,
  { conversation, account, chosen, find = '', faults = [] }: Question & Choice,
): Promise<FastifyReply> {
  const { interaction, app, target } = conversation
  const scopes = scopesOf(conversation)
  const [groups, ownerName] = await Promise.all([
    listPlaces(db, { userId: account.id, scopes, onlyGroupId: onlyGroupOf(app) }),
    findOrgName(db, app.org_id),
  ])
  return sendSheet(reply, {
    status: faults.length > 0 ? 400 : 200,
    title: faults.length > 0 ? 'Choose again' : `Authorize ${app.name}?`,
    formTargets: formTargetsOf(conversation),
    content: consentPage({
      token: formToken(keyring, { form: 'consent', uid: interaction.uid, accountId: account.id }),
      app: { name: app.name, ownerName: ownerName ?? '', context: app.context as 'tenant' | 'user' },
      user: account,
      target: target.words,
      scopes,
      groups,
      chosen: chosen ?? onlyOrgOf(groups),
      find,
      faults,
    }),
  })
}

/** Never selects the whole group, since that includes organizations created later. */
function onlyOrgOf(groups: readonly PlacesOfGroup[]): ReadonlySet<string> {
  const orgs = possiblePlaces(groups).filter(({ orgId }) => orgId !== null)
  return new Set(orgs.length === 1 ? orgs.map(({ key }) => key) : [])
}

/** Ignores `openid`, which earlier versions also stored. */
function scopesOf({ interaction }: Conversation): string[] {
  return interaction.params.scope.split(' ').filter(isScope)
}

const refusal = { error: 'access_denied', error_description: 'The user refused' }

export async function answerConsent(deps: Deps, exchange: Exchange, question: Question): Promise<FastifyReply> {
  const { conversation, account } = question
  const { interaction } = conversation
  const form = formOf(exchange.request)
  const isOurs = isFormToken(
    deps.keyring,
    { form: 'consent', uid: interaction.uid, accountId: account.id },
    form.get('token'),
  )
  if (!isOurs) throw new RefusedPage(foreignForm)
  // The first answer counts; a later one is a repeated click.
  if (interaction.result?.consent || interaction.result?.error)
    return resumeAuthorization(deps, exchange.reply, conversation)
  const chosen = new Set(form.getAll('place'))
  switch (form.get('decision')) {
    case 'allow':
      return allow(deps, exchange, { ...question, chosen })
    case 'refuse':
      return answer(deps, exchange, { conversation, result: refusal })
    case 'find':
      return showConsent(deps, exchange, { ...question, chosen, find: (form.get('find') ?? '').slice(0, 100) })
    case 'switch':
      if (conversation.session) await signOut(deps, exchange, { session: conversation.session, account })
      return startAgain(exchange.reply, interaction)
    default:
      throw new RefusedPage(unreadableForm)
  }
}

async function allow(
  deps: Deps,
  exchange: Exchange,
  decision: Question & Required<Pick<Choice, 'chosen'>>,
): Promise<FastifyReply> {
  const { conversation, account, chosen } = decision
  const { request } = exchange
  const consent = {
    sessionId: sessionIdOf(deps, conversation.interaction.uid),
    appId: conversation.app.id,
    userId: account.id,
    scopes: scopesOf(conversation),
    places: [...chosen],
  }
  const actor = userActor(request, account)
  try {
    await inTransaction(deps.db, (tx) => grantConsent({ tx, actor, at: deps.now() }, consent))
  } catch (error) {
    if (error instanceof Problem && error.code === 'conflict') return reconsider(deps, exchange, chosen)
    if (!(error instanceof PlacesRefused)) throw error
    return showConsent(deps, exchange, { ...decision, faults: [{ field: 'places', text: error.message }] })
  }
  return answer(deps, exchange, { conversation, result: { consent: { grantId: consent.sessionId } } })
}

/** Shows the page again if the app, the account or a place was deleted meanwhile. */
async function reconsider(deps: Deps, exchange: Exchange, chosen: ReadonlySet<string>): Promise<FastifyReply> {
  const conversation = await openConversation(deps, exchange)
  const account = await accountOf(deps, conversation)
  if (!account) return startAgain(exchange.reply, conversation.interaction)
  const faults = [{ field: 'places', text: 'One of these places has just been deleted. Choose again.' }]
  return showConsent(deps, exchange, { conversation, account, chosen, faults })
}

/**
 * Returns an id derived from the interaction, so that an answer that arrives twice creates one session (a UUID of
 * version 8, RFC 9562).
 */
function sessionIdOf({ keyring }: Deps, uid: string): string {
  const hex = Buffer.from(keyring.digest(`session that began with ${uid}`), 'base64url').toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
