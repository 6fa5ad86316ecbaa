/** How each engine spells the few column types that differ. */
export interface ColumnTypes {
  /** Text ordered by code unit on both engines (PostgreSQL: collation "C"). */
  readonly text: string
  /** Raw bytes. */
  readonly bytes: string
  /** A primary key that the engine counts up, never to be used again: short where a table with millions of rows refers to it. */
  readonly counter: string
  /** Behind a table of keys only: stored once, in the order of its primary key, where the engine can. */
  readonly keyed: string
}

/** A numbered step of the schema, forward only: plain SQL in the part both engines share. Never changed once released. */
export interface Migration {
  /** `NNNN-noun`: sorted by it, run in that order. */
  readonly name: string
  statements(types: ColumnTypes): string[]
}
