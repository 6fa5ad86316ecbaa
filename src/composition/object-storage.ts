import { randomUUID } from 'node:crypto'
import { countArchivesInBucket, hasObjects } from '#features/integrations/objects-store.ts'
import { findSetting, takeSetting } from '#features/setup/store.ts'
import type { Config } from '#foundation/config.ts'
import type { Db } from '#foundation/db/database.ts'
import { createObjectStore, type ObjectStore } from '#foundation/objects/object-store.ts'
import { ObjectStoreFailed } from '#foundation/objects/object-store-failure.ts'
import { createSigner } from '#foundation/objects/sign-request.ts'
import { toHostPattern } from '#foundation/outgoing/host-patterns.ts'
import { createOutgoing } from '#foundation/outgoing/outgoing.ts'
import type { Services } from '#foundation/services.ts'
import { outgoingSettings } from './test-engine.ts'

const INSTALLATION_ID = 'installation-id'

/** Creates the client of the configured object store, if there is one. */
export function createConfiguredObjects({ config, db }: Pick<Services, 'config' | 'db'>): ObjectStore | undefined {
  const { objectStore: location, awsAccessKeyId, awsSecretAccessKey, awsRegion: region } = config
  if (location === undefined) return undefined
  const sign = createSigner({
    accessKeyId: awsAccessKeyId!,
    secretAccessKey: awsSecretAccessKey!,
    region,
  })
  return createObjectStore({
    location,
    sign,
    outgoing: createOutgoing(outgoingToStore(config, location.origin)),
    installationId: () => ensureInstallationId(db),
    hasObjects: () => hasObjects(db),
  })
}

/** Only this client may reach a store at a private address: users name the targets of the others. */
function outgoingToStore(config: Config, origin: string) {
  const settings = outgoingSettings(config)
  return { ...settings, allow: [...settings.allow, toHostPattern(new URL(origin))] }
}

/** Creates the id on first use. Backups contain it, so a restored installation keeps its identity. */
async function ensureInstallationId(db: Db): Promise<string> {
  await takeSetting(db, INSTALLATION_ID, randomUUID())
  return (await findSetting(db, INSTALLATION_ID))!
}

/**
 * Checks the object store at the start. Throws `ObjectStoreFailed` for faults that only the operator can correct. If
 * the store does not answer, the next archive tries again.
 */
export async function checkObjectStore(
  { db, log }: Pick<Services, 'db' | 'log'>,
  objects: ObjectStore | undefined,
): Promise<void> {
  // Store the id before the first backup: restoring a backup without it would create another installation.
  await ensureInstallationId(db)
  if (objects === undefined) {
    const archives = await countArchivesInBucket(db)
    if (archives > 0)
      log.warn({ archives }, 'archives are in an object store that is not configured; set GATEHOUSE_OBJECT_STORE')
    return
  }
  try {
    await objects.check()
  } catch (err) {
    if (!(err instanceof ObjectStoreFailed) || err.fault !== 'unreachable') throw err
    log.warn({ err }, 'archives cannot be stored or read until the object store answers')
  }
}

/** Returns the id of this installation, if it ever used an object store. */
export function findInstallationId(db: Db): Promise<string | undefined> {
  return findSetting(db, INSTALLATION_ID)
}
