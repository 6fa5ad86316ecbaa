import pg from 'pg'
import type { Engine } from '#foundation/db/database.ts'

/** SQLite always, PostgreSQL where TEST_DATABASE_URL names a server. */
export const availableEngines: readonly Engine[] = process.env['TEST_DATABASE_URL']
  ? ['sqlite', 'postgres']
  : ['sqlite']

export interface PostgresDatabase {
  readonly name: string
  readonly url: string
  drop(): Promise<void>
}

/**
 * Creates a database for a caller, empty, or copied from the named one, which must have no connections. TEST_DATABASE_URL names the
 * server (`npm run test:postgres` starts one).
 */
export async function createPostgresDatabase(template?: string): Promise<PostgresDatabase> {
  const server = process.env['TEST_DATABASE_URL']!
  const name = `gatehouse_${crypto.randomUUID().replaceAll('-', '')}`
  await onServer(server, `create database ${name}${template ? ` template ${template}` : ''}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { name, url: url.href, drop: () => dropPostgresDatabase(name) }
}

export function dropPostgresDatabase(name: string): Promise<void> {
  return onServer(process.env['TEST_DATABASE_URL']!, `drop database if exists ${name} with (force)`)
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
