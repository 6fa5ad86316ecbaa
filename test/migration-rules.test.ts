import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ColumnTypes, Migration } from '#foundation/db/migration.ts'
import { migrations } from '#foundation/db/migrations/index.ts'

/** The last step of the first release: later ones run while servers of the release before still serve. */
const LAST_FREE_STEP = '0043-exploited-groups'

/** Statements that break those of a running server of the previous release. */
const breaking: readonly (readonly [RegExp, string])[] = [
  [/\bdrop table\b/i, 'drops a table'],
  [/\bdrop column\b/i, 'drops a column'],
  [/\brename\b/i, 'renames a table or a column'],
  [/\balter column\b/i, 'changes a column'],
  [/\badd column\b(?![^,;]*\bdefault\b)[^,;]*\bnot null\b/i, 'adds a required column without a default'],
  [/\badd (constraint|check)\b/i, 'adds a constraint that earlier writes may break'],
  [/^create unique index\b/i, 'adds a constraint that earlier writes may break'],
]

/** Returns why a step breaks the previous release, unless it names the release that ended the use of what it removes. */
function faultsOf({ name, unusedSince, statements }: Migration, types: ColumnTypes): string[] {
  if (name <= LAST_FREE_STEP || unusedSince !== undefined) return []
  const all = statements(types)
  // Tables of the same step are unknown to the previous release.
  const made = all.flatMap((statement) => /^create table (\w+)/i.exec(statement)?.[1] ?? [])
  const isOwn = (statement: string) =>
    made.some((table) => new RegExp(`\\b(table|on) ${table}\\b`, 'i').test(statement))
  return all.flatMap((statement) =>
    breaking.flatMap(([pattern, fault]) => (pattern.test(statement) && !isOwn(statement) ? [`${name} ${fault}`] : [])),
  )
}

const types: ColumnTypes = { text: 'text', bytes: 'bytea', counter: 'bigint', keyed: '' }
const step = (statement: string, further: object = {}): Migration => ({
  name: '9999-later',
  statements: () => [statement],
  ...further,
})

test('migrations: none breaks the previous release while it runs', () => {
  assert.deepEqual(
    migrations.flatMap((migration) => faultsOf(migration, types)),
    [],
  )
})

test('migrations: statements that would break the previous release are found', () => {
  const broken = [
    'alter table orgs drop column name',
    'alter table orgs rename column name to title',
    'drop table orgs',
    'alter table orgs alter column name set not null',
    'alter table orgs add column size bigint not null',
    'create unique index orgs_by_name on orgs (name)',
    "alter table orgs add constraint named check (name <> '')",
  ]
  for (const statement of broken) assert.equal(faultsOf(step(statement), types).length, 1, statement)
  const kind = [
    'alter table orgs add column size bigint',
    'alter table orgs add column size bigint not null default 0',
    'create index orgs_by_name on orgs (name)',
    'create table sizes (id text not null)',
    'drop index orgs_by_name',
  ]
  for (const statement of kind) assert.deepEqual(faultsOf(step(statement), types), [], statement)
  assert.deepEqual(faultsOf(step(broken[0]!, { unusedSince: '0.2.0' }), types), [])
})
