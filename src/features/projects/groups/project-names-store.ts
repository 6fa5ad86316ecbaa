import { sql } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import { scanInSlices } from '#foundation/db/scan-in-slices.ts'
import { contains } from '#foundation/db/text-match.ts'

/** Projects that are looked at without letting others run: two milliseconds. */
const SLICE_ROWS = 5_000

type Place = readonly [name: string, id: string]

interface Named {
  readonly id: string
  readonly number: number
  readonly name: string
}

/** Finds projects whose name contains all words, by name: at most `limit`. Every name is looked at, along the index. */
export async function findProjectsByWords(
  db: Db,
  { orgId, words }: { orgId: string; words: readonly string[] },
  limit: number,
): Promise<Named[]> {
  const from = (place: Place) => sql<boolean>`(name, id) >= (${place[0]}, ${place[1]})`
  const ofOrg = () => db.selectFrom('projects').where('org_id', '=', orgId).orderBy('name').orderBy('id')
  const scan = {
    first: ['', ''] as Place,
    async findNext(place: Place): Promise<Place | undefined> {
      const next = ofOrg().select(['name', 'id']).where(from(place)).limit(sql.lit(1)).offset(sql.lit(SLICE_ROWS))
      const row = await next.executeTakeFirst()
      return row && [row.name, row.id]
    },
    async read(place: Place, until: Place | undefined): Promise<{ readonly id: string }[]> {
      let query = ofOrg().select('id').where(from(place))
      if (until) query = query.where(sql<boolean>`(name, id) < (${until[0]}, ${until[1]})`)
      for (const word of words) query = query.where(contains('name', word))
      return query.limit(sql.lit(limit)).execute()
    },
  }
  const found = await scanInSlices(scan, limit)
  if (found.length === 0) return []
  const ids = found.map(({ id }) => id)
  return db.selectFrom('projects').select(['id', 'number', 'name']).where('id', 'in', ids).orderBy('name').execute()
}
