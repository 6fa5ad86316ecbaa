import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import yauzl from 'yauzl'
import type { AffectedCode, OsvAffected, OsvEvent, OsvRange, OsvRecord, OsvSeverity } from '#analysis/advisories/osv.ts'
import { schemes } from '#analysis/advisories/schemes.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import type { VersionScheme } from '#analysis/versions/version-scheme.ts'

const starterSetDirectory = join(import.meta.dirname, '../src/scanning/advisories/starter-set')

export const starterRegistries = [
  'npm',
  'PyPI',
  'RubyGems',
  'Maven',
  'Go',
  'Packagist',
  'NuGet',
] as const satisfies readonly Registry[]

/** One line of titles.tsv. */
export interface TitleRow {
  readonly registry: Registry
  /** Under which id the record is in the set. */
  readonly id: string
  /** The id of the source record that states packages and versions, or `by-hand`. */
  readonly facts: string
  readonly title: string
}

/** Records that no source directory has: whole ones, and ratings for records that come without one. */
export interface ByHand {
  readonly records: readonly OsvRecord[]
  /** Reasons for replacing records of the source, by id. */
  readonly replaces: Readonly<Record<string, string>>
  readonly ratings: readonly Rating[]
}

type Rating = Pick<OsvRecord, 'severity' | 'database_specific'> & { readonly id: string }

/** A record of the source for an id; undefined when the source has none. */
export type FindSource = (registry: Registry, id: string) => OsvRecord | undefined

/** A row that must not become a record; `message` says which and why. */
export class Refused extends Error {}

/** The text of titles.tsv: tab-separated, `#` begins a comment line, `=` for facts means the row's own id. */
export function parseTitles(text: string): TitleRow[] {
  const rows = text
    .split('\n')
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== '' && !line.startsWith('#'))
    .map(({ line, number }) => parseTitle(line, number))
  for (const member of ['id', 'title'] as const) {
    const seen = new Set<string>()
    for (const row of rows) {
      if (seen.has(row[member])) throw new Refused(`titles.tsv: the ${member} "${row[member]}" is there twice`)
      seen.add(row[member])
    }
  }
  return rows
}

function parseTitle(line: string, number: number): TitleRow {
  const cells = line.split('\t')
  const [registryCell, id, facts, title] = cells.map((cell) => cell.trim())
  const registry = starterRegistries.find((name) => name === registryCell)
  if (cells.length !== 4 || !registry || !id || !facts || !title) {
    throw new Refused(`titles.tsv line ${number}: expected registry, id, facts and title between tabs`)
  }
  if (title.length > 120) throw new Refused(`titles.tsv line ${number}: the title is longer than 120 characters`)
  return { registry, id, facts: facts === '=' ? id : facts, title }
}

/** The record of one row: facts of its source in a fixed order, the title as summary, and nothing else. */
export function toStarterRecord(row: TitleRow, byHand: ByHand, findSource: FindSource): OsvRecord {
  const source = getSource(row, byHand, findSource)
  if (source.withdrawn !== undefined) throw new Refused(`${row.id}: ${source.id} is withdrawn`)
  const sameId = row.facts === 'by-hand' ? undefined : findSource(row.registry, row.id)
  for (const witness of [source, sameId]) if (witness) refuseBorrowedTitle(row, witness)
  const affected = source.affected.flatMap((entry) => toAffected(entry) ?? [])
  if (!affected.some((entry) => entry.package.ecosystem === row.registry)) {
    throw new Refused(`${row.id}: ${source.id} affects nothing in ${row.registry}`)
  }
  const rating = byHand.ratings.find(({ id }) => id === row.id)
  const claims = [source, sameId, rating]
  const severity = claims.map((claim) => toSeverities(claim?.severity)).find((source) => source.length > 0)
  const specifics = claims.map(toSpecific)
  const specific = { ...specifics[2], ...specifics[1], ...specifics[0] }
  if (rating && !isNeeded(rating, [source, sameId])) throw new Refused(`${row.id}: the rating by hand adds nothing`)
  const aliases = toAliases(row, source)
  return {
    id: row.id,
    ...(source.published !== undefined && { published: source.published }),
    modified: source.modified,
    ...(aliases.length > 0 && { aliases }),
    summary: row.title,
    ...(severity && { severity }),
    affected,
    ...(Object.keys(specific).length > 0 && { database_specific: specific }),
  }
}

/** Facts of the source come first, then those of the record with the row's own id, then those given by hand. */
function isNeeded(rating: Rating, sources: readonly (OsvRecord | undefined)[]): boolean {
  const details = sources.map(toSpecific)
  return (
    (rating.severity !== undefined && sources.every((source) => toSeverities(source?.severity).length === 0)) ||
    (toSpecific(rating).severity !== undefined && details.every(({ severity }) => severity === undefined)) ||
    (toSpecific(rating).cwe_ids !== undefined && details.every(({ cwe_ids }) => cwe_ids === undefined))
  )
}

/** Another record may speak for the id only if it names the id and no second one of the same database. */
function getSource(row: TitleRow, byHand: ByHand, findSource: FindSource): OsvRecord {
  if (row.facts === 'by-hand') {
    const record = byHand.records.find(({ id }) => id === row.id)
    if (!record) throw new Refused(`${row.id}: not in by-hand.json`)
    const isKnown = findSource(row.registry, row.id) !== undefined
    const isReplaced = Object.hasOwn(byHand.replaces, row.id)
    if (isKnown && !isReplaced) throw new Refused(`${row.id}: by hand, although the source has it and nothing says why`)
    if (!isKnown && isReplaced) throw new Refused(`${row.id}: replaces a record that the source does not have`)
    return record
  }
  const record = findSource(row.registry, row.facts)
  if (!record) throw new Refused(`${row.id}: the source has no ${row.facts}`)
  if (record.id === row.id) return record
  const siblings = (record.aliases ?? []).filter((alias) => databaseOf(alias) === databaseOf(row.id))
  if (siblings.length === 1 && siblings[0] === row.id) return record
  throw new Refused(`${row.id}: ${record.id} does not name it, or names others besides: ${siblings.join(', ')}`)
}

function databaseOf(id: string): string {
  return id.slice(0, id.indexOf('-'))
}

/** Ids that people can look up; the converted sources also carry names that exist only in their conversion. */
function toAliases(row: TitleRow, source: OsvRecord): string[] {
  const ids = [source.id, ...(source.aliases ?? [])].filter((id) => /^(CVE|GHSA|PYSEC|GO|MAL)-/.test(id))
  return [...new Set(ids)].filter((id) => id !== row.id).sort()
}

function toAffected(entry: OsvAffected): OsvAffected | undefined {
  const registry = starterRegistries.find((name) => name === entry.package.ecosystem)
  if (!registry) return undefined
  const ranges = (entry.ranges ?? []).filter(({ type }) => type === 'SEMVER' || type === 'ECOSYSTEM').map(toRange)
  const versions = (entry.versions ?? []).filter(
    (version) => !ranges.some((range) => contains(range, version, schemes[registry])),
  )
  const severity = toSeverities(entry.severity)
  const words = entry.database_specific?.last_known_affected_version_range
  const code = toAffectedCode(entry.ecosystem_specific ?? {})
  return {
    package: { ecosystem: registry, name: entry.package.name },
    ...(severity.length > 0 && { severity }),
    ...(ranges.length > 0 && { ranges }),
    ...(versions.length > 0 && { versions }),
    ...(typeof words === 'string' && { database_specific: { last_known_affected_version_range: words } }),
    ...(code && { ecosystem_specific: code }),
  }
}

/** Names of packages and functions, which are facts. A source that means a whole package has no `symbols`. */
function toAffectedCode({ imports, affected_functions: functions }: Partial<AffectedCode>): AffectedCode | undefined {
  if (!imports?.length && !functions?.length) return undefined
  return {
    ...(imports?.length && { imports: imports.map(({ path, symbols }) => ({ path, ...(symbols && { symbols }) })) }),
    ...(functions?.length && { affected_functions: functions }),
  }
}

function toRange({ type, events }: OsvRange): OsvRange {
  return { type, events }
}

/**
 * OSV's evaluation (https://ossf.github.io/osv-schema/#evaluation), used only to leave out versions that a range states
 * anyway. Ranges with a `limit` and versions that cannot be read are never held to contain each other.
 */
function contains(range: OsvRange, version: string, scheme: VersionScheme): boolean {
  if (!scheme.isValid(version) || range.events.some(({ limit }) => limit !== undefined)) return false
  let isAffected = false
  for (const event of sortEvents(range.events, scheme)) {
    const { introduced, fixed, last_affected } = event
    if (introduced !== undefined && (introduced === '0' || scheme.compare(version, introduced) >= 0)) isAffected = true
    if (fixed !== undefined && scheme.compare(version, fixed) >= 0) isAffected = false
    if (last_affected !== undefined && scheme.compare(version, last_affected) > 0) isAffected = false
  }
  return isAffected
}

function sortEvents(events: readonly OsvEvent[], scheme: VersionScheme): OsvEvent[] {
  const at = (event: OsvEvent) => event.introduced ?? event.fixed ?? event.last_affected ?? '0'
  return [...events].sort((a, b) => {
    if (at(a) === '0' || at(b) === '0') return Number(at(b) === '0') - Number(at(a) === '0')
    return scheme.compare(at(a), at(b))
  })
}

function toSeverities(source: readonly OsvSeverity[] | undefined): OsvSeverity[] {
  return (source ?? []).map(({ type, score }) => ({ type, score }))
}

function toSpecific(source: OsvRecord | Rating | undefined): NonNullable<OsvRecord['database_specific']> {
  const { severity, cwe_ids = [], nvd_published_at: byNvd } = source?.database_specific ?? {}
  const weaknesses = cwe_ids.filter((cwe) => cwe !== standInCwe || !source || !isFromGitLab(source))
  return {
    ...(severity && { severity }),
    ...(weaknesses.length > 0 && { cwe_ids: weaknesses }),
    ...(byNvd && { nvd_published_at: byNvd }),
  }
}

/** GitLab's database puts this one (command injection) where it knows none: XXE, weak ciphers and path traversal have it. */
const standInCwe = 'CWE-78'

function isFromGitLab(source: OsvRecord | Rating): boolean {
  const entries = 'affected' in source ? source.affected : []
  return entries.some(({ database_specific: specific }) => {
    const origin = specific && 'source' in specific ? specific.source : undefined
    return typeof origin === 'string' && origin.includes('gitlab')
  })
}

function refuseBorrowedTitle(row: TitleRow, source: OsvRecord): void {
  if (source.summary !== undefined && isNearlyEqual(row.title, source.summary)) {
    throw new Refused(`${row.id}: the title "${row.title}" is nearly the summary of ${source.id}`)
  }
  const said = ` ${words(source.details ?? '').join(' ')} `
  if (said.includes(` ${words(row.title).join(' ')} `)) {
    throw new Refused(`${row.id}: the title "${row.title}" is part of the description of ${source.id}`)
  }
}

const fillers = new Set('a an and are as at by for from in into is it of on or the to via when with'.split(' '))

/** Returns true if two titles share most of their words, whatever their order, case and punctuation. */
export function isNearlyEqual(a: string, b: string): boolean {
  const [mine, theirs] = [a, b].map((text) => new Set(words(text).filter((word) => !fillers.has(word))))
  const shared = mine!.intersection(theirs!).size
  const all = mine!.union(theirs!).size
  return all === 0 || shared / all >= 0.5
}

function words(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

/** One record a line, sorted by id, so that a change shows as one line. */
export function toFileText(records: readonly OsvRecord[]): string {
  const lines = [...records].sort((a, b) => (a.id < b.id ? -1 : 1)).map((record) => JSON.stringify(record))
  return `[\n${lines.join(',\n')}\n]\n`
}

/** The text of each registry's file. Collects every refusal before it throws. */
export async function buildStarterSet(
  osvDirectory: string,
): Promise<Record<(typeof starterRegistries)[number], string>> {
  const rows = parseTitles(readFileSync(join(starterSetDirectory, 'titles.tsv'), 'utf8'))
  const byHand = JSON.parse(readFileSync(join(starterSetDirectory, 'by-hand.json'), 'utf8')) as ByHand
  const sources = await readSources(osvDirectory, rows)
  const refusals = unusedByHand(rows, byHand)
  const records: { registry: Registry; record: OsvRecord }[] = []
  for (const row of rows) {
    try {
      const record = toStarterRecord(row, byHand, (registry, id) => sources.get(`${registry} ${id}`))
      records.push({ registry: row.registry, record })
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      refusals.push(error.message)
    }
  }
  if (refusals.length > 0) throw new Refused(refusals.join('\n'))
  const textOf = (registry: Registry) =>
    toFileText(records.filter((one) => one.registry === registry).map(({ record }) => record))
  return Object.fromEntries(starterRegistries.map((registry) => [registry, textOf(registry)])) as Awaited<
    ReturnType<typeof buildStarterSet>
  >
}

function unusedByHand(rows: readonly TitleRow[], byHand: ByHand): string[] {
  const ids = new Set(rows.map(({ id }) => id))
  const byHandIds = new Set(rows.filter(({ facts }) => facts === 'by-hand').map(({ id }) => id))
  return [
    ...byHand.records
      .filter(({ id }) => !byHandIds.has(id))
      .map(({ id }) => `${id}: in by-hand.json but no row asks for it`),
    ...byHand.ratings.filter(({ id }) => !ids.has(id)).map(({ id }) => `${id}: rated by hand but not in titles.tsv`),
  ]
}

/** The records that rows speak of, out of `<directory>/<registry>/all.zip` (the layout of the public OSV export). */
export async function readSources(
  directory: string,
  rows: readonly Pick<TitleRow, 'registry' | 'id' | 'facts'>[],
): Promise<Map<string, OsvRecord>> {
  const records = new Map<string, OsvRecord>()
  for (const registry of starterRegistries) {
    const ids = new Set(rows.filter((row) => row.registry === registry).flatMap(({ id, facts }) => [id, facts]))
    const zip = await yauzl.openPromise(join(directory, registry, 'all.zip'))
    for await (const entry of zip.eachEntry()) {
      const id = entry.fileName.replace(/\.json$/, '')
      if (!ids.has(id)) continue
      const record = JSON.parse(await readText(await zip.openReadStreamPromise(entry))) as OsvRecord
      records.set(`${registry} ${id}`, record)
    }
  }
  return records
}

async function main([osvDirectory]: string[]): Promise<void> {
  if (osvDirectory === undefined)
    throw new Refused('usage: node tools/build-starter-set.ts <directory of the OSV export>')
  const files = await buildStarterSet(osvDirectory)
  for (const registry of starterRegistries) {
    writeFileSync(join(starterSetDirectory, `${registry}.json`), files[registry])
    console.log(
      `${registry}: ${files[registry].split('\n').length - 3} records, ${Buffer.byteLength(files[registry])} bytes`,
    )
  }
}

if (import.meta.main) {
  await main(process.argv.slice(2)).catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error
    console.error(error.message)
    process.exitCode = 1
  })
}
