import type { Importer, LockedProject } from '../locked-project.ts'
import { nameProject } from '../package-json.ts'
import { importersIn } from '../sort-files.ts'
import { likelyDirect } from './lock-v1.ts'
import type { ManifestFiles } from './manifest-files.ts'
import type { YarnLock } from './yarn-lock.ts'

/** Returns the importers: sent package.json files, and the lock's data for workspaces without one. */
export function toLockedProject(
  lock: YarnLock,
  files: Pick<ManifestFiles, 'project' | 'members' | 'part' | 'resolutions'>,
): LockedProject {
  const { project, members, part, resolutions } = files
  const listed = new Map(
    lock.entries.filter(({ workspace }) => workspace !== undefined).map((entry) => [entry.name, entry]),
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
    find: (from, dependency) => lock.find(from, dependency, resolutions),
    alsoDirect: isAlone ? likelyDirect(lock) : [],
    mayHaveOtherDependents:
      isAlone || lock.hasWorkspaces || (project?.workspaces.length ?? 0) > 0 || resolutions.size > 0,
  }
}
