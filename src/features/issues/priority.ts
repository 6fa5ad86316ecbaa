import type { Severity } from '#analysis/advisories/cvss.ts'
import type { IssueFacts } from '#analysis/findings/known-issue.ts'
import type { ProjectIssue } from './project-issues.ts'

export interface Priority {
  /** 0 to 1000. */
  readonly score: number
  readonly factors: readonly { readonly name: string; readonly description: string }[]
}

/** Scores of severities without a numeric rating. */
const scores: Readonly<Record<Severity, number>> = { critical: 9.5, high: 8, medium: 5.5, low: 2.5 }
const POINTS_PER_CVSS = 75
const EXPLOITED = 150
const PROVED = 75
const FIXABLE = 100

/** Computes a sum that users can verify: severity, exploitation and available fixes. */
export function toPriority(
  { facts, severity }: Pick<ProjectIssue, 'facts' | 'severity'>,
  { isFixable }: { readonly isFixable: boolean },
): Priority {
  const score = facts?.cvssScore ?? scores[severity]
  const parts = [
    {
      name: 'severity',
      points: Math.round(score * POINTS_PER_CVSS),
      description: facts?.cvssScore === undefined ? `Rated ${severity}` : `CVSS ${score}`,
    },
    ...exploit(facts),
    ...(isFixable ? [{ name: 'isFixable', points: FIXABLE, description: 'Has a fix' }] : []),
  ]
  return {
    score: parts.reduce((sum, { points }) => sum + points, 0),
    factors: parts.map(({ name, description, points }) => ({ name, description: `${description} (${points})` })),
  }
}

function exploit(facts: Pick<IssueFacts, 'exploitMaturity' | 'isExploited'> | undefined) {
  const name = 'exploitMaturity'
  if (facts?.isExploited) return [{ name, points: EXPLOITED, description: 'Is being exploited' }]
  const hasExploit = facts?.exploitMaturity === 'mature' || facts?.exploitMaturity === 'proof-of-concept'
  return hasExploit ? [{ name, points: PROVED, description: 'An exploit exists' }] : []
}
