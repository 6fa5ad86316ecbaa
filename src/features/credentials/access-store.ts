import { findToken, type TokenRow } from '#features/access-tokens/store.ts'
import { limitsOfToken, principalOfToken } from '#features/access-tokens/token-principal.ts'
import { authenticateSession } from '#features/user-sessions/browser-session.ts'
import type { Attempt, Attempts } from '#foundation/access/attempts.ts'
import type { AccessStore, EffectivePermissions, Principal } from '#foundation/access/caller.ts'
import { isUsable } from '#foundation/access/is-usable.ts'
import { type Permission, parsePermissions } from '#foundation/access/permissions.ts'
import type { Config } from '#foundation/config.ts'
import type { Db } from '#foundation/db/database.ts'
import { andThen, type MaybePromise } from '#foundation/maybe-promise.ts'
import type { Keyring } from '#foundation/secrets/keyring.ts'
import {
  findDefaultOrgId,
  findEffectivePermissionsInGroup,
  findEffectivePermissionsInOrg,
} from './effective-permissions-store.ts'
import type { LastUses } from './last-uses.ts'
import { findHolder } from './store.ts'

interface Use {
  readonly address: string
  readonly at: number
}

interface Deps {
  readonly config: Config
  readonly db: Db
  readonly keyring: Keyring
  readonly lastUses: LastUses
  readonly attempts: Attempts
  now(): number
}

/** Reads every credential from storage and caches nothing, so a revocation takes effect immediately. */
export function createAccessStore(deps: Deps): AccessStore {
  const { db, keyring, lastUses, attempts, now } = deps

  function toKeyHolder(holder: Holder | undefined, from: Use): Principal | undefined {
    if (holder?.kind !== 'api_key' || !isUsable(holder, from)) return undefined
    const principal = toPrincipal(holder)
    if (principal) lastUses.note(holder.id, from.at)
    return principal
  }

  function toTokenHolder(token: TokenRow | undefined, from: Use): Principal | undefined {
    if (!token || !isUsable(limitsOfToken(token), from)) return undefined
    const principal = principalOfToken(token)
    if (!principal) return undefined
    if (token.session_id !== null) lastUses.noteSession(token.session_id, from.at)
    if (token.credential_id !== null) lastUses.note(token.credential_id, from.at)
    return principal
  }

  function permissionsIn(
    principal: Principal,
    org: { id: string } | { slug: string },
  ): MaybePromise<EffectivePermissions | undefined> {
    return andThen(findEffectivePermissionsInOrg(db, principal, org), (rows) => {
      const [row] = rows
      if (!row) return undefined
      return {
        permissions: permissionsOf(principal, rows),
        group: { id: row.group_id, name: row.group_name, slug: row.group_slug },
        org: { id: row.id, name: row.name, slug: row.slug, groupId: row.group_id },
      }
    })
  }

  return {
    authenticate(secret, address) {
      const digest = keyring.digest(canonicalSecret(secret))
      const from = { address, at: now() }
      // Failed access tokens do not count as guessing: clients regularly present one that has just expired.
      if (isJwt(secret)) return andThen(findToken(db, digest), (token) => toTokenHolder(token, from))
      const attempt: Attempt = { kind: 'api_key', address, proof: digest }
      attempts.admit(attempt)
      return andThen(findHolder(db, digest), (holder) => {
        const principal = toKeyHolder(holder, from)
        if (principal) attempts.worked(attempt)
        else attempts.failed(attempt)
        return principal
      })
    },
    authenticateSession(cookie, address) {
      return andThen(authenticateSession(deps, cookie), (principal) => {
        if (principal) lastUses.noteBrowserSession(principal.credentialId, { at: now(), address })
        return principal
      })
    },
    permissionsInOrg(principal, org) {
      return org === 'default'
        ? andThen(findDefaultOrgId(db, principal), (id) =>
            id === undefined ? undefined : permissionsIn(principal, { id }),
          )
        : permissionsIn(principal, org)
    },
    permissionsInGroup(principal, groupId) {
      return andThen(
        findEffectivePermissionsInGroup(db, principal, groupId),
        (row) =>
          row && {
            permissions: permissionsOf(principal, [row]),
            group: { id: row.id, name: row.name, slug: row.slug },
          },
      )
    },
  }
}

/**
 * Returns true for three parts between dots (RFC 7519 §3.1). Of all credentials of this server, only access tokens have
 * them.
 */
function isJwt(secret: string): boolean {
  return secret.includes('.')
}

/** Returns the roles' permissions within the token's scopes; for an unattended app the scopes alone. */
function permissionsOf(
  { scopes, delegation }: Principal,
  rows: readonly { readonly permissions: string | null }[],
): ReadonlySet<Permission> {
  if (delegation && delegation.userId === undefined) return scopes ?? nothing
  const [first, ...others] = rows.map(({ permissions }) => parsePermissions(permissions ?? '[]'))
  const union = others.reduce((all, some) => all.union(some), first!)
  return scopes ? union.intersection(scopes) : union
}

const nothing: ReadonlySet<Permission> = new Set()

/** Lowercases API keys: they are UUIDs, which may be written in either case. */
export function canonicalSecret(secret: string): string {
  return secret.length === 36 ? secret.toLowerCase() : secret
}

type Holder = NonNullable<Awaited<ReturnType<typeof findHolder>>>

/** Returns undefined if the owner was deleted or is disabled. */
function toPrincipal(holder: Holder): Principal | undefined {
  const same = { id: holder.owner_id, credentialId: holder.id }
  if (holder.owner_kind === 'user') {
    if (holder.disabled_at !== null) return undefined
    if (holder.name === null || holder.email === null || holder.username === null) return undefined
    return { ...same, kind: 'user', name: holder.name, email: holder.email, username: holder.username }
  }
  return holder.service_account_name === null
    ? undefined
    : { ...same, kind: 'service_account', name: holder.service_account_name }
}
