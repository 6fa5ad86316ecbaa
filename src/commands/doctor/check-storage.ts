import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { listReadySnapshots } from '#features/advisory-sync/store.ts'
import { listFingerprints } from '#features/secret-keys/store.ts'
import { findSetting } from '#features/setup/store.ts'
import type { Config } from '#foundation/config.ts'
import { sqliteFile, whyNoDatabase } from '#foundation/db/data-dir.ts'
import { findPendingSteps } from '#foundation/db/migrate.ts'
import { type Database, openDatabase } from '#foundation/db/open-database.ts'
import { readClock } from '#foundation/db/read-clock.ts'
import { fingerprintOf } from '#foundation/secrets/keyring.ts'
import { readOrCreateSecretKey } from '#foundation/secrets/secret-key-file.ts'
import { checkObjects } from './check-objects.ts'
import { checkReplica } from './check-replica.ts'
import { examine, type Finding } from './finding.ts'

const DAY_MS = 86_400_000
const OLD_DAYS = 7
/** Maximum clock difference; the expiry of tokens tolerates small ones. */
const MOST_SKEW_MS = 5000

/** Checks the stored data, without creating or migrating anything. */
export async function checkStorage(config: Config, isOffline: boolean): Promise<Finding[]> {
  const nothing = whyNotOpened(config)
  if (nothing !== undefined) return [nothing]
  const database = openDatabase({
    url: config.databaseUrl,
    replicaUrl: config.databaseReplicaUrl,
    dataDir: config.dataDir,
    maxConnections: 1,
    onError: () => {},
  })
  try {
    return await findings(database, config, isOffline)
  } finally {
    await database.close()
  }
}

async function findings(database: Database, config: Config, isOffline: boolean): Promise<Finding[]> {
  let isCurrent = false
  const storage = await examine('storage', async () => {
    const pending = await findPendingSteps(database)
    isCurrent = pending.length === 0
    if (isCurrent) return { status: 'ok', text: `The schema on ${database.engine} is up to date.` }
    const text = `${pending.length} migrations are due. Take a backup and start the server, or run "gatehouse migrate".`
    return { status: 'warning', text }
  })
  if (!isCurrent) return [storage]
  return [
    storage,
    await examine('secret key', () => checkKey(database, config)),
    ...(database.engine === 'postgres' ? [await examine('clock', () => checkClock(database))] : []),
    ...(await checkReplica(database)),
    await examine('advisories', () => checkAdvisories(database)),
    ...(await checkObjects(database, config, isOffline)),
  ]
}

/**
 * Returns a finding unless the owner of the embedded database runs the command: files that another user creates beside
 * it would stop the server.
 */
function whyNotOpened({ databaseUrl, dataDir }: Config): Finding | undefined {
  if (databaseUrl !== undefined) return undefined
  const file = sqliteFile(dataDir)
  const missing = whyNoDatabase(file)
  if (missing !== undefined) {
    if (missing.isClosed) return { check: 'storage', status: 'skipped', text: missing.text }
    const text = `${file} does not exist. The first start creates it; otherwise check GATEHOUSE_DATA_DIR.`
    return { check: 'storage', status: 'warning', text }
  }
  const owner = statSync(file).uid
  if (owner === process.getuid?.()) return undefined
  const text = `${file} belongs to user ${owner}. Run this command as that user to check the stored data.`
  return { check: 'storage', status: 'skipped', text }
}

async function checkKey({ db }: Database, config: Config): Promise<Omit<Finding, 'check'>> {
  const stored = await findSetting(db, 'secret-key-fingerprint')
  const file = join(config.dataDir, 'secret.key')
  if (stored === undefined) return { status: 'ok', text: 'The first start sets the secret key.' }
  if (config.secretKey === undefined && !existsSync(file)) {
    const text = `${file} does not exist. Restore it from a backup, or set GATEHOUSE_SECRET_KEY.`
    return { status: 'error', text }
  }
  const fingerprint = fingerprintOf(config.secretKey ?? readOrCreateSecretKey(config.dataDir))
  const accepted = await listFingerprints(db)
  if (stored !== fingerprint && !accepted.includes(fingerprint)) {
    const text = 'The database uses another secret key. Restore the key that belongs to it.'
    return { status: 'error', text }
  }
  if (accepted.length > 1) {
    const text =
      stored === fingerprint
        ? 'A rotation of the secret key is pending. Run "gatehouse secret-key finish" when all servers have the new key.'
        : 'A rotation of the secret key is pending, and this is the previous key. Replace it with the new one.'
    return { status: 'warning', text }
  }
  if (config.secretKey === undefined && (statSync(file).mode & 0o077) !== 0)
    return { status: 'warning', text: `Other users may read ${file}. Run: chmod 600 ${file}` }
  return { status: 'ok', text: 'The secret key belongs to this storage.' }
}

async function checkClock({ db }: Database): Promise<Omit<Finding, 'check'>> {
  const before = Date.now()
  const at = await readClock(db)
  const skew = Math.round(Math.abs(at - (before + Date.now()) / 2))
  if (skew <= MOST_SKEW_MS) return { status: 'ok', text: `The clock differs from the database's by ${skew} ms.` }
  const text = `The clock differs from the database's by ${Math.round(skew / 1000)} s. Synchronize both with NTP.`
  return { status: 'error', text }
}

async function checkAdvisories({ db }: Database): Promise<Omit<Finding, 'check'>> {
  const remedy = 'Run "gatehouse advisories sync", or set GATEHOUSE_ADVISORIES_SYNC_MINUTES.'
  const [snapshot] = await listReadySnapshots(db, 1)
  if (snapshot === undefined || snapshot.isStarterSet)
    return {
      status: 'warning',
      text: `Only the starter set of advisories is used, so most issues are not found. ${remedy}`,
    }
  const days = Math.floor((Date.now() - snapshot.checkedAt) / DAY_MS)
  if (days < OLD_DAYS) return { status: 'ok', text: `${snapshot.records} advisories, checked ${days} days ago.` }
  return { status: 'warning', text: `The advisories were last checked ${days} days ago. ${remedy}` }
}
