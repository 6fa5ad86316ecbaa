import { createHash } from 'node:crypto'
import { RecentMap } from '#foundation/recent-map.ts'
import type { TestTask } from '../reading/task.ts'
import type { TestAnswer } from '../results/answer.ts'

/**
 * Answers to what clients sent, while the same request has the same answer: a pipeline tests a lockfile with every
 * commit and changes it with few. Holds until the advisories change.
 */
export interface KeptAnswers {
  find(key: string): TestAnswer | undefined
  keep(key: string, answer: TestAnswer): void
  clear(): void
}

const MAX_BYTES = 16 * 1024 * 1024
/** Weight of an entry besides the body of its answer. */
const OWN_BYTES = 1_000
/** Hashing takes the main thread a millisecond for each of them. */
const MAX_SENT_BYTES = 8 * 1024 * 1024

export function createKeptAnswers(): KeptAnswers {
  const kept = new RecentMap<TestAnswer>({ maxWeight: MAX_BYTES })
  return {
    find: (key) => kept.get(key),
    keep(key, answer) {
      if ('problem' in answer || !answer.facts.isRepeatable) return
      kept.set(key, answer, OWN_BYTES + answer.body.byteLength)
    },
    clear: () => kept.clear(),
  }
}

/**
 * Returns a digest of all that decides about the answer, the organization among it: none learns from the time of an answer
 * what others send. Undefined for a task whose answer is not kept.
 */
export function keyOf(task: TestTask): string | undefined {
  const { subject, at: _, ...choices } = task
  // What is recorded of a project is read by others, which may hand its bytes on.
  if (subject.kind !== 'sent' || task.form === 'project') return undefined
  if (subject.json.bytes.length > MAX_SENT_BYTES) return undefined
  const { json, ...place } = subject
  const hash = createHash('sha256').update(JSON.stringify([choices, place]))
  return hash.update(json.bytes).digest('base64')
}
