/** A defect that was once found from outside, as the change of the code that brings it back. */
export interface Defect {
  readonly title: string
  /** The source that prevents it. */
  readonly file: string
  /** Occurs once in the file. */
  readonly text: string
  readonly replacement: string
  /** Test files of which one must fail. */
  readonly tests: readonly string[]
  /** A pattern of the names of the tests that are to notice it; others may take long. */
  readonly names?: string
}
