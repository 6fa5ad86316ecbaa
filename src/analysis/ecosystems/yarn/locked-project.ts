import type { Dependency } from '../npm/dependency.ts'
import { nameProject } from '../npm/package-json.ts'
import { likelyDirect } from './lock-v1.ts'
import type { ManifestFiles } from './manifest-files.ts'
import type { Resolutions } from './resolutions.ts'
import type { LockEntry, YarnLock } from './yarn-lock.ts'

/** The project itself or one of its workspaces. */
export interface Importer {
  /** For `requiredBy`. */
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
  readonly resolutions: Resolutions
  /** For a lock that came alone and does not tell. */
  readonly alsoDirect: readonly LockEntry[]
  /** True when the files that were sent are perhaps not all that ask for something. */
  readonly mayHaveOtherDependents: boolean
}

/** Who asks for what: the package.json files that were sent, and for workspaces without one what the lock says. */
export function toLockedProject(lock: YarnLock, files: ManifestFiles): LockedProject {
  const { project, members, resolutions } = files
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
  const own = { name: project?.name ?? root?.name ?? '', version: project?.version ?? '' }
  const label = project === undefined ? 'yarn.lock' : nameProject(project)
  const isAlone = project === undefined && !lock.hasWorkspaces
  return {
    ...own,
    label,
    importers: [
      { label, entry: root, dependencies: project?.dependencies ?? root?.dependencies ?? [] },
      ...sent,
      ...unsent,
    ],
    memberNames: new Set([...members.map(({ name }) => name ?? ''), ...listed.keys()]),
    resolutions,
    alsoDirect: isAlone ? likelyDirect(lock) : [],
    mayHaveOtherDependents:
      isAlone || lock.hasWorkspaces || (project?.workspaces.length ?? 0) > 0 || resolutions.size > 0,
  }
}
