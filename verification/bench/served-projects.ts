import { setTimeout as sleep } from 'node:timers/promises'
import { findCommits } from '../../src/foundation/db/commits.ts'
import type { Db } from '../../src/foundation/db/database.ts'
import { type Started, start } from './load.ts'

export interface Served {
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly orgId: string
  readonly adminKey: string
  /** Projects of the organization. */
  readonly projects: number
}

/** Starts a server on the stored projects, on one core. */
export function startServed({ dataDir, databaseUrl }: Served): Promise<Started> {
  return start(['src/main.ts', 'serve'], {
    GATEHOUSE_DATA_DIR: dataDir,
    GATEHOUSE_PORT: '0',
    GATEHOUSE_LOG_LEVEL: 'warn',
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  })
}

const QUIET_MS = 3_000
const LONGEST_WAIT_MS = 600_000

/** Waits until the background work of earlier measurements is done: every commit makes cached pages obsolete. */
export async function waitUntilQuiet(db: Db): Promise<void> {
  const commits = findCommits(db)!
  const begun = Date.now()
  let last = await commits.version()
  for (let since = begun; Date.now() - since < QUIET_MS && Date.now() - begun < LONGEST_WAIT_MS; ) {
    await sleep(100)
    const version = await commits.version()
    if (version !== last) since = Date.now()
    last = version
  }
  console.log(`  background work ended after ${Math.round((Date.now() - begun - QUIET_MS) / 1000)} s`)
}
