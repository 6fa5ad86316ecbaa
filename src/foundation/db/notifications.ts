import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Client } from 'pg'
import type { Db } from './database.ts'
import { findPrimary } from './hosts/find-primary.ts'
import { isPostgres } from './transaction-lock.ts'

/** Subjects of which other processes are notified at once instead of at their next poll. */
export type Topic = 'advisories'

const CHANNEL = 'gatehouse'

/** Notifies all processes when the transaction commits; a no-op on SQLite, which has one process. */
export async function notifyProcesses(tx: Db, topic: Topic): Promise<void> {
  if (isPostgres(tx)) await sql`select pg_notify(${sql.lit(CHANNEL)}, ${topic})`.execute(tx)
}

export interface Listening {
  readonly url: string
  readonly db: Db
  /** Also called after each (re)connection: notifications before it were missed. */
  onTopic(topic: Topic): void
  onFault(fault: { readonly reason: string }): void
  /** Shorter in tests. */
  readonly probeMs?: number
}

const MAX_BACKOFF_MS = 30_000
/**
 * Wait before the next probe after one was not delivered: a pooler that hands connections to others between
 * transactions drops notifications.
 */
const RETRY_UNDELIVERED_MS = 600_000

/**
 * Listens on a connection of its own. Proves delivery with a notification sent through the pool: behind a pooler in
 * transaction mode none arrives, and callers rely on polling. Reconnects forever, with backoff.
 */
export function listenToProcesses(listening: Listening): { close(): Promise<void> } {
  const ending = new AbortController()
  const done = listenForEver(listening, ending.signal)
  return {
    async close() {
      ending.abort()
      await done
    },
  }
}

async function listenForEver(listening: Listening, signal: AbortSignal): Promise<void> {
  for (let backoff = 1_000; !signal.aborted; ) {
    let waitMs = backoff
    backoff = Math.min(backoff * 2, MAX_BACKOFF_MS)
    try {
      const outcome = await listenOnce(listening, signal, () => {
        backoff = 1_000
      })
      if (outcome === 'undelivered') waitMs = RETRY_UNDELIVERED_MS
      if (outcome === 'undelivered') listening.onFault({ reason: UNDELIVERED })
    } catch (error) {
      listening.onFault({ reason: (error as Error).message || 'the connection failed' })
    }
    await sleep(waitMs, undefined, { signal, ref: false }).catch(() => {})
  }
}

const UNDELIVERED =
  'Notifications do not arrive: a pooler in transaction mode drops them. Set GATEHOUSE_DATABASE_LISTEN_URL to an address of the database itself.'

/** Listens until the connection ends. */
async function listenOnce(
  { url, db, onTopic, probeMs = 5_000 }: Listening,
  signal: AbortSignal,
  onConnected: () => void,
): Promise<'ended' | 'undelivered'> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({
    connectionString: await findPrimary(url),
    application_name: 'gatehouse-listen',
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
  })
  const ended = endOf(client, signal)
  const probe = randomUUID()
  const proved = Promise.withResolvers<true>()
  client.on('notification', ({ payload = '' }) => {
    if (payload === probe) proved.resolve(true)
    else if (payload === 'advisories') onTopic(payload)
  })
  try {
    await client.connect()
    await client.query(`listen ${CHANNEL}`)
    await sql`select pg_notify(${sql.lit(CHANNEL)}, ${probe})`.execute(db)
    const tooLong = sleep(probeMs, undefined, { signal, ref: false }).catch(() => {})
    const first = await Promise.race([proved.promise, tooLong, ended.then(() => 'ended' as const)])
    if (first === undefined && !signal.aborted) return 'undelivered'
    if (first === true) {
      onConnected()
      onTopic('advisories')
      await ended
    }
    return 'ended'
  } finally {
    await client.end().catch(() => {})
  }
}

/** Resolves when the connection has ended or is to end, also after errors of an idle connection. */
function endOf(client: Client, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    client.on('error', () => resolve())
    client.on('end', () => resolve())
    signal.addEventListener('abort', () => resolve(), { once: true })
    if (signal.aborted) resolve()
  })
}
