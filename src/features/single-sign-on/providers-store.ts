import type { Insertable, Selectable } from 'kysely'
import { cutText } from '#foundation/cut-text.ts'
import { countRows } from '#foundation/db/count-rows.ts'
import { type Db, isUniqueViolation } from '#foundation/db/database.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import { notFound, Problem } from '#foundation/problem.ts'
import type { Keyring } from '#foundation/secrets/keyring.ts'
import type { SealedPlace } from '#foundation/secrets/sealed-place.ts'

export type ProviderRow = Selectable<Tables['identity_providers']>

/** A role for users with a value of the claim; null for all users of the provider. */
export interface RoleMapping {
  readonly claim_value: string | null
  /** The organization; null for the whole group. */
  readonly org_id: string | null
  readonly role_id: string
}

/** Returns the redirect URI of a provider; each has its own (RFC 9700 §4.4.2.2). */
export function redirectUriOf(baseUrl: string, providerId: string): string {
  return `${baseUrl}/oauth2/single-sign-on/${providerId}/callback`
}

/** Returns the address for logout tokens (OpenID Connect Back-Channel Logout §2.2). */
export function logoutUriOf(baseUrl: string, providerId: string): string {
  return `${baseUrl}/oauth2/single-sign-on/${providerId}/logout`
}

export const sealedProviders: SealedPlace = {
  table: 'identity_providers',
  key: ['id'],
  column: 'client_secret',
  context: ({ id }) => sealContext(id!),
}

/** Context of the encryption of a client secret. */
export function sealContext(providerId: string): string {
  return `client secret of identity provider ${providerId}`
}

/** Returns undefined for a public client. */
export function clientSecretOf(keyring: Keyring, { id, client_secret }: ProviderRow): string | undefined {
  if (client_secret === null) return undefined
  const opened = keyring.open(client_secret, sealContext(id))
  if (opened === undefined) throw new Error('the client secret of an identity provider was sealed with another key')
  return opened
}

export async function listProviders(db: Db, groupId: string): Promise<ProviderRow[]> {
  return db
    .selectFrom('identity_providers')
    .selectAll()
    .where('group_id', '=', groupId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export async function findProvider(db: Db, id: string): Promise<ProviderRow | undefined> {
  return db.selectFrom('identity_providers').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Throws 404 for a provider of another group. */
export async function getProvider(db: Db, groupId: string, id: string): Promise<ProviderRow> {
  const provider = await findProvider(db, id)
  if (provider?.group_id !== groupId) throw notFound(`Identity provider ${id}`)
  return provider
}

export async function findProviderOfEmail(db: Db, email: string): Promise<ProviderRow | undefined> {
  return db
    .selectFrom('identity_providers as p')
    .innerJoin('identity_provider_domains as d', 'd.provider_id', 'p.id')
    .selectAll('p')
    .where('d.domain', '=', domainOf(email))
    .executeTakeFirst()
}

export async function hasAnyProvider(db: Db): Promise<boolean> {
  return (await db.selectFrom('identity_providers').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** The part after the last at sign, in lower case. */
export function domainOf(email: string): string {
  return email
    .slice(email.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase()
}

export async function saveProvider(tx: Db, provider: Insertable<Tables['identity_providers']>): Promise<void> {
  const { id: _id, group_id: _group, created_at: _at, ...changes } = provider
  await tx
    .insertInto('identity_providers')
    .values(provider)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changes))
    .execute()
}

export async function deleteProvider(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('identity_providers').where('id', '=', id).execute()
}

export async function listDomains(db: Db, providerId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('identity_provider_domains')
    .select('domain')
    .where('provider_id', '=', providerId)
    .orderBy('domain')
    .execute()
  return rows.map(({ domain }) => domain)
}

/** Throws 409 if a domain belongs to another provider. */
export async function replaceDomains(tx: Db, providerId: string, domains: readonly string[]): Promise<void> {
  await tx.deleteFrom('identity_provider_domains').where('provider_id', '=', providerId).execute()
  try {
    await tx
      .insertInto('identity_provider_domains')
      .values(domains.map((domain) => ({ domain, provider_id: providerId })))
      .execute()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw domainInUse()
  }
}

export function domainInUse(domain?: string): Problem {
  return new Problem(
    'name-taken',
    `${domain ?? 'One of the domains'} is in use by another identity provider or group. Ask the operator of the server.`,
    { source: { pointer: '/domains' } },
  )
}

/** Returns true if other groups manage accounts with addresses in the domain. */
export async function isDomainOfOthers(db: Db, groupId: string, domain: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('group_id', '<>', groupId)
    .where('email', 'like', `%@${domain}`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function listMappings(db: Db, providerId: string): Promise<RoleMapping[]> {
  return db
    .selectFrom('identity_provider_roles')
    .select(['claim_value', 'org_id', 'role_id'])
    .where('provider_id', '=', providerId)
    .orderBy('position')
    .execute()
}

export async function replaceMappings(tx: Db, providerId: string, mappings: readonly RoleMapping[]): Promise<void> {
  await tx.deleteFrom('identity_provider_roles').where('provider_id', '=', providerId).execute()
  if (mappings.length === 0) return
  await tx
    .insertInto('identity_provider_roles')
    .values(mappings.map((mapping, position) => ({ ...mapping, provider_id: providerId, position })))
    .execute()
}

/** Records the outcome of the last sign-in for administrators. */
export async function noteOutcome(db: Db, id: string, outcome: { at: number; failure?: string }): Promise<void> {
  const { at, failure } = outcome
  await db
    .updateTable('identity_providers')
    .set(failure === undefined ? { last_sign_in_at: at } : { last_failure_at: at, last_failure: cutText(failure, 500) })
    .where('id', '=', id)
    .execute()
}

/** Counts the users who have signed in with a provider. */
export async function countIdentities(db: Db, providerId: string): Promise<number> {
  return countRows(db.selectFrom('identities').where('provider_id', '=', providerId))
}

/**
 * Revokes the sessions that a provider began, and deletes its identities: another issuer may use the same subjects for
 * other users.
 */
export async function deleteIdentities(tx: Db, providerId: string): Promise<void> {
  await tx.deleteFrom('identities').where('provider_id', '=', providerId).execute()
}

export async function isOrgOfGroup(db: Db, groupId: string, orgId: string): Promise<boolean> {
  const query = db.selectFrom('orgs').select('id').where('id', '=', orgId).where('group_id', '=', groupId)
  return (await query.executeTakeFirst()) !== undefined
}
