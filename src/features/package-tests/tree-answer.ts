import { Type } from 'typebox'
import type { MemoryLease } from '#foundation/http/bodies/client-memory.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { Problem } from '#foundation/problem.ts'
import { ReferringResult, VulnerabilityDetails } from '#scanning/results/referring-result.ts'
import type { ProjectAnswer, TreeTest } from './test-tree.ts'

const MAX_PROJECTS = 1_000
/** Maximum size of an answer's results, except that it has at least one project. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024

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
      result: Type.Optional(ReferringResult),
      error: Type.Optional(
        Type.Object(
          { code: Type.String({ description: 'A stable code, for programs' }), message: Type.String() },
          { description: 'Reason for the missing result' },
        ),
      ),
    }),
    { description: 'Ordered by path' },
  ),
  advisories: Type.Record(Type.String(), VulnerabilityDetails, {
    description: 'The details of the vulnerabilities of all projects, by id',
  }),
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
  next: Type.Optional(
    Type.String({ description: 'The answer was full: the same request with this value as `after` tests the rest' }),
  ),
})

nameSchemas({ TreeResult })

/**
 * Writes the answer project by project, so that no more is tested than the client reads. Ends early, with the path
 * after which the client can continue, at the limits of an answer or of the server. Throws `Problem` only before the
 * first project.
 */
export async function* writeTreeAnswer(test: TreeTest, room: MemoryLease): AsyncGenerator<Buffer> {
  const written = { count: 0, bytes: 0, last: undefined as string | undefined, areOk: true }
  const details = new Map<string, string>()
  const answers = test.answers()
  try {
    for (;;) {
      const tested = await takeNext(answers, written.count)
      if (tested === undefined) break
      const part = writeProject(tested, written.count === 0 ? '{"projects":[' : ',')
      if (isFull(written, tested) || !takeRoom(room, part.length, written.count)) break
      written.count++
      written.bytes += part.length + addDetails(details, tested)
      written.last = tested.project.path
      written.areOk &&= isOk(tested)
      yield part
      room.free(part.length)
    }
  } finally {
    await answers.return(undefined)
  }
  const head = written.count === 0 ? '{"projects":[' : ''
  yield Buffer.from(`${head}],"advisories":${writeDetails(details)},${writeRest(test, written)}`)
}

interface Written {
  readonly count: number
  readonly bytes: number
  /** Path of the last project. */
  readonly last: string | undefined
  readonly areOk: boolean
}

/** Returns the next answer; undefined after the last one, or if the server cannot continue. */
async function takeNext(answers: AsyncGenerator<ProjectAnswer>, count: number): Promise<ProjectAnswer | undefined> {
  try {
    const { value } = await answers.next()
    return value as ProjectAnswer | undefined
  } catch (error) {
    if (count > 0 && error instanceof Problem && error.code === 'unavailable') return undefined
    throw error
  }
}

/** Returns true if the next answer must begin with this project. Projects of one path stay together. */
function isFull({ count, bytes, last }: Written, { project }: ProjectAnswer): boolean {
  return (count >= MAX_PROJECTS || bytes >= MAX_ANSWER_BYTES) && project.path !== last
}

function takeRoom(room: MemoryLease, bytes: number, count: number): boolean {
  try {
    room.add(bytes)
    return true
  } catch (error) {
    if (count === 0) throw error
    return false
  }
}

/** Adds the details that are new, and returns their size. */
function addDetails(details: Map<string, string>, { answer }: ProjectAnswer): number {
  let bytes = 0
  for (const [id, json] of ('body' in answer ? answer.details : undefined) ?? []) {
    if (details.has(id)) continue
    details.set(id, json)
    bytes += json.length
  }
  return bytes
}

function isOk({ answer }: ProjectAnswer): boolean {
  return 'body' in answer && answer.facts.ok
}

/** Adds the result, which is serialized JSON already. */
function writeProject(tested: ProjectAnswer, before: string): Buffer {
  const { project, answer } = tested
  const { path, ecosystem } = project
  const head = JSON.stringify({ path, packageManager: ecosystem, ok: isOk(tested) }).slice(0, -1)
  if ('body' in answer) {
    return Buffer.concat([Buffer.from(`${before}${head},"result":`), answer.body, Buffer.from('}')])
  }
  return Buffer.from(`${before}${head},"error":${JSON.stringify(toError(answer.problem))}}`)
}

export function toError({ code, faults }: { code: string; faults: readonly { readonly detail: string }[] }) {
  return { code, message: faults.map(({ detail }) => detail).join('; ') }
}

function writeDetails(details: ReadonlyMap<string, string>): string {
  return `{${[...details].map(([id, json]) => `${JSON.stringify(id)}:${json}`).join(',')}}`
}

function writeRest(test: TreeTest, { count, last, areOk }: Written): string {
  const { projects, leftOut, outOfScope, excluded, excludedByPolicy, policyNotes } = test
  const rest = projects.slice(count).map(({ path, ecosystem }) => ({
    path,
    packageManager: ecosystem,
    reason: 'The answer was full before it. Repeat the request with after set to the value of next',
  }))
  const all = [...leftOut, ...rest]
  return JSON.stringify({
    // Without a project, nothing was tested.
    ok: projects.length > 0 && all.length === 0 && areOk,
    leftOut: all,
    ...(outOfScope.length > 0 && { outOfScope }),
    excluded,
    ...(excludedByPolicy.length > 0 && { excludedByPolicy }),
    ...(policyNotes.length > 0 && { policyNotes }),
    ...(rest.length > 0 && { next: last }),
  }).slice(1)
}
