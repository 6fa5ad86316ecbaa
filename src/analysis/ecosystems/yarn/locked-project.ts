import type { Dependency } from '../npm/dependency.ts'
import { nameProject } from '../npm/package-json.ts'
import { importersIn } from '../npm/sort-files.ts'
import type { Found, LockEntry } from './entry-lock.ts'
import { likelyDirect } from './lock-v1.ts'
import type { ManifestFiles } from './manifest-files.ts'
import type { YarnLock } from './yarn-lock.ts'

/** The project itself or one of its workspaces. */
export interface Importer {
  /** The label in `requiredBy`. */
  readonly label: string
  /** Undefined when the lock does not list it. */
  readonly entry: LockEntry | undefined
  readonly dependencies: readonly Dependency[]
}

export interface LockedProject {
  readonly name: string
  readonly version: string
  readonly label: string
  readonly importers: readonly Importer[]
  /** Names of the workspaces, which need no entry. */
  readonly memberNames: ReadonlySet<string>
  /** For a lock that came alone and does not tell. */
  readonly alsoDirect: readonly LockEntry[]
  /** True for some members of a workspace: others require the rest of the lock. */
  readonly isPart: boolean
  /** True if dependents may exist outside of the sent files. */
  readonly mayHaveOtherDependents: boolean
  /** Finds the entries of a dependency. `from` is undefined for a project outside the lock. */
  find(from: LockEntry | undefined, wanted: Dependency): Found
}

/** Returns the importers: sent package.json files, and the lock's data for workspaces without one. */
export function toLockedProject(
  lock: YarnLock,
  files: Pick<ManifestFiles, 'project' | 'members' | 'part' | 'resolutions'>,
): LockedProject {
  const { project, members, part, resolutions } = files
  const listed = new Map(
    lock.entries.filter(({ workspace }) => workspace !== undefined).map((each) => [each.name, each]),
  )
  const root = lock.entries.find(({ workspace }) => workspace === '.')
  if (root !== undefined) listed.delete(root.name)
  const sent = members.map((member): Importer => {
    const entry = listed.get(member.name ?? '')
    if (entry !== undefined) listed.delete(entry.name)
    return { label: nameProject(member), entry, dependencies: member.dependencies }
  })
  const unsent = [...listed.values()].map((entry) => ({ label: entry.name, entry, dependencies: entry.dependencies }))
  const [tested = project] = part?.keys() ?? []
  const own = { name: tested?.name ?? root?.name ?? '', version: tested?.version ?? '' }
  const label = tested === undefined ? lock.fileName : nameProject(tested)
  const isAlone = project === undefined && !lock.hasWorkspaces
  return {
    ...own,
    label,
    importers: importersIn(
      [{ label, entry: root, dependencies: project?.dependencies ?? root?.dependencies ?? [] }, ...sent, ...unsent],
      { members, part },
    ),
    isPart: part !== undefined,
    memberNames: new Set([...members.map(({ name }) => name ?? ''), ...listed.keys()]),
    find: (from, wanted) => lock.find(from, wanted, resolutions),
    alsoDirect: isAlone ? likelyDirect(lock) : [],
    mayHaveOtherDependents:
      isAlone || lock.hasWorkspaces || (project?.workspaces.length ?? 0) > 0 || resolutions.size > 0,
  }
}
