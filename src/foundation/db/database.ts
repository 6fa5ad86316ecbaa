import type { Kysely } from 'kysely'
import type { Tables } from './tables.generated.ts'

/** Storage, or a transaction on it: the first argument of every function that stores. */
export type Db = Kysely<Tables>

export type Engine = 'sqlite' | 'postgres'

/** Returns true if a write failed because an equal row exists, on either engine. */
export function isUniqueViolation(error: unknown): boolean {
  return isViolation(error, { postgres: '23505', sqlite: [2067, 1555] })
}

/**
 * Returns true if a write failed because of a foreign key: the referenced row is missing, or rows refer to the deleted
 * one.
 */
export function isReferenceViolation(error: unknown): boolean {
  return isViolation(error, { postgres: '23503', sqlite: [787] })
}

/** Returns true if PostgreSQL refused a statement because its user lacks a permission. */
export function isPermissionDenied(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === '42501'
}

/** Returns true if PostgreSQL rolled back a transaction because of a deadlock. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === '40P01'
}

function isViolation(error: unknown, codes: { postgres: string; sqlite: readonly number[] }): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  return code === codes.postgres || (code === 'ERR_SQLITE_ERROR' && codes.sqlite.includes(Number(errcode)))
}
