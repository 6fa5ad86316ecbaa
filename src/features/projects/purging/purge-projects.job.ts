import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '#foundation/db/database.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { takeLock } from '#foundation/db/transaction-lock.ts'
import { defineJob, type JobKind } from '#foundation/jobs/job.ts'
import type { Services } from '#foundation/services.ts'
import * as store from './purge-store.ts'

/** Rows read and deleted per transaction, so that other writers can interleave. */
const BATCH = 500
const DELETED_AT_ONCE = 1_000

/** Removes the remains of deleted projects: their contents, and packages and issues without a project. */
export function purgeProjects({ db }: Pick<Services, 'db'>): JobKind {
  return defineJob({
    name: 'purge-projects',
    maxAttempts: 3,
    everyMinutes: 60,
    async run(_payload, { signal }) {
      await purgeContained(db, signal)
      for (const list of ['org_issues', 'org_packages'] as const) await purgeOrgList(db, list, signal)
      await purgePackages(db, signal)
    },
  })
}

async function purgeContained(db: Db, signal: AbortSignal): Promise<void> {
  for (let after = 0; ; ) {
    const projects = await store.listContaining(db, after, BATCH)
    const last = projects.at(-1)
    if (!last) return
    for (const { number, exists } of projects) {
      if (exists) continue
      while ((await store.deleteContained(db, number, DELETED_AT_ONCE)) > 0) await nextTurn()
      signal.throwIfAborted()
    }
    after = last.number
    await nextTurn()
  }
}

async function purgeOrgList(db: Db, list: store.OrgList, signal: AbortSignal): Promise<void> {
  for (let after: store.OrgPackage = { orgNumber: 0, packageNumber: 0 }; ; ) {
    const rows = await store.listOrgUse(db, list, { after, limit: BATCH })
    const last = rows.at(-1)
    if (!last) return
    const unused = rows.filter(({ isUsed }) => !isUsed)
    if (unused.length > 0) {
      await alone(db, async (tx) => {
        for (const row of unused) await store.deleteOrgUnused(tx, list, row)
      })
    }
    after = last
    signal.throwIfAborted()
    await nextTurn()
  }
}

async function purgePackages(db: Db, signal: AbortSignal): Promise<void> {
  for (let after = 0; ; ) {
    const packages = await store.listUse(db, after, BATCH)
    const last = packages.at(-1)
    if (!last) return
    const unused = packages.flatMap(({ number, isUsed }) => (isUsed ? [] : [number]))
    if (unused.length > 0) await alone(db, (tx) => store.deleteUnused(tx, unused))
    after = last.number
    signal.throwIfAborted()
    await nextTurn()
  }
}

/** Runs work with the exclusive lock, while no transaction stores a project with the package. */
async function alone(db: Db, work: (tx: Db) => Promise<void>): Promise<void> {
  await inTransaction(db, async (tx) => {
    await takeLock(tx, 'known-issues')
    await work(tx)
  })
}
