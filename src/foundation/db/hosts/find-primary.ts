import { connectToPrimary, createHosts } from './hosts.ts'

/** Returns the connection URL of the primary among the servers of a URL. Connects only if it names several. */
export async function findPrimary(url: string): Promise<string> {
  const hosts = createHosts(url)
  return hosts.count === 1 ? hosts.current() : connectToPrimary(hosts, requirePrimary)
}

async function requirePrimary(url: string): Promise<string> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  // A connection that breaks also fails its query.
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
    if (rows[0]!.standby) throw new Error('the server is a standby')
    return url
  } finally {
    await client.end()
  }
}
