import type { Severity } from '#analysis/advisories/cvss.ts'
import { severities } from '#analysis/findings/known-issue.ts'
import { countBySeverity, type IssueCounts, noIssues, type SeverityCounts } from '../severity-counts.ts'

/** Issues of a project that a test, an ignore or an advisory opened, fixed or ignored. */
export interface IssueFlow {
  readonly opened: SeverityCounts
  readonly fixed: SeverityCounts
  readonly ignored: SeverityCounts
  /** Fixed issues whose age is known, and the sum of their ages in milliseconds. */
  readonly timed: SeverityCounts
  readonly fixMs: SeverityCounts
}

export interface CountsChange {
  readonly before: IssueCounts
  readonly after: IssueCounts
  /** Present after a test, which compares the issues themselves. */
  readonly flow?: IssueFlow | undefined
}

/** The changes of one severity, as columns of the tables of trends. */
export interface Measures {
  /** The difference of open issues. */
  readonly change: number
  readonly opened: number
  readonly fixed: number
  readonly ignored: number
  readonly timed: number
  readonly fix_ms: number
}

/** Measures each severity; omits those without a change. */
export function measureChange({ before, after, flow }: CountsChange): Map<Severity, Measures> {
  const measured = severities.map((severity) => {
    const change = after.open[severity] - before.open[severity]
    const newlyIgnored = Math.max(0, after.ignored[severity] - before.ignored[severity])
    const fixed = flow?.fixed[severity] ?? 0
    const ignored = flow?.ignored[severity] ?? newlyIgnored
    const opened = flow?.opened[severity] ?? 0
    // Stored counts may be older than the test: newer advisories opened the others. Missing ones were withdrawn.
    const others = Math.max(0, change - (opened - fixed - ignored))
    const measures: Measures = {
      change,
      opened: opened + others,
      fixed,
      ignored,
      timed: flow?.timed[severity] ?? 0,
      fix_ms: flow?.fixMs[severity] ?? 0,
    }
    return [severity, measures] as const
  })
  return new Map(measured.filter(([, measures]) => Object.values(measures).some((value) => value !== 0)))
}

export interface FormerIssue {
  readonly severity: Severity
  readonly isIgnored: boolean
  /** Epoch milliseconds of first sight; undefined if unknown. */
  readonly since: number | undefined
}

export interface CurrentIssue {
  readonly issueId: string
  readonly severity: Severity
}

/** Compares a project's issues before and after a test; `ignored` are the ids of currently ignored issues. */
export function compareFindings(
  before: ReadonlyMap<string, FormerIssue>,
  { issues, ignored }: { issues: readonly CurrentIssue[]; ignored: ReadonlySet<string> },
  at: number,
): IssueFlow {
  const current = new Set(issues.map(({ issueId }) => issueId))
  const formerlyOpen = [...before].filter(([, { isIgnored }]) => !isIgnored)
  const fixed = formerlyOpen.flatMap(([issueId, issue]) => (current.has(issueId) ? [] : [issue]))
  const timed = fixed.filter(({ since }) => since !== undefined)
  const fixMs = { ...noIssues } as Record<Severity, number>
  for (const { severity, since } of timed) fixMs[severity] += Math.max(0, at - since!)
  return {
    opened: countBySeverity(
      issues.filter(({ issueId }) => !ignored.has(issueId) && before.get(issueId)?.isIgnored !== false),
    ),
    fixed: countBySeverity(fixed),
    ignored: countBySeverity(
      formerlyOpen.flatMap(([issueId, issue]) => (current.has(issueId) && ignored.has(issueId) ? [issue] : [])),
    ),
    timed: countBySeverity(timed),
    fixMs,
  }
}
