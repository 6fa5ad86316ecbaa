import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Engine } from '../../src/foundation/db/database.ts'
import { createPostgresDatabase } from '../../test/support/servers/postgres.ts'

interface Address {
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly adminKey: string
}

/** The place of a benchmark's data. */
export interface BenchPlace extends Address {
  /** True if an earlier run left its data here. */
  readonly isFilled: boolean
  /** Keeps the data for the next run, if BENCH_KEEP names a folder. */
  markFilled(): void
  /** Removes what is not kept. */
  close(): Promise<void>
}

/** Finds the data that an earlier run left in the folder BENCH_KEEP, or makes an empty place. */
export async function openBenchPlace(engine: Engine): Promise<BenchPlace> {
  const kept = process.env['BENCH_KEEP']
  const note = kept && join(kept, `${engine}.json`)
  if (note && existsSync(note)) {
    const address = JSON.parse(readFileSync(note, 'utf8')) as Address
    return { ...address, isFilled: true, markFilled: () => {}, close: async () => {} }
  }
  const dataDir = kept ? join(kept, engine) : mkdtempSync(join(tmpdir(), 'gatehouse-bench-projects-'))
  mkdirSync(dataDir, { recursive: true })
  const postgres = engine === 'postgres' ? await createPostgresDatabase() : undefined
  const address = { dataDir, databaseUrl: postgres?.url, adminKey: randomUUID() }
  let isKept = false
  return {
    ...address,
    isFilled: false,
    markFilled() {
      if (!note) return
      writeFileSync(note, JSON.stringify(address))
      isKept = true
    },
    async close() {
      if (isKept) return
      await postgres?.drop()
      rmSync(dataDir, { recursive: true })
    },
  }
}
