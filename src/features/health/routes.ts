import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { defineOperation } from '#foundation/http/operation.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import type { Server } from '#foundation/http/server.ts'
import { version } from '#foundation/product.ts'
import type { Services } from '#foundation/services.ts'

const Check = Type.Object({ ok: Type.Boolean(), detail: Type.Optional(Type.String()) })
const Readiness = Type.Object({
  status: Type.Union([Type.Literal('ready'), Type.Literal('not ready')]),
  checks: Type.Record(Type.String(), Check),
})

nameSchemas({ HealthCheck: Check, Readiness })

/** A condition of readiness. */
export interface ReadinessCheck {
  readonly name: string
  /** Throws an error with a message for the operator if the condition is not met. */
  check(): Promise<string | undefined>
}

const LEAST_FREE_BYTES = 16 * 1024 * 1024

export function storageCheck({ db, database, config }: Pick<Services, 'db' | 'database' | 'config'>): ReadinessCheck {
  return {
    name: 'storage',
    async check() {
      await sql`select 1`.execute(db)
      const fault = database.fault()
      if (fault) throw fault
      if (database.engine === 'sqlite') await checkRoom(config.dataDir)
      return undefined
    },
  }
}

/** Checks free space separately: on a full disk reading still works. */
async function checkRoom(dataDir: string): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir)
  const freeBytes = bavail * bsize
  if (freeBytes < LEAST_FREE_BYTES)
    throw new Error(`${Math.floor(freeBytes / 1024)} KiB are free in the data folder; free up disk space`)
}

const common = { tags: ['Operation'], access: 'public' as const, rateLimit: false as const }

export function healthRoutes(server: Server, checks: readonly ReadinessCheck[]): void {
  defineOperation(server, {
    id: 'getHealth',
    at: 'GET /healthz',
    summary: 'Check the process',
    ...common,
    response: { 200: Type.Object({ status: Type.Literal('ok'), version: Type.String() }) },
    handler: async () => ({ status: 'ok' as const, version }),
  })
  defineOperation(server, {
    id: 'getReadiness',
    at: 'GET /readyz',
    summary: 'Check storage and advisories',
    ...common,
    response: { 200: Readiness, 503: Readiness },
    handler: async (_request, reply) => {
      const results = await Promise.all(checks.map(async ({ name, check }) => [name, await outcome(check)] as const))
      const ready = results.every(([, { ok }]) => ok)
      reply.code(ready ? 200 : 503)
      return { status: ready ? ('ready' as const) : ('not ready' as const), checks: Object.fromEntries(results) }
    },
  })
}

async function outcome(check: ReadinessCheck['check']): Promise<{ ok: boolean; detail?: string }> {
  try {
    const detail = await check()
    return { ok: true, ...(detail !== undefined && { detail }) }
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : String(error) }
  }
}
