import type { PoolClient } from 'pg'
import type { Database } from '#foundation/db/open-database.ts'
import type { Refusal } from '#foundation/db/replica.ts'
import { examine, type Finding } from './finding.ts'

const REASONS: Readonly<Record<Refusal, { readonly fact: string; readonly remedy: string }>> = {
  behind: {
    fact: 'The replica has not replayed the writes of the primary',
    remedy: 'Look at pg_stat_replication on the primary and at the load of the replica.',
  },
  unreachable: {
    fact: 'The replica cannot be reached',
    remedy: 'Start it, or correct GATEHOUSE_DATABASE_REPLICA_URL.',
  },
  not_a_replica: {
    fact: 'The server at GATEHOUSE_DATABASE_REPLICA_URL was promoted, or does not follow DATABASE_URL',
    remedy: 'Set the address of a standby of that primary.',
  },
  failed: { fact: 'The replica refused the statement', remedy: 'Look at its log.' },
}

/** Compares the read replica with the primary. No finding if none is configured. */
export async function checkReplica({ replica }: Pick<Database, 'replica'>): Promise<Finding[]> {
  if (replica === undefined) return []
  return [
    await examine('read replica', async () => {
      let change: { readonly reason?: Refusal; readonly error?: string } = {}
      replica.listen((next) => {
        change = next
      })
      const client = await replica.acquire()
      if (client !== undefined) return examineReads(client)
      const { reason = 'behind', error } = change
      const { fact, remedy } = REASONS[reason]
      const cause = error === undefined ? '' : ` (${error})`
      const text = `${fact}${cause}. ${remedy} Until then the primary serves all reads.`
      return { status: 'warning', text }
    }),
  ]
}

/** Reads a table of this product: another database of the same servers lacks it, and another user may not read it. */
async function examineReads(client: PoolClient): Promise<Omit<Finding, 'check'>> {
  try {
    await client.query('select from projects limit 0')
    return { status: 'ok', text: 'The replica has replayed all writes of the primary.' }
  } catch (error) {
    const fact = `The replica refuses to read projects (${(error as Error).message})`
    const remedy = 'Correct the database and the user in GATEHOUSE_DATABASE_REPLICA_URL.'
    return { status: 'warning', text: `${fact}. ${remedy} Until then the primary serves all reads.` }
  } finally {
    client.release()
  }
}
