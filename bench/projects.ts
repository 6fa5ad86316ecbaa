import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { createPostgresDatabase } from '#test/servers/postgres.ts'
import { recountProjects } from '../src/features/projects/issues/recount-projects.ts'
import { indexNames } from '../src/features/projects/names/name-parts-store.ts'
import { type Db, type Engine, openDatabase } from '../src/foundation/db/database.ts'
import { snapshotsDir } from '../src/scanning/advisories/sync-settings.ts'
import { measureConsoleViews } from './console-views.ts'
import { measurePages, type Served } from './list-projects.ts'
import { start } from './load.ts'
import { measureMatching, measureVisibility, publishSynthetic } from './match-projects.ts'
import { measurePagesInTurn } from './pages-in-turn.ts'
import { type Seeded, seedProjects } from './stored-projects.ts'

const PROJECTS = 100_000
const RECORDS = 250_000

/**
 * Stored projects at the size that we hold ourselves to: a new advisory, and pages of projects and issues; on PostgreSQL,
 * too, under tools/with-postgres.ts. BENCH_PROJECTS, BENCH_RECORDS, BENCH_ENGINE and BENCH_PAGES (part of a title, "in
 * turn" or "the console") make it smaller.
 */
export async function benchProjects(): Promise<void> {
  for (const engine of ['sqlite', ...(process.env['TEST_DATABASE_URL'] ? ['postgres' as const] : [])] as const) {
    if ((process.env['BENCH_ENGINE'] ?? engine) === engine) await benchOn(engine)
  }
}

async function benchOn(engine: Engine): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-projects-'))
  const postgres = engine === 'postgres' ? await createPostgresDatabase() : undefined
  const adminKey = randomUUID()
  await startOnce({ dataDir, databaseUrl: postgres?.url, adminKey })
  const database = openDatabase({ url: postgres?.url, dataDir, maxConnections: 4, onError: () => {} })
  const { db } = database
  const dir = snapshotsDir(dataDir)
  mkdirSync(dir, { recursive: true })
  try {
    const projects = Number(process.env['BENCH_PROJECTS'] ?? PROJECTS)
    const records = Number(process.env['BENCH_RECORDS'] ?? RECORDS)
    const orgs = await addOrgs(db, projects)
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
    // Nothing is due while pages are measured.
    await db
      .updateTable('projects')
      .set({ next_test_at: Date.now() + 86_400_000 })
      .execute()
    await vacuum(db, engine)
    const { id: orgId, projects: count } = orgs[0]!
    const served = { dataDir, databaseUrl: postgres?.url, adminKey, orgId, projects: count }
    await measureVisibility(db, { dir, records }, served)
    if (process.env['BENCH_PAGES'] === 'none') return
    const part = process.env['BENCH_PAGES'] ?? ''
    if ('the console'.includes(part)) await measureConsoleViews(db, served)
    if (part === 'the console') return
    await measurePagesInTurn(db, served)
    if (part !== 'in turn') await measurePages(db, served)
  } finally {
    await database.close()
    await postgres?.drop()
    rmSync(dataDir, { recursive: true })
  }
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
async function startOnce({
  dataDir,
  databaseUrl,
  adminKey,
}: Pick<Served, 'dataDir' | 'databaseUrl' | 'adminKey'>): Promise<void> {
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
