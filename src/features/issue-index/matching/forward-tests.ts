import type { Db } from '#foundation/db/database.ts'
import { createSlices } from '#foundation/slices.ts'
import { listProjectsOfPackage } from '../storage/packages-store.ts'
import { bringTestsForward, type UnannouncedRow } from './announcements-store.ts'

/** Interval between the retests of projects with new issues: only a test computes their fixes. */
const EVERY_MS = 100
/** Projects per statement. */
const AT_ONCE = 300
const READ_AT_ONCE = 1000

export type Forwarding = ReturnType<typeof createForwarding>

type KnownTogether = Pick<UnannouncedRow, 'org_number' | 'known_since'>

interface Done {
  readonly projects: Set<number>
  /** The last processed project by package; Infinity after the last one. */
  readonly packages: Map<number, number>
}

/**
 * Brings forward the next tests of projects one after the other, once per batch of new issues: the first advisories add
 * dozens of issues per project. Kept in memory, so a restart repeats some tests.
 */
export function createForwarding(now: () => number) {
  const doneByKey = new Map<string, Done>()
  let testAt = now()

  function doneOf({ org_number, known_since }: KnownTogether): Done {
    const key = `${org_number} ${known_since}`
    const done = doneByKey.get(key) ?? { projects: new Set(), packages: new Map() }
    doneByKey.set(key, done)
    return done
  }

  async function bringForward(tx: Db, of: KnownTogether, projects: readonly number[]): Promise<void> {
    const done = doneOf(of).projects
    const fresh = projects.filter((number) => !done.has(number))
    for (let at = 0; at < fresh.length; at += AT_ONCE) {
      const numbers = fresh.slice(at, at + AT_ONCE)
      testAt = Math.max(testAt, now())
      await bringTestsForward(tx, numbers, { from: testAt, everyMs: EVERY_MS })
      testAt += EVERY_MS * numbers.length
    }
    for (const number of fresh) done.add(number)
  }

  /** Brings forward the projects with the packages of an issue; returns false if `isOver` interrupted it. */
  async function bringForwardWith(tx: Db, row: UnannouncedRow, isOver: () => boolean): Promise<boolean> {
    const { packages } = doneOf(row)
    const pause = createSlices()
    for (const packageNumber of JSON.parse(row.packages) as number[]) {
      for (let after = packages.get(packageNumber) ?? 0; after < Number.POSITIVE_INFINITY; ) {
        if (isOver()) return false
        const of = { packageNumber, orgNumber: Number(row.org_number), after, limit: READ_AT_ONCE }
        const numbers = await listProjectsOfPackage(tx, of)
        await bringForward(tx, row, numbers)
        after = numbers.length < READ_AT_ONCE ? Number.POSITIVE_INFINITY : numbers.at(-1)!
        packages.set(packageNumber, after)
        await pause()
      }
    }
    return true
  }

  return { bringForward, bringForwardWith }
}
