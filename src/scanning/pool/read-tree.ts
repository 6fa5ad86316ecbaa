import type { FileBeside } from '#analysis/discovery/projects-in-tree/tree.ts'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import {
  ownThread,
  type SurveyedTree,
  type TreeQuestion,
  type TreeReader,
  type TreeSurvey,
} from '../reading/survey-tree.ts'
import type { PackedAnswer } from '../registries/answer-memory.ts'
import { orAborted } from '../registries/shared-work.ts'
import type { Job } from './pool-thread.ts'
import type { RunOptions, TestPool } from './test-pool.ts'
import type { ReadFiles, TreeAnswer, TreeTask } from './tree-task.ts'

/** Reads trees in the threads of the pool, for an organization. */
export function createTreeReader(pool: Pick<TestPool, 'readTree'>, org: string, options: RunOptions): TreeReader {
  async function ask(tree: SurveyedTree, question: TreeQuestion): Promise<TreeAnswer> {
    let failure: { readonly error: unknown } | undefined
    const read: ReadFiles = async (paths) => {
      try {
        return await tree.read(paths)
      } catch (error) {
        failure ??= { error }
        throw new RegistryUnreachable('the files of the tree cannot be read')
      }
    }
    const unusable = tree.unusable.map(({ path }) => path)
    const task = { org: { id: org }, paths: join(tree.paths), unusable: join(unusable), question }
    try {
      return await pool.readTree(task, { ...options, read })
    } catch (error) {
      // A thread does not report the cause.
      throw failure === undefined ? error : failure.error
    }
  }
  return {
    survey: async (tree, choice) => (await ask(tree, { kind: 'survey', choice })) as TreeSurvey,
    filesBeside: async (tree, projects) =>
      (await ask(tree, { kind: 'files-beside', projects })) as readonly (readonly FileBeside[])[],
  }
}

/** Answers a task in a test thread. */
export function answerTreeTask({ paths, unusable, question }: TreeTask, read: ReadFiles): Promise<TreeAnswer> {
  const tree = { paths: new Set(split(paths)), unusable: split(unusable).map((path) => ({ path })), read }
  return question.kind === 'survey'
    ? ownThread.survey(tree, question.choice)
    : ownThread.filesBeside(tree, question.projects)
}

/** Reads the files that a thread asks for. */
export async function readFor({ asking, read }: Job, files: readonly string[]): Promise<PackedAnswer> {
  if (read === undefined) throw new Error('a test thread asked for the files of a tree that it was not sent')
  return { value: await orAborted(read(files), asking.signal), stale: [] }
}

function join(paths: Iterable<string>): string {
  return [...paths].join('\n')
}

function split(paths: string): string[] {
  return paths === '' ? [] : paths.split('\n')
}
