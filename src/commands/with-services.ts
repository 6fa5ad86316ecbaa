import { pino } from 'pino'
import { openKeyring } from '#features/secret-keys/keys-in-use.ts'
import { checkSecretKey } from '#features/setup/first-start.ts'
import { migrate } from '#foundation/db/migrate.ts'
import type { Services } from '#foundation/services.ts'
import { createServices, readSecretKey } from '../create-services.ts'
import { openServerStorage } from './storage.ts'

/** Does one thing in the configured storage, also beside a running server, with the secret key that it was set up with. */
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
      // With another key what is made here would never be known to a server.
      await checkSecretKey(services)
      return await work(services)
    } finally {
      await lastUses.close()
    }
  } finally {
    await storage.close()
  }
}
