import type { Tables } from '../db/tables.generated.ts'

/** A column with encrypted values, which a rotation of the secret key encrypts again. */
export interface SealedPlace {
  readonly table: keyof Tables
  /** The primary key. */
  readonly key: readonly string[]
  readonly column: string
  /** Further columns that the context needs. */
  readonly beside?: readonly string[]
  /** Text before the sealed bytes in Base64; undefined for columns of bytes. */
  readonly textPrefix?: string
  /** The context in which the value of a row was sealed. */
  context(row: Readonly<Record<string, string>>): string
}
