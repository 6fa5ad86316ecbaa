import { Type } from 'typebox'
import type { TreeProject } from '#analysis/projects-in-tree/tree.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { Problem } from '#foundation/problem.ts'
import type { RepositorySource } from '#foundation/repositories/repository-source.ts'
import {
  type ChosenProjects,
  chooseProjects,
  type LeftOut,
  type ProjectChoice,
} from '#scanning/reading/choose-projects.ts'
import { openSourceTree, type SourceTree } from '#scanning/reading/source-tree.ts'
import { ownThread, type TreeReader } from '#scanning/reading/survey-tree.ts'
import type { ReadSubject } from '#scanning/reading/task.ts'
import type { TestAnswer } from '#scanning/results/answer.ts'
import { TestResult } from '#scanning/results/test-result.ts'

/** Maximum number of tested projects per request; further ones are listed as not tested. */
const MAX_PROJECTS = 200
/** Maximum size of the results per request; further projects are listed as not tested. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024
/** Concurrent tests of one request, so that other requests get threads too. */
const AT_ONCE = 4

const LeftOutProject = Type.Object({
  path: Type.String({ description: 'Path of the manifest, or of a file that belongs to one' }),
  packageManager: Type.Optional(Type.String({ description: 'The package manager, if known' })),
  reason: Type.String(),
})

/** The response of `POST /test/files`. */
export const TreeResult = Type.Object({
  ok: Type.Boolean({ description: 'True if every project is ok and none was left out' }),
  projects: Type.Array(
    Type.Object({
      path: Type.String({ description: 'Path of the manifest' }),
      packageManager: Type.String({ description: 'Id of the corresponding test: `/test/<id>`' }),
      ok: Type.Boolean(),
      result: Type.Optional(TestResult),
      error: Type.Optional(
        Type.Object(
          { code: Type.String({ description: 'A stable code, for programs' }), message: Type.String() },
          { description: 'Reason for the missing result' },
        ),
      ),
    }),
    { description: 'Ordered by path' },
  ),
  leftOut: Type.Array(LeftOutProject, { description: 'Projects that should have been tested but were not' }),
  outOfScope: Type.Optional(
    Type.Array(LeftOutProject, {
      description: 'Files and folders that no test of packages covers, such as folders of installed packages',
    }),
  ),
  excluded: Type.Integer({ description: 'Projects in folders that `exclude` names; they were not tested' }),
  excludedByPolicy: Type.Optional(
    Type.Array(LeftOutProject, { description: 'Projects that policy files exclude; they were not tested' }),
  ),
  policyNotes: Type.Optional(
    Type.Array(Type.String(), { description: 'Policy files whose exclusions were not applied, with the reasons' }),
  ),
})

nameSchemas({ TreeResult })

interface Wanted {
  readonly choice: ProjectChoice
  readonly signal: AbortSignal
  /** Reads the tree; without it, this thread does. */
  readonly reader?: TreeReader
  /** Tests one project; rejects with `Problem`. */
  test(ecosystem: string, subject: ReadSubject): Promise<TestAnswer>
  /** Called with an unexpected error, which fails only its project. */
  onError?(error: unknown, project: TreeProject): void
}

/** Finds the projects of a tree as imports do, tests each, and returns the response as JSON. */
export async function testTree(source: RepositorySource, wanted: Wanted): Promise<Buffer> {
  const { choice, signal, reader = ownThread } = wanted
  const tree = await openSourceTree(source, { more: new Set(choice.files), folder: choice.folder, signal, reader })
  const chosen = await chooseProjects(tree, choice)
  const { projects, leftOut: notRead, outOfScope, excluded, excludedByPolicy, policyNotes } = chosen
  const leftOut: LeftOut[] = [
    ...notRead,
    ...projects.slice(MAX_PROJECTS).map(({ path, ecosystem }) => ({
      path,
      packageManager: ecosystem,
      reason: `Only the first ${MAX_PROJECTS} projects of a request are tested`,
    })),
  ]
  if (projects.length + leftOut.length + outOfScope.length + excludedByPolicy.length === 0)
    throw nothingToTest(excluded, choice.exclusions)
  const tested = projects.slice(0, MAX_PROJECTS)
  await tree.relate(tested)
  return writeAnswer(await testAll(tree, tested, wanted), {
    leftOut,
    ...(outOfScope.length > 0 && { outOfScope }),
    excluded,
    ...(excludedByPolicy.length > 0 && { excludedByPolicy }),
    ...(policyNotes.length > 0 && { policyNotes }),
  })
}

function nothingToTest(excluded: number, exclusions: readonly string[]): Problem {
  const hint =
    excluded === 0
      ? 'Send manifests and lockfiles under their usual names, such as package.json; in a form, name the parts like this.'
      : `${excluded} are in excluded folders (${exclusions.join(', ')}); send exclude= to test them.`
  return new Problem('manifest-unreadable', `None of the files is the manifest of a testable project. ${hint}`)
}

interface Tested {
  readonly project: TreeProject
  readonly answer: TestAnswer
}

async function testAll(tree: SourceTree, projects: readonly TreeProject[], wanted: Wanted): Promise<Tested[]> {
  const tested: Tested[] = []
  let next = 0
  let bytes = 0
  async function takeTurns(): Promise<void> {
    for (let at = next++; at < projects.length; at = next++) {
      const project = projects[at]!
      const answer = bytes > MAX_ANSWER_BYTES ? tooMuch : await testOne(tree, project, wanted)
      if ('body' in answer) bytes += answer.body.length
      tested[at] = { project, answer }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, takeTurns))
  return tested
}

const tooMuch: TestAnswer = {
  problem: {
    code: 'test-too-expensive',
    faults: [{ detail: 'The results of earlier projects fill the response. Test this project separately' }],
  },
}

const failed: TestAnswer = {
  problem: {
    code: 'internal',
    faults: [{ detail: 'The test failed because of an error in Gatehouse. Report it with the files of this project' }],
  },
}

async function testOne(tree: SourceTree, project: TreeProject, { test, signal, onError }: Wanted): Promise<TestAnswer> {
  const read = await tree.readProject(project)
  if (read.problem !== undefined) {
    return { problem: { code: 'manifest-unreadable', faults: [{ detail: read.problem }] } }
  }
  try {
    return await test(project.ecosystem, read.subject)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof Problem)) {
      onError?.(error, project)
      return failed
    }
    // The server is overloaded or stopping: the client must repeat the whole request.
    if (error.code === 'unavailable') throw error
    return { problem: { code: error.code, faults: error.faults } }
  }
}

type Rest = Pick<ChosenProjects, 'leftOut' | 'excluded'> &
  Partial<Pick<ChosenProjects, 'outOfScope' | 'excludedByPolicy' | 'policyNotes'>>

/** Joins the results, which are serialized JSON already. */
function writeAnswer(tested: readonly Tested[], rest: Rest): Buffer {
  const isOk = ({ answer }: Tested) => 'body' in answer && answer.facts.ok
  // Without a project, nothing was tested.
  const ok = tested.length > 0 && rest.leftOut.length === 0 && tested.every(isOk)
  const parts: Uint8Array[] = [Buffer.from(`{"ok":${ok},"projects":[`)]
  for (const [at, each] of tested.entries()) {
    const { path, ecosystem } = each.project
    const head = JSON.stringify({ path, packageManager: ecosystem, ok: isOk(each) }).slice(0, -1)
    parts.push(Buffer.from(`${at === 0 ? '' : ','}${head},`))
    if ('body' in each.answer) parts.push(Buffer.from('"result":'), each.answer.body)
    else {
      const { code, faults } = each.answer.problem
      const message = faults.map(({ detail }) => detail).join('; ')
      parts.push(Buffer.from(`"error":${JSON.stringify({ code, message })}`))
    }
    parts.push(Buffer.from('}'))
  }
  parts.push(Buffer.from(`],${JSON.stringify(rest).slice(1)}`))
  return Buffer.concat(parts)
}
