import { LogNotSynced } from './sqlite/log.ts'
import { WriteLockHeld } from './sqlite/write-queue.ts'

/** The database does not fit this version; the message says what to do. */
export class UnsuitableDatabase extends Error {}

/** No connection to PostgreSQL could be opened. */
export class DatabaseUnreachable extends Error {
  readonly remedy: string

  constructor(cause: Error & { readonly code?: string }) {
    // The error for a name with several addresses has no message of its own.
    super(`The database cannot be reached: ${cause.message || cause.code}`, { cause })
    this.remedy = remedyOf(cause)
  }
}

/** Codes of OpenSSL and Node.js for certificates that are not trusted or belong to another host. */
const OF_CERTIFICATE = /^(CERT_|DEPTH_ZERO_|ERR_TLS_CERT_|SELF_SIGNED_|UNABLE_TO_)/

function remedyOf({ code = '', message }: Error & { readonly code?: string }): string {
  if (OF_CERTIFICATE.test(code)) {
    return 'With any sslmode but no-verify, certificate and host name are verified, as with verify-full. Add sslrootcert=FILE with the certificate of the authority to DATABASE_URL, or sslmode=no-verify to accept any certificate.'
  }
  if (message.includes('not support SSL')) return 'Set ssl = on in PostgreSQL, or remove sslmode from DATABASE_URL.'
  return 'Start PostgreSQL, or correct DATABASE_URL.'
}

/** External causes of storage failures. */
export type StorageFault = 'full' | 'read-only' | 'broken' | 'unreachable' | 'locked'

/** SQLite's primary result codes (sqlite.org/rescode.html). */
const ofSqlite: Readonly<Record<number, StorageFault>> = {
  8: 'read-only',
  10: 'broken',
  11: 'broken',
  13: 'full',
  14: 'unreachable',
  26: 'broken',
}

const ofSystem: Readonly<Record<string, StorageFault>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'read-only',
  EIO: 'broken',
  ECONNRESET: 'unreachable',
  EPIPE: 'unreachable',
  ETIMEDOUT: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
}

/** SQLSTATE prefixes (PostgreSQL, appendix A). */
const ofPostgres: readonly (readonly [beginning: string, fault: StorageFault])[] = [
  ['53100', 'full'],
  ['25006', 'read-only'],
  ['25P03', 'unreachable'],
  ['58030', 'broken'],
  ['XX001', 'broken'],
  ['XX002', 'broken'],
  ['08', 'unreachable'],
  ['53300', 'unreachable'],
  ['57P0', 'unreachable'],
]

/** Returns the storage fault behind an error; undefined for every other error. */
export function findStorageFault(error: unknown): StorageFault | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof DatabaseUnreachable) return 'unreachable'
  if (error instanceof LogNotSynced) return 'broken'
  if (error instanceof WriteLockHeld) return 'locked'
  const { code, errcode, severity } = error as { code?: unknown; errcode?: unknown; severity?: unknown }
  // The low byte is the primary code; the rest refines it.
  if (code === 'ERR_SQLITE_ERROR') return ofSqlite[Number(errcode) & 0xff]
  if (severity !== undefined) return ofPostgres.find(([beginning]) => String(code).startsWith(beginning))?.[1]
  // The driver sets no code if a connection ends during a query or between two.
  if (/^(Connection terminated|Client has encountered a connection error)/.test(error.message)) return 'unreachable'
  return ofSystem[String(code)]
}
