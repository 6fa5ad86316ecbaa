import pg from 'pg'
import type { ConnectionEvents } from './commits.ts'
import type { Hosts } from './hosts/hosts.ts'
import { createStatementNames, isOutdatedStatement, type StatementNames } from './statements/statement-names.ts'

/**
 * Limit for idle transactions: a process that is stopped, suspended or cut off within a transaction blocks all that
 * wait for its locks. PostgreSQL then ends the transaction; our code never pauses that long between two statements.
 */
const IDLE_IN_TRANSACTION_SECONDS = 30

/** Returns `bigint` as a number, as on SQLite: epoch milliseconds and counts are far below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC
      ? Number
      : pg.types.getTypeParser(oid, format as 'text'),
}

/**
 * A client that uses prepared statements: the server parses and plans each statement once per connection (measured: 1.4
 * times as fast). Uses none behind a pooler: in transaction mode, the next transaction may run on a server that does
 * not know them.
 */
class PreparingClient extends pg.Client {
  readonly #names: StatementNames
  readonly #events: ConnectionEvents
  readonly #hosts: Hosts
  #prepares = false

  constructor(config: PoolConfig) {
    super({ ...config, connectionString: config.hosts.current() })
    this.#names = config.statementNames
    this.#events = config.events
    this.#hosts = config.hosts
  }

  /**
   * Limits idle transactions, and detects a pooler, which invents the process id that it sends for cancellations
   * (https://www.postgresql.org/docs/current/protocol-flow.html, BackendKeyData). Refuses a standby if there are other
   * servers.
   */
  async prepareSession(): Promise<void> {
    // Not as a connection parameter: poolers refuse unknown ones.
    const limit = `set idle_in_transaction_session_timeout = '${IDLE_IN_TRANSACTION_SECONDS}s'`
    const session = 'select pg_backend_pid() as pid, pg_is_in_recovery() as standby'
    const results = (await super.query(`${limit}; ${session}`)) as unknown as pg.QueryResult[]
    const { processID } = this as { processID?: number }
    const { pid, standby } = results[1]!.rows[0]
    if (standby && this.#hosts.count > 1) throw new Error('the server is a standby')
    this.#prepares = pid === processID
  }

  override query(...args: unknown[]): never {
    const result = this.#run(args)
    const [text] = args
    // Regardless of the outcome: a failed statement may have been committed.
    if (typeof text === 'string' && !isReading(text)) result.then?.(this.#events.onChange, this.#events.onChange)
    return result as never
  }

  #run(args: readonly unknown[]): Partial<Promise<unknown>> {
    const [text, values] = args
    const canName = this.#prepares && args.length === 2 && typeof text === 'string' && Array.isArray(values)
    const name = canName ? this.#names.nameOf(text) : undefined
    if (name === undefined) return super.query(...(args as [string])) as unknown as Promise<unknown>
    return super.query({ name, text: text as string, values: values as unknown[] }).catch((error: unknown) => {
      if (!isOutdatedStatement(error)) throw error
      this.#names.replace(text as string, name)
      // Within a transaction the error has aborted it, so this fails again: it is repeated as a whole
      // (in-transaction.ts).
      return super.query(text as string, values as unknown[]).catch(() => {
        throw error
      })
    })
  }
}

interface PoolConfig extends pg.PoolConfig {
  readonly events: ConnectionEvents
  readonly hosts: Hosts
  readonly statementNames: StatementNames
}

/** Returns true for statements that change no readable data, such as those that lock rows. */
function isReading(text: string): boolean {
  return /^\s*select/i.test(text)
}

interface PoolSettings {
  readonly maxConnections: number
  readonly events: ConnectionEvents
  readonly applicationName?: string
  /** Longest wait for a connection, whether it is new or in use, in milliseconds. */
  readonly connectMs?: number
  /** Longest wait for the result of a statement, in milliseconds; without it there is no limit. */
  readonly statementMs?: number
}

/** Creates a pool. Each new connection goes to the server that `hosts` then returns. */
export function postgresPool(hosts: Hosts, settings: PoolSettings): pg.Pool {
  const { maxConnections, events, applicationName = 'gatehouse', connectMs = 10_000, statementMs } = settings
  const pool = new pg.Pool({
    hosts,
    max: maxConnections,
    types,
    Client: PreparingClient,
    events,
    statementNames: createStatementNames(),
    application_name: applicationName,
    connectionTimeoutMillis: connectMs,
    ...(statementMs !== undefined && { query_timeout: statementMs, keepAlive: true }),
    onConnect: (client: PreparingClient) => client.prepareSession(),
  } as unknown as PoolConfig)
  // If it breaks while in use, its next query fails; without a listener it would end the process.
  return pool.on('connect', (client) => client.on('error', events.onBroken))
}
