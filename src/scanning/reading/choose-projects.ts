import type { PolicySetting } from '#analysis/discovery/policy-files/policy-file.ts'
import { nameProjects } from '#analysis/discovery/projects-in-tree/find-projects.ts'
import type { NotRead } from '#analysis/discovery/projects-in-tree/not-read.ts'
import type { TreeProject } from '#analysis/discovery/projects-in-tree/tree.ts'
import type { SourceTree } from './source-tree.ts'

/** Selects projects of a tree. */
export interface ProjectChoice {
  /** The folder whose projects are tested; they may read files around it. The whole tree by default. */
  readonly folder?: string | undefined
  /** Names of folders whose projects are not tested. */
  readonly exclusions: readonly string[]
  /** Paths of manifests; empty for all. Exclusions do not apply to them. */
  readonly files: readonly string[]
  /** The id of the only ecosystem to test. */
  readonly packageManager?: string | undefined
  /** The organization's decision on policy files; without it they apply. */
  readonly policyFiles?: PolicySetting | undefined
  /** The time at which exclusions of policy files are judged; defaults to now. */
  readonly at?: number | undefined
}

export interface LeftOut {
  readonly path: string
  readonly packageManager?: string
  readonly reason: string
}

export interface ChosenProjects {
  readonly projects: readonly TreeProject[]
  /** Paths that should be tested but cannot be. */
  readonly leftOut: readonly LeftOut[]
  /** Files and folders that no test of packages covers; the test is complete without them. */
  readonly outOfScope: readonly LeftOut[]
  /** Number of projects in excluded folders. */
  readonly excluded: number
  /** Projects that policy files exclude. */
  readonly excludedByPolicy: readonly LeftOut[]
  /** Sentences about exclusions in policy files that had no effect. */
  readonly policyNotes: readonly string[]
}

/** Finds the projects of a tree, with the same rules as imports, and selects those to test. */
export async function chooseProjects(tree: SourceTree, choice: ProjectChoice): Promise<ChosenProjects> {
  const { folder, policyFiles: setting = 'allow', at = Date.now(), exclusions } = choice
  const withInstalled = choice.files.length > 0
  const survey = await tree.survey({ folder, exclusions, setting, at, withInstalled })
  const { projects: all, excludedBy, inExcluded, policyNotes } = survey
  if (choice.files.length > 0) return chooseNamed(all, choice, tree)
  const isLeft = ({ path }: { readonly path: string }) => inExcluded.has(path)
  const isOther = ({ ecosystem }: TreeProject) =>
    choice.packageManager !== undefined && ecosystem !== choice.packageManager
  const candidates = all.filter((project) => !isOther(project))
  const inside = candidates.filter((project) => !isLeft(project))
  const projects = inside.filter(({ path }) => !excludedBy.has(path))
  const excludedByPolicy = inside.flatMap(({ path, ecosystem }): LeftOut[] => {
    const by = excludedBy.get(path)
    return by === undefined ? [] : [{ path, packageManager: ecosystem, reason: `${by} excludes it` }]
  })
  const unread = choice.packageManager === undefined ? survey.notRead : []
  const { inScope = [], outOfScope = [] } = Object.groupBy(
    unread.filter((file) => !isLeft(file) && !excludedBy.has(file.path)),
    ({ isOutOfScope }) => (isOutOfScope ? 'outOfScope' : 'inScope'),
  )
  const leftOut: LeftOut[] = [
    ...tree.unusable.filter((entry) => !isLeft(entry)).map(({ path, problem }) => ({ path, reason: problem })),
    ...tree.submodules.map((path) => ({ path, reason: 'It is a submodule, and submodules are not read' })),
    ...inScope.map(toLeftOut),
  ]
  return {
    projects,
    leftOut,
    outOfScope: [...survey.installed.map((path) => ({ path, reason: INSTALLED })), ...outOfScope.map(toLeftOut)],
    excluded: candidates.length - inside.length,
    excludedByPolicy,
    policyNotes,
  }
}

const INSTALLED = 'It holds installed packages or the output of a build'

function toLeftOut({ path, manager, reason }: NotRead): LeftOut {
  return { path, packageManager: manager, reason }
}

function chooseNamed(all: readonly TreeProject[], choice: ProjectChoice, tree: SourceTree): ChosenProjects {
  const { files, packageManager } = choice
  const choices = nameProjects(all, files, tree).map((project) =>
    'problem' in project && packageManager !== undefined && tree.paths.has(project.path)
      ? { project: { ecosystem: packageManager, path: project.path, covers: [] } }
      : project,
  )
  const unread = choices.flatMap((choice) =>
    'problem' in choice ? [{ path: choice.path, reason: choice.problem }] : [],
  )
  const projects = choices.flatMap((choice) => ('project' in choice ? [choice.project] : []))
  const fitting = projects.filter(({ ecosystem }) => packageManager === undefined || ecosystem === packageManager)
  const others = projects
    .filter(({ path }) => !fitting.some((project) => project.path === path))
    .map(({ path, ecosystem }) => ({ path, reason: `It is a file of ${ecosystem}, not of ${packageManager}` }))
  const nothing = { outOfScope: [], excluded: 0, excludedByPolicy: [], policyNotes: [] }
  return { ...nothing, projects: fitting, leftOut: [...unread, ...others] }
}
