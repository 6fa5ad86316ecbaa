import { type Insertable, sql } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import { insertMissing } from '#foundation/db/insert-missing.ts'
import { prepared } from '#foundation/db/prepared.ts'
import { nameAfter, scanInSlices } from '#foundation/db/scan-in-slices.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import { beginsWithExactly, contains, lowerAscii } from '#foundation/db/text-match.ts'
import { forEachInSlices, sortInSlices } from '#foundation/slices.ts'
import type { NewIssue } from './new-issue.ts'

type AliasRow = Insertable<Tables['issue_aliases']>
type PartRow = Insertable<Tables['package_name_parts']>

interface NamedPackage {
  readonly registry: string
  readonly name: string
}

/** Maximum number of issues per alias, and of packages per part of a name. */
export const MAX_ISSUES_OF_ALIAS = 50
export const MAX_NAMES_OF_PART = 200

const MAX_PART_LENGTH = 200
/** Shorter texts match only at the beginning of words. */
const MIN_INNER_LENGTH = 3
/** Names and versions read before other work runs: two milliseconds. */
const SLICE_ROWS = 5_000
const MAX_PARTS = 32

/** Stores the ids under which these issues are found. An alias that a record gives up later still leads to it. */
export async function noteAliases(tx: Db, issues: readonly NewIssue[]): Promise<void> {
  const rows = new Map<string, AliasRow>()
  for (const { issue } of issues) {
    const { cve, ghsa, otherIds } = issue.facts
    for (const id of [issue.issueId, ...cve, ...ghsa, ...otherIds]) {
      const row = { alias: lowerAscii(id), issue_id: issue.issueId }
      rows.set(`${row.alias}\n${row.issue_id}`, row)
    }
  }
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
  await insertMissing(tx, 'issue_aliases', sorted)
}

export async function noteNameParts(tx: Db, packages: readonly NamedPackage[]): Promise<void> {
  await insertMissing(tx, 'package_name_parts', await toPartRows(packages))
}

/** Deletes the parts of names of deleted packages without another stored version. Requires the lock on known issues. */
export async function forgetNameParts(tx: Db, packages: readonly NamedPackage[]): Promise<void> {
  for (const { part, registry, name } of await toPartRows(packages)) {
    await sql`delete from package_name_parts where part = ${part} and registry = ${registry} and name = ${name}
      and not exists (select 1 from packages where registry = ${registry} and name = ${name})`.execute(tx)
  }
}

/** Ordered, see `lockRows`. */
async function toPartRows(packages: readonly NamedPackage[]): Promise<PartRow[]> {
  const rows = new Map<string, PartRow>()
  await forEachInSlices(packages, ({ registry, name }) => {
    for (const part of partsOf(name)) rows.set(`${part}\n${registry}\n${name}`, { part, registry, name })
  })
  const keys = await sortInSlices([...rows.keys()], (a, b) => (a < b ? -1 : 1))
  return keys.map((key) => rows.get(key)!)
}

/**
 * Returns a name from each of its words on: `@scope/some-thing` is found as `scope/some-thing`, `some-thing` and
 * `thing`.
 */
export function partsOf(name: string): string[] {
  const starts = [...name.matchAll(/(?<=^|[/.\-_:@])[^/.\-_:@]/g)].map(({ index }) => index)
  return [...new Set([0, ...starts])]
    .slice(0, MAX_PARTS)
    .map((start) => lowerAscii(name.slice(start, start + MAX_PART_LENGTH)))
}

const issuesOfAlias = prepared((db: Db, { alias }: { alias: string }) =>
  db
    .selectFrom('issue_aliases')
    .select('issue_id')
    .where('alias', '=', alias)
    .orderBy('issue_id')
    .limit(sql.lit(MAX_ISSUES_OF_ALIAS)),
)

/** Finds the issues with an id, case-insensitive: their own, a CVE, a GHSA or that of another database. */
export async function findIssuesOfAlias(db: Db, alias: string): Promise<string[]> {
  const rows = await issuesOfAlias(db, { alias: lowerAscii(alias) })
  return rows.map(({ issue_id }) => issue_id)
}

/**
 * Finds the issues with an id among those of an organization's projects. Other issues would reveal data of other
 * organizations.
 */
export async function findOwnIssuesOfAlias(db: Db, orgNumber: number, alias: string): Promise<string[]> {
  const rows = await db
    .selectFrom('issue_aliases as a')
    .innerJoin('issue_groups as g', 'g.group_key', 'a.issue_id')
    .select('a.issue_id')
    .where('a.alias', '=', lowerAscii(alias))
    .where('g.org_number', '=', orgNumber)
    .where('g.kind', '=', 'vulnerability')
    .orderBy('a.issue_id')
    .limit(sql.lit(MAX_ISSUES_OF_ALIAS))
    .execute()
  return rows.map(({ issue_id }) => issue_id)
}

const nameInOrg = prepared((db: Db, { orgNumber, name }: { orgNumber: number; name: string }) =>
  db
    .selectFrom('org_packages')
    .select('name')
    .where('org_number', '=', orgNumber)
    .where('name', '=', name)
    .limit(sql.lit(1)),
)

/**
 * Finds names of an organization's packages: the given one; if there is none, names with a word that begins with the
 * text; if there are none, names that contain it. Returns at most one more than `MAX_NAMES_OF_PART`.
 */
export async function findNamesOfPart(db: Db, orgNumber: number, text: string): Promise<string[]> {
  const [exact] = await nameInOrg(db, { orgNumber, name: text })
  if (exact) return [exact.name]
  const part = lowerAscii(text.slice(0, MAX_PART_LENGTH))
  const rows = await db
    .selectFrom('package_name_parts as n')
    .select('n.name')
    .distinct()
    .where(beginsWithExactly('n.part', part))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('org_packages as op')
          .select('op.name')
          .where('op.org_number', '=', orgNumber)
          .whereRef('op.name', '=', 'n.name'),
      ),
    )
    .limit(sql.lit(MAX_NAMES_OF_PART + 1))
    .execute()
  if (rows.length > 0 || part.length < MIN_INNER_LENGTH) return rows.map(({ name }) => name)
  return findNamesAround(db, orgNumber, part)
}

/** Compares every name of the organization, along the index. */
async function findNamesAround(db: Db, orgNumber: number, part: string): Promise<string[]> {
  const namesFrom = (from: string) =>
    db.selectFrom('org_packages').select('name').where('org_number', '=', orgNumber).where('name', '>=', from)
  const scan = {
    first: '',
    async findNext(from: string) {
      const ahead = namesFrom(from).orderBy('name').limit(sql.lit(1)).offset(sql.lit(SLICE_ROWS))
      return nameAfter(from, await ahead.executeTakeFirst())
    },
    async read(from: string, until: string | undefined) {
      const names = namesFrom(from)
        .distinct()
        .where(contains(db, 'name', part))
      const rows = await (until === undefined ? names : names.where('name', '<', until)).execute()
      return rows.map(({ name }) => name)
    },
  }
  return scanInSlices(scan, MAX_NAMES_OF_PART + 1)
}
