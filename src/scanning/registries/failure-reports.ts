import type { RegistryFailure } from './registry-client.ts'

const QUIET_MS = 60_000
/** Requests may name their own repositories, so that the number of hosts needs a limit. */
const MAX_HOSTS = 1_000

/**
 * Reports to the operator why a registry does not answer, at most once a minute for each host. Callers learn only for
 * which dependency there was no answer.
 */
export function createFailureReports(
  now: () => number,
  report: (failure: RegistryFailure) => void,
): (failure: RegistryFailure) => void {
  const reportedAt = new Map<string, number>()
  return (failure) => {
    const last = reportedAt.get(failure.host)
    if (last !== undefined && now() - last < QUIET_MS) return
    if (reportedAt.size >= MAX_HOSTS) reportedAt.clear()
    reportedAt.set(failure.host, now())
    report(failure)
  }
}
