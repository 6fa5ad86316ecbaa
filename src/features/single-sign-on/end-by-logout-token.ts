import type { JWTPayload } from 'jose'
import { recordAudit } from '#foundation/audit/record.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { deleteSessionsOf, findIdentity, makeCheckDue, takeLogoutToken } from './identities-store.ts'
import { CLOCK_TOLERANCE_SECONDS, type ProviderClients } from './provider-client.ts'
import { findProvider, type ProviderRow } from './providers-store.ts'

type Deps = Pick<Services, 'db' | 'keyring' | 'now'> & { readonly providers: ProviderClients }

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** Older tokens are refused, so that used ones need not be stored longer. */
const MAX_AGE_SECONDS = 600
/** Identifiers are short (OpenID Connect Core §2: a subject has at most 255 characters). */
const MAX_ID_LENGTH = 1000

export class LogoutRefused extends Error {}

interface Logout {
  readonly subject: string | undefined
  readonly providerSession: string | undefined
  readonly jti: string
  readonly expiresAt: number
}

/**
 * Revokes the sessions that a logout token names (OpenID Connect Back-Channel Logout §2.6), in every process, and makes
 * a check of the user due. Throws `LogoutRefused`.
 */
export async function endByLogoutToken(
  deps: Deps,
  token: string,
  from: { readonly providerId: string; readonly requestId: string; readonly address: string },
): Promise<void> {
  const provider = await findProvider(deps.db, from.providerId)
  if (!provider) throw new LogoutRefused('Identity provider not found.')
  const logout = await readLogout(deps, provider, token)
  await inTransaction(deps.db, async (tx) => {
    const digest = deps.keyring.digest(`logout token ${provider.id} ${logout.jti}`)
    if (!(await takeLogoutToken(tx, digest, logout.expiresAt))) throw new LogoutRefused('The token was already used.')
    const { subject, providerSession } = logout
    const identity = subject === undefined ? undefined : await findIdentity(tx, provider.id, subject)
    const ended = await deleteSessionsOf(tx, {
      providerId: provider.id,
      ...(subject !== undefined && { subject }),
      ...(providerSession !== undefined && { providerSession }),
    })
    if (identity) await makeCheckDue(tx, identity.id)
    const { requestId, address } = from
    const actor = { kind: 'server', name: `identity provider ${provider.name}`, requestId, address } as const
    for (const userId of new Set(ended.map(({ user_id }) => user_id))) {
      await recordAudit(
        { tx, actor, at: deps.now() },
        { id: userId, group_id: provider.group_id },
        {
          action: 'user.sign_out_by_provider',
          after: { ended: ended.filter(({ user_id }) => user_id === userId).length },
        },
      )
    }
  })
}

async function readLogout({ providers, now }: Deps, provider: ProviderRow, token: string): Promise<Logout> {
  const client = await providers.get(provider).catch((cause: unknown) => {
    throw new Problem('unavailable', 'The keys of the identity provider could not be read.', { cause })
  })
  let payload: JWTPayload
  try {
    payload = await client.verify(token)
  } catch (cause) {
    throw new LogoutRefused('Signature, issuer, audience or times of the token are wrong.', { cause })
  }
  const { iat = 0, jti, sub, sid, events, nonce } = payload
  const at = now() / 1000
  if (iat < at - MAX_AGE_SECONDS || iat > at + CLOCK_TOLERANCE_SECONDS) {
    throw new LogoutRefused(`The token was not issued within the last ${MAX_AGE_SECONDS / 60} minutes.`)
  }
  if (nonce !== undefined) throw new LogoutRefused('A logout token must not have a nonce.')
  if (!isObject(events) || !isObject(events[EVENT])) throw new LogoutRefused('The token is not a logout token.')
  const [subject, providerSession] = [textOf(sub, 'sub'), textOf(sid, 'sid')]
  if (subject === undefined && providerSession === undefined) {
    throw new LogoutRefused('The token names neither a user (sub) nor a session (sid).')
  }
  const id = textOf(jti, 'jti')
  if (id === undefined) throw new LogoutRefused('The token has no jti.')
  const expiresAt = (iat + MAX_AGE_SECONDS + CLOCK_TOLERANCE_SECONDS) * 1000
  return { subject, providerSession, jti: id, expiresAt }
}

function textOf(value: unknown, name: string): string | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string' && value !== '' && value.length <= MAX_ID_LENGTH && !value.includes('\0')) return value
  throw new LogoutRefused(`The ${name} of the token is not a usable text.`)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
