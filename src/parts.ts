import type { Logger } from 'pino'
import { createAccessStore } from '#features/credentials/access-store.ts'
import { createLastUses, type LastUses } from '#features/credentials/last-uses.ts'
import type { Config } from '#foundation/config.ts'
import type { Database } from '#foundation/db/database.ts'
import { createMetrics, type Metrics } from '#foundation/http/metrics.ts'
import { createKeyring } from '#foundation/secrets/keyring.ts'
import { readOrCreateSecretKey } from '#foundation/secrets/secret-key-file.ts'
import type { Services } from '#foundation/services.ts'

/** Everything a running server is made of; the composition root hands each feature what it uses. */
export interface Parts {
  readonly services: Services
  readonly lastUses: LastUses
  readonly metrics: Metrics
}

export function createParts(config: Config, database: Database, log: Logger): Parts {
  const now = () => Date.now()
  const { db } = database
  const keyring = createKeyring(config.secretKey ?? readOrCreateSecretKey(config.dataDir))
  const lastUses = createLastUses(db, (err) => log.error({ err }, 'last uses of credentials were not saved'))
  const access = createAccessStore({ db, keyring, lastUses, now })
  const baseUrl =
    config.baseUrl ?? `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${config.port}`
  return { services: { config, database, db, keyring, log, access, baseUrl, now }, lastUses, metrics: createMetrics() }
}

/** Starts what runs besides requests. */
export async function startParts(_parts: Parts): Promise<void> {}

export async function closeParts({ lastUses }: Parts): Promise<void> {
  await lastUses.close()
}
