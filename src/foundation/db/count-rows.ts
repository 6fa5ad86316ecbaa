import { type SelectQueryBuilder, sql } from 'kysely'

export async function countRows<DB, TB extends keyof DB>(query: SelectQueryBuilder<DB, TB, object>): Promise<number> {
  const row = await query.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
  return (row as { readonly count: number }).count
}
