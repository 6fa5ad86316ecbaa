import type { PolicySetting } from '#analysis/discovery/policy-files/policy-file.ts'
import { createExclusionTest } from '#analysis/discovery/projects-in-tree/exclusions.ts'
import { filesBeside, findProjects, projectsBelow } from '#analysis/discovery/projects-in-tree/find-projects.ts'
import { budgetOf } from '#analysis/discovery/projects-in-tree/glob.ts'
import { splitInstalled } from '#analysis/discovery/projects-in-tree/installed-folders.ts'
import { findNotRead, type NotRead } from '#analysis/discovery/projects-in-tree/not-read.ts'
import type { FileBeside, Tree, TreeProject } from '#analysis/discovery/projects-in-tree/tree.ts'
import { readTreeExclusions } from '#analysis/discovery/projects-in-tree/tree-exclusions.ts'
import { isBelow, seenFrom } from '#analysis/discovery/projects-in-tree/tree-paths.ts'

export interface SurveyChoice {
  /** The folder whose projects are tested; the whole tree by default. */
  readonly folder?: string | undefined
  /** Names of folders whose projects are not tested. */
  readonly exclusions: readonly string[]
  /** True to find projects in folders of installed packages too, since the caller names some. */
  readonly withInstalled: boolean
  /** The organization's decision on policy files. */
  readonly setting: PolicySetting
  /** The time at which exclusions of policy files are judged. */
  readonly at: number
}

/** The facts about the projects of a tree that take parsing its files or matching its patterns. */
export interface TreeSurvey {
  /** Every project, by path. */
  readonly projects: readonly TreeProject[]
  /** Files that are known but not read. */
  readonly notRead: readonly NotRead[]
  /** Folders of installed packages that nothing excludes. */
  readonly installed: readonly string[]
  /** Paths of projects and unusable entries in excluded folders. */
  readonly inExcluded: ReadonlySet<string>
  /** The policy file that excludes a path. */
  readonly excludedBy: ReadonlyMap<string, string>
  /** Sentences about exclusions in policy files that had no effect. */
  readonly policyNotes: readonly string[]
}

export interface SurveyedTree extends Tree {
  /** Entries that are listed but cannot be read. */
  readonly unusable: readonly { readonly path: string }[]
}

/** A question about a tree. */
export type TreeQuestion =
  | { readonly kind: 'survey'; readonly choice: SurveyChoice }
  | { readonly kind: 'files-beside'; readonly projects: readonly TreeProject[] }

/** Parses the files of a tree: in this thread, or on a server in a test thread, since they are untrusted. */
export interface TreeReader {
  survey(tree: SurveyedTree, choice: SurveyChoice): Promise<TreeSurvey>
  /** Returns the files read with each of the projects. */
  filesBeside(tree: SurveyedTree, projects: readonly TreeProject[]): Promise<readonly (readonly FileBeside[])[]>
}

/** Reads trees in this thread. */
export const ownThread: TreeReader = {
  survey: surveyTree,
  filesBeside: (tree, projects) => Promise.all(projects.map((project) => filesBeside(project, tree))),
}

async function surveyTree(all: SurveyedTree, choice: SurveyChoice): Promise<TreeSurvey> {
  const { folder = '', exclusions, setting, at, withInstalled } = choice
  const { own, installed } = splitInstalled(all)
  const tree = withInstalled ? all : own
  const projects = projectsBelow(await findProjects(tree), folder)
  const notRead = await findNotRead(tree, projects)
  const isInExcluded = createExclusionTest(exclusions, budgetOf(tree))
  const isLeftOut = (path: string) =>
    !isBelow(path, folder) || isInExcluded(folder === '' ? path : seenFrom(folder, path))
  const policies = await readTreeExclusions(tree, { setting, at, isLeftOut })
  const paths = new Set([...projects, ...notRead, ...all.unusable].map(({ path }) => path))
  const excludedBy = new Map<string, string>()
  for (const path of paths) {
    const policy = policies.excludedBy(path)
    if (policy !== undefined) excludedBy.set(path, policy)
  }
  const inExcluded = new Set([...paths].filter(isLeftOut))
  return {
    projects,
    notRead,
    installed: installed.filter((path) => !isLeftOut(path) && policies.excludedBy(`${path}/`) === undefined),
    inExcluded,
    excludedBy,
    policyNotes: policies.notes,
  }
}
