/** The version order and range syntax of one package family, exactly as in its own tool. */
export interface VersionScheme {
  readonly id:
    | 'npm'
    | 'pep440'
    | 'rubygems'
    | 'maven'
    | 'go'
    | 'cargo'
    | 'nuget'
    | 'pub'
    | 'hex'
    | 'actions'
    | 'composer'
    | 'conan'
    | 'cran'
    | 'hackage'
  /** Returns false for text that the tool refuses as a version. */
  isValid(version: string): boolean
  /**
   * Returns a negative number, zero or a positive one as `a` is older than, equal to or newer than `b`. Never throws:
   * invalid text sorts before every version, by code unit.
   */
  compare(a: string, b: string): number
  /** Removes the label of a build of a published version (`1.13.0+cu117`). Absent if the order ignores such labels. */
  toPublic?(version: string): string
  /** Returns the range that the tool writes for a version, if its lockfile does not tell the ranges of packages. */
  toDefaultRange?(version: string): string
  /** Returns true if the tool would accept `version` for `range`; false for an unreadable range. */
  satisfies(version: string, range: string): boolean
  /** Returns false for text that the tool refuses as a range. */
  isRange(range: string): boolean
}
