import type { LastUses } from '#features/credentials/last-uses.ts'
import { type ArchiveStorage, createArchiveStorage } from '#features/integrations/archive-storage.ts'
import { createConfiguredSources } from '#features/integrations/configured-sources.ts'
import type { IntegrationSources } from '#features/integrations/repositories.ts'
import { type AdvisoryMatcher, createAdvisoryMatcher } from '#features/issue-index/matching/advisory-matcher.ts'
import { authenticateClient } from '#features/oauth/client-authentication.ts'
import { createPasswordCheck, type PasswordCheck } from '#features/sign-in/check-password.ts'
import { createProviderClients, type ProviderClients } from '#features/single-sign-on/provider-client.ts'
import type { AuthenticateClient } from '#foundation/access/oauth-client.ts'
import { createMetrics, type Metrics } from '#foundation/http/metrics/metrics.ts'
import { createJobNotifier, type JobNotifier } from '#foundation/jobs/job-notifier.ts'
import type { ObjectStore } from '#foundation/objects/object-store.ts'
import type { Outgoing } from '#foundation/outgoing/outgoing.ts'
import type { Services } from '#foundation/services.ts'
import type { AdvisoryHolder } from '#scanning/advisories/advisory-holder.ts'
import type { TestPool } from '#scanning/pool/test-pool.ts'
import { createConfiguredObjects } from './object-storage.ts'
import { createTestEngine, type EngineOptions, outgoingSettings } from './test-engine.ts'

/** The parts of a running server. The composition root passes to each feature what it uses. */
export interface Parts {
  readonly services: Services
  readonly lastUses: LastUses
  readonly metrics: Metrics
  readonly outgoing: Outgoing
  readonly advisories: AdvisoryHolder
  readonly tests: TestPool
  readonly matcher: AdvisoryMatcher
  /** Authenticates the client of a request at any endpoint of the authorization server. */
  readonly authenticateClient: AuthenticateClient
  /** Shared by all forms, so that its limits on memory and processor time apply to the whole process. */
  readonly checkPassword: PasswordCheck
  /** Clients of the identity providers, with their metadata and keys. */
  readonly providers: ProviderClients
  readonly sources: IntegrationSources
  /** Undefined unless one is configured. */
  readonly objects: ObjectStore | undefined
  readonly archives: ArchiveStorage
  readonly jobNotifier: JobNotifier
}

export async function createParts(
  { services, lastUses }: Pick<Parts, 'services' | 'lastUses'>,
  engine: EngineOptions = {},
): Promise<Parts> {
  const { config } = services
  const { outgoing, advisories, tests } = await createTestEngine(services, engine)
  const matcher = createAdvisoryMatcher(services, advisories)
  const objects = createConfiguredObjects(services)
  const archives = createArchiveStorage(services, objects)
  const sources = createConfiguredSources(services, { outgoing, settings: outgoingSettings(config), archives })
  const [metrics, jobNotifier] = [createMetrics(), createJobNotifier()]
  return {
    services,
    lastUses,
    metrics,
    outgoing,
    advisories,
    tests,
    matcher,
    authenticateClient: (request) => authenticateClient({ ...services, lastUses, outgoing }, request),
    checkPassword: createPasswordCheck(services),
    providers: createProviderClients({ ...services, outgoing }),
    sources,
    objects,
    archives,
    jobNotifier,
  }
}

export async function closeParts({ lastUses, tests, matcher, advisories, outgoing, objects }: Parts): Promise<void> {
  matcher.close()
  await tests.close()
  await advisories.close()
  await outgoing.close()
  await objects?.close()
  await lastUses.close()
}
