/** Exit codes of the client's commands. */
export const exitCodes = { clean: 0, issues: 1, failure: 2, nothingToTest: 3 } as const

/** A failure that the user can fix: the message says what to do. */
export class ClientFailure extends Error {
  readonly exitCode: number

  constructor(message: string, { exitCode = exitCodes.failure, cause }: { exitCode?: number; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.exitCode = exitCode
  }
}
