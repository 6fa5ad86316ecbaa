import { pino } from 'pino'
import { openKeyring } from '#features/secret-keys/keys-in-use.ts'
import { checkSecretKey } from '#features/setup/first-start.ts'
import { migrate } from '#foundation/db/migrate.ts'
import type { Services } from '#foundation/services.ts'
import { createServices, readSecretKey } from '../composition/create-services.ts'
import { openServerStorage } from './storage.ts'

/** Runs work on the configured storage with its secret key, also while a server is running. */
export async function withServices<T>(work: (services: Services) => Promise<T>): Promise<T> {
  const storage = openServerStorage(process.env)
  try {
    await migrate(storage.database)
    const { services, lastUses } = createServices(
      storage.config,
      storage.database,
      pino({ level: 'silent' }),
      await openKeyring(storage.database.db, readSecretKey(storage.config)),
    )
    try {
      // Credentials created with another key would be unknown to the server.
      await checkSecretKey(services)
      return await work(services)
    } finally {
      await lastUses.close()
    }
  } finally {
    await storage.close()
  }
}
