import type { Logger } from 'pino'
import { createAccessStore } from '#features/credentials/access-store.ts'
import { createLastUses, type LastUses } from '#features/credentials/last-uses.ts'
import { createAttempts } from '#foundation/access/attempts.ts'
import type { Config } from '#foundation/config.ts'
import type { Database } from '#foundation/db/open-database.ts'
import { createKeyring, type Keyring } from '#foundation/secrets/keyring.ts'
import { readOrCreateSecretKey } from '#foundation/secrets/secret-key-file.ts'
import type { Services } from '#foundation/services.ts'

/** Returns the secret key of the configuration, or of the data folder, where the first start creates it. */
export function readSecretKey({ secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>): Uint8Array {
  return secretKey ?? readOrCreateSecretKey(dataDir)
}

/**
 * Creates the services that all features share. Without a keyring, the secret key is taken as never rotated. Commands
 * that only use storage load nothing else of the server.
 */
export function createServices(
  config: Config,
  database: Database,
  log: Logger,
  keyring: Keyring = createKeyring(readSecretKey(config)),
): { services: Services; lastUses: LastUses } {
  const now = () => Date.now()
  const { db } = database
  database.replica?.listen((change) => {
    if (change.reason === undefined) log.info('the replica of the database serves reads again')
    else log.warn(change, 'the replica of the database is not used; the primary serves all reads')
  })
  const lastUses = createLastUses(db, (err) => log.error({ err }, 'last uses of credentials were not saved'))
  const attempts = createAttempts({
    perMinute: config.failedSecretsPerMinute,
    now,
    onLimit: (reached) => log.warn(reached, 'an address sent too many invalid secrets'),
  })
  const access = createAccessStore({ config, db, keyring, lastUses, attempts, now })
  const baseUrl =
    config.baseUrl ?? `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${config.port}`
  return { services: { config, database, db, keyring, log, access, attempts, baseUrl, now }, lastUses }
}
