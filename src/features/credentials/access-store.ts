import type { AccessStore, Principal, Standing } from '#foundation/access/caller.ts'
import { isPermission, type Permission } from '#foundation/access/permissions.ts'
import type { Db } from '#foundation/db/database.ts'
import type { Keyring } from '#foundation/secrets/keyring.ts'
import { isUsable } from './is-usable.ts'
import type { LastUses } from './last-uses.ts'
import { findDefaultOrgId, findHolder, findStandingInGroup, findStandingInOrg } from './store.ts'

interface Needs {
  readonly db: Db
  readonly keyring: Keyring
  readonly lastUses: LastUses
  now(): number
}

/** Answers from storage each time and keeps nothing: a credential that was removed is refused from that moment on. */
export function createAccessStore({ db, keyring, lastUses, now }: Needs): AccessStore {
  return {
    async authenticate(secret, address) {
      const holder = await findHolder(db, keyring.digest(canonicalSecret(secret)))
      if (holder?.kind !== 'api_key') return undefined
      if (!isUsable(holder, { address, at: now() })) return undefined
      const principal = toPrincipal(holder)
      if (principal) lastUses.note(holder.id, now())
      return principal
    },
    async standingInOrg(principal, org) {
      const id = org === 'default' ? await findDefaultOrgId(db, principal.id) : undefined
      if (org === 'default' && id === undefined) return undefined
      const rows = await findStandingInOrg(db, principal.id, org === 'default' ? { id: id! } : org)
      const row = rows[0]
      if (!row) return undefined
      return {
        permissions:
          rows.length === 1 ? parsePermissions(row.permissions) : union(rows.map(({ permissions }) => permissions)),
        group: { id: row.group_id, name: row.group_name, slug: row.group_slug },
        org: { id: row.id, name: row.name, slug: row.slug, groupId: row.group_id },
      }
    },
    async standingInGroup(principal, groupId): Promise<Standing | undefined> {
      const row = await findStandingInGroup(db, principal.id, groupId)
      return (
        row && { permissions: parsePermissions(row.permissions), group: { id: row.id, name: row.name, slug: row.slug } }
      )
    },
  }
}

/** API keys are UUIDs, which may be written in either case. */
export function canonicalSecret(secret: string): string {
  return secret.length === 36 ? secret.toLowerCase() : secret
}

type Holder = NonNullable<Awaited<ReturnType<typeof findHolder>>>

/** Undefined when the owner is gone. */
function toPrincipal(holder: Holder): Principal | undefined {
  const same = { id: holder.owner_id, credentialId: holder.id }
  if (holder.owner_kind === 'user') {
    if (holder.name === null || holder.email === null || holder.username === null) return undefined
    return { ...same, kind: 'user', name: holder.name, email: holder.email, username: holder.username }
  }
  return holder.service_account_name === null
    ? undefined
    : { ...same, kind: 'service_account', name: holder.service_account_name }
}

const MAX_KEPT = 1000
const parsed = new Map<string, ReadonlySet<Permission>>()

/** Keyed by the stored text itself, so what is kept can never be out of date. */
function parsePermissions(stored: string): ReadonlySet<Permission> {
  const known = parsed.get(stored)
  if (known) return known
  const set = new Set((JSON.parse(stored) as string[]).filter(isPermission))
  if (parsed.size >= MAX_KEPT) parsed.clear()
  parsed.set(stored, set)
  return set
}

function union(stored: readonly string[]): ReadonlySet<Permission> {
  return stored.map(parsePermissions).reduce((all, some) => all.union(some) as ReadonlySet<Permission>)
}
