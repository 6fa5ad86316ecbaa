import { type ProblemCode, problemCodes } from './problem-codes.ts'

/** The location of the fault: a JSON pointer into the body, or the name of a parameter or header. */
export interface ProblemSource {
  readonly pointer?: string
  readonly parameter?: string
  readonly header?: string
}

/** One refusal in an answer that may carry several. */
export interface Fault {
  readonly detail: string
  readonly source?: ProblemSource | undefined
}

/** A refusal that the caller can act on. `message` is public; `cause` is for the log. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly faults: readonly Fault[]
  /** Extra response headers, e.g. `retry-after`. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ProblemCode,
    detail: string | readonly Fault[],
    options: { source?: ProblemSource; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    const faults = typeof detail === 'string' ? [{ detail, source: options.source }] : detail
    super(
      faults.map((fault) => fault.detail).join('; '),
      options.cause === undefined ? undefined : { cause: options.cause },
    )
    this.code = code
    this.faults = faults
    this.headers = options.headers ?? {}
  }

  get status(): number {
    return problemCodes[this.code].status
  }
}

/** Returns the same 404 for missing resources and for those that the caller may not see. */
export function notFound(noun: string): Problem {
  return new Problem('not-found', `${noun} not found`)
}
