import type { ManifestPlaces } from '#analysis/ecosystems/ecosystem.ts'
import { type CatalogSource, type CatalogTables, readCatalog, setCatalog } from './catalog.ts'
import { reportUnread, type ScriptFacts } from './facts.ts'
import { type Call, callsIn, closureOf, type Statement } from './language/expressions.ts'
import type { Token } from './language/tokens.ts'
import { evaluate, type Value, type Variables } from './language/values.ts'

export interface ParsedScript {
  readonly file: 'target' | number
  readonly tokens: readonly Token[]
  readonly statements: readonly Statement[]
}

/** A catalog that settings take from a file or a published package: `create("libs") { from(files("x.toml")) }`. */
interface NamedCatalog {
  readonly name: string
  /** The path or coordinates as written. */
  readonly from: string
  readonly source: CatalogSource | undefined
  readonly place: { readonly file: 'target' | number; readonly line: number }
}

interface SentCatalogs {
  readonly settings: readonly ParsedScript[]
  readonly catalogs: readonly CatalogSource[]
  readonly places: ManifestPlaces | undefined
}

/**
 * Reads the sent catalogs under the names that the settings give them, else as `libs`, and the entries that settings add.
 * Returns those that settings name and that were not sent, as far as it can be told.
 */
export function readCatalogs(sent: SentCatalogs, variables: Variables): readonly NamedCatalog[] {
  const blocks = sent.settings.flatMap(({ file, statements }) =>
    catalogsIn(statements).flatMap((call) => {
      const name = nameOf(call, variables)
      return name === undefined ? [] : [{ file, name, calls: callsIn(closureOf(call)) }]
    }),
  )
  const catalogs = blocks.flatMap(({ file, name, calls }) => {
    const from = calls.find(({ names }) => names.at(-1) === 'from')
    return from === undefined ? [] : toNamed({ name, from, file }, sent, variables)
  })
  for (const source of sent.catalogs) {
    const names = catalogs.filter((catalog) => catalog.source === source).map(({ name }) => name)
    for (const name of names.length === 0 ? ['libs'] : names) readCatalog(source, variables, name)
  }
  for (const { name, calls } of blocks) setCatalog(name, tablesOf(calls, variables), variables)
  const isOpen = sent.places === undefined && sent.catalogs.length > 1
  return isOpen ? [] : catalogs.filter(({ source }) => source === undefined)
}

/** Reports catalogs that were not sent and that a script uses. */
export function reportMissingCatalogs(
  missing: readonly NamedCatalog[],
  scripts: readonly { readonly tokens: readonly Token[] }[],
  facts: ScriptFacts,
): void {
  const used = new Set(scripts.flatMap(({ tokens }) => tokens.flatMap((token, at) => usedAt(token, tokens[at + 1]))))
  for (const { name, from, place } of missing) {
    if (!used.has(name)) continue
    const reason = `The settings read the catalog "${name}" from it, and it was not sent`
    reportUnread(facts, { name: from, reason, place })
  }
}

function usedAt(token: Token, next: Token | undefined): string[] {
  return token.kind === 'name' && next?.kind === 'sign' && next.text === '.' ? [token.text] : []
}

/** Returns the calls in `versionCatalogs { … }`, one per catalog. */
function catalogsIn(statements: readonly Statement[]): Call[] {
  return callsIn(statements).flatMap((call) => {
    const block = closureOf(call)
    return call.names.at(-1) === 'versionCatalogs' ? callsIn(block) : catalogsIn(block)
  })
}

/** Returns the name in `create("libs") { … }` or `libs { … }`. */
function nameOf({ names, positional: [first] }: Call, variables: Variables): string | undefined {
  if (names.at(-1) !== 'create' || first === undefined) return names.at(-1)
  const value = evaluate(first, variables)
  return typeof value === 'string' ? value : undefined
}

/** Reads `version("x", "1")`, `library("x", "g:a:1")` and `library("x", "g", "a").versionRef("x")`. */
function tablesOf(calls: readonly Call[], variables: Variables): CatalogTables {
  const versions = new Map<string, Value>()
  const libraries = new Map<string, Value>()
  for (const { names, positional, chained } of calls) {
    const [alias, group, name] = positional.map((expression) => evaluate(expression, variables))
    if (typeof alias !== 'string' || typeof group !== 'string') continue
    const [call] = chained
    const text = call?.positional[0] && evaluate(call.positional[0], variables)
    const version = call?.names.at(-1) === 'versionRef' ? new Map([['ref', text]]) : text
    const entry = Object.entries({ group, name, version })
    if (names.at(-1) === 'version') versions.set(alias, group)
    if (names.at(-1) === 'library') libraries.set(alias, name === undefined ? group : new Map(entry))
  }
  return { versions, libraries, bundles: new Map(), plugins: new Map() }
}

function toNamed(
  { name, from: call, file }: { readonly name: string; readonly from: Call; readonly file: 'target' | number },
  sent: SentCatalogs,
  variables: Variables,
): NamedCatalog[] {
  const [written] = call.positional
  const isFile = written?.kind === 'call' && /^files?$/.test(written.names.at(-1)!)
  const value = isFile ? written.positional[0] : written
  const from = value && evaluate(value, variables)
  if (typeof from !== 'string') return []
  const source = isFile ? findSource(from, file, sent) : undefined
  return [{ name, from, source, place: { file, line: call.line } }]
}

/** Files of a request have no paths: a single catalog is the one that is named. */
function findSource(from: string, settings: 'target' | number, { catalogs, places }: SentCatalogs) {
  if (places === undefined) return catalogs.length === 1 ? catalogs[0] : undefined
  const pathOf = (file: 'target' | number) => (file === 'target' ? '' : (places.additional[file] ?? ''))
  const own = pathOf(settings)
  const path = normalized(`${own.slice(0, own.lastIndexOf('/') + 1)}${from}`)
  return catalogs.find(({ file }) => normalized(pathOf(file)) === path)
}

/** Resolves `..` after a folder; those at the beginning remain. */
function normalized(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}
