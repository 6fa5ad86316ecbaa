import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { sql } from 'kysely'
import { pino } from 'pino'
import { snapshotsDir } from '../../src/features/advisory-sync/sync-settings.ts'
import { recountProjects } from '../../src/features/issue-index/counts/recount-projects.ts'
import { indexNames } from '../../src/features/projects/names/name-parts-store.ts'
import type { Db, Engine } from '../../src/foundation/db/database.ts'
import { openDatabase } from '../../src/foundation/db/open-database.ts'
import { type BenchPlace, openBenchPlace } from './bench-place.ts'
import { measureConsoleViews } from './console-views.ts'
import { measureHiding } from './hide-issues.ts'
import { start } from './load.ts'
import { measureMatching, measureVisibility, publishSynthetic } from './match-projects.ts'
import { measurePagesInTurn } from './pages-in-turn.ts'
import { type Seeded, seedProjects } from './stored-projects.ts'

const PROJECTS = 100_000
const RECORDS = 250_000

/**
 * Stored projects at the size that we hold ourselves to: a new advisory, and pages of projects and issues; on PostgreSQL,
 * too, under tools/with-postgres.ts. BENCH_PROJECTS, BENCH_RECORDS, BENCH_ENGINE and BENCH_PAGES (part of a title,
 * "the console" or "hiding") make it smaller. BENCH_KEEP names a folder that keeps the data for the next run; PostgreSQL's
 * stays on the server of TEST_DATABASE_URL.
 */
export async function benchProjects(): Promise<void> {
  for (const engine of ['sqlite', ...(process.env['TEST_DATABASE_URL'] ? ['postgres' as const] : [])] as const) {
    if ((process.env['BENCH_ENGINE'] ?? engine) === engine) await benchOn(engine)
  }
}

async function benchOn(engine: Engine): Promise<void> {
  const place = await openBenchPlace(engine)
  const { dataDir, databaseUrl, adminKey } = place
  if (!place.isFilled) await startOnce(place)
  const database = openDatabase({ url: databaseUrl, dataDir, maxConnections: 4, onError: () => {} })
  const { db } = database
  const dir = snapshotsDir(dataDir)
  mkdirSync(dir, { recursive: true })
  try {
    const records = Number(process.env['BENCH_RECORDS'] ?? RECORDS)
    if (!place.isFilled) {
      await fill(db, engine, { dir, records })
      place.markFilled()
    }
    if (place.isFilled) await postponeTests(db)
    const served = { dataDir, databaseUrl, adminKey, ...(await findServedOrg(db)) }
    if (!place.isFilled) await measureVisibility(db, { dir, records }, served)
    if (process.env['BENCH_PAGES'] === 'none') return
    const part = process.env['BENCH_PAGES'] ?? ''
    if (part === 'hiding') return await measureHiding(db, served)
    if ('the console'.includes(part)) await measureConsoleViews(db, served)
    if (part === 'the console') return
    await measurePagesInTurn(db, served)
  } finally {
    await database.close()
    await place.close()
  }
}

async function fill(db: Db, engine: Engine, { dir, records }: { dir: string; records: number }): Promise<void> {
  const orgs = await addOrgs(db, Number(process.env['BENCH_PROJECTS'] ?? PROJECTS))
  await publishSynthetic(db, { dir, records })
  const begun = performance.now()
  const seeded = await seedProjects(db, { orgs, packages: 60_000, size: [20, 40] })
  printSizes(engine, seeded, { records, ms: performance.now() - begun })
  await vacuum(db, engine)
  await measureMatching({ db, now: Date.now, log: pino({ level: 'warn' }) }, { dir, records }, seeded.projects)
  await time('counting the issues of all projects', () => recountProjects({ db, now: Date.now }, undefined))
  await time('storing the parts of all names of projects', async () => {
    while ((await indexNames(db, 50)) > 0);
  })
  await postponeTests(db)
  await vacuum(db, engine)
}

/** Nothing is due while pages are measured. */
async function postponeTests(db: Db): Promise<void> {
  await db
    .updateTable('projects')
    .set({ next_test_at: Date.now() + 30 * 86_400_000 })
    .where('next_test_at', '<', Date.now() + 86_400_000)
    .execute()
}

/** Finds the organization with nearly all projects. */
async function findServedOrg(db: Db): Promise<{ orgId: string; projects: number }> {
  const { org_id, projects } = await db
    .selectFrom('projects')
    .select(({ fn }) => ['org_id', fn.countAll<number>().as('projects')])
    .groupBy('org_id')
    .orderBy('projects', 'desc')
    .executeTakeFirstOrThrow()
  return { orgId: org_id, projects: Number(projects) }
}

/** PostgreSQL does this automatically after so many rows, except under tools/with-postgres.ts. */
async function vacuum(db: Db, engine: Engine): Promise<void> {
  if (engine === 'postgres') await sql`vacuum analyze`.execute(db)
}

async function time(title: string, work: () => Promise<void>): Promise<void> {
  const begun = performance.now()
  await work()
  console.log(`  ${title}: ${((performance.now() - begun) / 1000).toFixed(1)} s`)
}

/** A first start makes the schema, the first organization and its administrator. */
async function startOnce({ dataDir, databaseUrl, adminKey }: BenchPlace): Promise<void> {
  const server = await start(['src/main.ts', 'serve'], {
    GATEHOUSE_DATA_DIR: dataDir,
    GATEHOUSE_PORT: '0',
    GATEHOUSE_ADMIN_API_KEY: adminKey,
    GATEHOUSE_LOG_LEVEL: 'warn',
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  })
  await server.stop()
}

/** Nearly all in the first organization, and some in two others. */
async function addOrgs(db: Db, projects: number): Promise<{ id: string; projects: number }[]> {
  const { id: first, group_id } = await db.selectFrom('orgs').select(['id', 'group_id']).executeTakeFirstOrThrow()
  const small = Math.floor(projects / 100)
  const others = [randomUUID(), randomUUID()]
  const times = { created_at: Date.now(), updated_at: Date.now() }
  for (const id of others)
    await db
      .insertInto('orgs')
      .values({ id, group_id, name: id, slug: id, ...times })
      .execute()
  return [{ id: first, projects: projects - others.length * small }, ...others.map((id) => ({ id, projects: small }))]
}

function printSizes(engine: Engine, { projects, packages, contained }: Seeded, made: { records: number; ms: number }) {
  const text = (count: number) => count.toLocaleString('en')
  console.log(
    `${text(projects)} stored projects on ${engine}, 20 to 40 packages each (${text(contained)} rows) of ${text(packages)} distinct ones, ${text(made.records)} advisories (made in ${Math.round(made.ms / 1000)} s)`,
  )
}
