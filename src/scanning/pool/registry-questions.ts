import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import { Problem } from '#foundation/problem.ts'
import type { PackedAnswer } from '../registries/answer-memory.ts'
import type { RegistryQuestion } from '../registries/remote-registries.ts'

/** A question of a test thread; its answer has the same number. */
export interface NumberedQuestion {
  readonly id: number
  readonly question: ThreadQuestion
}

/** A question to a registry, or for files of the tree that the task is about. */
export type ThreadQuestion = RegistryQuestion | { readonly files: readonly string[] }

export type NumberedAnswer = { readonly id: number } & (
  | { readonly answer: PackedAnswer }
  /** `limitMet` names the limit of this server that ended the wait, if one did. */
  | { readonly unreachable: string; readonly limitMet?: string }
  | { readonly failed: true }
)

/** The test that asks the questions. */
export interface AskingTest {
  readonly id: number
  /** Limits of this server that the test reached while it waited. */
  readonly boundsMet: Set<string>
}

/** Limit on the questions in one message: the main thread does other work between two messages. */
const MAX_AT_ONCE = 500

interface Waiting {
  readonly test: AskingTest
  resolve(answer: PackedAnswer): void
  reject(error: Error): void
}

/**
 * Sends a thread's questions to the main thread; those that a test asks in one turn of the event loop go out together.
 */
export function createRegistryQuestions(send: (testId: number, questions: readonly NumberedQuestion[]) => void) {
  const waiting = new Map<number, Waiting>()
  const open = new Map<number, NumberedQuestion[]>()
  let lastId = 0

  function flush(): void {
    for (const [testId, questions] of open) {
      for (let at = 0; at < questions.length; at += MAX_AT_ONCE) send(testId, questions.slice(at, at + MAX_AT_ONCE))
    }
    open.clear()
  }

  function add(testId: number, question: NumberedQuestion): void {
    if (open.size === 0) setImmediate(flush)
    const others = open.get(testId)
    if (others === undefined) open.set(testId, [question])
    else others.push(question)
  }

  function settle(answer: NumberedAnswer): void {
    const question = waiting.get(answer.id)
    waiting.delete(answer.id)
    if (question === undefined) return
    if ('answer' in answer) question.resolve(answer.answer)
    else if ('unreachable' in answer) {
      if (answer.limitMet !== undefined) question.test.boundsMet.add(answer.limitMet)
      question.reject(new RegistryUnreachable(answer.unreachable))
    } else question.reject(toFailure())
  }

  return {
    ask(test: AskingTest, question: ThreadQuestion): Promise<PackedAnswer> {
      const id = ++lastId
      add(test.id, { id, question })
      return new Promise((resolve, reject) => waiting.set(id, { test, resolve, reject }))
    },
    take: (answers: readonly NumberedAnswer[]) => answers.forEach(settle),
    abandon(testId: number, reason: () => Error): void {
      open.delete(testId)
      for (const [id, { test, reject }] of waiting) {
        if (test.id !== testId) continue
        waiting.delete(id)
        reject(reason())
      }
    },
  }
}

export function unpack(answer: PackedAnswer): unknown {
  if ('value' in answer) return answer.value
  return answer.json === undefined ? undefined : JSON.parse(answer.json)
}

function toFailure(): Problem {
  return new Problem('unavailable', 'Cached registry responses cannot be read now. Try again in a few seconds.')
}
