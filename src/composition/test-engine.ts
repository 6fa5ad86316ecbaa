import { startHolder } from '#features/advisory-sync/holder.ts'
import { snapshotsDir } from '#features/advisory-sync/sync-settings.ts'
import { testThread } from '#features/package-tests/test-thread.ts'
import { createRegistryCache } from '#features/registry-cache/cache.ts'
import type { Config } from '#foundation/config.ts'
import { toHostPattern } from '#foundation/outgoing/host-patterns.ts'
import { createOutgoing, type Outgoing } from '#foundation/outgoing/outgoing.ts'
import type { OutgoingSettings } from '#foundation/outgoing/settings.ts'
import type { Services } from '#foundation/services.ts'
import type { AdvisoryHolder } from '#scanning/advisories/advisory-holder.ts'
import { createTestPool } from '#scanning/pool/pool.ts'
import type { TestPool } from '#scanning/pool/test-pool.ts'
import { createFailureReports } from '#scanning/registries/failure-reports.ts'
import { createRegistries, ownRegistryUrls } from '#scanning/registries/registries.ts'
import type { RegistryUse } from '#scanning/registries/registry-client.ts'

/** Parts that tests of packages need, in a server and in `gatehouse test --local`. */
export interface TestEngine {
  readonly outgoing: Outgoing
  readonly advisories: AdvisoryHolder
  readonly tests: TestPool
}

export interface EngineOptions {
  /** Starts a thread while the advisories are opened, because a test follows at once. */
  readonly isWarm?: boolean
  /** Defaults to that of a server. */
  readonly registryUse?: RegistryUse | undefined
  /** The program of the threads; by default the one beside this module. */
  readonly thread?: URL
}

export async function createTestEngine(
  services: Pick<Services, 'config' | 'db' | 'log' | 'now'>,
  { isWarm = false, registryUse = 'server', thread = testThread }: EngineOptions = {},
): Promise<TestEngine> {
  const { config } = services
  const limits = registryUse === 'server' ? {} : { connectAttempts: 1 }
  const outgoing = createOutgoing({ ...outgoingSettings(config), limits })
  const onFailure = createFailureReports(services.now, (failure) =>
    services.log.warn(failure, 'a registry did not answer'),
  )
  const { db, now } = services
  const cache = createRegistryCache({ db, now, maxBytes: config.registryCacheMb * 1024 * 1024 })
  const tests = createTestPool(
    {
      program: thread,
      threads: config.testWorkers,
      timeoutSeconds: config.testSeconds,
      waitSeconds: config.testWaitSeconds,
      maxWaiting: config.testQueue,
      memoryMb: config.testMemoryMb,
      searchSeconds: config.searchSeconds,
      backgroundPercent: config.backgroundPercent,
      onError: (err) => services.log.error({ err }, 'a registry request failed'),
    },
    createRegistries({ cache, outgoing, use: registryUse, now, onFailure }, config),
  )
  if (isWarm) tests.warm()
  try {
    const advisories = await startHolder(services, {
      dir: snapshotsDir(config.dataDir),
      pollSeconds: config.advisoriesPollSeconds,
    })
    tests.switchSnapshot(advisories.current())
    advisories.onChange((snapshot) => tests.switchSnapshot(snapshot))
    return { outgoing, advisories, tests }
  } catch (error) {
    await tests.close()
    await outgoing.close()
    throw error
  }
}

/**
 * Allows the operator's configured hosts without a second permission, and the public registries: many networks mirror
 * those at internal addresses under their public names.
 */
export function outgoingSettings(config: Config): OutgoingSettings {
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
