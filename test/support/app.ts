import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { pino } from 'pino'
import { prepareData } from '#features/setup/first-start.ts'
import { insertOrg } from '#features/setup/store.ts'
import type { Permission } from '#foundation/access/permissions.ts'
import { readConfig } from '#foundation/config.ts'
import { type Engine, openDatabase } from '#foundation/db/database.ts'
import { migrate } from '#foundation/db/migrate.ts'
import type { Server } from '#foundation/http/server.ts'
import { createApp } from '../../src/app.ts'
import { closeParts, createParts, createServices, type Parts } from '../../src/parts.ts'
import { addKey } from './keys.ts'
import { createPostgresDatabase } from './postgres.ts'
import { checkResponses } from './response-schemas.ts'

export const VERSION = '2024-10-15'
export const ADMIN_KEY = '0c7b2a4e-6b0f-4b52-9b55-3f1f0d6a9e01'

export interface TestApp {
  readonly server: Server
  readonly parts: Parts
  readonly groupId: string
  readonly orgId: string
  readonly adminKey: string
  /** Undefined on SQLite. */
  readonly databaseUrl: string | undefined
  /** Everything the server logged, as one text. */
  log(): string
  /** A request as the administrator, unless `key` says otherwise (`null` sends none). REST paths get a version. */
  call(method: InjectOptions['method'], path: string, options?: CallOptions): Promise<LightMyRequestResponse>
  /** The API key of a new user with exactly these permissions, in the organisation (default: the first one) or in the group. */
  keyWith(permissions: readonly Permission[], at?: { orgId?: string; groupId?: string }): Promise<string>
  /** A second organisation, in the same group or in a new one. */
  addOrg(options?: { groupId?: string }): Promise<string>
  addGroup(): Promise<string>
  close(): Promise<void>
}

export interface CallOptions {
  readonly key?: string | null
  readonly body?: unknown
  readonly headers?: Record<string, string>
  readonly query?: Record<string, string>
}

/** A server on a fresh database, with its responses checked against their schemas. `prepare` may add hooks. */
export async function startApp(
  engine: Engine,
  environment: Record<string, string> = {},
  prepare: (server: Server) => void = () => {},
): Promise<TestApp> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  const postgres = engine === 'postgres' ? await createPostgresDatabase() : undefined
  const config = readConfig({
    GATEHOUSE_DATA_DIR: dataDir,
    GATEHOUSE_ADMIN_EMAIL: 'admin@example.test',
    GATEHOUSE_ADMIN_PASSWORD: 'a password for tests',
    GATEHOUSE_ADMIN_API_KEY: ADMIN_KEY,
    GATEHOUSE_LOG_LEVEL: 'info',
    ...environment,
  })
  const lines: string[] = []
  const log = pino({ level: config.logLevel }, { write: (line: string) => void lines.push(line) })
  const database = openDatabase({ url: postgres?.url, dataDir, maxConnections: 4, onError: () => {} })
  await migrate(database)
  const core = createServices(config, database, log)
  // Hashing the first password and compiling the first advisories take their time beside each other.
  const [parts, first] = await Promise.all([createParts(core), prepareData(core.services)])
  const server = await createApp(parts)
  checkResponses(server)
  prepare(server)
  await server.ready()

  async function call(
    method: InjectOptions['method'],
    path: string,
    { key = ADMIN_KEY, body, headers = {}, query = {} }: CallOptions = {},
  ) {
    const isRest = !path.startsWith('/v1') && !path.startsWith('/api/')
    const all = isRest && !('version' in query) && !path.includes('version=') ? { version: VERSION, ...query } : query
    const parameters = new URLSearchParams(Object.entries(all).filter(([, value]) => value !== '-')).toString()
    return server.inject({
      method: method ?? 'GET',
      url: parameters === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${parameters}`,
      headers: {
        ...(key !== null && { authorization: `token ${key}` }),
        ...(body !== undefined && { 'content-type': isRest ? 'application/vnd.api+json' : 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  }

  async function addGroup(): Promise<string> {
    const id = randomUUID()
    const at = parts.services.now()
    await parts.services.db
      .insertInto('groups')
      .values({ id, name: `Group ${id}`, slug: id, created_at: at, updated_at: at })
      .execute()
    return id
  }

  async function addOrg({ groupId = first!.groupId }: { groupId?: string } = {}): Promise<string> {
    const id = randomUUID()
    await insertOrg(parts.services.db, {
      id,
      groupId,
      name: `Org ${id.slice(0, 8)}`,
      slug: `org-${id}`,
      at: parts.services.now(),
    })
    return id
  }

  return {
    server,
    parts,
    groupId: first!.groupId,
    orgId: first!.orgId,
    adminKey: ADMIN_KEY,
    databaseUrl: postgres?.url,
    log: () => lines.join(''),
    call,
    keyWith: (permissions, at) => addKey({ parts, groupId: first!.groupId, orgId: first!.orgId }, permissions, at),
    addOrg,
    addGroup,
    async close() {
      await server.close()
      await closeParts(parts)
      await database.close()
      await postgres?.drop()
      rmSync(dataDir, { recursive: true })
    },
  }
}
