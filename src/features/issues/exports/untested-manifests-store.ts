import { sql } from 'kysely'
import type { Db } from '#foundation/db/database.ts'

export interface UntestedManifest {
  readonly path: string
  readonly message: string | null
}

/** Lists manifests of a target that its last ended import could not test, at most `most`. */
export async function listUntestedManifests(
  db: Db,
  { orgId, targetId }: { orgId: string; targetId: string },
  most: number,
): Promise<UntestedManifest[]> {
  const last = db
    .selectFrom('imports as i')
    .select('i.id')
    .where('i.org_id', '=', orgId)
    .where('i.target_id', '=', targetId)
    .where('i.state', '<>', 'pending')
    .orderBy('i.created_at', 'desc')
    .limit(sql.lit(1))
  return db
    .selectFrom('import_manifests as m')
    .select(['m.path', 'm.message'])
    .where('m.import_id', '=', last)
    .where('m.state', '=', 'failed')
    .orderBy('m.path')
    .limit(sql.lit(most))
    .execute()
}
