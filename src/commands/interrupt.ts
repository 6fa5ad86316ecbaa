/** The exit code of a shell for a program that SIGINT ended. */
const EXIT_INTERRUPTED = 130

/** Runs work that SIGINT and SIGTERM abort, and returns its exit code. */
export async function withInterrupt(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    return await work(stopping.signal)
  } catch (error) {
    if (!stopping.signal.aborted) throw error
    console.error('Interrupted.')
    return EXIT_INTERRUPTED
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}
