import { bringTestsForward } from '#features/issue-index/matching/announcements-store.ts'
import type { Db } from '#foundation/db/database.ts'
import { listWithRepositoryIgnores } from './retest-store.ts'

const BATCH = 500
/** Interval between the tests of projects. */
const EVERY_MS = 100

/**
 * Schedules retests of an organization's projects with ignores from policy files, after its setting for such files
 * changed.
 */
export async function retestForPolicyFiles(tx: Db, orgId: string, at: number): Promise<void> {
  let from = at
  for (let after = 0; ; ) {
    const numbers = await listWithRepositoryIgnores(tx, { orgId, after, limit: BATCH })
    if (numbers.length === 0) return
    after = numbers.at(-1)!
    await bringTestsForward(tx, numbers, { from, everyMs: EVERY_MS })
    from += EVERY_MS * numbers.length
  }
}
