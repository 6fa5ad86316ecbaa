import { sql } from 'kysely'
import type { Db } from './database.ts'
import { isPostgres } from './transaction-lock.ts'

/** Tests whether the column contains the text, ignoring the case of ASCII letters; other characters match exactly. */
export function contains(db: Db, column: string, text: string) {
  return matches(db, column, `%${escaped(text)}%`)
}

/** Tests whether the column begins with the text, ignoring the case of ASCII letters. */
export function beginsWith(db: Db, column: string, text: string) {
  return matches(db, column, `${escaped(text)}%`)
}

/**
 * Matches a pattern. SQLite's `like` ignores the case of ASCII letters; PostgreSQL's does not, and its `lower` folds only
 * ASCII in the collation "C". A PostgreSQL parameter has the database's collation, so it is folded here by the same rule.
 */
function matches(db: Db, column: string, pattern: string) {
  const folded = isPostgres(db) ? sql`lower(${sql.ref(column)})` : sql.ref(column)
  return sql<boolean>`${folded} like ${lowerAscii(pattern)} escape '\\'`
}

/** Folds case as `lower` does on both engines. */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function escaped(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

/** Tests whether the column begins with the text in the same case: the matches are one range of an index. */
export function beginsWithExactly(column: string, text: string) {
  return sql<boolean>`(${sql.ref(column)} >= ${text} and ${sql.ref(column)} < ${`${text}\u{10ffff}`})`
}
