import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { sql } from 'kysely'
import { pino } from 'pino'
import { startHolder } from '../../../src/features/advisory-sync/holder.ts'
import { createAdvisoryMatcher } from '../../../src/features/issue-index/matching/advisory-matcher.ts'
import { describeGroups } from '../../../src/features/issue-index/storage/group-details-store.ts'
import type { Db } from '../../../src/foundation/db/database.ts'
import { publishSynthetic } from '../match-projects.ts'
import { insertPackages, packState } from '../stored-projects.ts'
import {
  COUNTED_AT_ONCE,
  copyGroups,
  countProjects,
  describedTotals,
  type Filling,
  fillings,
  followers,
  NAMES,
  PACKAGES_OF_PROJECT,
  preparations,
  totalsOfGroups,
} from './statements.ts'

/** Organizations of a million projects: a huge one, some large ones, many small ones. */
const ORGS = [
  { count: 1, projects: 300_000 },
  { count: 10, projects: 50_000 },
  { count: 100, projects: 1_500 },
  { count: 500, projects: 100 },
] as const
const VERSIONS = 3
/** Groups that one statement describes. */
const DESCRIBED_AT_ONCE = 400

interface FillOptions {
  /** Folder of the compiled advisories. */
  readonly dir: string
  /** Advisories of the snapshot. */
  readonly records: number
  /** 1 makes a million projects. */
  readonly share: number
}

/**
 * Fills an empty database of PostgreSQL with as many projects as imports would leave there, nearly all by SQL. The advisories
 * are matched, and one organization's groups described, by the product itself. Needs a superuser: foreign keys are not
 * checked meanwhile.
 */
export async function fill(db: Db, { dir, records, share }: FillOptions): Promise<void> {
  mkdirSync(dir, { recursive: true })
  await publishSynthetic(db, { dir, records })
  await timed('packages', () => insertPackages(db, NAMES * VERSIONS))
  await timed('first match of the packages', () => matchAll(db, dir))
  // Statements of one session, with its settings.
  await db.connection().execute(async (session) => {
    await run(session, `set session_replication_role = replica`)
    await run(session, `set work_mem = '512MB'`)
    await run(session, `set maintenance_work_mem = '1GB'`)
    await run(session, 'create schema bench')
    await run(session, 'delete from packages_to_recount')
    const described = await addOrgs(session, share)
    for (const statement of preparations) await timed(statement, () => run(session, statement))
    for (const filling of fillings) await refill(session, filling)
    await refillWith(session, 'project_issue_counts', () => countAll(session))
    await timed('totals of groups', () => run(session, totalsOfGroups))
    await refillWith(session, 'issue_groups', async () => undefined)
    await timed('descriptions of groups', () => describeAll(session, described))
    await timed('totals of described groups', () => run(session, describedTotals(described)))
    await refillWith(session, 'issue_groups', () => run(session, copyGroups(described)), 'keep')
    for (const filling of followers) await refill(session, filling)
    await refillWith(session, 'project_states', () => fillStates(session))
    await run(session, 'drop schema bench cascade')
  })
  await timed('vacuum analyze', () => run(db, 'vacuum analyze'))
}

async function run(db: Db, statement: string): Promise<void> {
  await sql.raw(statement).execute(db)
}

async function timed(title: string, work: () => Promise<unknown>): Promise<void> {
  const begun = performance.now()
  await work()
  const seconds = ((performance.now() - begun) / 1000).toFixed(1).padStart(7)
  console.log(`${seconds} s  ${title.trim().split('\n')[0]!.slice(0, 80)}`)
}

async function matchAll(db: Db, dir: string): Promise<void> {
  const tools = { db, now: Date.now, log: pino({ level: 'warn' }) }
  const holder = await startHolder(tools, { dir, pollSeconds: 3600 })
  const matcher = createAdvisoryMatcher(tools, holder)
  await matcher.run()
  matcher.close()
  await holder.close()
}

/** Adds the organizations to the first one, which becomes the largest. Returns its number. */
async function addOrgs(db: Db, share: number): Promise<number> {
  const first = await db.selectFrom('orgs').selectAll().orderBy('created_at').executeTakeFirstOrThrow()
  await run(db, 'create table bench.orgs (org_number bigint, org_id text collate "C", first bigint, last bigint)')
  // Even: two projects share a target.
  let next = 2
  let described = 0
  for (const { count, projects } of ORGS) {
    for (let n = 0; n < count; n++) {
      const id = described === 0 ? first.id : randomUUID()
      const row = { ...first, id, name: `Organization ${id.slice(0, 8)}`, slug: id }
      if (id !== first.id) await db.insertInto('orgs').values(row).execute()
      const { number } = await db
        .insertInto('org_numbers')
        .values({ org_id: id })
        .returning('number')
        .executeTakeFirstOrThrow()
      if (described === 0) described = Number(number)
      const own = Math.max(2, 2 * Math.round((projects * share) / 2))
      await run(db, `insert into bench.orgs values (${number}, '${id}', ${next}, ${next + own - 1})`)
      next += own
    }
  }
  await run(db, 'analyze bench.orgs')
  return described
}

function refill(db: Db, { table, sql: statement }: Filling): Promise<void> {
  return refillWith(db, table, () => run(db, statement))
}

/** Empties a table and fills it without indexes, in one transaction: with wal_level=minimal no log is written. */
async function refillWith(db: Db, table: string, work: () => Promise<unknown>, rows: 'keep' | 'truncate' = 'truncate') {
  const { rows: constraints } = await sql<{ name: string; definition: string }>`
    select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid = ${`public.${table}`}::regclass and contype in ('p', 'u')`.execute(db)
  const { rows: indexes } = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes
    where schemaname = 'public' and tablename = ${table} and indexname <> all (${constraints.map(({ name }) => name)})`.execute(
    db,
  )
  await timed(table, async () => {
    await run(db, 'begin')
    if (rows === 'truncate') await run(db, `truncate ${table}`)
    for (const { name } of constraints) await run(db, `alter table ${table} drop constraint ${name}`)
    for (const { name } of indexes) await run(db, `drop index ${name}`)
    await work()
    for (const { name, definition } of constraints)
      await run(db, `alter table ${table} add constraint ${name} ${definition}`)
    for (const { definition } of indexes) await run(db, definition)
    await run(db, 'commit')
    await run(db, `analyze ${table}`)
  })
}

async function countAll(db: Db): Promise<void> {
  const { last } = await db
    .selectFrom('projects')
    .select(({ fn }) => fn.max('number').as('last'))
    .executeTakeFirstOrThrow()
  for (let from = 0; from <= Number(last); from += COUNTED_AT_ONCE) {
    await run(db, countProjects(from, from + COUNTED_AT_ONCE - 1))
  }
}

async function describeAll(db: Db, orgNumber: number): Promise<void> {
  const now = Date.now()
  for (const kind of ['vulnerability', 'package'] as const) {
    const { rows } = await sql<{ key: string }>`
      select group_key as key from bench.totals where org_number = ${orgNumber} and kind = ${kind}`.execute(db)
    for (let at = 0; at < rows.length; at += DESCRIBED_AT_ONCE) {
      const keys = rows.slice(at, at + DESCRIBED_AT_ONCE).map(({ key }) => key)
      await describeGroups(db, { orgNumbers: [orgNumber], kind, keys }, now)
    }
  }
}

async function fillStates(db: Db): Promise<void> {
  const { graph, advice } = await packState(PACKAGES_OF_PROJECT)
  await sql`insert into project_states (project_number, test_id, graph, advice, coverage)
    select number, md5('test ' || number)::uuid::text, ${graph}::bytea, ${advice}::bytea, '{}' from projects`.execute(
    db,
  )
}
