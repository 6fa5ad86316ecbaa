import { randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Database } from '../db/open-database.ts'
import type { Tables } from '../db/tables.generated.ts'

export type JobRow = Selectable<Tables['jobs']>

export interface JobInput {
  readonly kind: string
  readonly payload: object
  readonly dueAt: number
  /** While a job with this key waits or runs, no other is added. */
  readonly uniqueKey?: string | undefined
  /** The job's organization: organizations take turns in fair kinds. The job is deleted with it. */
  readonly orgId?: string | undefined
}

/** Adds a job within `tx`: it exists if and only if the transaction commits. Returns false if its key exists. */
export async function addJob(tx: Db, job: JobInput, now: number): Promise<boolean> {
  const added = await tx
    .insertInto('jobs')
    .values({
      id: randomUUID(),
      kind: job.kind,
      org_id: job.orgId ?? null,
      payload: JSON.stringify(job.payload),
      unique_key: job.uniqueKey ?? null,
      state: 'waiting',
      due_at: job.dueAt,
      attempts: 0,
      lease_owner: null,
      lease_ends_at: null,
      last_error: null,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return added !== undefined
}

export interface Lease {
  /** Unique to this claim: a process that stalled may claim again a job it still runs. */
  readonly owner: string
  readonly endsAt: number
}

/**
 * Claims the longest due job, including those with an expired lease. On PostgreSQL processes claim concurrently without
 * waiting; SQLite has one writer anyway.
 */
export async function claimJob(
  { db, engine }: Database,
  { kinds, lease, now }: { kinds: readonly string[]; lease: Lease; now: number },
): Promise<JobRow | undefined> {
  const skip = engine === 'postgres' ? sql`for update skip locked` : sql``
  const claimed = await sql<JobRow>`
    update jobs set state = 'running', attempts = attempts + 1, lease_owner = ${lease.owner}, lease_ends_at = ${lease.endsAt}, updated_at = ${now}
    where id = (
      select id from jobs
      where kind in (${sql.join([...kinds])}) and due_at <= ${now}
        and (state = 'waiting' or (state = 'running' and lease_ends_at <= ${now}))
      order by due_at, id limit 1 ${skip}
    ) returning *`.execute(db)
  return claimed.rows[0]
}

/**
 * Claims a job of the organization with the fewest running jobs of the kind, the longest due among equals. Undefined
 * also if every waiting organization is at its limit.
 */
export async function claimFairJob(
  { db, engine }: Database,
  { kind, perOrg, lease, now }: { kind: string; perOrg: number; lease: Lease; now: number },
): Promise<JobRow | undefined> {
  const skip = engine === 'postgres' ? sql`for update of waiting skip locked` : sql``
  const claimed = await sql<JobRow>`
    update jobs set state = 'running', attempts = attempts + 1, lease_owner = ${lease.owner}, lease_ends_at = ${lease.endsAt}, updated_at = ${now}
    where id = (
      select waiting.id from jobs waiting
      left join (
        select org_id, count(*) as jobs from jobs
        where state = 'running' and kind = ${kind} and lease_ends_at > ${now} group by org_id
      ) running on running.org_id = waiting.org_id
      where waiting.kind = ${kind} and waiting.due_at <= ${now}
        and (waiting.state = 'waiting' or (waiting.state = 'running' and waiting.lease_ends_at <= ${now}))
        and coalesce(running.jobs, 0) < ${perOrg}
      order by coalesce(running.jobs, 0), waiting.due_at, waiting.id limit 1 ${skip}
    ) returning *`.execute(db)
  return claimed.rows[0]
}

/** Releases every lease. Only for a process that has the storage to itself, before it starts work. */
export async function releaseJobs(db: Db, now: number): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ state: 'waiting', lease_owner: null, lease_ends_at: null, updated_at: now })
    .where('state', '=', 'running')
    .execute()
}

export async function makeJobsDue(db: Db, kind: string, now: number): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ due_at: now })
    .where('kind', '=', kind)
    .where('state', '=', 'waiting')
    .where('due_at', '>', now)
    .execute()
}

/** Runs a job now: adds it, restarts a failed one, or makes a waiting one due. Returns false if it is running. */
export async function startJob(tx: Db, job: Omit<JobInput, 'dueAt'>, now: number): Promise<boolean> {
  await tx.deleteFrom('jobs').where('kind', '=', job.kind).where('state', '=', 'failed').execute()
  await makeJobsDue(tx, job.kind, now)
  const isAdded = await addJob(tx, { ...job, dueAt: now }, now)
  if (isAdded) return true
  const running = tx.selectFrom('jobs').select('id').where('kind', '=', job.kind).where('state', '=', 'running')
  return (await running.executeTakeFirst()) === undefined
}

/** Extends a lease; returns false if this claim has lost it. */
export async function extendLease(db: Db, { id, lease_owner }: JobRow, endsAt: number): Promise<boolean> {
  const row = await db
    .updateTable('jobs')
    .set({ lease_ends_at: endsAt })
    .where('id', '=', id)
    .where('lease_owner', '=', lease_owner)
    .where('state', '=', 'running')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes a finished job, or reschedules a repeating one. Does nothing if it was claimed again. */
export async function finishJob(
  db: Db,
  job: JobRow,
  { nextDueAt, now }: { nextDueAt?: number | undefined; now: number },
): Promise<void> {
  if (nextDueAt === undefined) {
    await db.deleteFrom('jobs').where('id', '=', job.id).where('lease_owner', '=', job.lease_owner).execute()
    return
  }
  await db
    .updateTable('jobs')
    .set({
      state: 'waiting',
      due_at: nextDueAt,
      attempts: 0,
      lease_owner: null,
      lease_ends_at: null,
      last_error: null,
      updated_at: now,
    })
    .where('id', '=', job.id)
    .where('lease_owner', '=', job.lease_owner)
    .execute()
}

/**
 * Returns a job for another attempt, or marks it failed if `dueAt` is undefined. Does nothing if it was claimed again.
 */
export async function returnJob(
  db: Db,
  job: JobRow,
  { dueAt, error, now }: { dueAt: number | undefined; error: string | null; now: number },
): Promise<void> {
  await db
    .updateTable('jobs')
    .set({
      state: dueAt === undefined ? 'failed' : 'waiting',
      unique_key: dueAt === undefined ? null : job.unique_key,
      due_at: dueAt ?? job.due_at,
      lease_owner: null,
      lease_ends_at: null,
      last_error: error,
      updated_at: now,
    })
    .where('id', '=', job.id)
    .where('lease_owner', '=', job.lease_owner)
    .execute()
}

export async function countJobs(db: Db): Promise<{ kind: string; state: string; jobs: number }[]> {
  return db
    .selectFrom('jobs')
    .select(({ fn }) => ['kind', 'state', fn.countAll<number>().as('jobs')])
    .groupBy(['kind', 'state'])
    .execute()
}
