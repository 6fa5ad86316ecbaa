/** The tests that killed earlier mutants of a source: they are likely to kill the next one, too. */
export interface Killers {
  /** Returns those among the given tests that lie in the file of the latest one, latest first. */
  among(source: string, tests: readonly number[]): number[]
  note(source: string, test: number): void
  /** Excludes tests that fail without the tests before them. */
  exclude(tests: readonly number[]): void
}

const MOST = 3

export function rememberKillers(fileOf: (test: number) => string): Killers {
  const latest = new Map<string, number[]>()
  const excluded = new Set<number>()
  return {
    among(source, tests) {
      const known = (latest.get(source) ?? []).filter((id) => tests.includes(id) && !excluded.has(id))
      return known.filter((id) => fileOf(id) === fileOf(known[0]!)).slice(0, MOST)
    },
    note(source, test) {
      latest.set(source, [test, ...(latest.get(source) ?? []).filter((id) => id !== test)])
    },
    exclude(tests) {
      for (const id of tests) excluded.add(id)
    },
  }
}
