import { type CompiledQuery, type KyselyPlugin, sql } from 'kysely'
import type { Db, Engine } from '#foundation/db/database.ts'

/** Returns the query plans of `work`, one per text, in order. */
export async function plansOf(db: Db, engine: Engine, work: (db: Db) => Promise<unknown>): Promise<string[]> {
  const sent: CompiledQuery[] = []
  const watching: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      sent.push(db.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await work(db.withPlugin(watching))
  return db.transaction().execute(async (tx) => {
    // Else small tables are read whole.
    if (engine === 'postgres') await sql`set local enable_seqscan = off`.execute(tx)
    if (engine === 'postgres') await sql`set local enable_bitmapscan = off`.execute(tx)
    const explain = engine === 'postgres' ? 'explain' : 'explain query plan'
    const plans: string[] = []
    for (const query of sent) {
      const { rows } = await tx.executeQuery({ ...query, sql: `${explain} ${query.sql}` })
      plans.push(JSON.stringify(rows))
    }
    return plans
  })
}
