import { type Insertable, sql } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import { prepared } from '#foundation/db/prepared.ts'
import { nameAfter, scanInSlices } from '#foundation/db/scan-in-slices.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import { beginsWithExactly, contains, lowerAscii } from '#foundation/db/text-match.ts'
import { forEachInSlices, sortInSlices } from '#foundation/slices.ts'
import type { NewIssue } from './known-issues-store.ts'

type AliasRow = Insertable<Tables['issue_aliases']>
type PartRow = Insertable<Tables['package_name_parts']>

interface NamedPackage {
  readonly registry: string
  readonly name: string
}

/** Ids of issues that one alias may lead to, and packages that one part of a name may. */
export const MAX_ISSUES_OF_ALIAS = 50
export const MAX_NAMES_OF_PART = 200

const MAX_PART_LENGTH = 200
/** Shorter texts are looked for where words begin only. */
const MIN_INNER_LENGTH = 3
/** Names and versions that are looked at without letting others run: two milliseconds. */
const SLICE_ROWS = 5_000
const MAX_PARTS = 32
const ROWS = 200

/** Notes under which ids these issues are looked for. An alias that a record gives up later keeps leading to it. */
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
  for (let at = 0; at < sorted.length; at += ROWS) {
    await tx
      .insertInto('issue_aliases')
      .values(sorted.slice(at, at + ROWS))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** Notes by which parts of their names new packages are found. */
export async function noteNameParts(tx: Db, packages: readonly NamedPackage[]): Promise<void> {
  const rows = await toPartRows(packages)
  for (let at = 0; at < rows.length; at += ROWS) {
    await tx
      .insertInto('package_name_parts')
      .values(rows.slice(at, at + ROWS))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** Forgets the names of deleted packages of which no other version is stored. The lock on known issues is held. */
export async function forgetNameParts(tx: Db, packages: readonly NamedPackage[]): Promise<void> {
  for (const { part, registry, name } of await toPartRows(packages)) {
    await sql`delete from package_name_parts where part = ${part} and registry = ${registry} and name = ${name}
      and not exists (select 1 from packages where registry = ${registry} and name = ${name})`.execute(tx)
  }
}

/** In one order: see `lockRows`. */
async function toPartRows(packages: readonly NamedPackage[]): Promise<PartRow[]> {
  const rows = new Map<string, PartRow>()
  await forEachInSlices(packages, ({ registry, name }) => {
    for (const part of partsOf(name)) rows.set(`${part}\n${registry}\n${name}`, { part, registry, name })
  })
  const keys = await sortInSlices([...rows.keys()], (a, b) => (a < b ? -1 : 1))
  return keys.map((key) => rows.get(key)!)
}

/** A name from each of its words on: `@scope/some-thing` is found as `scope/some-thing`, `some-thing` and `thing`. */
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

/** Finds the issues that an id speaks of, whatever its case: their own, a CVE, a GHSA or that of another database. */
export async function findIssuesOfAlias(db: Db, alias: string): Promise<string[]> {
  const rows = await issuesOfAlias(db, { alias: lowerAscii(alias) })
  return rows.map(({ issue_id }) => issue_id)
}

/**
 * Finds the issues that an id speaks of among those of an organization's projects. Others must not be found: that would
 * tell what other organizations have.
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
 * Finds names of an organization's packages: the one that is given, or else those that have a word which begins with the
 * text, or else those that contain it anywhere; one more than `MAX_NAMES_OF_PART` at most.
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

/** Looks at every name of the organization, along the index. */
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
