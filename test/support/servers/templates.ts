import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { prepareData } from '#features/setup/first-start.ts'
import { readConfig } from '#foundation/config.ts'
import type { Engine } from '#foundation/db/database.ts'
import { migrate } from '#foundation/db/migrate.ts'
import { openDatabase } from '#foundation/db/open-database.ts'
import { createServices } from '../../../src/composition/create-services.ts'
import { closeParts, createParts } from '../../../src/composition/parts.ts'
import { createPostgresDatabase, dropPostgresDatabase } from './postgres.ts'

/** The administrator that every prepared data directory has. */
export const ADMINISTRATOR = {
  GATEHOUSE_ADMIN_EMAIL: 'admin@example.test',
  GATEHOUSE_ADMIN_PASSWORD: 'a password for tests',
  GATEHOUSE_ADMIN_API_KEY: '0c7b2a4e-6b0f-4b52-9b55-3f1f0d6a9e01',
}

/** Consists of plain data, so that a process can send it to others. */
export interface Template {
  readonly dataDir: string
  /** Undefined on SQLite. */
  readonly databaseName: string | undefined
  readonly groupId: string
  readonly orgId: string
}

export async function createTemplate(
  engine: Engine,
  settings: Readonly<Record<string, string>> = {},
): Promise<Template> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-template-'))
  const postgres = engine === 'postgres' ? await createPostgresDatabase() : undefined
  const database = openDatabase({ url: postgres?.url, dataDir, maxConnections: 4, onError: () => {} })
  await migrate(database)
  const config = readConfig({ GATEHOUSE_DATA_DIR: dataDir, ...ADMINISTRATOR, ...settings })
  const core = createServices(config, database, pino({ level: 'silent' }))
  const parts = await createParts(core)
  const first = await prepareData(core.services)
  await closeParts(parts)
  await database.close()
  return { dataDir, databaseName: postgres?.name, groupId: first!.groupId, orgId: first!.orgId }
}

export async function dropTemplate({ dataDir, databaseName }: Template): Promise<void> {
  if (databaseName !== undefined) await dropPostgresDatabase(databaseName)
  rmSync(dataDir, { recursive: true, force: true })
}
