import type { TomlValue } from 'smol-toml'
import { isTable, parseToml } from '#analysis/documents/toml.ts'
import type { Value, Variables } from './language/values.ts'

export interface CatalogSource {
  readonly file: 'target' | number
  readonly text: string
}

/** No catalog nests deeper than a rich version within a library. */
const MAX_DEPTH = 4

/**
 * Reads a version catalog into the accessors that scripts use, as `libs.…` for the usual name. Dashes and underscores
 * in aliases become dots.
 */
export function readCatalog({ file, text }: CatalogSource, variables: Variables, name = 'libs'): void {
  const catalog = parseToml(text, file)
  const [versions, libraries, bundles, plugins] = ['versions', 'libraries', 'bundles', 'plugins'].map((table) =>
    entriesOf(catalog[table]),
  )
  setCatalog(name, { versions: versions!, libraries: libraries!, bundles: bundles!, plugins: plugins! }, variables)
}

/** The entries of a catalog by alias. */
export interface CatalogTables {
  readonly versions: Table
  readonly libraries: Table
  readonly bundles: Table
  readonly plugins: Table
}

export function setCatalog(name: string, tables: CatalogTables, variables: Variables): void {
  const { versions } = tables
  for (const [alias, value] of versions) {
    const version = typeof value === 'string' ? value : requiredOf(value)
    if (version !== undefined) variables.set([name, 'versions', ...accessor(alias)], version)
  }
  const libraries = new Map<string, Value>()
  for (const [alias, value] of tables.libraries) {
    const library = toLibrary(value, versions)
    if (library === undefined) continue
    libraries.set(accessor(alias).join('.'), library)
    variables.set([name, ...accessor(alias)], library)
  }
  for (const [alias, value] of tables.bundles) {
    const items = Array.isArray(value) ? value.filter((member) => typeof member === 'string') : []
    const bundle = items.map((member) => libraries.get(accessor(member).join('.')))
    variables.set([name, 'bundles', ...accessor(alias)], bundle)
  }
  for (const [alias, value] of tables.plugins) {
    const plugin = toPlugin(value, versions)
    if (plugin !== undefined) variables.set([name, 'plugins', ...accessor(alias)], plugin)
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
  const reference = version instanceof Map ? version.get('ref') : undefined
  return typeof reference === 'string' ? versions.get(reference) : version
}

function entriesOf(value: TomlValue | undefined): Table {
  const table = toValue(value, 0)
  return table instanceof Map ? table : new Map()
}

/** Gradle refuses numbers and dates as versions; they are not known. */
function toValue(value: TomlValue | undefined, depth: number): Value {
  if (typeof value === 'string') return value
  if (depth > MAX_DEPTH) return undefined
  if (Array.isArray(value)) return value.map((element) => toValue(element, depth + 1))
  if (!isTable(value)) return undefined
  return new Map(Object.entries(value).map(([key, member]) => [key, toValue(member, depth + 1)]))
}
