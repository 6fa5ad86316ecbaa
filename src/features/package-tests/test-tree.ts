import type { TreeProject } from '#analysis/discovery/projects-in-tree/tree.ts'
import { Problem } from '#foundation/problem.ts'
import type { RepositorySource } from '#foundation/repositories/repository-source.ts'
import { type ChosenProjects, chooseProjects, type ProjectChoice } from '#scanning/reading/choose-projects.ts'
import { openSourceTree, type SourceTree } from '#scanning/reading/source-tree.ts'
import { ownThread, type TreeReader } from '#scanning/reading/survey-tree.ts'
import type { ReadSubject } from '#scanning/reading/task.ts'
import type { TestAnswer } from '#scanning/results/answer.ts'

interface TreeTestInput {
  readonly choice: ProjectChoice
  /** Tests only projects whose paths come after this one. */
  readonly after?: string | undefined
  /** Maximum number of concurrent tests, and of answers that wait to be taken. */
  readonly atOnce: number
  readonly signal: AbortSignal
  /** Reads the tree; without it, this thread does. */
  readonly reader?: TreeReader
  /** Tests one project; rejects with `Problem`. */
  test(ecosystem: string, subject: ReadSubject): Promise<TestAnswer>
  /** Called with an unexpected error, which fails only its project. */
  onError?(error: unknown, project: TreeProject): void
}

/** The projects of a tree, ordered by path, and their tests. */
export interface TreeTest extends ChosenProjects {
  /** Tests the projects, a few at once, and yields the answers in the order of the projects. */
  answers(): AsyncGenerator<ProjectAnswer>
}

export interface ProjectAnswer {
  readonly project: TreeProject
  readonly answer: TestAnswer
}

/** Finds the projects of a tree as imports do. Throws `Problem` if there is nothing to test. */
export async function openTreeTest(source: RepositorySource, input: TreeTestInput): Promise<TreeTest> {
  const { choice, after, signal, reader = ownThread } = input
  const tree = await openSourceTree(source, { more: new Set(choice.files), folder: choice.folder, signal, reader })
  const chosen = await chooseProjects(tree, choice)
  const { leftOut, outOfScope, excluded, excludedByPolicy } = chosen
  const { length } = chosen.projects
  if (length + leftOut.length + outOfScope.length + excludedByPolicy.length === 0)
    throw nothingToTest(excluded, choice.exclusions)
  const projects = chosen.projects.filter(({ path }) => after === undefined || path > after).sort(byPath)
  await tree.relate(projects)
  return { ...chosen, projects, answers: () => testInOrder(projects, tree, input) }
}

function byPath(one: TreeProject, other: TreeProject): number {
  return one.path < other.path ? -1 : one.path > other.path ? 1 : 0
}

function nothingToTest(excluded: number, exclusions: readonly string[]): Problem {
  const hint =
    excluded === 0
      ? 'Send manifests and lockfiles under their usual names, such as package.json; in a form, name the parts like this.'
      : `${excluded} are in excluded folders (${exclusions.join(', ')}); send exclude= to test them.`
  return new Problem('manifest-unreadable', `None of the files is the manifest of a testable project. ${hint}`)
}

async function* testInOrder(
  projects: readonly TreeProject[],
  tree: SourceTree,
  input: TreeTestInput,
): AsyncGenerator<ProjectAnswer> {
  const open: Promise<ProjectAnswer>[] = []
  let next = 0
  try {
    for (;;) {
      while (open.length < input.atOnce && next < projects.length) {
        const tested = testOne(projects[next++]!, tree, input)
        // Its failure counts when it is its turn.
        tested.catch(() => {})
        open.push(tested)
      }
      const [first] = open
      if (first === undefined) return
      yield await first
      open.shift()
    }
  } finally {
    // They read from the source, which the caller closes now.
    await Promise.allSettled(open)
  }
}

async function testOne(project: TreeProject, tree: SourceTree, input: TreeTestInput): Promise<ProjectAnswer> {
  const read = await tree.readProject(project)
  if (read.problem !== undefined) {
    return { project, answer: { problem: { code: 'manifest-unreadable', faults: [{ detail: read.problem }] } } }
  }
  try {
    return { project, answer: await input.test(project.ecosystem, read.subject) }
  } catch (error) {
    input.signal.throwIfAborted()
    if (!(error instanceof Problem)) {
      input.onError?.(error, project)
      return { project, answer: failed }
    }
    // The server is overloaded or stopping: the client must repeat the request.
    if (error.code === 'unavailable') throw error
    return { project, answer: { problem: { code: error.code, faults: error.faults } } }
  }
}

const failed: TestAnswer = {
  problem: {
    code: 'internal',
    faults: [{ detail: 'The test failed because of an error in Gatehouse. Report it with the files of this project' }],
  },
}
