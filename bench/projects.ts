import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { snapshotsDir } from '../src/features/advisories/sync-settings.ts'
import { type Db, type Engine, openDatabase } from '../src/foundation/db/database.ts'
import { migrate } from '../src/foundation/db/migrate.ts'
import { createPostgresDatabase } from '../test/support/postgres.ts'
import { measureMatching, publishSynthetic } from './match-projects.ts'
import { type Seeded, seedProjects } from './stored-projects.ts'

const PROJECTS = 100_000
const RECORDS = 250_000

/** Stored projects at the size that we hold ourselves to: a new advisory, and pages of projects and issues. */
export async function benchProjects(): Promise<void> {
  for (const engine of ['sqlite', ...(process.env['TEST_DATABASE_URL'] ? ['postgres' as const] : [])] as const) {
    await benchOn(engine)
  }
}

async function benchOn(engine: Engine): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-projects-'))
  const postgres = engine === 'postgres' ? await createPostgresDatabase() : undefined
  const database = openDatabase({ url: postgres?.url, dataDir, maxConnections: 4, onError: () => {} })
  const dir = snapshotsDir(dataDir)
  mkdirSync(dir, { recursive: true })
  try {
    await migrate(database)
    const projects = Number(process.env['BENCH_PROJECTS'] ?? PROJECTS)
    const records = Number(process.env['BENCH_RECORDS'] ?? RECORDS)
    const orgs = await addOrgs(database.db, projects)
    await publishSynthetic(database.db, { dir, records })
    const begun = performance.now()
    const seeded = await seedProjects(database.db, { orgs, packages: 60_000, size: [20, 40] })
    printSizes(engine, seeded, { records, ms: performance.now() - begun })
    const tools = { db: database.db, now: Date.now, log: pino({ level: 'warn' }) }
    await measureMatching(tools, { dir, records }, seeded.projects)
  } finally {
    await database.close()
    await postgres?.drop()
    rmSync(dataDir, { recursive: true })
  }
}

/** Nearly all in one organisation, and some in two others. */
async function addOrgs(db: Db, projects: number): Promise<{ id: string; projects: number }[]> {
  const at = Date.now()
  const groupId = randomUUID()
  await db
    .insertInto('groups')
    .values({ id: groupId, name: 'Bench', slug: 'bench', created_at: at, updated_at: at })
    .execute()
  const small = Math.floor(projects / 100)
  const orgs = [projects - 2 * small, small, small].map((count) => ({ id: randomUUID(), projects: count }))
  for (const [n, { id }] of orgs.entries()) {
    const org = { id, group_id: groupId, name: `Org ${n}`, slug: `org-${n}`, created_at: at, updated_at: at }
    await db.insertInto('orgs').values(org).execute()
  }
  return orgs
}

function printSizes(engine: Engine, { projects, packages, contained }: Seeded, made: { records: number; ms: number }) {
  const text = (count: number) => count.toLocaleString('en')
  console.log(
    `${text(projects)} stored projects on ${engine}, 20 to 40 packages each (${text(contained)} rows) of ${text(packages)} distinct ones, ${text(made.records)} advisories (made in ${Math.round(made.ms / 1000)} s)`,
  )
}
