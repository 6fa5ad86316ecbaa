import { isObject, type JsonObject } from '#analysis/documents/json-document.ts'
import type { AffectedCode, OsvAffected, OsvEvent, OsvRange, OsvRecord, OsvSeverity } from './osv.ts'
import { findRegistry } from './package-names.ts'

/**
 * Limits of one record. Matched data is never truncated: a record beyond the limits is refused by name. Text for people
 * is truncated, so that a long description does not hide a vulnerability.
 */
const LIMITS = {
  recordCharacters: 16 * 1024 * 1024,
  idCharacters: 128,
  nameCharacters: 512,
  versionCharacters: 256,
  aliases: 1_000,
  affected: 20_000,
  ranges: 2_000,
  events: 20_000,
  versions: 200_000,
} as const

const KEPT = {
  summary: 1_000,
  details: 128 * 1024,
  references: 200,
  credits: 100,
  url: 2_000,
  severities: 20,
  cwes: 50,
  symbols: 500,
  symbolCharacters: 500,
} as const

const EVENT_KINDS = ['introduced', 'fixed', 'last_affected', 'limit'] as const

/** A record that is not OSV or exceeds a limit; `message` says what and where. */
export class BadRecord extends Error {}

/**
 * Parses an untrusted record. Copies only used members, in a fixed order. Drops packages of unknown registries. Does
 * not read `related` and `upstream`.
 */
export function parseRecord(text: string): OsvRecord {
  if (text.length > LIMITS.recordCharacters) throw new BadRecord(`larger than ${LIMITS.recordCharacters} characters`)
  return toRecord(parseJson(text))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfe_ff ? text.slice(1) : text)
  } catch (error) {
    throw new BadRecord(`not JSON: ${(error as SyntaxError).message}`)
  }
}

/** Does the same as `parseRecord` for parsed JSON. */
export function toRecord(value: unknown): OsvRecord {
  const source = object(value, 'the record')
  const id = identifier(source['id'], 'id')
  return {
    id,
    modified: time(source['modified'], 'modified'),
    ...optional('published', source['published'], time),
    ...optional('withdrawn', source['withdrawn'], time),
    ...kept('aliases', aliases(source['aliases'])),
    ...kept('summary', text(source['summary'], KEPT.summary)),
    ...kept('details', text(source['details'], KEPT.details)),
    ...kept('severity', severities(source['severity'])),
    affected: affectedList(source['affected']),
    ...kept('references', references(source['references'])),
    ...kept('credits', credits(source['credits'])),
    ...kept('database_specific', databaseSpecific(source['database_specific'])),
  }
}

function affectedList(value: unknown): OsvAffected[] {
  if (value === undefined || value === null) return []
  const entries: OsvAffected[] = []
  for (const [index, entry] of array(value, 'affected', LIMITS.affected).entries()) {
    const affected = affectedEntry(object(entry, `affected[${index}]`), `affected[${index}]`)
    if (affected) entries.push(affected)
  }
  return entries
}

function affectedEntry(entry: JsonObject, where: string): OsvAffected | undefined {
  if (entry['package'] === undefined || entry['package'] === null) return undefined
  const source = object(entry['package'], `${where}.package`)
  const ecosystem = string(source['ecosystem'], `${where}.package.ecosystem`, LIMITS.nameCharacters)
  const registry = findRegistry(ecosystem)
  if (!registry) return undefined
  const name = string(source['name'], `${where}.package.name`, LIMITS.nameCharacters)
  return {
    package: { ecosystem: registry, name },
    ...kept('severity', severities(entry['severity'])),
    ...optional('ranges', entry['ranges'], (ranges) => rangeList(ranges, `${where}.ranges`)),
    ...optional('versions', entry['versions'], (versions) => versionList(versions, `${where}.versions`)),
    ...kept('database_specific', knownRange(entry['database_specific'])),
    ...kept('ecosystem_specific', affectedCode(entry)),
  }
}

function rangeList(value: unknown, where: string): OsvRange[] {
  return array(value, where, LIMITS.ranges).map((entry, index) => {
    const range = object(entry, `${where}[${index}]`)
    const type = string(range['type'], `${where}[${index}].type`, 32)
    const repo = text(range['repo'], KEPT.url)
    return { type, ...kept('repo', repo), events: eventList(range['events'], `${where}[${index}].events`) }
  })
}

/** Reads an object with several members, as in old records, as several events in schema order. */
function eventList(value: unknown, where: string): OsvEvent[] {
  return array(value, where, LIMITS.events).flatMap((entry, index) => {
    const event = object(entry, `${where}[${index}]`)
    const events = EVENT_KINDS.filter((kind) => event[kind] !== undefined && event[kind] !== null).map((kind) => ({
      [kind]: string(event[kind], `${where}[${index}].${kind}`, LIMITS.versionCharacters),
    }))
    if (events.length === 0) throw new BadRecord(`${where}[${index}] has none of ${EVENT_KINDS.join(', ')}`)
    return events
  })
}

function versionList(value: unknown, where: string): string[] {
  return array(value, where, LIMITS.versions).map((version, index) =>
    string(version, `${where}[${index}]`, LIMITS.versionCharacters),
  )
}

function severities(value: unknown): OsvSeverity[] | undefined {
  return list(value, KEPT.severities, (entry) => {
    const { type, score } = entry
    return typeof type === 'string' && typeof score === 'string' && type.length <= 32 && score.length <= 512
      ? { type, score }
      : undefined
  })
}

function references(value: unknown): { type: string; url: string }[] | undefined {
  return list(value, KEPT.references, ({ type, url }) =>
    typeof url === 'string' && url.length <= KEPT.url && /^https?:\/\//i.test(url)
      ? { type: typeof type === 'string' ? type.slice(0, 32) : 'WEB', url }
      : undefined,
  )
}

function credits(value: unknown): { name: string }[] | undefined {
  return list(value, KEPT.credits, ({ name }) =>
    typeof name === 'string' && name !== '' ? { name: name.slice(0, 200) } : undefined,
  )
}

/** Reads affected functions; GitHub's records have them in either member. */
function affectedCode({
  ecosystem_specific: specific,
  database_specific: database,
}: JsonObject): AffectedCode | undefined {
  const members = isObject(specific) ? own(specific) : {}
  const imports = list(members['imports'], KEPT.symbols, ({ path, symbols }) => {
    const symbolNames = texts(symbols)
    return typeof path === 'string' && path.length <= KEPT.symbolCharacters && symbolNames.length > 0
      ? { path, symbols: symbolNames }
      : undefined
  })
  const other = isObject(database) ? own(database)['affected_functions'] : undefined
  const functions = texts(members['affected_functions'] ?? other)
  const packages = importPaths(members['imports'])
  if (imports === undefined && functions.length === 0 && packages === undefined) return undefined
  return {
    ...kept('imports', imports),
    ...(functions.length > 0 && { affected_functions: functions }),
    ...kept('packages', packages),
  }
}

/** Returns all paths of `imports`, or none of them: a part of the affected packages would hide the others. */
function importPaths(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > KEPT.symbols) return undefined
  const paths = value.map((entry) => (isObject(entry) ? own(entry)['path'] : undefined))
  const isKept = (path: unknown) => typeof path === 'string' && path !== '' && path.length <= KEPT.symbolCharacters
  return paths.every(isKept) ? (paths as string[]) : undefined
}

function texts(value: unknown): string[] {
  const isText = (value: unknown): value is string =>
    typeof value === 'string' && value !== '' && value.length <= KEPT.symbolCharacters
  return Array.isArray(value) ? value.filter(isText).slice(0, KEPT.symbols) : []
}

function databaseSpecific(value: unknown): OsvRecord['database_specific'] {
  if (!isObject(value)) return undefined
  const source = own(value)
  const cwes = Array.isArray(source['cwe_ids'])
    ? source['cwe_ids'].filter((cwe) => typeof cwe === 'string' && /^CWE-\d{1,6}$/.test(cwe)).slice(0, KEPT.cwes)
    : []
  const fields = {
    ...kept('severity', text(source['severity'], 32)),
    ...(cwes.length > 0 ? { cwe_ids: cwes as string[] } : {}),
    ...kept('nvd_published_at', knownTime(source['nvd_published_at'])),
  }
  return Object.keys(fields).length > 0 ? fields : undefined
}

function knownTime(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= 64 && isTime(value) ? value : undefined
}

function knownRange(value: unknown): { last_known_affected_version_range: string } | undefined {
  if (!isObject(value)) return undefined
  const range = text(own(value)['last_known_affected_version_range'], 200)
  return range === undefined ? undefined : { last_known_affected_version_range: range }
}

/** Copies own members only, so that inherited ones and special names have no effect. */
function own(value: object): JsonObject {
  return Object.assign(Object.create(null), value) as JsonObject
}

function object(value: unknown, where: string): JsonObject {
  if (!isObject(value)) throw new BadRecord(`${where} is not an object`)
  return own(value)
}

function array(value: unknown, where: string, limit: number): unknown[] {
  if (!Array.isArray(value)) throw new BadRecord(`${where} is not an array`)
  if (value.length > limit) throw new BadRecord(`${where} has more than ${limit} entries`)
  return value
}

function string(value: unknown, where: string, limit: number): string {
  if (typeof value !== 'string' || value === '') throw new BadRecord(`${where} is not a text`)
  if (value.length > limit) throw new BadRecord(`${where} is longer than ${limit} characters`)
  return value
}

function identifier(value: unknown, where: string): string {
  const id = string(value, where, LIMITS.idCharacters)
  if (!isIdentifier(id)) throw new BadRecord(`${where} is not an identifier`)
  return id
}

/** Returns true for identifiers that are safe as file names and have one byte per character in the snapshot. */
function isIdentifier(id: string): boolean {
  return id.length <= LIMITS.idCharacters && /^[\x21-\x7e]+$/.test(id) && !/[/\\]/.test(id)
}

/** Reads aliases and drops invalid ones, which costs only a join with other records. */
function aliases(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined
  const identifiers = value.filter((alias) => typeof alias === 'string' && isIdentifier(alias)).slice(0, LIMITS.aliases)
  return identifiers.length > 0 ? (identifiers as string[]) : undefined
}

function time(value: unknown, where: string): string {
  const timeText = string(value, where, 64)
  if (!isTime(timeText)) throw new BadRecord(`${where} is not a time`)
  return timeText
}

function isTime(input: string): boolean {
  return /^\d{4}-\d\d-\d\dT/.test(input) && !Number.isNaN(Date.parse(input))
}

function text(value: unknown, limit: number): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined
  if (value.length <= limit) return value
  // Do not split a surrogate pair.
  const end = (value.charCodeAt(limit - 1) & 0xfc_00) === 0xd8_00 ? limit - 1 : limit
  return `${value.slice(0, end)}…`
}

function list<T>(value: unknown, limit: number, read: (entry: JsonObject) => T | undefined): T[] | undefined {
  if (!Array.isArray(value)) return undefined
  const items: T[] = []
  for (const entry of value) {
    if (items.length === limit) break
    const item = isObject(entry) ? read(own(entry)) : undefined
    if (item !== undefined) items.push(item)
  }
  return items.length > 0 ? items : undefined
}

function optional<K extends string, T>(
  key: K,
  value: unknown,
  read: (value: unknown, where: string) => T,
): { [P in K]?: T } {
  return value === undefined || value === null ? {} : kept(key, read(value, key))
}

function kept<K extends string, T>(key: K, value: T | undefined): { [P in K]?: T } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: T }
}
