import type { TestTask } from '../reading/task.ts'
import { charactersOf } from './pool-places.ts'
import type { Job } from './pool-thread.ts'
import type { RunOptions } from './test-pool.ts'
import type { ReadFiles, TreeTask } from './tree-task.ts'

/** Creates the job of a task before it waits for a thread. */
export function newJob(
  id: number,
  task: TestTask | TreeTask,
  { urgency = 'interactive', credential = '', read }: RunOptions & { readonly read?: ReadFiles },
): Omit<Job, 'settle'> {
  return {
    id,
    task,
    read,
    party: { org: task.org.id, credential },
    urgency,
    characters: 'paths' in task ? task.paths.length : charactersOf(task.subject),
    queuedAt: Date.now(),
    usedMs: 0,
    questions: 0,
    askedAt: 0,
    waitedMs: 0,
    restarts: 0,
    asking: new AbortController(),
    isAlone: false,
  }
}
