import { createHash } from 'node:crypto'
import { RecentMap } from '#foundation/recent-map.ts'
import type { Subject, TestTask } from '../reading/task.ts'
import type { TestAnswer } from '../results/answer.ts'

/**
 * Caches test answers by request: a pipeline tests its lockfile with every commit but rarely changes it. Entries are
 * valid until the advisories change.
 */
export interface ResultCache {
  find(key: string): TestAnswer | undefined
  keep(key: string, answer: TestAnswer): void
  clear(): void
}

const MAX_BYTES = 16 * 1024 * 1024
/** Weight of an entry without the body of its answer. */
const OWN_BYTES = 1_000
/** In bytes or characters; hashing a million of them takes the main thread one millisecond. */
const MAX_SENT_LENGTH = 8_000_000

export function createResultCache(): ResultCache {
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
 * Returns a digest of everything that determines the answer. It includes the organization, so that response times do
 * not reveal what other organizations send. Undefined for a task whose answer is not cached.
 */
export function keyOf(task: TestTask): string | undefined {
  const { subject, at: _, ...choices } = task
  const split = splitContents(subject)
  // The caller, which stores the result of a project's test, may transfer its bytes.
  if (split === undefined || task.form === 'project') return undefined
  const lengths = split.contents.map(({ length }) => length)
  if (lengths.reduce((sum, length) => sum + length, 0) > MAX_SENT_LENGTH) return undefined
  const hash = createHash('sha256').update(JSON.stringify([choices, split.place, lengths]))
  for (const each of split.contents) hash.update(each)
  return hash.digest('base64')
}

/** Splits what a client sent into its contents and the rest. */
function splitContents(subject: Subject) {
  if (subject.kind === 'sent') {
    const { json, ...place } = subject
    return { place, contents: [json.bytes] }
  }
  if (subject.kind !== 'files') return undefined
  const { target, additional, ...place } = subject
  return { place, contents: [target, ...additional] }
}
