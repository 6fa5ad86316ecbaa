import type { TomlTable, TomlValue } from 'smol-toml'
import type { DependencyKind } from '#analysis/dependency-graph.ts'
import { shorten } from '#analysis/documents/json-document.ts'
import { isTable, parseToml } from '#analysis/documents/toml.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { anyOf, entriesIn, listIn, tableIn, textIn } from '../declarations.ts'
import { isOutside, nameAt } from '../file-names.ts'
import { findOtherPackages } from '../lock-doubts.ts'
import type { LockedDependency, LockedGroup, LockedPackage } from '../locked-packages.ts'
import { type Marker, parseMarker } from '../packaging/marker.ts'
import { toSpecifiers } from '../packaging/poetry-range.ts'
import { toProjectName } from '../packaging/project-name.ts'
import { parseRequirement } from '../packaging/requirement.ts'
import { toAsked } from '../poetry-tables.ts'
import { unknownRange } from '../resolution/locked.ts'

/** A parsed poetry.lock. */
export interface PoetryLock {
  readonly version: string
  readonly packages: readonly PoetryPackage[]
  /** The Pythons that it was locked for. */
  readonly pythons: string | undefined
  readonly contentHash: string | undefined
}

export interface PoetryPackage extends LockedPackage {
  /** Its groups as the lockfile records them; undefined in versions 1.5 to 1.8, which do not. */
  readonly kind: DependencyKind | undefined
}

/** Versions of the format, written by Poetry 1.0 to 2.x. */
const KNOWN_VERSION = /^(?:1\.[01]|2\.[01])$/

/** Parses a poetry.lock of Poetry 1 or 2. Throws `Unreadable` for other versions of the format. */
export function parsePoetryLock(text: string, file: 'target' | number): PoetryLock {
  const document = parseToml(text, file, 'lock')
  const metadata = tableIn(document, 'metadata')
  if (metadata === undefined) {
    const reason =
      'The lockfile has no table [metadata], with which Poetry ends it: part of it is missing. Run poetry lock'
    throw new Unreadable(reason, { file })
  }
  const version = textIn(metadata, 'lock-version') ?? '1.0'
  if (!KNOWN_VERSION.test(version)) {
    const reason = `Unsupported lock-version ${shorten(version)}; supported: 1.0 to 2.1`
    throw new Unreadable(reason, { file })
  }
  const ofMetadata = tableIn(metadata, 'files') ?? tableIn(metadata, 'hashes') ?? {}
  // Poetry resolves older locks again; this one it installs by its entries.
  const isInstalledByGroup = version === '2.1'
  const entries = entriesIn(document['package'], file)
  const shared = splitFiles(entries, ofMetadata)
  const packages = entries.map((entry): PoetryPackage => {
    const groups = isInstalledByGroup ? groupsOf(entry) : []
    return toPackage(entry, { shared, file, groups: groups.length > 0 ? groups : undefined })
  })
  return {
    version,
    packages,
    pythons: textIn(metadata, 'python-versions'),
    contentHash: textIn(metadata, 'content-hash'),
  }
}

interface PackageContext {
  readonly shared: FilesByVersion
  readonly file: 'target' | number
  readonly groups: readonly LockedGroup[] | undefined
}

function toPackage(entry: TomlTable, { shared, file, groups }: PackageContext): PoetryPackage {
  const [name, version] = [textIn(entry, 'name'), textIn(entry, 'version')]
  if (name === undefined) throw new Unreadable('The lockfile has a package without a name', { file })
  const source = tableIn(entry, 'source')
  const files = entry['files'] === undefined ? shared.get(name)?.get(version) : filesIn(entry['files'])
  return {
    name: toProjectName(name),
    version,
    elsewhere: sourceOf(source),
    isLocal: textIn(source, 'type') === 'directory' && sourceOf(source) === undefined,
    isProject: false,
    marker: toMarker(entry['markers'], entry['groups']),
    dependencies: dependenciesOf(entry),
    files: files ?? [],
    groups,
    kind: kindOf(entry),
  }
}

/** Files by the name of a package and its version. */
type FilesByVersion = ReadonlyMap<string, ReadonlyMap<string | undefined, readonly string[]>>

/**
 * Splits the files in the metadata, where Poetry 1.0 to 1.2 wrote one list for all locked versions of a package. The first
 * version gets those that name none of them.
 */
function splitFiles(entries: readonly TomlTable[], ofMetadata: TomlTable): FilesByVersion {
  if (Object.keys(ofMetadata).length === 0) return new Map()
  const byName = Map.groupBy(entries, (entry) => textIn(entry, 'name') ?? '')
  return new Map(
    [...byName].map(([name, locked]) => {
      const versions = locked.map((entry) => textIn(entry, 'version'))
      return [name, splitList(filesIn(ofMetadata[name]), name, versions)]
    }),
  )
}

function splitList(files: readonly string[], name: string, versions: readonly (string | undefined)[]) {
  const [first] = versions
  const split = new Map<string | undefined, string[]>(versions.map((version) => [version, []]))
  const project = toProjectName(name)
  for (const file of files) {
    const [other] = findOtherPackages({ name: project, version: first, files: [file], elsewhere: undefined })
    const versionFiles = other?.name === project ? split.get(other.version) : undefined
    ;(versionFiles ?? split.get(first)!).push(file)
  }
  return split
}

function filesIn(list: TomlValue | undefined): string[] {
  const files: string[] = []
  for (const entry of listIn(list))
    if (isTable(entry) && typeof entry['file'] === 'string') files.push(nameAt(entry['file']))
  return files
}

/** Reads `category` (until Poetry 1.4) or `groups` (from 2.0). */
function kindOf(entry: TomlTable): DependencyKind | undefined {
  const groups = listIn(entry['groups'])
  const category = textIn(entry, 'category')
  if (groups.length === 0 && category === undefined) return undefined
  const isMain = category === undefined ? groups.includes('main') : category === 'main'
  return isMain ? (entry['optional'] === true ? 'optional' : 'prod') : 'dev'
}

/** Reads the groups of an entry, each with its condition. */
function groupsOf(entry: TomlTable): LockedGroup[] {
  const { markers } = entry
  const groups: LockedGroup[] = []
  for (const group of listIn(entry['groups'])) {
    if (typeof group !== 'string') continue
    const text = isTable(markers) ? markers[group] : markers
    const kind = group !== 'main' ? 'dev' : entry['optional'] === true ? 'optional' : 'prod'
    groups.push({ kind, marker: typeof text === 'string' ? parseMarker(text) : undefined })
  }
  return groups
}

/** Reads a marker, or a table of markers by group: any of them installs the package, and so does a group without one. */
function toMarker(value: TomlValue | undefined, groups: TomlValue | undefined): Marker | undefined {
  if (typeof value === 'string') return parseMarker(value)
  const table = isTable(value) ? value : {}
  if (listIn(groups).some((group) => typeof group === 'string' && table[group] === undefined)) return undefined
  return anyOf(Object.values(table))
}

/** Returns the source of a package; undefined for indexes, whose packages are matched by name. */
function sourceOf(source: TomlTable | undefined): string | undefined {
  const type = textIn(source, 'type')
  if (source === undefined || type === undefined || type === 'legacy' || type === 'pypi') return undefined
  const url = textIn(source, 'url') ?? ''
  if (type === 'directory' && !isOutside(url)) return undefined
  return type === 'git' ? `git+${url}` : url
}

function dependenciesOf(entry: TomlTable): LockedDependency[] {
  const entries: LockedDependency[] = []
  const dependencies = tableIn(entry, 'dependencies')
  if (dependencies === undefined) return entries
  const byExtra = extrasOf(tableIn(entry, 'extras'))
  for (const name of Object.keys(dependencies)) {
    const value = dependencies[name]
    if (!Array.isArray(value)) entries.push(toDependency(name, value, byExtra))
    else for (const tomlValue of value) entries.push(toDependency(name, tomlValue, byExtra))
  }
  return entries
}

function toDependency(
  name: string,
  value: TomlValue | undefined,
  byExtra: ReadonlyMap<string, readonly string[]>,
): LockedDependency {
  const { range, extras, marker, isOptional } = toAsked(value)
  const project = toProjectName(name)
  const parsed = marker === '' ? undefined : parseMarker(marker)
  return {
    name: project,
    extras: extras.length === 0 ? extras : extras.map(toProjectName),
    range: toSpecifiers(range) ?? unknownRange,
    marker: parsed,
    ofExtras: isOptional ? (byExtra.get(project) ?? []) : undefined,
    kind: 'prod',
  }
}

/** Returns the extras that require each project. */
function extrasOf(extras: TomlTable | undefined): Map<string, string[]> {
  const byProject = new Map<string, string[]>()
  for (const [extra, list] of Object.entries(extras ?? {})) {
    for (const entry of listIn(list)) {
      const requirement = typeof entry === 'string' ? parseRequirement(entry) : undefined
      if (requirement === undefined) continue
      const existing = byProject.get(requirement.project) ?? []
      byProject.set(requirement.project, [...existing, toProjectName(extra)])
    }
  }
  return byProject
}
