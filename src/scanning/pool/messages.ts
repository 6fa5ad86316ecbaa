import type { SharedSnapshot } from '../advisories/snapshot-file.ts'
import type { TestTask } from '../reading/task.ts'
import type { NumberedAnswer, NumberedQuestion } from './registry-questions.ts'
import type { JobAnswer, TreeTask } from './tree-task.ts'

/** Priority of a test: background tests use some of the threads, and start only when no interactive test waits. */
export type Urgency = 'interactive' | 'background'

export type ToThread =
  | { readonly type: 'snapshot'; readonly snapshot: SharedSnapshot }
  | { readonly type: 'test'; readonly id: number; readonly task: TestTask | TreeTask }
  | { readonly type: 'abandon'; readonly id: number }
  | { readonly type: 'registry-answers'; readonly testId: number; readonly answers: readonly NumberedAnswer[] }

/** The progress of a thread, sent after loading and whenever it is idle. */
export interface ThreadProgress {
  /** Number of messages with work that the thread has handled. */
  readonly handled: number
  /** Processor time that the thread has used since it started. */
  readonly cpuMs: number
  /** Processor time of each test since the last report, by test id. */
  readonly used: readonly (readonly [id: number, ms: number])[]
}

export type FromThread =
  | { readonly type: 'answer'; readonly id: number; readonly answer: JobAnswer; readonly progress: ThreadProgress }
  | { readonly type: 'failure'; readonly id: number; readonly error: unknown; readonly progress: ThreadProgress }
  | { readonly type: 'idle'; readonly progress: ThreadProgress }
  | { readonly type: 'registry-questions'; readonly testId: number; readonly questions: readonly NumberedQuestion[] }
