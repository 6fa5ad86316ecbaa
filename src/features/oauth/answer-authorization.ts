import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { isScope } from '#foundation/access/scopes.ts'
import { isUuid } from '#foundation/http/access.ts'
import { sheetHeaders } from '#foundation/pages/sheet.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { adoptSession } from './browser-session.ts'
import { parseNames } from './clients.ts'
import { DEFAULTED_REDIRECT, endpoints } from './endpoints.ts'
import { callProvider, type ProviderWork } from './provider-call.ts'
import { narrowScopes } from './scope-parameter.ts'
import { type AppRow, findAppByClientId } from './store.ts'

export type AuthorizationNeeds = Pick<Services, 'db' | 'now' | 'baseUrl'> & { provider(): Promise<Provider> }

/**
 * Parameters that mean something here (RFC 6749 §4.1.1, RFC 7636 §4.3, OpenID Connect Core §3.1.2.1). Of the last three the
 * provider says that they are not served; all others are passed over, since existing clients send many.
 */
const parameters = [
  'client_id',
  'response_type',
  'redirect_uri',
  'state',
  'scope',
  'code_challenge',
  'code_challenge_method',
  'nonce',
  'prompt',
  'max_age',
  'login_hint',
  'request',
  'request_uri',
  'registration',
] as const

/** Others, such as `select_account`, are passed over like unknown parameters. */
const knownPrompts = ['none', 'login', 'consent']

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Begins an authorization: a browser comes from an app and is sent to sign in, to consent, or back with an error. */
export async function answerAuthorization(needs: AuthorizationNeeds, exchange: Exchange): Promise<FastifyReply> {
  // Everything after the first question mark: others may stand in values as they are (RFC 3986 §3.4).
  const sent = new URLSearchParams(/\?.*/s.exec(exchange.request.url)?.[0])
  return answerBrowser(needs, exchange, `${endpoints.authorization}?${await toQuery(needs, sent)}`)
}

/** Goes on with an authorization after somebody signed in, consented or refused. */
export async function resumeAuthorization(
  needs: AuthorizationNeeds,
  exchange: Exchange,
  uid: string,
): Promise<FastifyReply> {
  const provider = await needs.provider()
  const [interaction, session] = await Promise.all([
    provider.Interaction.find(uid),
    provider.Session.get({ req: exchange.request.raw, res: exchange.reply.raw }),
  ])
  // The provider refuses to go on for somebody else.
  if (interaction) await adoptSession(interaction, session)
  return answerBrowser(needs, exchange, `${endpoints.authorization}/${encodeURIComponent(uid)}`)
}

async function toQuery({ db }: AuthorizationNeeds, sent: URLSearchParams): Promise<URLSearchParams> {
  const query = new URLSearchParams()
  for (const name of parameters) {
    // One sent without a value counts as not sent (RFC 6749 §3.1); one sent twice stays twice, and is refused.
    for (const value of sent.getAll(name)) if (value !== '') query.append(name, value)
  }
  const clientId = query.get('client_id') ?? ''
  const app = isUuid(clientId) ? await findAppByClientId(db, clientId) : undefined
  if (!app) return query
  if (!query.has('redirect_uri')) {
    query.set('redirect_uri', parseNames(app.redirect_uris)[0] ?? '')
    query.set(DEFAULTED_REDIRECT, 'yes')
  }
  const prompts = (query.get('prompt') ?? '').split(' ').filter((name) => knownPrompts.includes(name))
  if (prompts.length === 0) query.delete('prompt')
  else if (query.getAll('prompt').length < 2) query.set('prompt', prompts.join(' '))
  if (query.getAll('scope').length < 2) query.set('scope', toScope(app, query.get('scope')))
  return query
}

function toScope(app: AppRow, asked: string | null): string {
  const held = parseNames(app.scopes).filter(isScope)
  try {
    return ['openid', ...narrowScopes(asked ?? undefined, held)].join(' ')
  } catch (error) {
    // The provider refuses it too, and tells the app.
    if (error instanceof Problem && asked !== null) return asked
    throw error
  }
}

async function answerBrowser(
  { db, now, baseUrl, provider }: AuthorizationNeeds,
  { request, reply }: Exchange,
  url: string,
): Promise<FastifyReply> {
  const ready = await provider()
  const arrivedAt = now()
  const { cookie } = request.headers
  const answer = await db.transaction().execute(async (tx) => {
    const work: ProviderWork = { tx, arrivedAt, address: request.ip, requestId: request.id }
    const made = await callProvider(ready, { method: 'GET', url, baseUrl, cookie }, work)
    if (work.refusal) request.log.debug({ err: work.refusal }, 'an authorization was refused')
    return made
  })
  const { location, 'set-cookie': cookies } = answer.headers
  reply.code(answer.status)
  if (cookies !== undefined) reply.header('set-cookie', cookies)
  if (location !== undefined) return reply.header('location', location).send()
  return reply.headers(sheetHeaders()).send(answer.body)
}
