import type { SharedSnapshot } from '../advisories/snapshot-file.ts'
import type { TestTask } from '../reading/task.ts'
import type { TestAnswer } from '../results/answer.ts'
import type { Urgency } from './messages.ts'
import type { ReadFiles, TreeAnswer, TreeTask } from './tree-task.ts'

export interface RunOptions {
  /** Defaults to interactive. */
  readonly urgency?: Urgency
  /** Id of the caller's credential. The credentials of an organization share its processor time. */
  readonly credential?: string | undefined
  /** Abandons the test. A computation under way ends soon; a long one ends together with its thread. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs tests, whose input is untrusted, in threads with limits on time and memory. Threads start with the first test.
 */
export interface TestPool {
  /** Rejects with `unavailable` if too many tests are waiting. */
  run(task: TestTask, options?: RunOptions): Promise<TestAnswer>
  /** Answers a question about a tree; its files are untrusted too. */
  readTree(task: TreeTask, options: RunOptions & { readonly read: ReadFiles }): Promise<TreeAnswer>
  /** Starts a thread if none is running, so that it is ready for a test that is expected soon. */
  warm(): void
  /** Sets the advisories for tests that begin from now on. */
  switchSnapshot(snapshot: SharedSnapshot): void
  /** Number of tests that wait for a thread. */
  readonly waiting: number
  /** Number of tests begun and not yet answered. */
  readonly open: number
  readonly threads: number
  close(): Promise<void>
}
