import { rotateSigningKeys } from '#features/access-tokens/rotate-signing-keys.job.ts'
import { finishAppRemovals } from '#features/apps/finish-removal.job.ts'
import { announceExpiries } from '#features/credentials/announce-expiries.job.ts'
import { importRepositories } from '#features/imports/import.job.ts'
import { purgeImports } from '#features/imports/purge-imports.job.ts'
import type { ImportServices } from '#features/imports/run-import.ts'
import { scheduleImport } from '#features/imports/schedule-import.ts'
import { purgeObjects } from '#features/integrations/purge-objects.job.ts'
import { foldTrends } from '#features/projects/fold-trends.job.ts'
import {
  announceIssues,
  countIssues,
  labelStoredPackages,
  matchAdvisories,
} from '#features/projects/matching/match-advisories.job.ts'
import { indexProjectNames } from '#features/projects/names/index-names.job.ts'
import { purgeProjects } from '#features/projects/purging/purge-projects.job.ts'
import { createProjectTester } from '#features/projects/recording/run-project-test.ts'
import { retestProjects } from '#features/projects/retests/retest.job.ts'
import { resealSecrets } from '#features/secret-keys/reseal.job.ts'
import { purgeExpired } from '#features/setup/purge-expired.job.ts'
import { checkIdentities } from '#features/single-sign-on/check-identities.job.ts'
import { purgeDeliveries } from '#features/webhooks/purge-deliveries.job.ts'
import type { JobKind } from '#foundation/jobs/job.ts'
import { syncAdvisories } from '#scanning/advisories/sync.job.ts'
import { createTreeReader } from '#scanning/pool/read-tree.ts'
import type { Parts } from './parts.ts'

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
    finishAppRemovals(services),
    rotateSigningKeys(services),
    checkIdentities({ ...services, providers }),
    resealSecrets(services, async () => (await import('./sealed-places.ts')).sealedPlaces),
    syncAdvisories(services, advisories),
    matchAdvisories(services, matcher),
    announceIssues(services),
    countIssues(services),
    labelStoredPackages(services),
    foldTrends(services),
    indexProjectNames(services),
    retestProjects({ ...services, tester, sources: { retest: scheduleImport } }),
    importRepositories(importServices(parts)),
    purgeImports(services),
    purgeObjects(services, objects),
  ]
}
