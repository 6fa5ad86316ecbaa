import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import type { Db } from './database.ts'
import { prepared } from './prepared.ts'
import { createTurnReadings } from './turn-readings.ts'

/** Reasons for which a read goes to the primary; `failed` means that the replica canceled or refused the statement. */
export const refusals = ['behind', 'unreachable', 'not_a_replica', 'failed'] as const

export type Refusal = (typeof refusals)[number]

/** Called when reads leave the replica, and without a reason when they return to it. */
export type ReplicaListener = (change: { readonly reason?: Refusal; readonly error?: string }) => void

export interface Replica {
  /** Returns a connection to the replica, or undefined if the primary must serve this read. */
  acquire(): Promise<PoolClient | undefined>
  /** Counts a read that the replica did not finish; `error` tells if the connection broke. */
  failed(error: Error): void
  served(): void
  /** Returns the number of reads by server and reason since the start. */
  totals(): ReadonlyMap<'replica' | Refusal, number>
  isUsed(): boolean
  listen(listener: ReplicaListener): void
  close(): Promise<void>
}

export interface ReplicaSettings {
  readonly primary: Db
  readonly connect: () => Promise<PoolClient>
  /** Closes all connections. */
  readonly end: () => Promise<void>
}

/**
 * Maximum wait in milliseconds for the replica to replay the primary's writes before the read. A replica in the same
 * network is one or two behind.
 */
const PATIENCE_MS = 50
/** Pauses between two attempts to use the replica again, in milliseconds. */
const RETRY_MS: Readonly<Record<Refusal, number>> = {
  behind: 100,
  unreachable: 1_000,
  not_a_replica: 1_000,
  failed: 1_000,
}
/** Minimum time between two log lines of one kind while the replica falls behind repeatedly. */
const LOG_EVERY_MS = 10_000

/** A position in the write-ahead log, and the cluster history to which it belongs. */
interface Position {
  readonly lsn: number
  readonly history: string
}

/**
 * Reads the end of the log that contains every acknowledged commit. With `synchronous_commit = off` a commit is
 * acknowledged before it is flushed.
 */
const readPosition = prepared((db: Db, _: Record<never, never>) =>
  db.selectNoFrom([
    sql<number>`pg_wal_lsn_diff(case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end, '0/0')`.as(
      'lsn',
    ),
    sql<string>`(select system_identifier from pg_control_system()) || ' ' || substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8)`.as(
      'history',
    ),
  ]),
)

/**
 * The timeline is that of the last restart point: after a failover the replica is used again from its next one. A
 * replica that did not follow the new primary keeps the old timeline, so its position is never compared.
 */
const REPLAYED = `select pg_is_in_recovery() as replaying,
  coalesce(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0'), 0) as lsn,
  (select system_identifier from pg_control_system()) || ' ' || lpad(upper(to_hex(timeline_id)), 8, '0') as history
  from pg_control_checkpoint()`

interface Replayed extends Position {
  readonly replaying: boolean
}

/**
 * Decides for each read whether a streaming replica may serve it: only once the replica has replayed everything that
 * the primary had acknowledged to any client before the read. So no read is older than on the primary.
 */
export function createReplica({ primary, connect, end }: ReplicaSettings): Replica {
  const askWithOthers = createTurnReadings<Position>()
  const counts = new Map<'replica' | Refusal, number>()
  const lastLogged = new Map<Refusal | 'used', number>()
  let refusal: Refusal | undefined
  let retryAt = 0
  let isRetrying = false
  let isClosed = false
  let listener: ReplicaListener = () => {}

  function count(outcome: 'replica' | Refusal): void {
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  }

  function report(kind: Refusal | 'used', change: Parameters<ReplicaListener>[0]): void {
    const now = performance.now()
    if (now - (lastLogged.get(kind) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS || isClosed) return
    lastLogged.set(kind, now)
    listener(change)
  }

  function stop(reason: Refusal, error?: Error): void {
    refusal = reason
    retryAt = performance.now() + RETRY_MS[reason]
    report(reason, { reason, ...(error && { error: error.message || String((error as { code?: string }).code) }) })
  }

  /** Connects and compares; returns undefined after `stop`. */
  async function tryReplica(): Promise<PoolClient | undefined> {
    const reading = askWithOthers(primary, '', async () => (await readPosition(primary, {}))[0]!)
    // Handled below, unless the replica fails first.
    reading.catch(() => {})
    let client: PoolClient
    try {
      client = await connect()
    } catch (error) {
      stop('unreachable', error as Error)
      return undefined
    }
    try {
      const outcome = await waitFor(client, reading)
      if (outcome === 'replayed') return client
      client.release()
      stop(outcome)
    } catch (error) {
      client.release(error as Error)
      stop('unreachable', error as Error)
    }
    return undefined
  }

  /** Tries the replica again in the background; the primary serves reads meanwhile. */
  function retryIfDue(): void {
    if (isRetrying || isClosed || performance.now() < retryAt) return
    isRetrying = true
    tryReplica()
      .then((client) => {
        if (!client) return
        client.release()
        refusal = undefined
        report('used', {})
      })
      .finally(() => {
        isRetrying = false
      })
  }

  return {
    async acquire() {
      if (refusal === undefined) {
        const client = await tryReplica()
        if (client) return client
      } else {
        retryIfDue()
      }
      count(refusal ?? 'behind')
      return undefined
    },
    failed(error) {
      const isStatement = 'severity' in error
      if (!isStatement) stop('unreachable', error)
      count(isStatement ? 'failed' : 'unreachable')
    },
    served: () => count('replica'),
    totals: () => counts,
    isUsed: () => refusal === undefined,
    listen(to) {
      listener = to
    },
    async close() {
      isClosed = true
      await end()
    },
  }
}

/** Waits until the replica has replayed a position. Fails only if the replica does. */
async function waitFor(
  client: PoolClient,
  reading: Promise<Position>,
): Promise<'replayed' | Extract<Refusal, 'behind' | 'not_a_replica'>> {
  const deadline = performance.now() + PATIENCE_MS
  for (let pauseMs = 1; ; pauseMs *= 2) {
    const [[replayed], position] = await Promise.all([read(client), reading.catch(() => undefined)])
    // Without a position of the primary nothing can be compared; the read then fails there.
    if (!position) return 'behind'
    if (!replayed!.replaying || replayed!.history !== position.history) return 'not_a_replica'
    if (replayed!.lsn >= position.lsn) return 'replayed'
    if (performance.now() + pauseMs > deadline) return 'behind'
    await sleep(pauseMs)
  }
}

async function read(client: PoolClient): Promise<Replayed[]> {
  return (await client.query<Replayed>(REPLAYED, [])).rows
}
