import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { openApiOf } from '#features/documentation/openapi.ts'
import type { OpenApi } from '#features/documentation/openapi-document.ts'
import { readConfig } from '#foundation/config.ts'
import { migrate } from '#foundation/db/migrate.ts'
import { openDatabase } from '#foundation/db/open-database.ts'
import type { Server } from '#foundation/http/server.ts'
import { createApp } from '../src/app.ts'
import { createServices } from '../src/composition/create-services.ts'
import { closeParts, createParts } from '../src/composition/parts.ts'

const target = new URL('../openapi.json', import.meta.url)

/** Returns the interface as its routes describe it, without a server address. */
export function describedInterface(): Promise<OpenApi> {
  return onServer(openApiOf)
}

/** Reads facts about the routes of a server. */
export async function onServer<T>(read: (server: Server) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-openapi-'))
  try {
    const database = openDatabase({ dataDir, maxConnections: 1, onError: () => {} })
    await migrate(database)
    const config = readConfig({ GATEHOUSE_DATA_DIR: dataDir })
    const parts = await createParts(createServices(config, database, pino({ level: 'silent' })))
    const server = await createApp(parts)
    await server.ready()
    const facts = await read(server)
    await server.close()
    await closeParts(parts)
    await database.close()
    return facts
  } finally {
    rmSync(dataDir, { recursive: true })
  }
}

const LINE_WIDTH = 1000

/**
 * Returns the document as JSON: short values on one line, without indentation, which would be a quarter of the file.
 */
export function asText(document: OpenApi): string {
  return `${inLines(document)}\n`
}

function inLines(value: unknown): string {
  const short = JSON.stringify(value)
  if (typeof value !== 'object' || value === null || short.length <= LINE_WIDTH) return short
  if (Array.isArray(value)) return `[\n${value.map(inLines).join(',\n')}\n]`
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${inLines(member)}`)
  return `{\n${members.join(',\n')}\n}`
}

if (import.meta.main) writeFileSync(target, asText(await describedInterface()))
