import type { Socket } from 'node:net'
import type { Client } from 'pg'
import { findPrimary } from '../hosts/find-primary.ts'
import { DatabaseUnreachable } from '../storage-faults.ts'

/** Works on a connection outside the pool, which ends transactions that pause. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await connect(url)
  try {
    const result = await work(client)
    await client.end()
    return result
  } catch (error) {
    // A copy that is not read to its end would keep the connection open.
    ;(client as unknown as { connection: { stream: Socket } }).connection.stream.destroy()
    throw error
  }
}

async function connect(url: string): Promise<Client> {
  const { default: pg } = await import('pg')
  try {
    const client = new pg.Client({
      connectionString: await findPrimary(url),
      application_name: 'gatehouse-copy',
      connectionTimeoutMillis: 10_000,
    })
    // A connection that breaks also fails its query.
    client.on('error', () => {})
    await client.connect()
    return client
  } catch (error) {
    throw new DatabaseUnreachable(error as Error)
  }
}
