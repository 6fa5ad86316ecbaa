/**
 * Measures rows and bytes that organizations take on PostgreSQL, indexes included, each with as many stored projects:
 *
 *     node tools/with-postgres.ts node verification/bench/table-sizes.ts [--organizations 10,1000] [--projects 10]
 */
import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { insertOrg } from '../../src/features/organizations/store.ts'
import type { Db } from '../../src/foundation/db/database.ts'
import { freshDatabase } from '../../test/support/servers/fresh-database.ts'
import { seedProjects } from './stored-projects.ts'

const { values } = parseArgs({
  options: { organizations: { type: 'string', default: '10,1000' }, projects: { type: 'string', default: '10' } },
})
const PACKAGES = 60_000
const SHOWN = 8

for (const organizations of values.organizations.split(',').map(Number)) await measure(organizations)

async function measure(organizations: number): Promise<void> {
  await using database = await freshDatabase('postgres')
  const { db } = database
  const groupId = randomUUID()
  await db
    .insertInto('groups')
    .values({ id: groupId, name: 'g', slug: groupId, created_at: 1, updated_at: 1 })
    .execute()
  const orgs = Array.from({ length: organizations }, () => ({ id: randomUUID(), projects: Number(values.projects) }))
  for (const { id } of orgs) await insertOrg(db, { id, groupId, name: id, slug: id, at: 1 })
  await seedProjects(db, { orgs, packages: PACKAGES, size: [20, 40] })
  await sql`vacuum analyze`.execute(db)
  const sizes = await listSizes(db)
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
  const rows = sizes.reduce((sum, size) => sum + size.rows, 0)
  console.log(`\n${organizations} organizations: ${rows} rows, ${(total / 1e6).toFixed(1)} MB`)
  console.log('| table | rows | MB | bytes per row |\n|---|---|---|---|')
  for (const { name, rows, bytes } of sizes.slice(0, SHOWN)) {
    console.log(`| ${name} | ${rows} | ${(bytes / 1e6).toFixed(1)} | ${Math.round(bytes / Math.max(1, rows))} |`)
  }
}

async function listSizes(db: Db): Promise<{ name: string; rows: number; bytes: number }[]> {
  const { rows } = await sql<{ name: string; rows: number; bytes: number }>`
    select relname as name, greatest(reltuples, 0)::bigint as rows, pg_total_relation_size(oid) as bytes
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by bytes desc`.execute(db)
  return rows
}
