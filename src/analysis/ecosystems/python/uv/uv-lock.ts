import type { TomlTable, TomlValue } from 'smol-toml'
import { isTable, parseToml } from '#analysis/documents/toml.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { anyOf, entriesIn, environmentsIn, filesOf, listIn, namesIn, tableIn, textIn } from '../declarations.ts'
import { isOutside } from '../file-names.ts'
import type { LockedDependency, LockedPackage } from '../locked-packages.ts'
import { type Marker, parseMarker } from '../packaging/marker.ts'
import { toProjectName } from '../packaging/project-name.ts'
import { unknownRange } from '../resolution/locked.ts'
import { rangeOf, readLockedUvRules, type UvRule } from '../uv-rules.ts'
import type { ComparedRequirement } from './requirement-sets.ts'

/** A parsed uv.lock. */
export interface UvLock {
  readonly packages: readonly LockedPackage[]
  /** Dependencies of the project and its workspace members. */
  readonly roots: readonly LockedDependency[]
  /** The same of each of them, by name. */
  readonly rootsByProject: ReadonlyMap<string, readonly LockedDependency[]>
  readonly pythons: string | undefined
  /** The project at the root of the workspace; undefined for a root that is no project. */
  readonly rootName: string | undefined
  /** The declarations for which it was written, by project; also those of other folders that it takes. */
  readonly declared: ReadonlyMap<string, LockedDeclarations>
  /** Dependency groups of a root that is no project. */
  readonly rootGroups: readonly ComparedRequirement[]
  /** Overrides, constraints, excludes and metadata for which it was written. */
  readonly rules: readonly UvRule[]
  /** The environments for which it was written; undefined for all. */
  readonly environments: readonly Marker[] | undefined
}

/** The declarations of one project as the lockfile records them; undefined if it does not. */
export interface LockedDeclarations {
  /** Dependencies and extras. */
  readonly published: readonly ComparedRequirement[] | undefined
  readonly groups: readonly ComparedRequirement[]
  /** Names of all its dependencies. */
  readonly names: ReadonlySet<string>
  /** Declarations of every environment that its dependencies lack, as after a merge. */
  readonly lost: readonly TomlTable[]
}

const KNOWN_VERSION = 1

/** Parses a uv.lock of version 1, any revision. Throws `Unreadable` for other versions. */
export function parseUvLock(text: string, file: 'target' | number): UvLock {
  const document = parseToml(text, file, 'lock')
  const { version } = document
  if (version !== KNOWN_VERSION) {
    const versionText = typeof version === 'number' ? String(version) : 'none'
    throw new Unreadable(`Unsupported uv.lock version ${versionText}; supported: ${KNOWN_VERSION}`, { file })
  }
  const manifest = tableIn(document, 'manifest')
  const members = new Set(namesIn(manifest?.['members']))
  const entries = entriesIn(document['package'], file)
  const packages = entries.map((entry) => toPackage(entry, { members, file }))
  const own = entries.filter((_, at) => packages[at]!.isProject)
  const folders = entries.filter((entry) => folderOf(tableIn(entry, 'source')) !== undefined)
  const rules = readLockedUvRules(manifest)
  // uv drops dependencies that it excludes, and those whose override applies nowhere.
  const dropping = rules.filter(({ list }) => list === 'excludes' || list === 'overrides')
  const dropped = new Set(dropping.flatMap(({ project }) => project ?? []))
  const groups = Object.values(tableIn(manifest, 'dependency-groups') ?? {})
  return {
    packages,
    roots: [...own.flatMap(rootsOf), ...rootsOfManifest(manifest)],
    rootsByProject: new Map(own.map((entry) => [nameOf(entry), rootsOf(entry)])),
    pythons: textIn(document, 'requires-python'),
    rootName: packages.find((_, at) => folderOf(tableIn(entries[at], 'source')) === '.')?.name,
    rules,
    rootGroups: groups.flatMap((list) => listIn(list).filter(isTable).map(toCompared)),
    environments: environmentsIn(document['supported-markers']),
    declared: new Map(
      folders.map((entry) => [nameOf(entry), declarationsOf(entry, { dropped, isMember: own.includes(entry) })]),
    ),
  }
}

interface PackageContext {
  readonly members: ReadonlySet<string>
  readonly file: 'target' | number
}

function toPackage(entry: TomlTable, { members, file }: PackageContext): LockedPackage {
  const name = textIn(entry, 'name')
  if (name === undefined) throw new Unreadable('The lockfile has a package without a name', { file })
  const project = toProjectName(name)
  const source = tableIn(entry, 'source')
  const folder = folderOf(source)
  const isOwn = folder !== undefined && (folder === '.' || members.has(project))
  return {
    name: project,
    version: textIn(entry, 'version'),
    elsewhere: elsewhereOf(source, folder),
    isProject: isOwn,
    isLocal: folder !== undefined && !isOutside(folder),
    marker: anyOf(listIn(entry['resolution-markers'])),
    dependencies: dependenciesOf(entry),
    files: filesOf(entry, 'filename'),
  }
}

function dependenciesOf(entry: TomlTable): LockedDependency[] {
  const always = dependenciesIn(entry['dependencies'], { kind: 'prod' })
  if (entry['optional-dependencies'] === undefined) return always
  return [
    ...always,
    ...extrasOf(entry).flatMap(([extra, list]) => dependenciesIn(list, { kind: 'prod', ofExtras: [extra] })),
  ]
}

function folderOf(source: TomlTable | undefined): string | undefined {
  return textIn(source, 'editable') ?? textIn(source, 'virtual') ?? textIn(source, 'directory')
}

/** Returns the source of a package; undefined for indexes, whose packages are matched by name, and own folders. */
function elsewhereOf(source: TomlTable | undefined, folder: string | undefined): string | undefined {
  if (folder !== undefined) return isOutside(folder) ? folder : undefined
  const git = textIn(source, 'git')
  if (git !== undefined) return `git+${git}`
  return textIn(source, 'url') ?? textIn(source, 'path')
}

function rootsOf(entry: TomlTable): LockedDependency[] {
  const groups = Object.values(tableIn(entry, 'dev-dependencies') ?? {})
  return [
    ...dependenciesIn(entry['dependencies'], { kind: 'prod' }),
    ...extrasOf(entry).flatMap(([, list]) => dependenciesIn(list, { kind: 'optional' })),
    ...groups.flatMap((list) => dependenciesIn(list, { kind: 'dev' })),
  ]
}

/** Returns the requirements of a script, and the groups of a workspace without a root project. */
function rootsOfManifest(manifest: TomlTable | undefined): LockedDependency[] {
  const groups = Object.values(tableIn(manifest, 'dependency-groups') ?? {})
  return [
    ...dependenciesIn(manifest?.['requirements'], { kind: 'prod' }),
    ...groups.flatMap((list) => dependenciesIn(list, { kind: 'dev' })),
  ]
}

function extrasOf(entry: TomlTable): [extra: string, list: TomlValue][] {
  return Object.entries(tableIn(entry, 'optional-dependencies') ?? {}).map(([extra, list]) => [
    toProjectName(extra),
    list,
  ])
}

function dependenciesIn(
  list: TomlValue | undefined,
  { kind, ofExtras }: Pick<LockedDependency, 'kind' | 'ofExtras'>,
): LockedDependency[] {
  const dependencies: LockedDependency[] = []
  for (const value of listIn(list)) {
    const name = isTable(value) ? textIn(value, 'name') : undefined
    if (name === undefined || !isTable(value)) continue
    const marker = textIn(value, 'marker')
    dependencies.push({
      name: toProjectName(name),
      extras: namesIn(value['extra'] ?? value['extras']),
      range: textIn(value, 'specifier') ?? unknownRange,
      version: textIn(value, 'version'),
      // Conflicting extras have conditions that hold only if both are chosen, which the entry's condition tells.
      isExact: !marker?.includes('extra'),
      marker: marker === undefined ? undefined : parseMarker(marker),
      ofExtras,
      kind,
    })
  }
  return dependencies
}

interface DeclarationsContext {
  readonly dropped: ReadonlySet<string>
  readonly isMember: boolean
}

function declarationsOf(entry: TomlTable, { dropped, isMember }: DeclarationsContext): LockedDeclarations {
  const metadata = tableIn(entry, 'metadata')
  const published = metadata?.['requires-dist']
  const listed = Array.isArray(published) ? published.filter(isTable) : undefined
  const groups = Object.values(tableIn(metadata, 'requires-dev') ?? {}).flatMap((list) => listIn(list).filter(isTable))
  const names = new Set(rootsOf(entry).map(({ name }) => name))
  // An extra may require other extras of its own project.
  const allNames = new Set([...names, ...dropped, nameOf(entry)])
  const isLost = (table: TomlTable) => textIn(table, 'marker') === undefined && !allNames.has(nameOf(table))
  return {
    published: listed?.map(toCompared),
    groups: groups.map(toCompared),
    names,
    // uv records the groups of other folders too, but locks only those of workspace members.
    lost: [...(listed ?? []), ...(isMember ? groups : [])].filter(isLost),
  }
}

function toCompared(entry: TomlTable): ComparedRequirement {
  const marker = textIn(entry, 'marker')
  return {
    name: nameOf(entry),
    extras: namesIn(entry['extras']).sort(),
    range: rangeOf(entry),
    marker: marker === undefined ? undefined : parseMarker(marker),
  }
}

function nameOf(entry: TomlTable): string {
  return toProjectName(textIn(entry, 'name') ?? '')
}
