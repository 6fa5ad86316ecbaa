import type { SelectQueryBuilder } from 'kysely'

export async function countRows<DB, TB extends keyof DB, Row>(query: SelectQueryBuilder<DB, TB, Row>): Promise<number> {
  const counting = query.clearSelect().select(({ fn }) => fn.countAll().as('count'))
  return (await counting.$castTo<{ count: number }>().executeTakeFirstOrThrow()).count
}
