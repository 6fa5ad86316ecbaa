import type { Db } from '#foundation/db/database.ts'
import type { OrgOrGroup } from '#foundation/http/org-or-group.ts'

export async function findCredentialByDigest(db: Db, digest: string) {
  return db.selectFrom('credentials').selectAll().where('digest', '=', digest).executeTakeFirst()
}

/** Finds the session to which a refresh token or an authorization code with this digest belongs. */
export async function findSessionByDigest(db: Db, model: string, digest: string) {
  return db
    .selectFrom('oauth_records as r')
    .innerJoin('app_sessions as s', 's.id', 'r.session_id')
    .select(['s.id', 'r.consumed_at', 'r.expires_at'])
    .where('r.model', '=', model)
    .where('r.id', '=', digest)
    .executeTakeFirst()
}

export async function findTokenByDigest(db: Db, digest: string) {
  return db
    .selectFrom('access_tokens')
    .select(['id', 'client_id', 'session_id', 'install_id', 'service_account_id', 'expires_at'])
    .where('digest', '=', digest)
    .executeTakeFirst()
}

export async function findSessionHolders(db: Db, sessionId: string) {
  return db
    .selectFrom('app_sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .innerJoin('apps as p', 'p.id', 's.app_id')
    .select([
      's.user_id',
      'u.group_id as user_group_id',
      's.app_id',
      'p.name as app_name',
      'p.group_id as app_group_id',
      'p.org_id as app_org_id',
    ])
    .where('s.id', '=', sessionId)
    .where('p.ended_at', 'is', null)
    .executeTakeFirst()
}

const programs = {
  service_account: (db: Db, id: string) =>
    db.selectFrom('service_accounts').select(['group_id', 'org_id', 'name']).where('id', '=', id),
  app: (db: Db, id: string) =>
    db.selectFrom('apps').select(['group_id', 'org_id', 'name']).where('id', '=', id).where('ended_at', 'is', null),
  app_install: (db: Db, id: string) =>
    db
      .selectFrom('app_installs as i')
      .innerJoin('apps as p', 'p.id', 'i.app_id')
      .select(['i.group_id', 'i.org_id', 'p.name'])
      .where('i.id', '=', id)
      .where('p.ended_at', 'is', null),
} as const
export type ProgramKind = keyof typeof programs

/** Returns a program's owner and name (for an install its app's); undefined if it is gone. */
export async function findPlaceOfProgram(
  db: Db,
  kind: ProgramKind,
  id: string,
): Promise<(OrgOrGroup & { readonly name: string }) | undefined> {
  const row = await programs[kind](db, id).executeTakeFirst()
  return row && { groupId: row.group_id, orgId: row.org_id, name: row.name }
}

/**
 * Deletes an exposed credential. Returns false if it was deleted before: of two concurrent deletions, one returns true.
 * Dependent rows are deleted by reference.
 */
export async function deleteExposed(
  tx: Db,
  { table, id }: { table: 'credentials' | 'app_sessions' | 'access_tokens'; id: string },
): Promise<boolean> {
  const gone = await tx.deleteFrom(table).where('id', '=', id).returning('id').executeTakeFirst()
  return gone !== undefined
}
