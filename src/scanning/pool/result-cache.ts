import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { MaybePromise } from '#foundation/maybe-promise.ts'
import { RecentMap } from '#foundation/recent-map.ts'
import type { Subject, TestTask } from '../reading/task.ts'
import type { TestAnswer } from '../results/answer.ts'

/**
 * Caches test answers by request: a pipeline tests its lockfile with every commit but rarely changes it. Entries are
 * valid until the advisories change. Large answers are compressed outside the event loop.
 */
export interface ResultCache {
  find(key: string): MaybePromise<TestAnswer> | undefined
  /** Resolves when the answer can be found. */
  keep(key: string, answer: TestAnswer): Promise<void>
  clear(): void
}

type SuccessfulAnswer = Exclude<TestAnswer, { readonly problem: unknown }>
/** An answer whose body may be compressed. */
interface Entry {
  readonly answer: SuccessfulAnswer
  readonly isPacked: boolean
}

const MAX_BYTES = 16 * 1024 * 1024
/** Weight of an entry without the body of its answer. */
const OWN_BYTES = 1_000
/** Answers are repetitive: a larger one shrinks to a thirtieth, in ten milliseconds per megabyte. */
const MAX_PLAIN_BYTES = 1_000_000
/** In bytes or characters; hashing a million of them takes the main thread one millisecond. */
const MAX_SENT_LENGTH = 8_000_000

const pack = promisify(deflateRaw)
const unpack = promisify(inflateRaw)

export function createResultCache(): ResultCache {
  const entries = new RecentMap<Entry>({ maxWeight: MAX_BYTES })
  let generation = 0

  function set(key: string, entry: Entry): void {
    const { body, details = new Map<string, string>() } = entry.answer
    const detailsLength = details.values().reduce((sum, { length }) => sum + length, 0)
    entries.set(key, entry, OWN_BYTES + body.byteLength + detailsLength)
  }

  async function setPacked(key: string, answer: SuccessfulAnswer): Promise<void> {
    const begun = generation
    const body = new Uint8Array(await pack(answer.body, { level: 1 }))
    // New advisories may have arrived meanwhile.
    if (generation === begun) set(key, { answer: { ...answer, body }, isPacked: true })
  }

  return {
    find(key) {
      const entry = entries.get(key)
      if (!entry?.isPacked) return entry?.answer
      return unpack(entry.answer.body).then((body) => ({ ...entry.answer, body: new Uint8Array(body) }))
    },
    async keep(key, answer) {
      if ('problem' in answer || !answer.facts.isRepeatable) return
      if (answer.body.byteLength > MAX_PLAIN_BYTES) await setPacked(key, answer)
      else set(key, { answer, isPacked: false })
    },
    clear() {
      generation++
      entries.clear()
    },
  }
}

/**
 * Returns a digest of everything that determines the answer. It includes the organization, so that response times do
 * not reveal what other organizations send. Undefined for a task whose answer is not cached.
 */
export function keyOf(task: TestTask): string | undefined {
  const { subject, at: _, policies, ...rest } = task
  const choices = { ...rest, policies: policies?.revision }
  const split = splitContents(subject)
  // The caller, which stores the result of a project's test, may transfer its bytes.
  if (split === undefined || task.form === 'project') return undefined
  const lengths = split.contents.map(({ length }) => length)
  if (lengths.reduce((sum, length) => sum + length, 0) > MAX_SENT_LENGTH) return undefined
  const hash = createHash('sha256').update(JSON.stringify([choices, split.place, lengths]))
  for (const content of split.contents) hash.update(content)
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
