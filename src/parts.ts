import type { Logger } from 'pino'
import { type AdvisoryHolder, startHolder } from '#features/advisories/holder.ts'
import { snapshotsDir } from '#features/advisories/sync-settings.ts'
import { createAccessStore } from '#features/credentials/access-store.ts'
import { createLastUses, type LastUses } from '#features/credentials/last-uses.ts'
import { createConfiguredSources } from '#features/integrations/configured-sources.ts'
import type { IntegrationSources } from '#features/integrations/repositories.ts'
import { type AuthorizationServer, createAuthorizationServer } from '#features/oauth/authorization-server.ts'
import { createTestPool, type TestPool } from '#features/package-tests/pool.ts'
import { type AdvisoryMatcher, createAdvisoryMatcher } from '#features/projects/advisory-matcher.ts'
import { MATCH_ADVISORIES } from '#features/projects/match-advisories.job.ts'
import { createFailureReports } from '#features/registries/failure-reports.ts'
import { createRegistries, ownRegistryUrls } from '#features/registries/registries.ts'
import { startDeliveries } from '#features/webhooks/deliveries.ts'
import { createAttempts } from '#foundation/access/attempts.ts'
import type { Config } from '#foundation/config.ts'
import type { Database } from '#foundation/db/database.ts'
import { listenToProcesses } from '#foundation/db/notifications.ts'
import { createMetrics, type Metrics } from '#foundation/http/metrics.ts'
import { createJobBell, type JobBell } from '#foundation/jobs/bell.ts'
import { hurryJobs, releaseJobs } from '#foundation/jobs/store.ts'
import { scheduleRepeating, startWorker } from '#foundation/jobs/worker.ts'
import { toHostPattern } from '#foundation/outgoing/host-patterns.ts'
import { createOutgoing, type Outgoing } from '#foundation/outgoing/outgoing.ts'
import type { OutgoingSettings } from '#foundation/outgoing/settings.ts'
import { createKeyring } from '#foundation/secrets/keyring.ts'
import { readOrCreateSecretKey } from '#foundation/secrets/secret-key-file.ts'
import type { Services } from '#foundation/services.ts'
import { jobKinds } from './jobs.ts'

/** Everything a running server is made of; the composition root hands each feature what it uses. */
export interface Parts {
  readonly services: Services
  readonly lastUses: LastUses
  readonly metrics: Metrics
  readonly outgoing: Outgoing
  readonly advisories: AdvisoryHolder
  readonly tests: TestPool
  readonly matcher: AdvisoryMatcher
  readonly oauth: AuthorizationServer
  readonly sources: IntegrationSources
  readonly bell: JobBell
}

export function createServices(
  config: Config,
  database: Database,
  log: Logger,
): { services: Services; lastUses: LastUses } {
  const now = () => Date.now()
  const { db } = database
  const keyring = createKeyring(config.secretKey ?? readOrCreateSecretKey(config.dataDir))
  const lastUses = createLastUses(db, (err) => log.error({ err }, 'last uses of credentials were not saved'))
  const attempts = createAttempts({
    perMinute: config.failedSecretsPerMinute,
    now,
    onLimit: (reached) => log.warn(reached, 'too many secrets that do not work come from an address'),
  })
  const access = createAccessStore({ db, keyring, lastUses, attempts, now })
  const baseUrl =
    config.baseUrl ?? `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${config.port}`
  return { services: { config, database, db, keyring, log, access, attempts, baseUrl, now }, lastUses }
}

export async function createParts({ services, lastUses }: Pick<Parts, 'services' | 'lastUses'>): Promise<Parts> {
  const { config } = services
  const outgoing = createConfiguredOutgoing(config)
  const advisories = await startHolder(services, {
    dir: snapshotsDir(config.dataDir),
    pollSeconds: config.advisoriesPollSeconds,
  })
  const onFailure = createFailureReports(services.now, (failure) =>
    services.log.warn(failure, 'a registry gave no answer'),
  )
  const tests = createTestPool(
    {
      threads: config.testWorkers,
      timeoutSeconds: config.testSeconds,
      waitSeconds: config.testWaitSeconds,
      maxWaiting: config.testQueue,
      memoryMb: config.testMemoryMb,
      searchSeconds: config.searchSeconds,
      backgroundPercent: config.backgroundPercent,
      onError: (err) => services.log.error({ err }, 'a question to a registry failed'),
    },
    createRegistries({ db: services.db, outgoing, now: services.now, onFailure }, config),
  )
  tests.switchSnapshot(advisories.current())
  advisories.onChange((snapshot) => tests.switchSnapshot(snapshot))
  const oauth = createAuthorizationServer(services, { lastUses, outgoing })
  const matcher = createAdvisoryMatcher(services, advisories)
  const sources = createConfiguredSources(services, { outgoing, settings: outgoingSettings(config) })
  const [metrics, bell] = [createMetrics(), createJobBell()]
  return { services, lastUses, metrics, outgoing, advisories, tests, matcher, oauth, sources, bell }
}

export async function closeParts({ lastUses, tests, matcher, advisories, outgoing }: Parts): Promise<void> {
  matcher.close()
  await tests.close()
  await advisories.close()
  await outgoing.close()
  await lastUses.close()
}

/**
 * What the operator configures may be reached without being allowed a second time, and so may the public registries:
 * many networks have mirrors of them at inner addresses, under their own names.
 */
function outgoingSettings(config: Config): OutgoingSettings {
  const configured = [...ownRegistryUrls(config), config.advisoriesUrl].flatMap((text) => {
    const url = URL.parse(text)
    return url && /^https?:$/.test(url.protocol) ? [toHostPattern(url)] : []
  })
  return {
    allow: [...config.outgoingAllow, ...configured],
    httpProxy: config.outgoingProxy,
    httpsProxy: config.outgoingProxy,
    noProxy: config.outgoingNoProxy,
  }
}

function createConfiguredOutgoing(config: Config): Outgoing {
  return createOutgoing(outgoingSettings(config))
}

/** Background work of one process. */
export async function startJobs(parts: Parts): Promise<{ close(): Promise<void> }> {
  const { services, outgoing, advisories, bell } = parts
  const { config, database, db, now } = services
  const kinds = jobKinds(parts)
  // Only one process has the data folder, so that whoever had leases is gone.
  if (database.engine === 'sqlite') await releaseJobs(db, now())
  await scheduleRepeating(services, kinds)
  const worker = startWorker(services, kinds, {
    concurrency: 2,
    pollMs: 1000,
    leaseMs: config.jobLeaseSeconds * 1000,
  })
  bell.onRing(() => worker.wake())
  const deliveries = startDeliveries({ ...services, outgoing })
  const endListening = advisories.onChange(() => {
    hurryJobs(services.db, MATCH_ADVISORIES, services.now())
      .then(() => worker.wake())
      .catch((err) => services.log.warn({ err }, 'matching new advisories waits for its next time'))
  })
  const notified = database.engine === 'postgres' ? startListening(parts) : undefined
  return {
    async close() {
      endListening()
      await Promise.all([worker.close(), deliveries.close(), notified?.close()])
    },
  }
}

/** New advisories are taken into use when they are committed; where notifications do not arrive, at the next poll. */
function startListening({ services, advisories }: Parts): { close(): Promise<void> } {
  const { config, db, log } = services
  return listenToProcesses({
    url: (config.databaseListenUrl ?? config.databaseUrl)!,
    db,
    onTopic() {
      advisories.refresh().catch((err) => log.warn({ err }, 'looking for newer advisories failed'))
    },
    onFault: (fault) => log.warn(fault, 'notifications of the database are not received; advisories are polled for'),
  })
}
