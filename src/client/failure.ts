export const exitCodes = { clean: 0, issues: 1, failure: 2, nothingToTest: 3 } as const

/** Describes why a file cannot be written; `advice` is for other reasons than a full disk. */
export function toWriteFailure(path: string, cause: unknown, advice: string): ClientFailure {
  const { code } = cause as NodeJS.ErrnoException
  const isFull = code === 'ENOSPC' || code === 'EDQUOT'
  const next = isFull ? 'Free some space, and try again.' : advice
  return new ClientFailure(`"${path}" cannot be written (${code}). ${next}`, { cause })
}

/** A failure that the user can fix: the message says what to do. */
export class ClientFailure extends Error {
  readonly exitCode: number

  constructor(message: string, { exitCode = exitCodes.failure, cause }: { exitCode?: number; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.exitCode = exitCode
  }
}
