import { type Static, Type } from 'typebox'
import { endOf, isUsable } from '#foundation/access/is-usable.ts'
import type { AuthenticatedClient } from '#foundation/access/oauth-client.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { andThen, andThenBoth, type MaybePromise } from '#foundation/maybe-promise.ts'
import type { Services } from '#foundation/services.ts'
import { findRefreshToken, type RefreshTokenRow } from './refresh-store.ts'
import { findAccountPermissions, findToken, type TokenRow } from './store.ts'
import { limitsOfToken, principalOfToken } from './token-principal.ts'

/** RFC 7662 §2.2. Everything but `active` is absent when that is false. */
export const Introspection = Type.Object({
  active: Type.Boolean(),
  scope: Type.Optional(Type.String({ description: 'Separated by spaces' })),
  client_id: Type.Optional(Type.String()),
  username: Type.Optional(
    Type.String({ description: 'Username of the user for whom the app acts; only in the user’s context' }),
  ),
  token_type: Type.Optional(Type.Literal('bearer')),
  exp: Type.Optional(Type.Integer({ description: 'Expiry in seconds since 1970' })),
  iat: Type.Optional(Type.Integer()),
  sub: Type.Optional(Type.String({ description: 'Id of the user, service account or app that acts with the token' })),
  aud: Type.Optional(Type.Array(Type.String())),
  iss: Type.Optional(Type.String()),
  jti: Type.Optional(Type.String()),
  bot_id: Type.Optional(Type.String()),
  allowed_networks: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'An extension: networks (CIDR) from which a restricted token is accepted. Compare the address of the presenter with them, or send the address as client_address',
    }),
  ),
})
export type Introspection = Static<typeof Introspection>

nameSchemas({ Introspection })

const inactive: Introspection = { active: false }

type Deps = Pick<Services, 'db' | 'keyring' | 'now'>

/**
 * Introspects a token for clients that may see it. Others get the same answer as for an invalid token. Client and token
 * are looked up together, in one query.
 */
export function introspect(
  deps: Deps,
  authenticating: MaybePromise<AuthenticatedClient>,
  { token, client_address }: IntrospectionRequest,
): MaybePromise<Introspection> {
  return andThenBoth(authenticating, find(deps, token), (client, match) => {
    if (!match || !mayIntrospect(client, match.row)) return inactive
    return match.kind === 'access'
      ? describe(deps, match.row, { token, client_address })
      : describeRefresh(deps, match.row)
  })
}

/** A token, and the address from which its holder presented it. */
export interface IntrospectionRequest {
  readonly token: string
  readonly client_address?: string | undefined
}

type Found =
  | { readonly kind: 'access'; readonly row: TokenRow }
  | { readonly kind: 'refresh'; readonly row: RefreshTokenRow }

function find({ db, keyring }: Deps, token: string): MaybePromise<Found | undefined> {
  const digest = keyring.digest(token)
  // Only access tokens are JWTs.
  if (token.includes('.')) return andThen(findToken(db, digest), (row) => row && { kind: 'access', row })
  return andThen(findRefreshToken(db, digest), (row) => row && { kind: 'refresh', row })
}

interface Owned {
  readonly client_id: string | null
  readonly group_id: string | null
  readonly org_id: string | null
}

/**
 * Returns true if a client may introspect the token: its own tokens, those of clients of the same organization, and,
 * for a client of a group, those of the whole group. An install may introspect only its own: it belongs to the place
 * where it is installed.
 */
function mayIntrospect({ clientId, kind, owner }: AuthenticatedClient, token: Owned): boolean {
  if (clientId === token.client_id) return true
  if (kind === 'app_install' || owner.groupId !== token.group_id) return false
  return owner.orgId === null || owner.orgId === token.org_id
}

function describe(
  { db, now }: Deps,
  row: TokenRow,
  { token, client_address: address }: IntrospectionRequest,
): MaybePromise<Introspection> {
  const limits = limitsOfToken(row)
  const [end, at] = [endOf(limits), now()]
  const principal = principalOfToken(row)
  if (end <= at || !principal) return inactive
  if (address !== undefined && !isUsable(limits, { address, at })) return inactive
  const { client_id, claims } = claimsOf(row, token)
  const described = {
    active: true,
    client_id,
    token_type: 'bearer' as const,
    exp: Math.floor(end / 1000),
    ...claims,
    ...(principal.username !== undefined && { username: principal.username }),
    ...(limits.allowed_networks !== null && { allowed_networks: JSON.parse(limits.allowed_networks) as string[] }),
  }
  if (row.scopes !== null) return described
  // The scope of an unrestricted token is the current role of its service account.
  return andThen(findAccountPermissions(db, principal.id), (names) => ({ ...described, scope: names.join(' ') }))
}

interface Claims {
  readonly client_id: string
  readonly exp: number
  readonly iat: number
  readonly sub: string
  readonly aud: string[]
  readonly iss: string
  readonly jti: string
  readonly scope?: string
  readonly bot_id: string
  readonly nonce?: string
}

/** The claims of the answer. `exp` is computed for each answer; the nonce is for the token's client only. */
interface AnsweredClaims {
  readonly client_id: string
  readonly claims: Omit<Claims, 'client_id' | 'exp' | 'nonce'>
}

const MAX_KEPT = 1000
const answered = new Map<string, AnsweredClaims>()

/**
 * Returns the claims of a token that was found by its digest, so this server wrote them. Caches them by the token's id:
 * resource servers introspect the same token repeatedly, and its text never changes.
 */
function claimsOf({ id }: TokenRow, token: string): AnsweredClaims {
  const cached = answered.get(id)
  if (cached) return cached
  const { client_id, exp: _exp, nonce: _nonce, ...claims } = readClaims(token)
  if (answered.size >= MAX_KEPT) answered.clear()
  answered.set(id, { client_id, claims })
  return { client_id, claims }
}

function readClaims(token: string): Claims {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString('utf8')) as Claims
}

function describeRefresh({ now }: Deps, row: RefreshTokenRow): Introspection {
  if (row.consumed_at !== null || row.client_id === null || (row.expires_at ?? Infinity) <= now()) return inactive
  return {
    active: true,
    client_id: row.client_id,
    scope: (JSON.parse(row.scopes) as string[]).join(' '),
    sub: row.context === 'user' ? row.user_id : row.bot_id,
    bot_id: row.bot_id,
    ...(row.expires_at !== null && { exp: Math.floor(row.expires_at / 1000) }),
  }
}
