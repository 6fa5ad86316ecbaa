import type { Db } from '#foundation/db/database.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { takeLock } from '#foundation/db/transaction-lock.ts'
import { makeJobsDue } from '#foundation/jobs/store.ts'
import { notePackagesToRecount } from '../counts/issue-counts-store.ts'
import { COUNT_ISSUES } from '../counts/recount-projects.ts'
import { saveWorstSeverities } from '../packages/org-packages-store.ts'
import { markStale } from '../storage/groups-store.ts'
import { packageKey } from '../storage/listed-issues-store.ts'
import { listMatchingIssues } from './affected-store.ts'
import { type PolicyRow, toPolicy } from './policies-store.ts'
import { listGovernedOrgs, listToEvaluate, type OwnerRow } from './rounds-store.ts'
import { listPackagesChangedBy, setSeverities } from './severities-store.ts'

/** Packages per transaction, which keeps tests from storing results. */
const PACKAGES_AT_ONCE = 100

/** Sets the severities that changed policies of an owner set, and resets those that they no longer set. */
export async function changeSeverities(
  db: Db,
  round: OwnerRow,
  { now, signal }: { now: () => number; signal: AbortSignal | undefined },
): Promise<void> {
  const changed = (await listToEvaluate(db, round)).filter(({ severity }) => severity !== null)
  if (changed.length === 0) return
  for (const { orgNumber } of await listGovernedOrgs(db, round)) {
    const packages = await listPackages(db, orgNumber, changed)
    for (let at = 0; at < packages.length; at += PACKAGES_AT_ONCE) {
      signal?.throwIfAborted()
      await changeInOrg(db, { orgNumber, packages: packages.slice(at, at + PACKAGES_AT_ONCE) }, now())
    }
  }
}

async function listPackages(db: Db, orgNumber: number, changed: readonly PolicyRow[]): Promise<number[]> {
  const packages = new Set<number>()
  for (const row of changed) {
    for (const number of await listPackagesChangedBy(db, orgNumber, Number(row.number))) packages.add(number)
    if (row.deleted_at !== null) continue
    for (const { packageNumber } of await listMatchingIssues(db, orgNumber, toPolicy(row))) packages.add(packageNumber)
  }
  return [...packages].sort((a, b) => a - b)
}

async function changeInOrg(
  db: Db,
  { orgNumber, packages }: { orgNumber: number; packages: readonly number[] },
  at: number,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await takeLock(tx, 'known-issues')
    const issues = await setSeverities(tx, orgNumber, packages)
    if (issues.length === 0) return
    const changed = [...new Set(issues.map(({ package_number }) => Number(package_number)))]
    await saveWorstSeverities(tx, changed)
    await notePackagesToRecount(tx, changed)
    const keysOf = {
      package: issues.map(({ registry, name }) => packageKey(registry, name)),
      vulnerability: issues.map(({ issue_id }) => issue_id),
    }
    for (const kind of ['package', 'vulnerability'] as const) {
      await markStale(tx, { orgNumbers: [orgNumber], kind, keys: [...new Set(keysOf[kind])].sort() }, at)
    }
    await makeJobsDue(tx, COUNT_ISSUES, at)
  })
}
