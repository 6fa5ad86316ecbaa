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
  await onServer(server, async (client) => {
    const copying = template === undefined ? '' : ` template ${template}${await fasterCopies(client)}`
    await client.query(`create database ${name}${copying}`)
  })
  const url = new URL(server)
  url.pathname = `/${name}`
  return { name, url: url.href, drop: () => dropPostgresDatabase(name) }
}

export function dropPostgresDatabase(name: string): Promise<void> {
  return onServer(process.env['TEST_DATABASE_URL']!, async (client) => {
    await client.query(`drop database if exists ${name} with (force)`)
  })
}

/** Copying files takes a third of the processor time of PostgreSQL 15's default, which logs each block. */
async function fasterCopies(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ version: number }>(
    `select current_setting('server_version_num')::int as version`,
  )
  return rows[0]!.version >= 150_000 ? ' strategy file_copy' : ''
}

async function onServer(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
