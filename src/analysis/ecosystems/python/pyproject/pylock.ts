import type { TomlTable } from 'smol-toml'
import { shorten } from '#analysis/documents/json-document.ts'
import { isTable, parseToml } from '#analysis/documents/toml.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { entriesIn, environmentsIn, filesOf, listIn, namesIn, tableIn, textIn } from '../declarations.ts'
import { isOutside, versionOfArchive } from '../file-names.ts'
import type { LockedDependency, LockedPackage, PythonLock } from '../locked-packages.ts'
import { type Marker, parseMarker } from '../packaging/marker.ts'
import { toProjectName } from '../packaging/project-name.ts'
import { unknownRange } from '../resolution/locked.ts'

/** A parsed pylock.toml (PEP 751). */
export interface PyLock {
  readonly packages: readonly LockedPackage[]
  readonly groups: NonNullable<PythonLock['groups']>
  readonly pythons: string | undefined
  /** The environments for which it was written; undefined for all. */
  readonly environments: readonly Marker[] | undefined
}

/** Parses a pylock.toml of version 1. Throws `Unreadable` for other versions, which installers have to refuse. */
export function parsePyLock(text: string, file: 'target' | number): PyLock {
  const document = parseToml(text, file, 'lock')
  const version = textIn(document, 'lock-version') ?? 'none'
  if (!/^1\.\d+$/.test(version)) {
    throw new Unreadable(`Unsupported lock-version ${shorten(version)}; supported: 1`, { file })
  }
  // Required by PEP 751; an installer refuses a file without it.
  if (document['packages'] === undefined)
    throw new Unreadable('The file lacks "packages", which pylock.toml requires. Write it again', { file })
  const entries = entriesIn(document['packages'], file)
  return {
    packages: entries.map((entry) => toPackage(entry, file)),
    groups: {
      byDefault: new Set(namesIn(document['default-groups'])),
      all: new Set([...namesIn(document['default-groups']), ...namesIn(document['dependency-groups'])]),
    },
    pythons: textIn(document, 'requires-python'),
    environments: environmentsIn(document['environments']),
  }
}

function toPackage(entry: TomlTable, file: 'target' | number): LockedPackage {
  const name = textIn(entry, 'name')
  if (name === undefined) throw new Unreadable('The lockfile has a package without a name', { file })
  const folder = textIn(tableIn(entry, 'directory'), 'path')
  const marker = textIn(entry, 'marker')
  const project = toProjectName(name)
  const archive = tableIn(entry, 'archive')
  return {
    name: project,
    version: textIn(entry, 'version') ?? versionOfArchive(textIn(archive, 'url') ?? textIn(archive, 'path'), project),
    elsewhere: elsewhereOf(entry, folder),
    isProject: folder === '.',
    isLocal: folder !== undefined && !isOutside(folder),
    marker: marker === undefined ? undefined : parseMarker(marker),
    dependencies: dependenciesOf(entry),
    files: filesOf(entry, 'name'),
  }
}

function elsewhereOf(entry: TomlTable, folder: string | undefined): string | undefined {
  if (folder !== undefined) return isOutside(folder) ? folder : undefined
  const vcs = tableIn(entry, 'vcs')
  if (vcs !== undefined) return `${textIn(vcs, 'type') ?? 'git'}+${textIn(vcs, 'url') ?? textIn(vcs, 'path') ?? ''}`
  const archive = tableIn(entry, 'archive')
  return textIn(archive, 'url') ?? textIn(archive, 'path')
}

function dependenciesOf(entry: TomlTable): LockedDependency[] {
  const dependencies: LockedDependency[] = []
  for (const dependency of listIn(entry['dependencies'])) {
    const name = isTable(dependency) ? textIn(dependency, 'name') : undefined
    if (name === undefined || !isTable(dependency)) continue
    const version = textIn(dependency, 'version')
    dependencies.push({
      name: toProjectName(name),
      extras: [],
      range: unknownRange,
      version,
      marker: undefined,
      kind: 'prod',
    })
  }
  return dependencies
}
