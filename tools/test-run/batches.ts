import type { TestFile } from './select.ts'

/** Batches per process: enough for the processes to end together, few enough to import the server rarely. */
const BATCHES_PER_JOB = 5

/**
 * Splits test files into batches, one process each. Component tests are the last batch, because their process has the
 * names of a browser.
 */
export function toBatches(files: readonly TestFile[], jobs: number): TestFile[][] {
  const components = files.filter(({ kind }) => kind === 'component')
  const others = files.filter(({ kind }) => kind !== 'component')
  return [...split(others, jobs), components].filter((batch) => batch.length > 0)
}

/**
 * Batches of about the same weight, those with the longest files first, so that no long file begins when the others end.
 * A single job gets a single batch.
 */
function split(files: readonly TestFile[], jobs: number): TestFile[][] {
  const count = jobs === 1 ? 1 : Math.min(files.length, jobs * BATCHES_PER_JOB)
  const batches = Array.from({ length: count }, () => ({ files: [] as TestFile[], weight: 0 }))
  for (const file of [...files].sort((a, b) => b.weight - a.weight)) {
    const lightest = batches.reduce((least, batch) => (batch.weight < least.weight ? batch : least))
    lightest.files.push(file)
    lightest.weight += file.weight
  }
  // Each batch begins with its longest file.
  return batches.map((batch) => batch.files).sort((a, b) => b[0]!.weight - a[0]!.weight)
}
