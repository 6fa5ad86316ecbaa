import type { Pool } from 'pg'
import type { Db } from './database.ts'

/** Bytes before the first row: signature, flags, and the length of the header's extension, which is always empty. */
const HEADER_BYTES = 11 + 4 + 4
const FIELD_COUNT_BYTES = 2
const LENGTH_BYTES = 4

const pools = new WeakMap<Db, () => Promise<Pick<Pool, 'connect'>>>()

/** Lets `copyBytes` read from a PostgreSQL database. */
export function allowCopies(db: Db, pool: () => Promise<Pick<Pool, 'connect'>>): void {
  pools.set(db, pool)
}

/** Returns false for SQLite and within transactions. */
export function canCopyBytes(db: Db): boolean {
  return pools.has(db)
}

/**
 * Returns the one `bytea` value of a query without parameters; undefined without a row. COPY sends bytes unchanged,
 * where the driver reads results as text, which takes several times as long on both sides
 * (https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format").
 */
export async function copyBytes(db: Db, query: string): Promise<Uint8Array | undefined> {
  const { to } = await import('pg-copy-streams')
  const pool = await pools.get(db)!()
  const client = await pool.connect()
  try {
    const chunks = await client.query(to(`copy (${query}) to stdout (format binary)`)).toArray()
    client.release()
    return toFirstValue(Buffer.concat(chunks))
  } catch (error) {
    client.release(error as Error)
    throw error
  }
}

function toFirstValue(bytes: Buffer): Uint8Array | undefined {
  if (bytes.readInt16BE(HEADER_BYTES) < 1) return undefined
  const start = HEADER_BYTES + FIELD_COUNT_BYTES + LENGTH_BYTES
  const length = bytes.readInt32BE(start - LENGTH_BYTES)
  return bytes.subarray(start, start + length)
}
