import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import type { PackedAnswer } from '../registries/answer-memory.ts'
import { RegistriesTooSlow } from './pool-problems.ts'
import type { NumberedAnswer, NumberedQuestion, ThreadQuestion } from './registry-questions.ts'

export interface Answering {
  /** Returns an answer that is in memory. */
  find(question: ThreadQuestion): PackedAnswer | undefined
  /** Asks a question whose answer is not in memory. */
  ask(question: ThreadQuestion): Promise<PackedAnswer>
  /** Called with errors that no registry caused. */
  onError(error: unknown): void
  send(answers: readonly NumberedAnswer[]): void
}

/**
 * Answers the questions of a test: at once from memory, the rest as answers arrive. Answers that arrive in the same
 * turn of the event loop go out together.
 */
export function answerQuestions(questions: readonly NumberedQuestion[], answering: Answering): void {
  const { onError, send } = answering
  let ready: NumberedAnswer[] = []
  for (const numbered of questions) {
    const cached = answering.find(numbered.question)
    if (cached === undefined) void ask(numbered)
    else give({ id: numbered.id, answer: cached })
  }

  async function ask({ id, question }: NumberedQuestion): Promise<void> {
    try {
      give({ id, answer: await answering.ask(question) })
    } catch (error) {
      if (!(error instanceof RegistryUnreachable)) onError(error)
      give({ id, ...toUnanswered(error) })
    }
  }

  function give(answer: NumberedAnswer): void {
    if (ready.length === 0) setImmediate(flush)
    ready.push(answer)
  }

  function flush(): void {
    const answers = ready
    ready = []
    send(answers)
  }
}

function toUnanswered(error: unknown) {
  if (!(error instanceof RegistryUnreachable)) return { failed: true } as const
  const bound = error instanceof RegistriesTooSlow ? { limitMet: error.limitMet } : {}
  return { unreachable: error.message, ...bound }
}
