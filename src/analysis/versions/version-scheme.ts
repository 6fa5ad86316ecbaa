/** How one family of packages orders its versions and reads its ranges, exactly as its own tool does. */
export interface VersionScheme {
  readonly id: 'npm' | 'pep440' | 'rubygems' | 'maven' | 'go'
  /** False for text that the tool itself refuses as a version. */
  isValid(version: string): boolean
  /**
   * Negative, zero or positive as `a` is older than, the same as or newer than `b`. Never throws: text that is not a
   * version sorts before every version, and by code unit among itself.
   */
  compare(a: string, b: string): number
  /**
   * A number that never contradicts `compare`: `coarse(a) < coarse(b)` implies `a` is older than `b`. Finite, between
   * 0 and 2^53; equal numbers say nothing. Searches compare it first and parse only on a tie.
   */
  coarse(version: string): number
  /** Whether the tool would accept `version` for `range`. A range that cannot be read is satisfied by nothing. */
  satisfies(version: string, range: string): boolean
  /** False for text that the tool refuses as a range. */
  isRange(range: string): boolean
}
