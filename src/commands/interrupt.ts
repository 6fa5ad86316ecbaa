import { ClientFailure } from '../client/failure.ts'

/** The exit code of a shell for a program that SIGINT ended. */
const EXIT_INTERRUPTED = 130

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs work that signals abort, including the hang-up of a terminal. Throws `ClientFailure` if interrupted. */
export async function withInterrupt(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  for (const signal of SIGNALS) process.once(signal, stop)
  try {
    return await work(stopping.signal)
  } catch (error) {
    if (!stopping.signal.aborted) throw error
    throw new ClientFailure('Interrupted.', { exitCode: EXIT_INTERRUPTED, cause: error })
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop)
  }
}
