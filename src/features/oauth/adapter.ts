import type { Adapter, Payload, ProviderError } from 'oidc-provider'
import { isScope } from '#foundation/access/scopes.ts'
import { isUuid } from '#foundation/http/access.ts'
import type { Services } from '#foundation/services.ts'
import { parseNames } from './clients.ts'
import { endReusedSession } from './end-reused-session.ts'
import { DEFAULTED_REDIRECT } from './endpoints.ts'
import { currentWork } from './provider-call.ts'
import { recordsOf } from './records.ts'
import { findAppByClientId, findSession, holdSession } from './store.ts'

type Needs = Pick<Services, 'db' | 'keyring' | 'now'>

/** What the adapters need of the provider that uses them. */
interface Inside {
  readonly InvalidGrant: new (detail: string) => ProviderError
  /** Parameters of the authorization request that is being answered. */
  params(): Readonly<Record<string, string | undefined>> | undefined
}

/** How the provider reads and writes our storage: in the transaction of the request that it works on. */
export function createAdapters(needs: Needs, { InvalidGrant, params }: Inside): (model: string) => Adapter {
  const dbNow = () => currentWork()?.tx ?? needs.db
  return (model) => {
    if (model === 'Client') return { ...unused(model), find: (id) => findClient(needs, id) }
    if (model === 'Grant') {
      return { ...unused(model), find: (id) => findGrant(needs, id), destroy: (id) => endReusedSession(needs, id) }
    }
    const records = recordsOf(needs, model)
    return {
      async upsert(id, payload) {
        const work = currentWork()
        if (model === 'RefreshToken' && work && payload.exp !== undefined) work.refreshEndsAt = payload.exp
        const isDefaulted = model === 'AuthorizationCode' && params()?.[DEFAULTED_REDIRECT] !== undefined
        await records.put(dbNow(), id, { ...payload, ...(isDefaulted && { [DEFAULTED_REDIRECT]: true }) })
      },
      async find(id) {
        const stored = await records.find(dbNow(), id)
        const isLostRace = model === 'RefreshToken' && stored && wasUsedMeanwhile(stored.consumedAt)
        return isLostRace ? undefined : stored?.payload
      },
      findByUid: (uid) => records.findByUid(dbNow(), uid),
      async consume(id) {
        if (!(await records.consume(dbNow(), id))) throw new InvalidGrant(`${model} used by another request`)
      },
      destroy: (id) => records.remove(dbNow(), id),
      // They go with the session, which the provider ends too, as its grant.
      revokeByGrantId: async () => {},
    }
  }
}

/**
 * A refresh token that another request used after this one had arrived: the two were sent at once. This one is refused,
 * and the other's successor lives. One that was sent after the other was answered arrives later than the use, always.
 */
function wasUsedMeanwhile(consumedAt: number | null): boolean {
  const work = currentWork()
  return consumedAt !== null && work !== undefined && work.arrivedAt < consumedAt
}

/** Apps that users authorize. Whoever asks has authenticated the client already, so that here all are public. */
async function findClient({ db }: Needs, clientId: string): Promise<Payload | undefined> {
  const app = isUuid(clientId) ? await findAppByClientId(currentWork()?.tx ?? db, clientId) : undefined
  if (!app) return undefined
  return {
    client_id: clientId,
    client_name: app.name,
    redirect_uris: parseNames(app.redirect_uris),
    scope: ['openid', ...parseNames(app.scopes).filter(isScope)].join(' '),
    token_endpoint_auth_method: 'none',
    is_confidential: app.is_confidential === 1,
    access_token_ttl_seconds: app.access_token_ttl_seconds,
  }
}

/** What a user granted is the session itself: when that is gone, nothing descends from it any more. */
async function findGrant({ db }: Needs, id: string): Promise<Payload | undefined> {
  const work = currentWork()
  // It may be about to be ended, and a code must not be stored beside that.
  if (work) await holdSession(work.tx, id)
  const session = await findSession(work?.tx ?? db, id)
  if (!session?.client_id) return undefined
  if (work) work.session = session
  return {
    jti: id,
    kind: 'Grant',
    accountId: session.user_id,
    clientId: session.client_id,
    openid: { scope: parseNames(session.scopes).join(' ') },
  }
}

function unused(model: string): Adapter {
  const refuse = async () => {
    throw new Error(`the provider does not write ${model}`)
  }
  return { upsert: refuse, find: refuse, findByUid: refuse, consume: refuse, destroy: refuse, revokeByGrantId: refuse }
}
