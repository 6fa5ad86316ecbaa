import { sql } from 'kysely'

/** Whether the column contains the text, whatever the case of its ASCII letters; others must match as they are. */
export function contains(column: string, text: string) {
  return matches(column, `%${escaped(text)}%`)
}

/** Whether the column begins with the text, whatever the case of its ASCII letters. */
export function beginsWith(column: string, text: string) {
  return matches(column, `${escaped(text)}%`)
}

/**
 * `lower` folds ASCII only, on SQLite always and on PostgreSQL for columns of the collation "C". A parameter has the
 * database's collation there, so it is folded here, by the same rule.
 */
function matches(column: string, pattern: string) {
  const folded = pattern.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  return sql<boolean>`lower(${sql.ref(column)}) like ${folded} escape '\\'`
}

function escaped(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

/** Whether the column begins with the text in just this case: what does lies in one range of an index on the column. */
export function beginsWithExactly(column: string, text: string) {
  return sql<boolean>`(${sql.ref(column)} >= ${text} and ${sql.ref(column)} < ${`${text}\u{10ffff}`})`
}
