/** The first message to a worker. */
export interface Setup {
  /** Absolute paths of the mutated sources and the JavaScript that stands for them. */
  readonly modules: Readonly<Record<string, string>>
  readonly mutants: number
  readonly testFiles: readonly string[]
  /** A mutant that is active from the start, for code that runs once in a process; 0 for none. */
  readonly active: number
}

/** Asks a worker to run tests with one mutant; 0 runs them as they are. */
export interface Trial {
  readonly mutant: number
  readonly tests: readonly number[]
  readonly timeoutMs: number
  readonly maxCalls: number
  /** Reports which mutants each test reaches. */
  readonly isRecorded?: boolean
}

export type Request = { readonly setup: Setup } | { readonly trial: Trial }

export interface Loaded {
  readonly tests: readonly { readonly title: string; readonly file: string }[]
  /** Mutants that were reached while the files were loaded. */
  readonly reached: readonly number[]
  readonly error?: string
}

export interface Recorded {
  /** Includes the hooks of its suites, as do the other members. */
  readonly ms: number
  /** The number of times that it asked whether a mutant is active. */
  readonly calls: number
  readonly reached: readonly number[]
  readonly error?: string
}

export interface Verdict {
  /** `stopped`: the mutant ran too often, and the process is as it was. */
  readonly result: 'passed' | 'failed' | 'stopped' | 'timed out'
  /** The test that failed. */
  readonly by?: string
  readonly error?: string
  readonly calls: number
  /** The tests that ran, with the mutants they reached, if the trial is recorded. */
  readonly recorded: readonly (readonly [test: number, Recorded])[]
}

export type Answer = { readonly loaded: Loaded } | { readonly verdict: Verdict }
