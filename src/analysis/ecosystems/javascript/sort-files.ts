import type { IdentifiedFile } from '#analysis/discovery/file-kinds/identify-files.ts'
import { upFrom } from '#analysis/documents/file-paths.ts'
import { type JsonObject, ownValue } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { Manifest } from '../ecosystem.ts'
import type { Dependency } from './dependency.ts'
import { type PackageJson, workspacePatterns } from './package-json.ts'

/** The package.json files of a project and its lockfile. */
export interface SortedFiles<Lock> {
  /** The project's package.json; undefined if only a lockfile was sent. */
  readonly project: PackageJson | undefined
  readonly members: readonly PackageJson[]
  readonly lock: Lock | undefined
  readonly filesRead: string[]
  /** The place of each package.json among the sent files. */
  readonly files: ReadonlyMap<PackageJson, 'target' | number>
  /** For a member tested alone with the lock of its workspace; without a lock, the project is that member. */
  readonly part: WorkspacePart | undefined
  /** The package.json of the project, or of its workspace, before its conversion. */
  readonly root: { readonly file: 'target' | number; readonly content: JsonObject } | undefined
}

/** The differences between tools. */
interface Tool<Lock> {
  readonly places: Manifest['places']
  readonly lockKind: IdentifiedFile['kind']
  /** The refusal of a second lockfile. */
  readonly secondLock: string
  readLock(file: IdentifiedFile): Lock
  labelOf(lock: Lock): string
  toProject(content: JsonObject, file: 'target' | number): PackageJson
}

/**
 * Sorts package.json files and one lockfile. The target is the project's package.json or the lockfile. Every other
 * package.json is a workspace member, except that with a lockfile as target the first (or the one with `workspaces`) is
 * the project. Other kinds only appear in `filesRead`.
 */
export function sortFilesOf<Lock>(files: readonly IdentifiedFile[], tool: Tool<Lock>): SortedFiles<Lock> {
  const [lockFile, second] = files.filter(({ kind }) => kind === tool.lockKind)
  if (second !== undefined) throw new Unreadable(tool.secondLock, { file: second.file })
  const manifests = files.filter(({ kind }) => kind === 'package.json')
  const contents = new Map(manifests.map((manifest) => [manifest, manifest.json()]))
  const hasWorkspaces = (file: IdentifiedFile) =>
    workspacePatterns(ownValue(contents.get(file)!, 'workspaces')).length > 0
  const up = upFrom(tool.places ?? { target: '', additional: [] })
  const pathOf = ({ file }: IdentifiedFile) => (file === 'target' ? 'package.json' : tool.places?.additional[file])
  const target = manifests.find(({ file }) => file === 'target')
  const root =
    up === ''
      ? (target ?? manifests.find(hasWorkspaces) ?? manifests[0])
      : manifests.find((manifest) => pathOf(manifest) === `${up}package.json`)
  const lock = lockFile === undefined ? undefined : tool.readLock(lockFile)
  const packages = new Map(
    manifests.map((manifest) => [manifest, tool.toProject(contents.get(manifest)!, manifest.file)]),
  )
  const recognized = files.filter((file) => file === lockFile || packages.has(file))
  const others = files.filter((file) => !recognized.includes(file))
  const project = root === undefined ? undefined : packages.get(root)
  const members = manifests.filter((manifest) => manifest !== root).map((manifest) => packages.get(manifest)!)
  const part = up === '' || target === undefined ? undefined : findPart(packages.get(target)!, members)
  const nameKnown = (file: IdentifiedFile): string[] => {
    if (file === lockFile) return [`${up}${tool.labelOf(lock!)}`]
    if (file === root) return [`${up}package.json`]
    const read = packages.get(file)!
    if (part?.has(read) === false) return []
    return [file === target ? 'package.json' : nameMember(read)]
  }
  return {
    ...(part === undefined || lock !== undefined
      ? { project, members, part }
      : { ...projectOf(part, project), part: undefined }),
    lock,
    filesRead: [
      ...recognized.flatMap(nameKnown),
      ...others.map(({ kind, file }) => pathAbove(file, tool.places) ?? kind),
    ],
    files: new Map(manifests.map((manifest) => [packages.get(manifest)!, manifest.file])),
    root: root === undefined ? undefined : { file: root.file, content: contents.get(root)! },
  }
}

function nameMember({ name }: PackageJson): string {
  return `package.json (${name ?? 'a workspace member without a name'})`
}

/** Returns the path of a file above the project's folder. */
function pathAbove(file: IdentifiedFile['file'], places: Manifest['places']): string | undefined {
  const path = file === 'target' ? undefined : places?.additional[file]
  return path?.startsWith('../') ? path : undefined
}

/** The dependencies of a member that count: all, those of its users, or those of its users as development needs. */
type Share = 'all' | 'published' | 'dev'

/** A workspace member that is tested alone, and the members that it requires. */
export type WorkspacePart = ReadonlyMap<PackageJson, Share>

/** Finds the members that one requires, by their names. */
function findPart(tested: PackageJson, members: readonly PackageJson[]): WorkspacePart {
  const byName = new Map(members.map((member) => [member.name, member]))
  const part = new Map<PackageJson, Share>([[tested, 'all']])
  for (const share of ['published', 'dev'] as const) {
    const isFollowed = (from: PackageJson, { kind }: Dependency) =>
      from === tested ? (kind === 'dev') === (share === 'dev') : kind !== 'dev' && part.get(from) === share
    for (const from of part.keys()) {
      for (const dependency of from.dependencies) {
        const to = byName.get(dependency.name)
        if (to !== undefined && !part.has(to) && isFollowed(from, dependency)) part.set(to, share)
      }
    }
  }
  return part
}

/** Selects the importers of the part. The first one is the root's; those of the members follow in their order. */
export function importersIn<T extends { readonly dependencies: readonly Dependency[] }>(
  importers: readonly T[],
  { members, part }: { readonly members: readonly PackageJson[]; readonly part: WorkspacePart | undefined },
): readonly T[] {
  if (part === undefined) return importers
  return [...part].map(([member, share]) => {
    const importer = importers[members.indexOf(member) + 1]!
    return { ...importer, dependencies: shareOf(importer.dependencies, share) }
  })
}

/** Returns the files as those of the member alone, for a test without a lockfile. */
function projectOf(
  part: WorkspacePart,
  root: PackageJson | undefined,
): { project: PackageJson; members: readonly PackageJson[] } {
  const [project, ...members] = [...part].map(([member, share]) => ({
    ...member,
    dependencies: shareOf(member.dependencies, share),
  }))
  return { project: { ...project!, overrides: root?.overrides }, members }
}

function shareOf(dependencies: readonly Dependency[], share: Share): readonly Dependency[] {
  if (share === 'all') return dependencies
  const published = dependencies.filter(({ kind }) => kind !== 'dev')
  return share === 'dev' ? published.map((dependency) => ({ ...dependency, kind: 'dev' })) : published
}
