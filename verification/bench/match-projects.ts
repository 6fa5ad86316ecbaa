import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { compareSnapshots } from '../../src/analysis/advisories/compare-snapshots.ts'
import { startHolder } from '../../src/features/advisory-sync/holder.ts'
import { publishSnapshot } from '../../src/features/advisory-sync/publish.ts'
import { createAdvisoryMatcher } from '../../src/features/issue-index/matching/advisory-matcher.ts'
import { announceKnown } from '../../src/features/issue-index/matching/announce-known.ts'
import type { Db } from '../../src/foundation/db/database.ts'
import type { Services } from '../../src/foundation/services.ts'
import { openSnapshotFile, writeSnapshotFile } from '../../src/scanning/advisories/snapshot-file.ts'
import { printTable, start } from './load.ts'
import type { Served } from './served-projects.ts'
import { COMMON } from './stored-projects.ts'
import { syntheticAdvisories } from './synthetic-advisories.ts'

type Tools = Pick<Services, 'db' | 'now' | 'log'>

interface Snapshots {
  readonly dir: string
  readonly records: number
}

const PACKAGES = 60_000
const BUILT_AT = 1_700_000_000_000
const MS_PER_MORE = 100_000

/** Returns how many more records the latest synthetic snapshot has. */
export async function countMore(db: Db): Promise<number> {
  const { at } = await db
    .selectFrom('advisory_snapshots')
    .select(({ fn }) => fn.max('built_at').as('at'))
    .where('source', '=', 'bench')
    .executeTakeFirstOrThrow()
  return Math.max(0, (Number(at) - BUILT_AT) / MS_PER_MORE)
}

/**
 * Stores a snapshot of synthetic records and of as many `more` against the package that all projects contain. Returns
 * when that was committed, in milliseconds.
 */
export async function publishSynthetic(db: Db, { dir, records }: Snapshots, more = 0): Promise<number> {
  const builtAt = BUILT_AT + more * MS_PER_MORE
  const written = await writeSnapshotFile(dir, { builtAt, source: 'bench', isStarterSet: false }, (compilation) => {
    for (const record of syntheticAdvisories({ count: records, seed: 1, packages: PACKAGES })) compilation.add(record)
    for (let n = 0; n < more; n++) {
      const ranges = [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '2.0.0' }] }]
      const affected = [{ package: { ecosystem: 'npm', name: COMMON.name }, ranges }]
      compilation.add({ id: idOfMore(n), modified: '2026-01-01T00:00:00Z', summary: 'One more', affected })
    }
    return []
  })
  await publishSnapshot(db, openSnapshotFile(written.path), { now: Date.now() })
  return performance.now()
}

export function idOfMore(n: number): string {
  return n === 0 ? 'GHSA-one-more' : `GHSA-one-more-${n}`
}

const ROUNDS = 3

/** Advisories come while a server runs: from the commit of each until a page of the server shows it. */
export async function measureVisibility(db: Db, { records }: Snapshots, served: Served): Promise<void> {
  const server = await start(['src/main.ts', 'serve'], {
    GATEHOUSE_DATA_DIR: served.dataDir,
    GATEHOUSE_PORT: '0',
    GATEHOUSE_LOG_LEVEL: 'warn',
    ...(served.databaseUrl !== undefined && { DATABASE_URL: served.databaseUrl }),
  })
  // What another machine publishes: the server has no copy of the file.
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-publish-'))
  try {
    const rows: [string, number][] = []
    for (let n = 1; n <= ROUNDS; n++) {
      const committedAt = await publishSynthetic(db, { dir, records }, n + 1)
      const url = `${server.baseUrl}/rest/orgs/${served.orgId}/issues?version=2024-10-15&key=${idOfMore(n)}`
      const headers = { authorization: `token ${served.adminKey}` }
      for (let matches = 0; matches === 0; await setTimeout(20)) {
        const { data } = (await (await fetch(url, { headers })).json()) as { data: unknown[] }
        matches = data.length
      }
      rows.push([`  ${n}`, performance.now() - committedAt])
    }
    console.log(
      'A new advisory against a package of all projects, from its commit until a page shows it (bar: 2,000 ms)',
    )
    printTable(['', 'ms'], rows)
  } finally {
    await server.stop()
    rmSync(dir, { recursive: true })
  }
}

/** One advisory comes: until every project shows it, and until everything that follows from it is done. */
export async function measureMatching(tools: Tools, snapshots: Snapshots, projects: number): Promise<void> {
  const { db } = tools
  const holder = await startHolder(tools, { dir: snapshots.dir, pollSeconds: 3600 })
  const matcher = createAdvisoryMatcher(tools, holder)
  try {
    const rows: [string, number, number][] = []
    const time = async <T>(title: string, work: () => Promise<T>): Promise<T> => {
      const delay = monitorEventLoopDelay({ resolution: 1 })
      delay.enable()
      await setTimeout(5)
      const begun = performance.now()
      const result = await work()
      const took = performance.now() - begun
      await setTimeout(5)
      delay.disable()
      rows.push([title, took, delay.max / 1e6])
      return result
    }
    const first = await time('all packages for the first time', () => matcher.run())
    await time('  announcements of that', () => announceKnown(tools, undefined))
    await publishSynthetic(db, snapshots, 1)
    const before = holder.current()
    await time('taking the new snapshot into use', () => holder.refresh())
    await time('of the next: comparing the snapshots', async () => [
      ...compareSnapshots(before.index, holder.current().index),
    ])
    const matched = await time('in use → every project shows it (bar: 1,000 ms)', () => matcher.run())
    const shown = await time('  computed for each project separately', () => countShown(db))
    if (shown !== projects) throw new Error(`${shown} of ${projects} projects show it`)
    await time('ignores, events, next tests of all of them', () => announceKnown(tools, undefined))
    console.log(
      `  first: ${first!.packages} packages, ${first!.changed} with issues; then ${matched!.packages} package`,
    )
    printTable(['', 'ms', 'longest without a turn, ms'], rows)
  } finally {
    matcher.close()
    await holder.close()
  }
}

async function countShown(db: Db): Promise<number> {
  const { rows } = await sql<{ projects: number }>`
    select count(distinct pp.project_number) as projects from package_issues pi
    join project_packages pp on pp.package_number = pi.package_number where pi.issue_id = 'GHSA-one-more'`.execute(db)
  return Number(rows[0]!.projects)
}
