import type { RegistryFailure } from './registry-client.ts'

const QUIET_MS = 60_000
/** Requests may name repositories of their own, so that there is no end of hosts. */
const MAX_HOSTS = 1_000

/**
 * Tells the operator why a registry gives no answers: callers learn only that it gave none, and of which dependency.
 * Once a minute for each host, however many packages were asked for.
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
