import { rotateSigningKeys } from '#features/access-tokens/rotate-signing-keys.job.ts'
import { syncAdvisories } from '#features/advisory-sync/sync.job.ts'
import { finishAppRemovals } from '#features/apps/finish-removal.job.ts'
import { announceExpiries } from '#features/credentials/announce-expiries.job.ts'
import { importRepositories } from '#features/imports/import.job.ts'
import { purgeImports } from '#features/imports/purge-imports.job.ts'
import type { ImportServices } from '#features/imports/run-import.ts'
import { scheduleImport } from '#features/imports/schedule-import.ts'
import { startSharing } from '#features/imports/share-imports.ts'
import { purgeObjects } from '#features/integrations/purge-objects.job.ts'
import { foldTrends } from '#features/issue-index/fold-trends.job.ts'
import {
  announceIssues,
  countIssues,
  labelStoredPackages,
  MATCH_ADVISORIES,
  matchAdvisories,
} from '#features/issue-index/matching/match-advisories.job.ts'
import { evaluateChangedPolicies } from '#features/issue-index/policies/evaluate-policies.job.ts'
import { createProjectTester } from '#features/issue-index/recording/run-project-test.ts'
import { indexProjectNames } from '#features/projects/names/index-names.job.ts'
import { purgeProjects } from '#features/projects/purging/purge-projects.job.ts'
import { retestProjects } from '#features/projects/retests/retest.job.ts'
import { resealSecrets } from '#features/secret-keys/reseal.job.ts'
import { purgeExpired } from '#features/setup/purge-expired.job.ts'
import { checkIdentities } from '#features/single-sign-on/check-identities.job.ts'
import { announceOverdue } from '#features/triage/announce-overdue.job.ts'
import { startDeliveries } from '#features/webhooks/deliveries.ts'
import { purgeDeliveries } from '#features/webhooks/purge-deliveries.job.ts'
import { listenToProcesses } from '#foundation/db/notifications.ts'
import type { JobKind } from '#foundation/jobs/job.ts'
import { makeJobsDue, releaseJobs } from '#foundation/jobs/store.ts'
import { scheduleRepeating, startWorker } from '#foundation/jobs/worker.ts'
import { createTreeReader } from '#scanning/pool/read-tree.ts'
import type { Parts } from './composition/parts.ts'

/** The services of importing processes: those that run jobs, and those that help them. */
export function importServices({ services, tests, sources: repositories }: Parts): ImportServices {
  return {
    ...services,
    tester: createProjectTester(services, tests),
    repositories,
    createReader: (orgId, signal) => createTreeReader(tests, orgId, { urgency: 'background', signal }),
    expectTests: () => tests.warm(),
  }
}

/** Every kind of background work. */
export function jobKinds(parts: Parts): JobKind[] {
  const { services, advisories, tests, matcher, providers, objects } = parts
  const tester = createProjectTester(services, tests)
  return [
    purgeExpired(services),
    purgeDeliveries(services),
    purgeProjects(services),
    announceExpiries(services),
    announceOverdue(services),
    finishAppRemovals(services),
    rotateSigningKeys(services),
    checkIdentities({ ...services, providers }),
    resealSecrets(services, async () => (await import('./composition/sealed-places.ts')).sealedPlaces),
    syncAdvisories(services, advisories),
    matchAdvisories(services, matcher),
    announceIssues(services),
    countIssues(services),
    evaluateChangedPolicies(services),
    labelStoredPackages(services),
    foldTrends(services),
    indexProjectNames(services),
    retestProjects({ ...services, tester, sources: { retest: scheduleImport } }),
    importRepositories(importServices(parts)),
    purgeImports(services),
    purgeObjects(services, objects),
  ]
}

/** Starts the background work of a process's role. */
export async function startBackground(parts: Parts): Promise<Closable> {
  const { config, database } = parts.services
  const started = [
    ...(database.engine === 'postgres' ? [startListening(parts)] : []),
    ...(config.role === 'serve' ? [] : [await startJobs(parts)]),
  ]
  return {
    async close() {
      await Promise.all(started.map((closable) => closable.close()))
    },
  }
}

interface Closable {
  close(): Promise<void>
}

async function startJobs(parts: Parts): Promise<Closable> {
  const { services, outgoing, advisories, jobNotifier } = parts
  const { config, database, db, now } = services
  const kinds = jobKinds(parts)
  // Only one process has the data folder, so all leases are stale.
  if (database.engine === 'sqlite') await releaseJobs(db, now())
  await scheduleRepeating(services, kinds)
  const worker = startWorker(services, kinds, {
    concurrency: 2,
    pollMs: 1000,
    leaseMs: config.jobLeaseSeconds * 1000,
  })
  jobNotifier.onNotify(() => worker.wake())
  const deliveries = startDeliveries({ ...services, outgoing })
  const sharing = startSharing({ ...importServices(parts), database })
  const endListening = advisories.onChange(() => {
    makeJobsDue(services.db, MATCH_ADVISORIES, services.now())
      .then(() => worker.wake())
      .catch((err) => services.log.warn({ err }, 'new advisories were not matched; the next run tries again'))
  })
  return {
    async close() {
      endListening()
      await Promise.all([worker.close(), deliveries.close(), sharing.close()])
    },
  }
}

/** Switches to new advisories when they are committed; where notifications do not arrive, at the next poll. */
function startListening({ services, advisories }: Parts): Closable {
  const { config, db, log } = services
  return listenToProcesses({
    url: (config.databaseListenUrl ?? config.databaseUrl)!,
    db,
    onTopic() {
      advisories.refresh().catch((err) => log.warn({ err }, 'the check for newer advisories failed'))
    },
    onFault: (fault) => log.warn(fault, 'database notifications do not arrive; advisories are polled'),
  })
}
