import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { Engine } from '#foundation/db/database.ts'
import { createPostgresDatabase } from './postgres.ts'
import { RUN_TEMPLATES } from './shared-names.ts'
import { createTemplate, dropTemplate, type Template } from './templates.ts'

export interface PreparedData {
  readonly dataDir: string
  /** Undefined on SQLite. */
  readonly databaseUrl: string | undefined
  readonly groupId: string
  readonly orgId: string
  drop(): Promise<void>
}

/** Settings that affect the data of a first start; each value needs its own template. */
const FIRST_START_SETTINGS = ['GATEHOUSE_TOKEN_ALGORITHM']

const templates = new Map<string, Promise<Template>>()

after(async () => {
  for (const template of await Promise.all(templates.values())) {
    await dropTemplate(template)
  }
})

/**
 * The data of a server after its first start: schema, administrator, keys and the starter advisories. Each call copies
 * a template, of the run or of this process, which is some ten times faster than a first start.
 */
export async function copyPreparedData(
  engine: Engine,
  environment: Readonly<Record<string, string>> = {},
): Promise<PreparedData> {
  const settings = Object.fromEntries(
    Object.entries(environment).filter(([name]) => FIRST_START_SETTINGS.includes(name)),
  )
  const template = await findTemplate(engine, settings)
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  cpSync(template.dataDir, dataDir, { recursive: true })
  const postgres = template.databaseName === undefined ? undefined : await createPostgresDatabase(template.databaseName)
  return {
    dataDir,
    databaseUrl: postgres?.url,
    groupId: template.groupId,
    orgId: template.orgId,
    async drop() {
      await postgres?.drop()
      rmSync(dataDir, { recursive: true })
    },
  }
}

async function findTemplate(engine: Engine, settings: Readonly<Record<string, string>>): Promise<Template> {
  const file = process.env[RUN_TEMPLATES]
  if (file !== undefined && Object.keys(settings).length === 0) {
    return (JSON.parse(readFileSync(file, 'utf8')) as Record<Engine, Template>)[engine]
  }
  const key = JSON.stringify([engine, settings])
  const template = templates.get(key) ?? createTemplate(engine, settings)
  templates.set(key, template)
  return template
}
