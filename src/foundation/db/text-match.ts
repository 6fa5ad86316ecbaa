import { sql } from 'kysely'

/** Tests whether the column contains the text, ignoring the case of ASCII letters; other characters match exactly. */
export function contains(column: string, text: string) {
  return matches(column, `%${escaped(text)}%`)
}

/** Tests whether the column begins with the text, ignoring the case of ASCII letters. */
export function beginsWith(column: string, text: string) {
  return matches(column, `${escaped(text)}%`)
}

/**
 * Matches a pattern. `lower` folds only ASCII, on SQLite always and on PostgreSQL in the collation "C". A PostgreSQL
 * parameter has the database's collation, so it is folded here by the same rule.
 */
function matches(column: string, pattern: string) {
  return sql<boolean>`lower(${sql.ref(column)}) like ${lowerAscii(pattern)} escape '\\'`
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
