import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import { Problem } from '#foundation/problem.ts'

interface Bounds {
  readonly timeoutSeconds: number
  readonly waitSeconds: number
  readonly memoryMb: number
}

export function tooMuchTime({ timeoutSeconds }: Bounds): Problem {
  return new Problem(
    'test-too-expensive',
    `The test used more than ${timeoutSeconds} s of processor time (GATEHOUSE_TEST_SECONDS). Raise the limit or test a smaller project.`,
  )
}

export function unresponsive({ timeoutSeconds }: Bounds): Problem {
  return new Problem(
    'test-too-expensive',
    `The test did not respond for ${timeoutSeconds} s (GATEHOUSE_TEST_SECONDS). Raise the limit or test a smaller project.`,
  )
}

/** Returns the problem of a test whose thread ended twice, the second time with this test alone. */
export function crashed({ memoryMb }: Bounds, error: unknown): Problem {
  const isMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
  const detail = isMemory
    ? `The test needed more than ${memoryMb} MB of memory (GATEHOUSE_TEST_MEMORY_MB). Raise the limit or test a smaller project.`
    : 'The test ended its thread twice. Report this with the project that was sent.'
  return new Problem('test-too-expensive', detail, { cause: error })
}

/** Answers every further question of a test that has waited too long. */
export class RegistriesTooSlow extends RegistryUnreachable {
  readonly limitMet: string

  constructor({ waitSeconds }: Bounds) {
    super('the registries took too long')
    this.limitMet = `The test waited ${waitSeconds} s for package registries`
  }
}

export function overloaded(retryAfterSeconds: number, detail: string): Problem {
  return new Problem('unavailable', `${detail}. Repeat the test after ${retryAfterSeconds} s.`, {
    headers: { 'retry-after': String(retryAfterSeconds) },
  })
}

export function closing(): Problem {
  return new Problem('unavailable', 'The server is stopping. Repeat the test in a few seconds.', {
    headers: { 'retry-after': '5' },
  })
}
