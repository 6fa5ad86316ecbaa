import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type { Db } from './database.ts'
import type { Replica } from './replica.ts'

/**
 * Kysely for single read statements: on the replica if it is recent enough, otherwise, and after any failure of the
 * replica, on the primary.
 */
export function replicaDialect(replica: Replica, primary: Db): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver(connection(replica, primary)),
    createIntrospector: (db) => new PostgresIntrospector(db as Kysely<unknown>),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

function driver(connection: DatabaseConnection): Driver {
  return {
    async init() {},
    acquireConnection: async () => connection,
    beginTransaction: refuseTransaction,
    commitTransaction: refuseTransaction,
    rollbackTransaction: refuseTransaction,
    async releaseConnection() {},
    async destroy() {},
  }
}

async function refuseTransaction(): Promise<never> {
  throw new Error('Reads for the replica are single statements; use the primary for a transaction')
}

function connection(replica: Replica, primary: Db): DatabaseConnection {
  return {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      if (query.query.kind !== 'SelectQueryNode' && query.query.kind !== 'RawNode') {
        throw new Error(`A ${query.query.kind} is not a read; use the primary for changes`)
      }
      return (await readReplica<R>(replica, query)) ?? primary.executeQuery<R>(query as CompiledQuery<R>)
    },
    // biome-ignore lint/correctness/useYield: the interface asks for a generator.
    async *streamQuery() {
      throw new Error('Reads for the replica are not streamed')
    },
  }
}

/** Returns undefined if the primary must be asked. */
async function readReplica<R>(
  replica: Replica,
  { sql, parameters }: CompiledQuery,
): Promise<QueryResult<R> | undefined> {
  const client = await replica.acquire()
  if (!client) return undefined
  try {
    const { rows } = await client.query(sql, [...parameters])
    client.release()
    replica.served()
    return { rows }
  } catch (error) {
    client.release(error as Error)
    replica.failed(error as Error)
    return undefined
  }
}
