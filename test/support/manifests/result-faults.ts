import { problemCodes } from '#foundation/problem-codes.ts'
import type { TestResult } from '#scanning/results/test-result.ts'

interface Answer {
  readonly statusCode: number
  readonly body: string
}

/** Returns the fault of a test's answer; undefined without one. A refusal of an expensive test counts as a fault. */
export function faultOf(
  { statusCode, body }: Answer,
  accepts: 'complete' | 'partial' = 'complete',
): string | undefined {
  if (statusCode === 200) return faultInResult(JSON.parse(body) as TestResult, accepts)
  const { errorCode, message } = JSON.parse(body) as Record<string, string>
  const isRefusal = statusCode < 500 && problemCodes[errorCode as keyof typeof problemCodes]?.status === statusCode
  return isRefusal && errorCode !== 'test-too-expensive' ? undefined : `${statusCode} ${message}`
}

function faultInResult(
  { ok, issues, dependencyCount, coverage }: TestResult,
  accepts: 'complete' | 'partial',
): string | undefined {
  const { found: total, resolved, unresolved } = coverage.dependencies
  // A dependency counts once, though it may be resolved and still have an entry, or several entries.
  const isCounted = total >= resolved && total <= resolved + unresolved && (unresolved > 0 || total === resolved)
  if (!isCounted || resolved !== dependencyCount) return `${total} found: ${resolved}, ${unresolved}`
  if (unresolved !== coverage.unresolved.length) return `${unresolved} unresolved, ${coverage.unresolved.length} named`
  // The starter set has no advisories for some registries, and no result of theirs is complete.
  const lacksAdvisories = coverage.boundsMet.some((bound) => bound.startsWith('There are no advisories'))
  if (coverage.complete !== (unresolved === 0 && !lacksAdvisories)) return 'complete without being so'
  const isFine = coverage.complete || accepts === 'partial'
  if (ok !== (issues.vulnerabilities.length === 0 && isFine)) return 'a false ok'
  return undefined
}
