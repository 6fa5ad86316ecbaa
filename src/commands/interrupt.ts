import { ClientFailure } from '../client/failure.ts'

/** The exit code of a shell for a program that SIGINT ended. */
const EXIT_INTERRUPTED = 130

/** Runs work that SIGINT and SIGTERM abort, and returns its exit code. Throws `ClientFailure` when interrupted. */
export async function withInterrupt(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    return await work(stopping.signal)
  } catch (error) {
    if (!stopping.signal.aborted) throw error
    throw new ClientFailure('Interrupted.', { exitCode: EXIT_INTERRUPTED, cause: error })
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}
