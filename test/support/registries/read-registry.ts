import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Engine } from '#foundation/db/database.ts'
import type { Outgoing } from '#foundation/outgoing/outgoing.ts'
import type { RegistryCache } from '#scanning/registries/registry-cache.ts'
import { freshDatabase } from '#test/servers/fresh-database.ts'
import { serveHttp } from '#test/servers/local-server.ts'
import { loopbackClient } from '#test/servers/loopback-client.ts'
import { cacheIn } from './registry-cache.ts'

interface Deps {
  readonly cache: RegistryCache
  readonly outgoing: Outgoing
  now(): number
}

interface Settings {
  readonly url: string
  readonly maxAgeMs: number
}

export interface ServedRegistry<R> {
  readonly engine: Engine
  /** Makes the reader under test. */
  create(deps: Deps, settings: Settings): R
  answer(request: IncomingMessage, response: ServerResponse): void
  /** Path of the registry's base URL. */
  readonly path?: string
}

/** A registry with answers of our own, and a reader of it whose cache lasts ten minutes by `clock`. */
export async function readRegistry<R extends object>({ engine, create, answer, path = '' }: ServedRegistry<R>) {
  const requests: IncomingMessage[] = []
  const server = await serveHttp((request, response) => {
    requests.push(request)
    answer(request, response)
  })
  const database = await freshDatabase(engine)
  const outgoing = loopbackClient()
  const clock = { at: Date.parse('2026-01-01') }
  const reader = () =>
    create(
      { cache: cacheIn(database.db, () => clock.at), outgoing, now: () => clock.at },
      { url: `${server.url}${path}`, maxAgeMs: 10 * 60_000 },
    )
  return {
    ...reader(),
    /** Makes another reader, as after a restart. */
    reader,
    requests,
    clock,
    async [Symbol.asyncDispose]() {
      await outgoing.close()
      await database[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}
