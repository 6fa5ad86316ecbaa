import { Unreadable } from '../ecosystem.ts'
import type { Value, Variables } from './values.ts'

export interface CatalogueSource {
  readonly file: 'target' | number
  readonly text: string
}

/**
 * Reads a version catalogue into what scripts call `libs.…`. TOML 1.0 as far as catalogues use it: tables, dotted and
 * quoted keys, strings, inline tables and lists of strings. Dashes and underscores of aliases become dots.
 */
export function readCatalogue(source: CatalogueSource, variables: Variables): void {
  const tables = parseToml(source)
  const versions = tables.get('versions') ?? new Map()
  for (const [alias, value] of versions) {
    const text = typeof value === 'string' ? value : requiredOf(value)
    if (text !== undefined) variables.set(['libs', 'versions', ...accessor(alias)], text)
  }
  const libraries = new Map<string, Value>()
  for (const [alias, value] of tables.get('libraries') ?? []) {
    const library = toLibrary(value, versions)
    if (library === undefined) continue
    libraries.set(accessor(alias).join('.'), library)
    variables.set(['libs', ...accessor(alias)], library)
  }
  for (const [alias, value] of tables.get('bundles') ?? []) {
    const items = Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
    const found = items.map((each) => libraries.get(accessor(each).join('.')))
    variables.set(['libs', 'bundles', ...accessor(alias)], found)
  }
  for (const [alias, value] of tables.get('plugins') ?? []) {
    const plugin = toPlugin(value, versions)
    if (plugin !== undefined) variables.set(['libs', 'plugins', ...accessor(alias)], plugin)
  }
}

type Table = ReadonlyMap<string, Value>

function toPlugin(value: Value, versions: Table): Value {
  const [id, version] =
    typeof value === 'string'
      ? value.split(':')
      : value instanceof Map
        ? [value.get('id'), versionIn(value, versions)]
        : []
  return new Map<string, Value>([
    ['id', id],
    ['version', version instanceof Map ? requiredOf(version) : version],
  ])
}

export function accessor(alias: string): string[] {
  return alias.split(/[-_.]/)
}

function requiredOf(value: Value): string | undefined {
  if (!(value instanceof Map)) return undefined
  const text = value.get('require') ?? value.get('strictly') ?? value.get('prefer')
  return typeof text === 'string' ? text : undefined
}

function toLibrary(value: Value, versions: Table): Value {
  if (typeof value === 'string') {
    const [group, name, version] = value.split(':')
    return new Map<string, Value>([
      ['group', group],
      ['name', name],
      ['version', version],
    ])
  }
  if (!(value instanceof Map)) return undefined
  const module = value.get('module')
  const [group, name] = typeof module === 'string' ? module.split(':') : [value.get('group'), value.get('name')]
  const version = versionIn(value, versions)
  return new Map<string, Value>([
    ['group', group],
    ['name', name],
    ...(version instanceof Map ? [['rich', version] as const] : [['version', version] as const]),
  ])
}

function versionIn(value: Table, versions: Table): Value {
  const version = value.get('version')
  const reference = value.get('version.ref') ?? (version instanceof Map ? version.get('ref') : undefined)
  return typeof reference === 'string' ? versions.get(reference) : version
}

function parseToml({ file, text }: CatalogueSource): Map<string, Map<string, Value>> {
  const tables = new Map<string, Map<string, Value>>()
  let table = new Map<string, Value>()
  let at = 0
  const fail = (what: string): never => {
    throw new Unreadable(`The version catalogue cannot be read: ${what}`, {
      file,
      line: text.slice(0, at).split('\n').length,
    })
  }
  const skip = (pattern: RegExp): string => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0] ?? ''
    at += found.length
    return found
  }
  const blank = /(?:[ \t]|#[^\n]*)*/y
  const blankLines = /(?:\s|#[^\n]*)*/y

  function key(): string {
    const parts: string[] = []
    do {
      skip(/[ \t]*/y)
      const quoted = skip(/"[^"\n]*"|'[^'\n]*'/y)
      const name = quoted === '' ? skip(/[\w-]+/y) : quoted.slice(1, -1)
      if (name === '') fail('a key is missing')
      parts.push(name)
      skip(/[ \t]*/y)
    } while (skip(/\./y) !== '')
    return parts.join('.')
  }

  function value(depth: number): Value {
    if (depth > 20) fail('it nests too deeply')
    const long = skip(/"""[\s\S]*?"""|'''[\s\S]*?'''/y)
    if (long !== '') return long.slice(3, -3)
    const quoted = skip(/"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y)
    if (quoted !== '') return quoted.slice(1, -1)
    if (skip(/\[/y) !== '') return list(depth)
    if (skip(/\{/y) !== '') return inlineTable(depth)
    const plain = skip(/[^\s,\]}#]+/y)
    return plain === '' ? fail('a value is missing') : plain
  }

  function list(depth: number): Value[] {
    const items: Value[] = []
    for (skip(blankLines); skip(/\]/y) === ''; skip(blankLines)) {
      if (at >= text.length) fail('a list has no end')
      items.push(value(depth + 1))
      skip(blankLines)
      skip(/,/y)
    }
    return items
  }

  function inlineTable(depth: number): Map<string, Value> {
    const entries = new Map<string, Value>()
    for (skip(blankLines); skip(/\}/y) === ''; skip(blankLines)) {
      if (at >= text.length) fail('a table has no end')
      const name = key()
      if (skip(/=[ \t]*/y) === '') fail(`"${name}" has no value`)
      entries.set(name, value(depth + 1))
      skip(blankLines)
      skip(/,/y)
    }
    return entries
  }

  for (skip(blankLines); at < text.length; skip(blankLines)) {
    if (skip(/\[\[?/y) !== '') {
      const name = key()
      if (skip(/\]\]?/y) === '') fail('a table’s name has no end')
      table = tables.get(name) ?? new Map()
      tables.set(name, table)
    } else {
      const name = key()
      if (skip(/=[ \t]*/y) === '') fail(`"${name}" has no value`)
      table.set(name, value(0))
    }
    skip(blank)
  }
  return tables
}
