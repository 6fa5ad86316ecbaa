import { findGroupOfUser } from '#features/user-sessions/users-store.ts'
import { endOf } from '#foundation/access/is-usable.ts'
import type { Db } from '#foundation/db/database.ts'
import { isUuid } from '#foundation/http/access.ts'
import type { OrgOrGroup } from '#foundation/http/org-or-group.ts'
import { secretKindOf } from '#foundation/secrets/typed-secret.ts'
import type { Services } from '#foundation/services.ts'
import {
  findCredentialByDigest,
  findPlaceOfProgram,
  findSessionByDigest,
  findSessionHolders,
  findTokenByDigest,
  type ProgramKind,
} from './exposed-store.ts'
import type { Program } from './program.ts'
import type { CredentialRow } from './store.ts'

export type ExposedKind = 'api_key' | 'client_secret' | 'refresh_token' | 'authorization_code' | 'access_token'

/** A stored credential with its owner and the audit logs that record its exposure. */
export interface Located {
  readonly kind: ExposedKind
  readonly row: { readonly table: 'credentials' | 'app_sessions' | 'access_tokens'; readonly id: string }
  /** Expiry in epoch milliseconds; `Infinity` for none. */
  readonly endsAt: number
  /** Facts for the audit logs. */
  readonly facts: object
  /** The affected audit logs, each with its own resource. */
  readonly concerns: readonly Concern[]
}

interface Concern {
  readonly place: OrgOrGroup
  readonly target: { readonly kind: string; readonly id: string }
  /** Present when the target is a program. */
  readonly program?: Program
}

type Deps = Pick<Services, 'db' | 'keyring'>

/**
 * Finds a credential of any kind by value. Undefined for foreign and deleted ones, and for those of a deleted app,
 * which are refused already and purged later.
 */
export async function locateExposed(deps: Deps, value: string): Promise<Located | undefined> {
  const located = await locate(deps, value)
  return located && located.concerns.length > 0 ? located : undefined
}

async function locate(deps: Deps, value: string): Promise<Located | undefined> {
  if (isUuid(value)) return locateCredential(deps, value.toLowerCase())
  if (value.includes('.')) return locateToken(deps, value)
  switch (secretKindOf(value)) {
    case 'client_secret':
      return locateCredential(deps, value)
    case 'refresh_token':
      return locateSession(deps, value, 'RefreshToken')
    case 'authorization_code':
      return locateSession(deps, value, 'AuthorizationCode')
    default:
      return undefined
  }
}

async function locateCredential({ db, keyring }: Deps, value: string): Promise<Located | undefined> {
  const row = await findCredentialByDigest(db, keyring.digest(value))
  if (!row) return undefined
  return {
    kind: row.kind as 'api_key' | 'client_secret',
    row: { table: 'credentials', id: row.id },
    endsAt: endOf(row),
    facts: { credential_id: row.id, name: row.name, hint: row.hint },
    concerns: await concernsOfCredential(db, row),
  }
}

async function concernsOfCredential(db: Db, row: CredentialRow): Promise<Located['concerns']> {
  if (row.owner_kind === 'user') {
    const groupId = await findGroupOfUser(db, row.owner_id)
    return groupId === undefined ? [] : [{ place: { groupId, orgId: null }, target: { kind: 'api_key', id: row.id } }]
  }
  return concernsOfProgram(db, row.owner_kind as ProgramKind, row.owner_id)
}

async function concernsOfProgram(db: Db, kind: ProgramKind, id: string): Promise<Located['concerns']> {
  const place = await findPlaceOfProgram(db, kind, id)
  if (!place) return []
  const { groupId, orgId, name } = place
  return [{ place: { groupId, orgId }, target: { kind, id }, program: { kind, id, name, orgId } }]
}

/** Returns the user who authorized the app, and the organization of the app, which leaked the credential. */
async function concernsOfSession(db: Db, id: string): Promise<Pick<Located, 'facts' | 'concerns'> | undefined> {
  const session = await findSessionHolders(db, id)
  if (!session) return undefined
  const { user_id, user_group_id, app_id, app_name, app_group_id, app_org_id } = session
  return {
    facts: { session_id: id, app_id, app_name, user_id },
    concerns: [
      { place: { groupId: user_group_id, orgId: null }, target: { kind: 'app_session', id } },
      {
        place: { groupId: app_group_id, orgId: app_org_id },
        target: { kind: 'app', id: app_id },
        program: { kind: 'app', id: app_id, name: app_name, orgId: app_org_id },
      },
    ],
  }
}

/** Includes used tokens and codes: their holder may also hold the tokens that followed. */
async function locateSession(
  { db, keyring }: Deps,
  value: string,
  model: 'RefreshToken' | 'AuthorizationCode',
): Promise<Located | undefined> {
  const session = await findSessionByDigest(db, model, keyring.digest(value))
  const concerned = session && (await concernsOfSession(db, session.id))
  if (!concerned) return undefined
  return {
    kind: model === 'RefreshToken' ? 'refresh_token' : 'authorization_code',
    row: { table: 'app_sessions', id: session.id },
    endsAt: session.consumed_at ?? session.expires_at ?? Infinity,
    ...concerned,
  }
}

async function locateToken({ db, keyring }: Deps, value: string): Promise<Located | undefined> {
  const token = await findTokenByDigest(db, keyring.digest(value))
  if (!token) return undefined
  const { id, client_id, session_id, install_id, service_account_id } = token
  const concerned =
    session_id === null
      ? { facts: {}, concerns: await concernsOfProgram(db, ...programOf({ install_id, service_account_id })) }
      : await concernsOfSession(db, session_id)
  return {
    kind: 'access_token',
    row: { table: 'access_tokens', id },
    endsAt: token.expires_at,
    facts: { token_id: id, client_id, ...concerned?.facts },
    concerns: concerned?.concerns ?? [],
  }
}

function programOf(basis: { install_id: string | null; service_account_id: string | null }): [ProgramKind, string] {
  if (basis.install_id !== null) return ['app_install', basis.install_id]
  return ['service_account', basis.service_account_id!]
}
