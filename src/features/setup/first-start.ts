import { randomUUID } from 'node:crypto'
import { ensureSigningKey } from '#features/access-tokens/signing-keys.ts'
import { issueCredential } from '#features/credentials/issue-credential.ts'
import { insertMembership } from '#features/members/store.ts'
import { insertUser } from '#features/members/users-store.ts'
import { insertGroup, recordFirstGroup } from '#features/organizations/groups-store.ts'
import { insertOrg } from '#features/organizations/store.ts'
import { listFingerprints } from '#features/secret-keys/store.ts'
import { builtInRoles, groupAdmin } from '#foundation/access/built-in-roles.ts'
import { operator } from '#foundation/access/caller.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import type { Config } from '#foundation/config.ts'
import type { Db } from '#foundation/db/database.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { hashPassword, hashRandomPassword } from '#foundation/secrets/password.ts'
import type { Services } from '#foundation/services.ts'
import * as store from './store.ts'

type Deps = Pick<Services, 'db' | 'keyring' | 'now' | 'config'>

/** The administrator's first password, chosen or generated, and its hash. */
interface FirstPassword {
  readonly password: string
  readonly passwordHash: string
}

/** Values created on a first start; secrets only if generated. */
export interface FirstStart {
  readonly email: string
  readonly orgId: string
  readonly groupId: string
  readonly apiKey?: string
  readonly password?: string
}

/**
 * Thrown if the database belongs to a server with another secret key, with which none of its credentials could be
 * verified.
 */
export class WrongSecretKey extends Error {}

/**
 * Updates the data before the first request: the built-in roles, and on an empty database a group, an organization and
 * an administrator. Several processes may start concurrently; one does the work. The first password is hashed on
 * demand, unless `hashing` is already in progress.
 */
export async function prepareData(deps: Deps, hashing?: Promise<FirstPassword>): Promise<FirstStart | undefined> {
  await checkSecretKey(deps)
  await store.saveBuiltInRoles(deps.db, builtInRoles, deps.now())
  await ensureSigningKey(deps)
  const first = await makeFirstAccounts(deps, hashing)
  await recordFirstGroup(deps.db)
  return first
}

/** Hashes the administrator's first password in another thread, which takes a fifth of a second. */
export async function hashFirstPassword({ adminPassword }: Pick<Config, 'adminPassword'>): Promise<FirstPassword> {
  const password = adminPassword ?? randomUUID()
  const hashing = adminPassword === undefined ? hashRandomPassword(password) : hashPassword(password)
  return { password, passwordHash: await hashing }
}

async function makeFirstAccounts(deps: Deps, hashing?: Promise<FirstPassword>): Promise<FirstStart | undefined> {
  if (await store.findSetting(deps.db, 'first-start')) return undefined
  // Awaited before the transaction, so that it stays short.
  const secrets = await (hashing ?? hashFirstPassword(deps.config))
  return inTransaction(deps.db, async (tx) => {
    if (!(await store.takeSetting(tx, 'first-start', String(deps.now())))) return undefined
    return createFirstAccounts(deps, tx, secrets)
  })
}

/** Throws `WrongSecretKey` if the database belongs to another secret key; a new database stores the present one. */
export async function checkSecretKey({ db, keyring }: Pick<Deps, 'db' | 'keyring'>): Promise<void> {
  await store.takeSetting(db, 'secret-key-fingerprint', keyring.fingerprint)
  if ((await store.findSetting(db, 'secret-key-fingerprint')) === keyring.fingerprint) return
  // The previous key stays valid until a rotation is finished.
  if ((await listFingerprints(db)).includes(keyring.fingerprint)) return
  throw new WrongSecretKey(
    'The database uses another secret key. Copy secret.key from the data directory of a server that uses it, or set GATEHOUSE_SECRET_KEY to the same value on every server.',
  )
}

async function createFirstAccounts(deps: Deps, tx: Db, secrets: FirstPassword): Promise<FirstStart> {
  const { config, now } = deps
  const at = now()
  const [groupId, orgId, userId] = [randomUUID(), randomUUID(), randomUUID()]
  await insertGroup(tx, { id: groupId, name: 'Default group', slug: 'default-group', at })
  await insertOrg(tx, { id: orgId, groupId, name: 'Default organization', slug: 'default-org', at })
  await insertUser(tx, {
    id: userId,
    group_id: groupId,
    email: config.adminEmail,
    username: config.adminEmail,
    name: 'Administrator',
    password_hash: secrets.passwordHash,
    created_at: at,
    updated_at: at,
  })
  await insertMembership(tx, { groupId, orgId: null }, { id: randomUUID(), userId, roleId: groupAdmin.id, at })
  const { secret } = await issueCredential(deps, tx, {
    kind: 'api_key',
    owner: { kind: 'user', id: userId },
    name: 'First start',
    secret: config.adminApiKey,
  })
  await recordAudit(
    { tx, actor: operator, at },
    { id: userId, group_id: groupId, org_id: orgId },
    { action: 'server.first_start', kind: 'user', after: { email: config.adminEmail, role: groupAdmin.name } },
  )
  return {
    email: config.adminEmail,
    orgId,
    groupId,
    ...(config.adminApiKey === undefined && { apiKey: secret }),
    ...(config.adminPassword === undefined && { password: secrets.password }),
  }
}
