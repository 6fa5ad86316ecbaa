import type { Severity } from '#analysis/advisories/cvss.ts'

export type SeverityCounts = Readonly<Record<Severity, number>>

/** Findings of one test in the history: issues not ignored at that time. */
export interface TestCounts {
  readonly vulnerabilities: SeverityCounts
  readonly licenses: SeverityCounts
}

export interface IssueCounts {
  /** Current issues that are not ignored. */
  readonly open: SeverityCounts
  readonly ignored: SeverityCounts
}

export const noIssues: SeverityCounts = { critical: 0, high: 0, medium: 0, low: 0 }
export const noCounts: IssueCounts = { open: noIssues, ignored: noIssues }

export function countBySeverity(issues: readonly { readonly severity: Severity }[]): SeverityCounts {
  const counts = { ...noIssues } as Record<Severity, number>
  for (const { severity } of issues) counts[severity]++
  return counts
}

export function sumOf(counts: SeverityCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}
