import type { ProjectBill } from '#features/reports/cyclonedx-of-projects.ts'
import type { LeftOut } from '#scanning/reading/choose-projects.ts'
import type { DeclarationPlace, TestResult } from '#scanning/results/test-result.ts'
import { ClientFailure } from './failure.ts'
import { UNREADABLE } from './to-failure.ts'

/** A result without the organization that it was tested for: the same on every server and without one. */
export type ProjectFindings = Omit<TestResult, 'org' | 'bill'>

export interface TestedProject {
  readonly path: string
  readonly packageManager: string
  readonly ok: boolean
  readonly result?: ProjectFindings
  /** CycloneDX, if it was asked for; JSON leaves it out. */
  readonly bill?: ProjectBill
  readonly error?: { readonly code: string; readonly message: string }
}

/** The outcome of `gatehouse test`, as `--json` prints it. */
export interface TestDocument {
  readonly ok: boolean
  readonly projects: readonly TestedProject[]
  readonly leftOut: readonly LeftOut[]
  /** Files and folders that no test of packages covers. */
  readonly outOfScope?: readonly LeftOut[]
  readonly excluded: number
  /** Files outside of the tested folder that its projects read: locks, settings and parents. */
  readonly readAround?: readonly string[]
  /** Projects that policy files exclude. */
  readonly excludedByPolicy?: readonly LeftOut[]
  /** Policy files that do not exclude what they name, and why. */
  readonly policyNotes?: readonly string[]
}

interface Answer extends TestDocument {
  readonly projects: readonly (TestedProject & { readonly result?: TestResult & { readonly bill?: ProjectBill } })[]
}

function parseAnswer(text: string): Answer {
  try {
    const answer = JSON.parse(text) as Answer
    if (Array.isArray(answer.projects) && Array.isArray(answer.leftOut)) return answer
  } catch {
    // Answers of other servers get the same sentence.
  }
  throw new ClientFailure(`The answer is not that of a test by Gatehouse. ${UNREADABLE}`)
}

/** Converts the answer of `POST /test/files`. */
export function toDocument(answer: string | Uint8Array): TestDocument {
  const { projects, ...rest } = parseAnswer(String(answer))
  const tested = projects.map(({ result, ...project }): TestedProject => {
    if (result === undefined) return project
    const { org: _org, bill, ...findings } = result
    // A part is accepted so that it has a result; what is incomplete is not ok.
    const ok = findings.ok && findings.coverage.complete
    return { ...project, ok, result: { ...findings, ok }, ...(bill && { bill }) }
  })
  return {
    ok: rest.leftOut.length === 0 && tested.length > 0 && tested.every((project) => project.ok),
    projects: tested,
    leftOut: rest.leftOut,
    ...(rest.outOfScope && { outOfScope: rest.outOfScope }),
    excluded: rest.excluded,
    ...(rest.excludedByPolicy && { excludedByPolicy: rest.excludedByPolicy }),
    ...(rest.policyNotes && { policyNotes: rest.policyNotes }),
  }
}

/** Joins the outcomes of several folders. */
export function joinDocuments(all: readonly TestDocument[]): TestDocument {
  const outOfScope = all.flatMap((each) => each.outOfScope ?? [])
  const excludedByPolicy = all.flatMap((each) => each.excludedByPolicy ?? [])
  const policyNotes = all.flatMap((each) => each.policyNotes ?? [])
  const readAround = [...new Set(all.flatMap((each) => each.readAround ?? []))]
  return {
    ok: all.every(({ ok }) => ok),
    projects: all.flatMap(({ projects }) => projects),
    leftOut: all.flatMap(({ leftOut }) => leftOut),
    ...(outOfScope.length > 0 && { outOfScope }),
    excluded: all.reduce((sum, each) => sum + each.excluded, 0),
    ...(excludedByPolicy.length > 0 && { excludedByPolicy }),
    ...(policyNotes.length > 0 && { policyNotes }),
    ...(readAround.length > 0 && { readAround }),
  }
}

/** Returns the outcome with other paths, as seen from another folder. */
export function movePaths(document: TestDocument, toPath: (path: string) => string): TestDocument {
  const move = <T extends { readonly path: string }>(each: T): T => ({ ...each, path: toPath(each.path) })
  const { outOfScope, excludedByPolicy, policyNotes, readAround } = document
  return {
    ...document,
    projects: document.projects.map((project) => withPaths(project, toPath)),
    leftOut: document.leftOut.map(move),
    ...(outOfScope && { outOfScope: outOfScope.map(move) }),
    ...(excludedByPolicy && { excludedByPolicy: excludedByPolicy.map(move) }),
    // A note begins with the path of its file.
    ...(policyNotes && { policyNotes: policyNotes.map(toPath) }),
    ...(readAround && { readAround: readAround.map(toPath) }),
  }
}

function withPaths(project: TestedProject, toPath: (path: string) => string): TestedProject {
  const moved = { ...project, path: toPath(project.path) }
  if (project.result === undefined) return moved
  const { vulnerabilities, licenses } = project.result.issues
  const move = <T extends { readonly declaration?: DeclarationPlace }>(issue: T): T =>
    issue.declaration === undefined
      ? issue
      : { ...issue, declaration: { ...issue.declaration, file: toPath(issue.declaration.file) } }
  const issues = { vulnerabilities: vulnerabilities.map(move), licenses: licenses.map(move) }
  return { ...moved, result: { ...project.result, issues } }
}
