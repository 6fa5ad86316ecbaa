import { Command } from 'commander'
import { migrate } from '#foundation/db/migrate.ts'
import { openStorage } from './storage.ts'

export function migrateCommand(): Command {
  return new Command('migrate').action(async () => {
    const storage = openStorage(process.env)
    try {
      const steps = await migrate(storage.database)
      console.log(steps.length === 0 ? 'The schema is up to date.' : `Migrated: ${steps.join(', ')}`)
    } finally {
      await storage.close()
    }
  })
}
