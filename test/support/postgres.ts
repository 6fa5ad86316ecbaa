import pg from 'pg'

export interface PostgresDatabase {
  readonly name: string
  readonly url: string
  drop(): Promise<void>
}

/**
 * Creates a database of its own for a caller, empty or as a copy of another that nobody is connected to. The server is
 * named by TEST_DATABASE_URL (`npm run test:postgres` starts one).
 */
export async function createPostgresDatabase(template?: PostgresDatabase): Promise<PostgresDatabase> {
  const server = process.env['TEST_DATABASE_URL']!
  const name = `gatehouse_${crypto.randomUUID().replaceAll('-', '')}`
  await onServer(server, `create database ${name}${template ? ` template ${template.name}` : ''}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { name, url: url.href, drop: () => onServer(server, `drop database if exists ${name} with (force)`) }
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
