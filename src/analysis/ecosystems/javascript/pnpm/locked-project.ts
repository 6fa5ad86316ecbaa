import { toPath } from '#analysis/documents/file-paths.ts'
import type { ManifestPlaces } from '#analysis/ecosystems/ecosystem.ts'
import type { Dependency } from '../dependency.ts'
import type { Importer, LockedProject } from '../locked-project.ts'
import { nameProject, type PackageJson } from '../package-json.ts'
import { importersIn } from '../sort-files.ts'
import type { ManifestFiles } from './manifest-files.ts'
import { createOverrideSearch, fitsPattern, type Override, parseOverrideLines } from './overrides.ts'
import type { LockImporter, PnpmLock } from './pnpm-lock.ts'
import { RUNTIME } from './runtimes.ts'

/** Returns the importers: sent package.json files, and the lock's data for projects without one. */
export function toLockedProject(
  lock: PnpmLock,
  files: Pick<ManifestFiles, 'project' | 'members' | 'part' | 'files'>,
  places: ManifestPlaces | undefined,
): LockedProject {
  const { project, members, part } = files
  const overrides = createOverrideSearch(parseOverrideLines(lock.overrides))
  const free = new Map(lock.importers.map((importer) => [importer.folder, importer]))
  const match = createMatch(lock, free, overrides)
  const root = project === undefined ? free.get('.') : match(project, folderOf(project, files, places) ?? '.', true)
  if (root !== undefined) free.delete(root.folder)
  const sent = members.map((member): Importer => {
    const importer = match(member, folderOf(member, files, places), false)
    if (importer !== undefined) free.delete(importer.folder)
    return toImporter(lock, member, importer, overrides)
  })
  const unsent = [...free.values()].map(({ folder, entry }) => ({
    label: folder === '.' ? lock.fileName : folder,
    entry,
    dependencies: entry.dependencies,
  }))
  const [tested = project] = part?.keys() ?? []
  const label = tested === undefined ? lock.fileName : nameProject(tested)
  const first: Importer =
    project === undefined
      ? { label, entry: root?.entry, dependencies: root?.entry.dependencies ?? [] }
      : toImporter(lock, project, root, overrides)
  return {
    name: tested?.name ?? '',
    version: tested?.version ?? '',
    label,
    importers: importersIn([first, ...sent, ...unsent], { members, part }),
    isPart: part !== undefined,
    memberNames: new Set(members.map(({ name }) => name ?? '')),
    alsoDirect: [],
    mayHaveOtherDependents: false,
    find(from, dependency) {
      const match = lock.find(from, dependency)
      const pin = from && lock.importerOf(from)?.pins.get(dependency.name)
      if (pin === undefined || isWrittenFor(pin.specifier, dependency, overrides)) return match
      return { ...match, writtenFor: pin.specifier }
    },
  }
}

type Overrides = (name: string) => readonly Override[]

/** True if the lock has this range for the dependency, or the one that an override gives it. */
function isWrittenFor(specifier: string, { name, range }: Dependency, overrides: Overrides): boolean {
  return (
    specifier === range || overrides(name).some(({ value }) => value === specifier || isSamePlace(value, specifier))
  )
}

/** Returns true for local paths, which each project has relative to its own folder. */
function isSamePlace(one: string, other: string): boolean {
  const protocol = /^(?:link|file):/.exec(one)?.[0]
  return protocol !== undefined && other.startsWith(protocol) && lastPart(one) === lastPart(other)
}

function lastPart(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.indexOf(':')) + 1)
}

function toImporter(
  lock: PnpmLock,
  project: PackageJson,
  importer: LockImporter | undefined,
  overrides: Overrides,
): Importer {
  const isAbsent = ({ name, range, kind, mayBeAbsent }: Dependency) => {
    if (importer?.pins.has(name)) return false
    if (range.startsWith(RUNTIME) && !lock.mayHaveRuntimes) return true
    if (kind === 'peer') return !lock.hasPeers || mayBeAbsent
    const isIgnored = kind === 'optional' && lock.ignoredOptional.some((pattern) => fitsPattern(name, pattern))
    return isIgnored || overrides(name).some(({ value }) => value === '-')
  }
  return {
    label: nameProject(project),
    entry: importer?.entry,
    dependencies: project.dependencies.filter((dependency) => !isAbsent(dependency)),
  }
}

/** Limit of compared importers for each package.json whose folder is unknown. */
const MAX_COMPARED = 200

/**
 * Returns a search for the importer of a package.json: by its folder; else one with the same dependencies; for the
 * project else the root, for a member else the one with most of its ranges.
 */
function createMatch(lock: PnpmLock, free: ReadonlyMap<string, LockImporter>, overrides: Overrides) {
  const byName = Map.groupBy(lock.importers, ({ pins }) => [...pins.keys()].sort().join('\n'))
  return (project: PackageJson, folder: string | undefined, isRoot: boolean): LockImporter | undefined => {
    const dependencies = project.dependencies.filter(({ kind }) => kind !== 'peer' || lock.hasPeers)
    const agreed = ({ pins }: LockImporter) =>
      dependencies.filter((dependency) => {
        const pin = pins.get(dependency.name)
        return pin !== undefined && isWrittenFor(pin.specifier, dependency, overrides)
      }).length
    const placed = folder === undefined ? undefined : free.get(folder)
    if (placed !== undefined && (!isRoot || agreed(placed) === dependencies.length)) return placed
    const same = byName.get(
      dependencies
        .map(({ name }) => name)
        .sort()
        .join('\n'),
    )
    const exact = same
      ?.slice(0, MAX_COMPARED)
      .find((importer) => free.has(importer.folder) && agreed(importer) === dependencies.length)
    if (exact !== undefined || isRoot) return exact ?? placed
    const ranked = [...free.values()]
      .slice(0, MAX_COMPARED)
      .map((importer) => ({ item: importer, count: agreed(importer) }))
    const best = ranked.reduce((one, other) => (other.count > one.count ? other : one), {
      item: undefined,
      count: 0,
    } as {
      item: LockImporter | undefined
      count: number
    })
    return best.item
  }
}

/** Returns the folder of a package.json of a repository, from the root of its workspace or else the target's folder. */
function folderOf(
  project: PackageJson,
  { files }: Pick<ManifestFiles, 'files'>,
  places: ManifestPlaces | undefined,
): string | undefined {
  const file = files.get(project)
  if (places === undefined || file === undefined) return undefined
  if (file === 'target') return places.member
  const path = toPath(places.additional[file] ?? '', places.member === undefined ? '' : `${places.member}/`)
  return path?.includes('/') ? path.slice(0, path.lastIndexOf('/')) : undefined
}
