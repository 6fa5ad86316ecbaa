import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { compareSnapshots } from '../src/analysis/advisories/compare-snapshots.ts'
import { startHolder } from '../src/features/advisories/holder.ts'
import { publishSnapshot } from '../src/features/advisories/publish.ts'
import { openSnapshotFile, writeSnapshotFile } from '../src/features/advisories/snapshot-file.ts'
import { createAdvisoryMatcher } from '../src/features/projects/advisory-matcher.ts'
import { announceKnown } from '../src/features/projects/announce-known.ts'
import type { Db } from '../src/foundation/db/database.ts'
import type { Services } from '../src/foundation/services.ts'
import { printTable } from './load.ts'
import { COMMON } from './stored-projects.ts'
import { syntheticAdvisories } from './synthetic-advisories.ts'

type Tools = Pick<Services, 'db' | 'now' | 'log'>

interface Snapshots {
  readonly dir: string
  readonly records: number
}

const PACKAGES = 60_000

/** Stores a snapshot of synthetic records; `withOneMore` adds one against the package that all projects contain. */
export async function publishSynthetic(db: Db, { dir, records }: Snapshots, withOneMore?: true): Promise<void> {
  const builtAt = withOneMore ? 1_700_000_100_000 : 1_700_000_000_000
  const written = await writeSnapshotFile(dir, { builtAt, source: 'bench', isStarterSet: false }, (compilation) => {
    for (const record of syntheticAdvisories({ count: records, seed: 1, packages: PACKAGES })) compilation.add(record)
    if (withOneMore) {
      const ranges = [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '2.0.0' }] }]
      const affected = [{ package: { ecosystem: 'npm', name: COMMON.name }, ranges }]
      compilation.add({ id: 'GHSA-one-more', modified: '2026-01-01T00:00:00Z', summary: 'One more', affected })
    }
    return []
  })
  await publishSnapshot(db, openSnapshotFile(written.path), { now: Date.now() })
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
      await nextTurn(5)
      const begun = performance.now()
      const result = await work()
      const took = performance.now() - begun
      await nextTurn(5)
      delay.disable()
      rows.push([title, took, delay.max / 1e6])
      return result
    }
    const first = await time('all packages for the first time', () => matcher.run())
    await time('  announcements of that', () => announceKnown(tools, undefined))
    await publishSynthetic(db, snapshots, true)
    const before = holder.current()
    await time('taking the new snapshot into use', () => holder.refresh())
    await time('of the next: comparing the snapshots', async () => [
      ...compareSnapshots(before.index, holder.current().index),
    ])
    const matched = await time('in use → every project shows it (bar: 1,000 ms)', () => matcher.run())
    const shown = await time('  asked of all projects by themselves', () => countShown(db))
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
