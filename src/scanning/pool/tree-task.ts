import type { FileBeside } from '#analysis/discovery/projects-in-tree/tree.ts'
import type { TreeQuestion, TreeSurvey } from '../reading/survey-tree.ts'
import type { TestAnswer } from '../results/answer.ts'

/** A question about a tree, as a message for a test thread, which asks the main thread for the files. */
export interface TreeTask {
  readonly org: { readonly id: string }
  /** The paths of the tree, one a line: a single text is cheap to copy. */
  readonly paths: string
  readonly unusable: string
  readonly question: TreeQuestion
}

export type ReadFiles = (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>

export type TreeAnswer = TreeSurvey | readonly (readonly FileBeside[])[]

export type JobAnswer = TestAnswer | { readonly tree: TreeAnswer }
