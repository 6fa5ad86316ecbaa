import type { Db } from '#foundation/db/database.ts'
import type { CredentialRow } from './store.ts'

export type ExpiryType = 'credential.expiring' | 'credential.expired'

/** A credential and its owner in an organization. */
export interface EndingCredential {
  readonly row: CredentialRow
  readonly program: {
    readonly kind: 'service_account' | 'app' | 'app_install'
    readonly id: string
    readonly name: string
    readonly orgId: string
  }
}

interface Range {
  /** Epoch milliseconds, exclusive. */
  readonly after: number
  /** Epoch milliseconds, inclusive. */
  readonly until: number
}

/** Lists credentials whose expiry or retirement is in the range, by id. */
export async function listEndingCredentials(
  db: Db,
  { after, until }: Range,
  { afterId, limit }: { afterId: string; limit: number },
): Promise<{ readonly credentials: EndingCredential[]; readonly lastId: string | undefined }> {
  const rows = await db
    .selectFrom('credentials as c')
    .leftJoin('service_accounts as s', 's.id', 'c.owner_id')
    .leftJoin('apps as a', 'a.id', 'c.owner_id')
    .leftJoin('app_installs as i', 'i.id', 'c.owner_id')
    .leftJoin('apps as p', (join) => join.onRef('p.id', '=', 'i.app_id').on('p.ended_at', 'is', null))
    .selectAll('c')
    .select(({ fn }) => [
      fn.coalesce('s.org_id', 'a.org_id', 'i.org_id').as('org_id'),
      fn.coalesce('s.name', 'a.name', 'p.name').as('program_name'),
    ])
    .where('c.id', '>', afterId)
    .where('c.owner_kind', '!=', 'user')
    .where((eb) =>
      eb.or([
        eb.and([eb('c.expires_at', '>', after), eb('c.expires_at', '<=', until)]),
        eb.and([eb('c.retires_at', '>', after), eb('c.retires_at', '<=', until)]),
      ]),
    )
    .orderBy('c.id')
    .limit(limit)
    .execute()
  const credentials = rows.flatMap(({ org_id: orgId, program_name: name, ...row }) => {
    if (orgId === null || name === null) return []
    const kind = row.owner_kind as EndingCredential['program']['kind']
    return [{ row, program: { kind, id: row.owner_id, name, orgId } }]
  })
  return { credentials, lastId: rows.length < limit ? undefined : rows.at(-1)?.id }
}

/** Records an announcement; returns false if it was recorded before. */
export async function recordAnnouncement(
  tx: Db,
  { credentialId, endsAt, type, at }: { credentialId: string; endsAt: number; type: ExpiryType; at: number },
): Promise<boolean> {
  const row = await tx
    .insertInto('announced_expiries')
    .values({ credential_id: credentialId, ends_at: endsAt, type, announced_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('credential_id')
    .executeTakeFirst()
  return row !== undefined
}
