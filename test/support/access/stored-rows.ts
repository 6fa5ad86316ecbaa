import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'

type Row<Name extends keyof Tables> = Insertable<Tables[Name]>
type Changes<Name extends keyof Tables> = Partial<Row<Name>>

/** The group and the organization of all rows that name no others. */
export const GROUP = 'a group'
export const ORG = 'an org'

const times = { created_at: 1, updated_at: 1 }

/** Adds rows to a bare database, for tests of stores. Each has a new id and values that the test need not name. */
export function rowsIn(db: Db) {
  const places = placesIn(db)
  return {
    ...places,
    ...principalsIn(db),
    ...appsIn(db),

    /** Adds the group and the organization of the rows that name no others. */
    async place(): Promise<void> {
      await places.group({ id: GROUP })
      await places.org({ id: ORG })
    },

    /** Adds a credential, by default an API key without limits. */
    async credential(
      row: Changes<'credentials'> & { owner_id: string },
    ): Promise<Row<'credentials'> & { id: string; digest: string }> {
      const id = row.id ?? randomUUID()
      const kinds = { kind: 'api_key', owner_kind: 'user', name: `Credential ${id}`, hint: 'abcd' }
      const ends = { last_used_at: null, expires_at: null, retires_at: null, allowed_networks: null }
      const all = { id, digest: `digest ${id}`, ...kinds, created_at: 1, ...ends, ...row }
      await db.insertInto('credentials').values(all).execute()
      return all
    },

    /** Adds a webhook that subscribes to these types of events. */
    async webhook(events: readonly string[], orgId: string = ORG): Promise<void> {
      const state = { description: '', is_active: 1, deactivation: null, failures: 0, failing_since: null }
      const turn = { turn_owner: null, turn_ends_at: 0, next_turn_at: 0 }
      const secrets = { secret: Buffer.alloc(1), previous_secret: null, previous_ends_at: null }
      const row = { id: randomUUID(), org_id: orgId, url: 'https://hooks.example/', events: JSON.stringify(events) }
      await db
        .insertInto('webhooks')
        .values({ ...row, ...state, ...turn, ...secrets, ...times })
        .execute()
    },
  }
}

function placesIn(db: Db) {
  return {
    async group(row: Changes<'groups'> = {}): Promise<Row<'groups'>> {
      const id = row.id ?? randomUUID()
      const all = { id, name: `Group ${id}`, slug: `slug-${id}`, ...times, ...row }
      await db.insertInto('groups').values(all).execute()
      return all
    },

    async org(row: Changes<'orgs'> = {}): Promise<Row<'orgs'> & { id: string }> {
      const id = row.id ?? randomUUID()
      const all = { id, group_id: GROUP, name: `Org ${id}`, slug: `slug-${id}`, policy_files: null, ...times, ...row }
      await db.insertInto('orgs').values(all).execute()
      return all
    },
  }
}

function principalsIn(db: Db) {
  return {
    async user(row: Changes<'users'> = {}): Promise<Row<'users'>> {
      const id = row.id ?? randomUUID()
      const names = { email: `${id}@example.test`, username: `user ${id}`, name: `Name of ${id}` }
      const all = { id, group_id: GROUP, ...names, password_hash: null, ...times, ...row }
      await db.insertInto('users').values(all).execute()
      return all
    },

    /** Gives a principal a role with these permissions, in the group or the organization. */
    async member(
      principalId: string,
      permissions: readonly string[],
      place: Pick<Changes<'memberships'>, 'group_id' | 'org_id'> = {},
    ): Promise<void> {
      const id = randomUUID()
      const role = { id, group_id: null, name: id, description: '', permissions: JSON.stringify(permissions) }
      await db
        .insertInto('roles')
        .values({ ...role, ...times })
        .execute()
      const member = { id, principal_kind: 'user', principal_id: principalId, role_id: id, created_at: 1 }
      await db
        .insertInto('memberships')
        .values({ ...member, group_id: GROUP, org_id: null, ...place })
        .execute()
    },

    async account(row: Changes<'service_accounts'> = {}): Promise<Row<'service_accounts'>> {
      const id = row.id ?? randomUUID()
      const kind = { auth_type: 'api_key', client_id: null, jwks_url: null, access_token_ttl_seconds: null }
      const all = { id, group_id: GROUP, org_id: ORG, name: `Account ${id}`, ...kind, ...times, ...row }
      await db.insertInto('service_accounts').values(all).execute()
      return all
    },
  }
}

function appsIn(db: Db) {
  return {
    async app(row: Changes<'apps'> = {}): Promise<Row<'apps'>> {
      const id = row.id ?? randomUUID()
      const grant = { context: 'tenant', grant_type: 'authorization_code', is_confidential: 1, is_public: 0 }
      const texts = { client_id: id, redirect_uris: '[]', scopes: '[]', access_token_ttl_seconds: 3600 }
      const all = { id, group_id: GROUP, org_id: ORG, name: `App ${id}`, ...grant, ...texts, ...times, ...row }
      await db.insertInto('apps').values(all).execute()
      return all
    },

    async install(row: Changes<'app_installs'> & { app_id: string }): Promise<Row<'app_installs'>> {
      const id = row.id ?? randomUUID()
      const all = { id, bot_id: id, group_id: GROUP, org_id: ORG, user_id: null, client_id: null, ...times, ...row }
      await db.insertInto('app_installs').values(all).execute()
      return all
    },

    async session(
      row: Changes<'app_sessions'> & { app_id: string; user_id: string },
    ): Promise<Row<'app_sessions'> & { id: string }> {
      const id = row.id ?? randomUUID()
      const all = { id, bot_id: randomUUID(), scopes: '["org.read"]', created_at: 1, last_used_at: null, ...row }
      await db.insertInto('app_sessions').values(all).execute()
      return all
    },

    /** Adds an access token, by default one that works for a long time. */
    async token(row: Changes<'access_tokens'>): Promise<Row<'access_tokens'>> {
      const id = row.id ?? randomUUID()
      const basis = { session_id: null, install_id: null, service_account_id: null, credential_id: null }
      const ends = { issued_at: 1, expires_at: 9e12 }
      const all = { id, digest: id, client_id: 'a client', ...basis, scopes: null, ...ends, ...row }
      await db.insertInto('access_tokens').values(all).execute()
      return all
    },
  }
}

/** Returns the data of all events of an organization, in order. */
export async function eventsIn(db: Db, orgId: string = ORG): Promise<{ type: string; data: unknown }[]> {
  const rows = await db.selectFrom('events').selectAll().where('org_id', '=', orgId).orderBy('id').execute()
  return rows.map(({ type, body }) => ({ type, data: (JSON.parse(body) as { data: unknown }).data }))
}
