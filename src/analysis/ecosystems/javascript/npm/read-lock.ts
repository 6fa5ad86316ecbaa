import { ownValue, textOf } from '#analysis/documents/json-document.ts'
import type { Reading, ReadOptions } from '#analysis/ecosystems/ecosystem.ts'
import type { Dependency } from '../dependency.ts'
import { nameProject, type PackageJson, toPackageJson, workspacePatterns } from '../package-json.ts'
import { importersIn } from '../sort-files.ts'
import { graphOfLock, type Importer, type LockedProject } from './lock-graph.ts'
import { createSearch, type Lock, type LockNode } from './lock-tree.ts'
import { lockedAt } from './locked-package.ts'
import type { ManifestFiles } from './manifest-files.ts'
import { behindLink, lockedDependencies } from './package-lock.ts'

/** Reads a project with locked versions. */
export function readLocked(lock: Lock, files: ManifestFiles, options: ReadOptions): Reading {
  const project = toProject(lock, files)
  const reading = graphOfLock(lock, project, options)
  const boundsMet = isOfNpm4(lock) ? [...reading.boundsMet, NOT_CONNECTED] : reading.boundsMet
  return { ...reading, boundsMet, filesRead: files.filesRead, locked: true }
}

const NOT_CONNECTED =
  'The lockfile is in the form of npm 4 and older, which does not tell what packages require: all were tested, also those that only development needs, and paths to them may be missing'

/** Returns true for several packages without `requires`, which npm 5 and later write at the top too. */
function isOfNpm4({ layout, isWithoutRequires, document, tree }: Lock): boolean {
  const isNewer = ownValue(document, 'requires') === true
  return layout === 'dependencies' && isWithoutRequires && !isNewer && tree.withEntry.length > 1
}

function toProject(lock: Lock, { project, members, part }: ManifestFiles): LockedProject {
  const { root } = lock.tree
  const own = project ?? packageJsonIn(lock)
  const first: Importer = { label: nameProject(own), place: root, dependencies: own.dependencies }
  const [tested = own] = part?.keys() ?? []
  return {
    name: tested.name ?? '',
    version: tested.version ?? '',
    importers: importersIn([first, ...memberImporters(lock, members, own)], { members, part }),
    isPart: part !== undefined,
    overrides: own.overrides,
    hasManifest: project !== undefined,
    isDirectUnknown:
      (project === undefined && !listsDirect(lock)) || (lock.layout === 'dependencies' && lock.isWithoutRequires),
  }
}

/** Returns the lockfile's own copy of the package.json. */
function packageJsonIn(lock: Lock): PackageJson {
  if (listsDirect(lock)) {
    const read = toPackageJson(lock.tree.root.entry ?? {}, lock.file)
    const { document } = lock
    return {
      ...read,
      name: read.name ?? textOf(document, 'name'),
      version: read.version ?? textOf(document, 'version'),
    }
  }
  return {
    name: textOf(lock.document, 'name'),
    version: textOf(lock.document, 'version'),
    dependencies: likelyDirect(lock),
    workspaces: [],
    overrides: undefined,
  }
}

/**
 * Returns false for lockfileVersion 1 and npm's hidden lockfile (node_modules/.package-lock.json), which have no root
 * entry.
 */
function listsDirect({ layout, tree }: Lock): boolean {
  return layout === 'packages' && (tree.root.entry !== undefined || tree.withEntry.length === 0)
}

/**
 * Returns the likely direct dependencies of lockfileVersion 1, which does not list them: packages that no other one
 * requires.
 */
function likelyDirect(lock: Lock): Dependency[] {
  const { root, withEntry } = lock.tree
  const search = createSearch(lock.file)
  const required = new Set<LockNode | undefined>()
  for (const place of withEntry) {
    for (const { name } of lockedDependencies(lock, place)) required.add(search(place, name))
  }
  return [...(root.children?.values() ?? [])]
    .filter((place) => !required.has(place))
    .map((place) => ({
      name: place.name,
      range: lockedAt(lock, place).version ?? '*',
      kind: place.entry?.['dev'] === true ? 'dev' : place.entry?.['optional'] === true ? 'optional' : 'prod',
      mayBeAbsent: false,
    }))
}

/**
 * Returns workspace members: those with a sent package.json and those in the lockfile. With workspaces, a link inside
 * the project counts as a member unless the project itself requires that path.
 */
function memberImporters(lock: Lock, sent: readonly PackageJson[], project: PackageJson): Importer[] {
  const locked = lockedMembers(lock, project)
  const importers: Importer[] = []
  for (const member of sent) {
    const place = member.name === undefined ? undefined : locked.get(member.name)
    if (member.name !== undefined) locked.delete(member.name)
    importers.push({ label: nameProject(member), place, dependencies: member.dependencies })
  }
  for (const [name, place] of locked) {
    const member = toPackageJson(place.entry!, lock.file)
    importers.push({ label: nameProject({ ...member, name }), place, dependencies: member.dependencies })
  }
  return importers
}

function lockedMembers(lock: Lock, project: PackageJson): Map<string, LockNode> {
  const { root } = lock.tree
  const inLock = workspacePatterns(root.entry === undefined ? undefined : ownValue(root.entry, 'workspaces'))
  const members = new Map<string, LockNode>()
  if (lock.layout === 'dependencies' || (project.workspaces.length === 0 && inLock.length === 0)) return members
  const localNames = new Set(
    project.dependencies.filter(({ range }) => range.startsWith('file:')).map(({ name }) => name),
  )
  for (const link of root.children?.values() ?? []) {
    if (link.entry === undefined || localNames.has(link.name)) continue
    const target = behindLink(lock, link)
    if (target !== undefined && target !== link && target.isFolder && !target.location.startsWith('..')) {
      members.set(link.name, target)
    }
  }
  return members
}
