import { exitCodes } from './failure.ts'
import { type Finding, listFindings } from './findings.ts'
import type { TestDocument } from './test-document.ts'

export const failOnValues = ['all', 'upgradable', 'exploited'] as const
export type FailOn = (typeof failOnValues)[number]

export interface VerdictOptions {
  /** The issues that fail the test. */
  readonly failOn: FailOn
  /** Incomplete coverage fails the test. */
  readonly isStrict: boolean
}

const failing: Readonly<Record<FailOn, (finding: Finding) => boolean>> = {
  all: () => true,
  upgradable: ({ isFixable }) => isFixable,
  exploited: ({ isExploited }) => isExploited,
}

/** Returns the exit code. Issues take precedence over projects that could not be tested; no project is no success. */
export function judge(document: TestDocument, { failOn, isStrict }: VerdictOptions): number {
  const { projects } = document
  if (projects.length === 0) return exitCodes.nothingToTest
  if (projects.some((project) => listFindings(project).some(failing[failOn]))) return exitCodes.issues
  if (projects.some(({ error }) => error !== undefined)) return exitCodes.failure
  const isBlind = failOn === 'exploited' && listMissingKinds(document).includes('kev')
  if (isStrict && (isBlind || !isComplete(document))) return exitCodes.failure
  return exitCodes.clean
}

/** Returns true if everything that should be tested was, and anything at all. */
export function isComplete({ projects, leftOut }: TestDocument): boolean {
  return (
    leftOut.length === 0 && projects.length > 0 && projects.every(({ result }) => result?.coverage.complete === true)
  )
}

/** Lists the kinds of exploit data that the tests lacked; servers of earlier versions do not tell. */
export function listMissingKinds({ projects }: TestDocument): ('kev' | 'epss')[] {
  const sources = projects.flatMap(({ result }) => result?.coverage.advisories.exploitSources ?? [])
  const isTold = projects.some(({ result }) => result?.coverage.advisories.exploitSources !== undefined)
  if (!isTold) return []
  return (['kev', 'epss'] as const).filter((kind) => sources.every((source) => source.kind !== kind))
}
