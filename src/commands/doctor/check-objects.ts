import { createConfiguredObjects, findInstallationId } from '#composition/object-storage.ts'
import { countArchivesInBucket, hasObjects } from '#features/integrations/objects-store.ts'
import type { Config } from '#foundation/config.ts'
import type { Database } from '#foundation/db/open-database.ts'
import { displayLocation } from '#foundation/objects/object-location.ts'
import type { ObjectStore } from '#foundation/objects/object-store.ts'
import { examine, type Finding } from './finding.ts'

const CHECK = 'object store'

/** Checks the object store of archives without writing to it. No finding if none is configured or needed. */
export async function checkObjects({ db }: Database, config: Config, isOffline: boolean): Promise<Finding[]> {
  const objects = createConfiguredObjects({ config, db })
  if (objects === undefined) {
    const archives = await countArchivesInBucket(db)
    if (archives === 0) return []
    const text = `${archives} archives are in an object store. Set GATEHOUSE_OBJECT_STORE, or they cannot be read.`
    return [{ check: CHECK, status: 'error', text }]
  }
  if (isOffline) return [{ check: CHECK, status: 'skipped', text: 'The object store was not checked (--offline).' }]
  try {
    return [await examine(CHECK, () => checkOwner(objects, { db, place: displayLocation(config.objectStore!) }))]
  } finally {
    await objects.close()
  }
}

async function checkOwner(
  objects: ObjectStore,
  { db, place }: { db: Database['db']; place: string },
): Promise<Omit<Finding, 'check'>> {
  const [owner, own] = [await objects.findOwner(), await findInstallationId(db)]
  if (owner === undefined && !(await hasObjects(db)))
    return { status: 'ok', text: `${place} can be read. The next start claims it for this installation.` }
  if (owner === own && own !== undefined) return { status: 'ok', text: `${place} belongs to this installation.` }
  const text =
    owner === undefined
      ? `${place} is not where this installation stored its objects. Correct GATEHOUSE_OBJECT_STORE.`
      : `${place} belongs to another installation (${owner}). Set GATEHOUSE_OBJECT_STORE to another bucket or prefix.`
  return { status: 'error', text }
}
