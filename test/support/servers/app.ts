import { randomUUID } from 'node:crypto'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { pino } from 'pino'
import { insertOrg } from '#features/organizations/store.ts'
import type { Permission } from '#foundation/access/permissions.ts'
import { readConfig } from '#foundation/config.ts'
import type { Engine } from '#foundation/db/database.ts'
import { openDatabase } from '#foundation/db/open-database.ts'
import type { Server } from '#foundation/http/server.ts'
import type { Limits } from '#foundation/limits.ts'
import { createApp } from '../../../src/app.ts'
import { createServices } from '../../../src/composition/create-services.ts'
import { closeParts, createParts, type Parts } from '../../../src/composition/parts.ts'
import { checkResponses } from '../documents/response-schemas.ts'
import { addKey } from './keys.ts'
import { copyPreparedData } from './prepared-data.ts'
import { program } from './program.ts'
import { ADMINISTRATOR } from './templates.ts'

export const VERSION = '2024-10-15'
export const ADMIN_KEY = ADMINISTRATOR.GATEHOUSE_ADMIN_API_KEY

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
  /** The API key of a new user with exactly these permissions, in the organization (default: the first one) or in the group. */
  keyWith(permissions: readonly Permission[], at?: { orgId?: string; groupId?: string }): Promise<string>
  /** A second organization, in the same group or in a new one. */
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

/** Settings by the names of their variables, limits by those of their members of the configuration. */
export type TestSettings = Readonly<Record<Uppercase<string>, string> & Partial<Limits>>

/**
 * Starts a server on a copy of the prepared data and checks its responses against their schemas. `prepare` may add
 * hooks. `settings` cannot change what a first start made: the administrator, the first group and organization.
 */
export async function startApp(
  engine: Engine,
  settings: TestSettings = {},
  prepare: (server: Server) => void = () => {},
): Promise<TestApp> {
  const environment = settings as Record<string, string>
  const data = await copyPreparedData(engine, environment)
  const read = readConfig({
    GATEHOUSE_DATA_DIR: data.dataDir,
    GATEHOUSE_LOG_LEVEL: 'info',
    // Its default is public addresses.
    GATEHOUSE_EXPLOIT_SOURCES: '',
    // No result may depend on the speed of the machine.
    GATEHOUSE_TEST_SECONDS: '600',
    ...ADMINISTRATOR,
    ...environment,
  })
  const changed = Object.entries(settings).filter(([name]) => name in read)
  const config = { ...read, searchSeconds: 200, ...Object.fromEntries(changed) }
  const lines: string[] = []
  const log = pino({ level: config.logLevel }, { write: (line: string) => void lines.push(line) })
  const database = openDatabase({ url: data.databaseUrl, dataDir: data.dataDir, maxConnections: 4, onError: () => {} })
  const core = createServices(config, database, log)
  const parts = await createParts(core, program.thread && { thread: program.thread })
  const server = await createApp(parts)
  checkResponses(server)
  prepare(server)
  await server.ready()

  async function call(
    method: InjectOptions['method'],
    path: string,
    { key = ADMIN_KEY, body, headers = {}, query = {} }: CallOptions = {},
  ) {
    const isRest = !/^\/(v1|api|console)\//.test(path)
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
      ...(body !== undefined && {
        payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      }),
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

  async function addOrg({ groupId = data.groupId }: { groupId?: string } = {}): Promise<string> {
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
    groupId: data.groupId,
    orgId: data.orgId,
    adminKey: ADMIN_KEY,
    databaseUrl: data.databaseUrl,
    log: () => lines.join(''),
    call,
    keyWith: (permissions, at) => addKey({ parts, groupId: data.groupId, orgId: data.orgId }, permissions, at),
    addOrg,
    addGroup,
    async close() {
      await server.close()
      await closeParts(parts)
      await database.close()
      await data.drop()
    },
  }
}
