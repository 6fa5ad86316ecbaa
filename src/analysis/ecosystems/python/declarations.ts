import type { TomlTable, TomlValue } from 'smol-toml'
import { shorten } from '#analysis/documents/json-document.ts'
import { isTable } from '#analysis/documents/toml.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import type { DependencyKind, Unresolved } from '../../dependency-graph.ts'
import { nameAt } from './file-names.ts'
import { type Marker, parseMarker } from './packaging/marker.ts'
import { toProjectName } from './packaging/project-name.ts'
import { parseRequirement, type Requirement } from './packaging/requirement.ts'
import type { ParsedRequirement } from './requirements/requirement-line.ts'

/** A dependency that a manifest declares. */
export interface DeclaredRequirement {
  readonly parsed: Exclude<ParsedRequirement, { kind: 'unreadable' }>
  /** `optional` for extras, `dev` for dependency groups. */
  readonly kind: DependencyKind
}

/** The dependencies that a manifest declares. */
export interface DeclaredDependencies {
  /** The project's own name, normalized. */
  readonly name: string | undefined
  readonly requirements: readonly DeclaredRequirement[]
  /** Declarations that cannot be read. */
  readonly unresolved: readonly Unresolved[]
  /** Ranges and settings that pip does not know: a lockfile tells what they chose. */
  readonly foreignRanges: readonly Unresolved[]
  /** Packages that the build requires. */
  readonly buildPackages: number
  /** True if the manifest has a table for dependencies. */
  readonly declaresAny: boolean
  /** True if the manifest lists the project's dependencies, even none. */
  readonly isListed: boolean
}

/** Collects declarations, in order. */
export interface Declarations {
  /** The name of the manifest. */
  readonly manifest: string
  readonly requirements: DeclaredRequirement[]
  readonly unresolved: Unresolved[]
  readonly foreignRanges: Unresolved[]
}

/** Returns the place of a package that is not from a registry; undefined for others. */
export function sourceOf(entry: TomlValue | undefined): string | undefined {
  if (!isTable(entry)) return undefined
  if (entry['workspace'] === true) return 'the workspace'
  for (const key of ['git', 'url', 'path', 'file', 'hg', 'svn']) {
    const value = entry[key]
    if (typeof value === 'string') return shorten(withoutCredentials(key === 'git' ? `git+${value}` : value))
  }
  return undefined
}

export function report(
  { unresolved, manifest }: Declarations,
  { name, reason }: { name: string; reason: string },
): void {
  unresolved.push({ name, range: '', code: 'not-static', reason, requiredBy: manifest })
}

/** Builds a requirement from a name and the parts of PEP 508. */
export function toRequirement(
  name: string,
  { extras = [], range, marker }: { extras?: readonly string[]; range: string; marker?: string },
): Requirement | undefined {
  const extrasText = extras.length > 0 ? `[${extras.join(',')}]` : ''
  return parseRequirement(`${name}${extrasText}${range}${marker ? ` ; ${marker}` : ''}`)
}

export function tableIn(value: TomlValue | undefined, ...path: readonly string[]): TomlTable | undefined {
  let current = value
  for (const key of path) current = isTable(current) ? current[key] : undefined
  return isTable(current) ? current : undefined
}

/** Returns a table of declarations, and reports anything else in its place. */
export function tableOf(value: TomlValue | undefined, name: string, declarations: Declarations): TomlTable {
  if (isTable(value)) return value
  if (value !== undefined) report(declarations, { name, reason: 'Expected a table of dependencies' })
  return {}
}

/** Returns the entries of a lockfile. Throws `Unreadable` for anything else than tables. */
export function entriesIn(value: TomlValue | undefined, file: 'target' | number): readonly TomlTable[] {
  const entries = value ?? []
  if (Array.isArray(entries) && entries.every(isTable)) return entries
  throw new Unreadable('The packages of the lockfile are not a list of tables', { file })
}

export function listIn(value: TomlValue | undefined): readonly TomlValue[] {
  return Array.isArray(value) ? value : []
}

export function textIn(table: TomlTable | undefined, key: string): string | undefined {
  const value = table?.[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns the markers of a list; undefined if one of them may hold anywhere. */
export function environmentsIn(list: TomlValue | undefined): Marker[] | undefined {
  const markers = listIn(list).map((entry) => (typeof entry === 'string' ? parseMarker(entry) : undefined))
  return markers.length === 0 || markers.includes(undefined) ? undefined : markers.map((marker) => marker!)
}

/** Returns a marker that holds if any of a list does; undefined if one of them may hold anywhere. */
export function anyOf(list: readonly TomlValue[]): Marker | undefined {
  return environmentsIn(list as TomlValue[])?.flatMap((marker, at) => (at === 0 ? [marker] : ['or' as const, marker]))
}

/** Returns the normalized names of a list. */
export function namesIn(list: TomlValue | undefined): string[] {
  return listIn(list).flatMap((value) => (typeof value === 'string' ? [toProjectName(value)] : []))
}

/** Returns the names of the source distribution and the wheels of an entry: under `key`, else the ends of addresses. */
export function filesOf(entry: TomlTable, key: string): string[] {
  return [entry['sdist'], ...listIn(entry['wheels'])].filter(isTable).flatMap((file) => {
    const place = textIn(file, key) ?? textIn(file, 'url') ?? textIn(file, 'path')
    return place === undefined ? [] : [nameAt(place)]
  })
}
