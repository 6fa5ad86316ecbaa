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
  await spreadTests(tx, (part) => listWithRepositoryIgnores(tx, { orgId, ...part }), at)
}

/** Brings forward the tests of listed projects, one after the other from a time on. */
export async function spreadTests(
  db: Db,
  list: (part: { readonly after: number; readonly limit: number }) => Promise<number[]>,
  begin: number,
): Promise<void> {
  for (let after = 0, from = begin; ; ) {
    const numbers = await list({ after, limit: BATCH })
    if (numbers.length === 0) return
    after = numbers.at(-1)!
    await bringTestsForward(db, numbers, { from, everyMs: EVERY_MS })
    from += EVERY_MS * numbers.length
  }
}
