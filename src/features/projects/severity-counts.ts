import type { Severity } from '#analysis/advisories/cvss.ts'

export type SeverityCounts = Readonly<Record<Severity, number>>

/** What one test found, as the history keeps it: issues that were not ignored then. */
export interface TestCounts {
  readonly vulnerabilities: SeverityCounts
  readonly licences: SeverityCounts
}

export const noIssues: SeverityCounts = { critical: 0, high: 0, medium: 0, low: 0 }

export function countBySeverity(issues: readonly { readonly severity: Severity }[]): SeverityCounts {
  const counts = { ...noIssues } as Record<Severity, number>
  for (const { severity } of issues) counts[severity]++
  return counts
}

export function sumOf(counts: SeverityCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}
