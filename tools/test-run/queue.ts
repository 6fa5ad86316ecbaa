import type { TestFile } from './select.ts'

/** Test files, of which most processes take the first and one process takes the last. */
export interface Queue {
  /** Longest first, so that no long file starts near the end of the run. */
  readonly files: TestFile[]
  /** True for component tests, whose process has the names of a browser. */
  readonly needsDocument: boolean
}

/** Splits test files into those of usual processes and the component tests. */
export function toQueues(files: readonly TestFile[]): Queue[] {
  const byWeight = files.toSorted((a, b) => b.weight - a.weight)
  const queueOf = (needsDocument: boolean) => ({
    files: byWeight.filter(({ kind }) => (kind === 'component') === needsDocument),
    needsDocument,
  })
  return [queueOf(false), queueOf(true)].filter((queue) => queue.files.length > 0)
}
