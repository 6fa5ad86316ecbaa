/** Column types that the engines spell differently. */
export interface ColumnTypes {
  /** Text ordered by code unit on both engines (PostgreSQL: collation "C"). */
  readonly text: string
  /** Raw bytes. */
  readonly bytes: string
  /** An auto-incremented primary key that is never reused: short, for tables with millions of referring rows. */
  readonly counter: string
  /** Suffix for tables that consist of keys: stores rows once, in primary-key order, where the engine supports it. */
  readonly keyed: string
}

/** A numbered schema step, forward only: plain SQL that both engines share. Never changed after a release. */
export interface Migration {
  /** `NNNN-noun`: steps run in this order. */
  readonly name: string
  /**
   * The first release that no longer uses what the step removes or renames. Other steps may only add: servers of the
   * previous release serve while they run.
   */
  readonly unusedSince?: string
  statements(types: ColumnTypes): string[]
}
