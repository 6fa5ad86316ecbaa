import type { PolicySetting } from '#analysis/discovery/policy-files/policy-file.ts'
import { DEFAULT_EXCLUSIONS, parseExclusions } from '#analysis/discovery/projects-in-tree/exclusions.ts'
import { type NamedProject, nameProjects, toMember } from '#analysis/discovery/projects-in-tree/find-projects.ts'
import type { NotRead } from '#analysis/discovery/projects-in-tree/not-read.ts'
import { type Placed, pairRenamed } from '#analysis/discovery/projects-in-tree/pair-renamed.ts'
import type { TreeProject } from '#analysis/discovery/projects-in-tree/tree.ts'
import type { SourceTree } from '#scanning/reading/source-tree.ts'
import type { ListedManifest } from './manifests-store.ts'
import type { KnownProject } from './projects-store.ts'

export interface Wish {
  /** Undefined for all manifests. */
  readonly files: readonly string[] | undefined
  readonly exclusions: string | null
  /** True to test only known projects. */
  readonly onlyKnown: boolean
  /** The organization's decision on policy files. */
  readonly policyFiles: PolicySetting
  readonly at: number
}

export interface Choice {
  readonly manifests: readonly ListedManifest[]
  /** Known projects whose manifests are gone. */
  readonly vanished: readonly KnownProject[]
  /** Manifests of unsupported package managers and files that no test covers, if all manifests are requested. */
  readonly notRead: readonly NotRead[]
  /** Folders of installed packages, if all manifests are requested. */
  readonly installed: readonly string[]
  /** Manifests that policy files exclude, if all manifests are requested. */
  readonly excluded: readonly ExcludedManifest[]
  /** Notes on policy files whose exclusions were not applied. */
  readonly policyNotes: readonly string[]
}

export interface ExcludedManifest {
  readonly path: string
  readonly type: string
  /** The policy file. */
  readonly by: string
}

/** Limit of manifests that are read to detect renames. */
const MAX_COMPARED = 500

/** Selects the manifests to test, and matches known projects that were renamed or removed. */
export async function chooseManifests(
  tree: SourceTree,
  { wish, existing }: { wish: Wish; existing: readonly KnownProject[] },
): Promise<Choice> {
  const { policyFiles: setting, at } = wish
  const isWhole = !wish.files && !wish.onlyKnown
  const survey = await tree.survey({ exclusions: toNames(wish.exclusions), setting, at, withInstalled: !isWhole })
  const { projects: treeProjects, excludedBy, inExcluded } = survey
  const isLeftOut = ({ path }: { readonly path: string }) => inExcluded.has(path) || excludedBy.has(path)
  const all = treeProjects.filter((treeProject) => !isLeftOut(treeProject))
  const selected = listWanted(tree, { wish, existing, treeProjects, all })
  const byKey = new Map(existing.map((project) => [keyOf(project), project]))
  const isMember = (project: KnownProject) => findMember(project, { wish, existing, treeProjects })
  const gone = existing.filter(
    (project) => !project.hasVanished && !isThere(project, treeProjects, tree) && !isMember(project),
  )
  const projects = selected.flatMap((project) => ('project' in project ? [project.project] : []))
  const added = projects.filter((project) => !byKey.has(keyOf(project)))
  const renamed = await findRenamed(tree, { gone, added })
  const chosen = selected.flatMap((selection): ListedManifest[] => {
    if (!('project' in selection))
      return [{ path: selection.path, type: '', problem: tree.whyNotRead(selection.path) ?? selection.problem }]
    const { ecosystem: type, path } = selection.project
    const now = byKey.get(keyOf(selection.project))
    const project = now ?? renamed.get(keyOf(selection.project))
    if (wish.onlyKnown && !(project && (project.isActive || project.hasVanished))) return []
    return [{ path, type, projectId: project?.id }]
  })
  if (isWhole) {
    chosen.push(...tree.unusable.filter((entry) => !isLeftOut(entry)).map((entry) => ({ ...entry, type: '' })))
  }
  const kept = new Set([...renamed.values()].map(({ id }) => id))
  const vanished = gone.filter(({ id, isActive }) => isActive && !kept.has(id))
  const policyNotes = wish.files ? [] : survey.policyNotes
  if (!isWhole) return { manifests: chosen, vanished, notRead: [], installed: [], excluded: [], policyNotes }
  return {
    manifests: chosen,
    vanished,
    notRead: survey.notRead.filter((file) => !isLeftOut(file)),
    installed: survey.installed,
    excluded: listExcluded(
      treeProjects.filter(({ path }) => !inExcluded.has(path)),
      excludedBy,
    ),
    policyNotes,
  }
}

function listExcluded(
  treeProjects: readonly TreeProject[],
  excludedBy: ReadonlyMap<string, string>,
): ExcludedManifest[] {
  return treeProjects.flatMap(({ path, ecosystem: type }) => {
    const by = excludedBy.get(path)
    return by === undefined ? [] : [{ path, type, by }]
  })
}

interface Candidates {
  readonly wish: Wish
  readonly existing: readonly KnownProject[]
  readonly treeProjects: readonly TreeProject[]
  /** Manifests that are not excluded. */
  readonly all: readonly TreeProject[]
}

function listWanted(tree: SourceTree, { wish, existing, treeProjects, all }: Candidates): NamedProject[] {
  const toWorkspace = (path: string) => treeProjects.find(({ covers }) => covers.includes(path))
  if (wish.files) {
    const files = wish.files.map(
      (path) => existing.find((project) => project.path === toWorkspace(path)?.path)?.path ?? path,
    )
    return nameProjects(treeProjects, files, tree)
  }
  if (!wish.onlyKnown) return all.map((project) => ({ project }))
  const members = existing.flatMap((project) => findMember(project, { wish, existing, treeProjects }) ?? [])
  // Includes known manifests that default searches exclude; the others may be renamed ones.
  const existingPaths = existing
    .filter(({ path }) => tree.paths.has(path))
    .map(({ path }) => toWorkspace(path)?.path ?? path)
  const others = nameProjects(treeProjects, [...existingPaths, ...all.map(({ path }) => path)], tree)
  return [...members.map((project) => ({ project })), ...others]
}

/**
 * Returns a known project that is a member of a workspace and was imported alone. The project of a workspace replaces
 * those of its members.
 */
function findMember(
  { path, ecosystem }: KnownProject,
  { wish, existing, treeProjects }: Omit<Candidates, 'all'>,
): TreeProject | undefined {
  if (!wish.files && !wish.onlyKnown) return undefined
  const workspace = treeProjects.find(
    (treeProject) => treeProject.ecosystem === ecosystem && treeProject.covers.includes(path),
  )
  if (workspace === undefined || existing.some((project) => keyOf(project) === keyOf(workspace))) return undefined
  return toMember(workspace, path)
}

const wholeTree = { exclusions: [], setting: 'forbid', at: 0, withInstalled: true } as const

/** Returns a look-up of manifests by their stored rows, including those that only their names identify. */
export async function listTreeProjects(
  tree: SourceTree,
): Promise<(row: { path: string; type: string }) => TreeProject> {
  const { projects: all } = await tree.survey(wholeTree)
  const projectsByKey = new Map(all.map((project) => [keyOf(project), project]))
  const findWorkspace = (path: string, type: string) =>
    all.find(({ ecosystem, covers }) => ecosystem === type && covers.includes(path))
  return ({ path, type }) => {
    const own = projectsByKey.get(keyOf({ ecosystem: type, path }))
    const workspace = own === undefined ? findWorkspace(path, type) : undefined
    return own ?? (workspace && toMember(workspace, path)) ?? { ecosystem: type, path, covers: [] }
  }
}

function toNames(exclusions: string | null): readonly string[] {
  if (exclusions === null) return DEFAULT_EXCLUSIONS
  const parsed = parseExclusions(exclusions)
  return 'names' in parsed ? parsed.names : DEFAULT_EXCLUSIONS
}

function keyOf({ ecosystem, path }: { ecosystem: string; path: string }): string {
  return `${ecosystem} ${path}`
}

/** Returns true if the manifest still exists, including excluded ones and those that only their names identify. */
function isThere(existing: KnownProject, treeProjects: readonly TreeProject[], tree: SourceTree): boolean {
  if (treeProjects.some((project) => keyOf(project) === keyOf(existing))) return true
  if (!tree.paths.has(existing.path)) return false
  return !treeProjects.some(({ path, covers }) => path === existing.path || covers.includes(existing.path))
}

async function findRenamed(
  tree: SourceTree,
  { gone, added }: { gone: readonly KnownProject[]; added: readonly TreeProject[] },
): Promise<ReadonlyMap<string, KnownProject>> {
  if (gone.length === 0 || added.length === 0) return new Map()
  const compared = added.slice(0, MAX_COMPARED)
  const placed: Placed[] = []
  await tree.prepare(compared)
  for (const project of compared) {
    const read = await tree.readProject(project)
    placed.push({ ...project, digest: 'digest' in read ? read.digest : null })
  }
  return new Map([...pairRenamed(gone, placed)].map(([one, old]) => [keyOf(one), old]))
}
