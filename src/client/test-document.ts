import type { ProjectBill } from '#features/reports/cyclonedx-of-projects.ts'
import type { LeftOut } from '#scanning/reading/choose-projects.ts'
import type { ReferringResult, VulnerabilityDetails } from '#scanning/results/referring-result.ts'
import type { DeclarationPlace } from '#scanning/results/test-result.ts'
import { ClientFailure } from './failure.ts'
import { UNREADABLE } from './to-failure.ts'

/** A result without the organization that it was tested for: the same on every server and without one. */
export type ProjectFindings = Omit<ReferringResult, 'org' | 'bill'>

/** The details of vulnerabilities, by id. */
export type Details = Readonly<Record<string, VulnerabilityDetails>>

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
  readonly advisories: Details
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

/** An answer of `POST /test/files`, or of the same test without a server. */
export interface TreeAnswer extends Omit<TestDocument, 'ok' | 'projects'> {
  readonly projects: readonly AnsweredProject[]
  /** The path after which a full answer continues. */
  readonly next?: string
}

type AnsweredProject = TestedProject & { readonly result?: ReferringResult & { readonly bill?: ProjectBill } }

/** Parses an answer of `POST /test/files`. Throws `ClientFailure`. */
export function parseTreeAnswer(text: string): TreeAnswer {
  try {
    const answer = JSON.parse(text) as TreeAnswer
    if (Array.isArray(answer.projects) && Array.isArray(answer.leftOut)) return answer
  } catch {
    // Answers of other servers get the same sentence.
  }
  throw new ClientFailure(`The answer is not that of a test by Gatehouse. ${UNREADABLE}`)
}

/** Joins an answer and the one that continues it, whose `leftOut` no longer names the rest. */
export function joinAnswers(first: TreeAnswer, next: TreeAnswer): TreeAnswer {
  return {
    ...next,
    projects: [...first.projects, ...next.projects],
    advisories: { ...first.advisories, ...next.advisories },
  }
}

/** The projects that the client found. */
type Requested = readonly { readonly path: string; readonly packageManager: string }[]

/** Converts an answer. A project that was requested and is not in it counts as failed. */
export function toDocument(answer: TreeAnswer, requested: Requested): TestDocument {
  const { projects, advisories = {}, leftOut, outOfScope, excluded, excludedByPolicy, policyNotes } = answer
  const missing = listMissing(answer, requested)
  const failed = new Set(missing.map(keyOf))
  const tested = [...projects.map(withoutOrg), ...missing]
  const notTested = leftOut.filter((out) => !failed.has(keyOf(out)))
  return {
    ok: notTested.length === 0 && tested.length > 0 && tested.every((project) => project.ok),
    projects: tested,
    advisories,
    leftOut: notTested,
    ...(outOfScope && { outOfScope }),
    excluded,
    ...(excludedByPolicy && { excludedByPolicy }),
    ...(policyNotes && { policyNotes }),
  }
}

function withoutOrg({ result, ...project }: AnsweredProject): TestedProject {
  if (result === undefined) return project
  const { org: _org, bill, ...findings } = result
  // A part is accepted so that it has a result; what is incomplete is not ok.
  const ok = findings.ok && findings.coverage.complete
  return { ...project, ok, result: { ...findings, ok }, ...(bill && { bill }) }
}

function listMissing(answer: TreeAnswer, requested: Requested): TestedProject[] {
  const { projects, leftOut, excludedByPolicy = [] } = answer
  const answered = new Set([...projects, ...excludedByPolicy].map(keyOf))
  const reasons = new Map(leftOut.map((out) => [keyOf(out), out.reason]))
  return requested
    .filter((project) => !answered.has(keyOf(project)))
    .map((project) => {
      const message = reasons.get(keyOf(project)) ?? 'The answer does not contain it. Update the server'
      return { ...project, ok: false, error: { code: 'not-tested', message } }
    })
}

function keyOf({ path, packageManager }: { readonly path: string; readonly packageManager?: string }): string {
  return JSON.stringify([path, packageManager])
}

/** Joins the outcomes of several folders. */
export function joinDocuments(all: readonly TestDocument[]): TestDocument {
  const outOfScope = all.flatMap((document) => document.outOfScope ?? [])
  const excludedByPolicy = all.flatMap((document) => document.excludedByPolicy ?? [])
  const policyNotes = all.flatMap((document) => document.policyNotes ?? [])
  const readAround = [...new Set(all.flatMap((document) => document.readAround ?? []))]
  return {
    ok: all.every(({ ok }) => ok),
    projects: all.flatMap(({ projects }) => projects),
    advisories: Object.assign({}, ...all.map(({ advisories }) => advisories)) as Details,
    leftOut: all.flatMap(({ leftOut }) => leftOut),
    ...(outOfScope.length > 0 && { outOfScope }),
    excluded: all.reduce((sum, document) => sum + document.excluded, 0),
    ...(excludedByPolicy.length > 0 && { excludedByPolicy }),
    ...(policyNotes.length > 0 && { policyNotes }),
    ...(readAround.length > 0 && { readAround }),
  }
}

/** Returns the outcome with other paths, as seen from another folder. */
export function movePaths(document: TestDocument, toPath: (path: string) => string): TestDocument {
  const move = <T extends { readonly path: string }>(entry: T): T => ({
    ...entry,
    path: toPath(entry.path),
  })
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
