import type { Severity } from '#analysis/advisories/cvss.ts'
import type { Epss } from '#analysis/advisories/exploit-signals.ts'
import { toScore } from '#analysis/advisories/severity.ts'
import type { IssueFacts } from '#analysis/findings/known-issue.ts'
import {
  comparePriority,
  type PriorityFacts,
  type ProjectContext,
  type Risk,
  toLicenseRisk,
  toRisk,
} from '#analysis/findings/priority.ts'

export interface RatedIssue {
  readonly severity: Severity
  /** Vulnerabilities only. */
  readonly facts?: Pick<IssueFacts, 'isExploited' | 'cvssScore' | 'fixedIn'>
  readonly epss?: Epss
  readonly isDirect: boolean
}

/** Returns the risk of a vulnerability in a project, or of a license issue. */
export function toIssueRisk(issue: RatedIssue, project?: ProjectContext): Risk {
  return issue.facts ? toRisk(toPriorityFacts(issue), project) : toLicenseRisk(issue.severity)
}

/** Compares issues of a project: vulnerabilities by their priority, license issues among them by severity. */
export function compareIssues(
  a: RatedIssue & { readonly id: string },
  b: RatedIssue & { readonly id: string },
): number {
  return comparePriority(toPriorityFacts(a), toPriorityFacts(b)) || (a.id < b.id ? -1 : 1)
}

function toPriorityFacts({ facts, severity, epss, isDirect }: RatedIssue): PriorityFacts {
  return {
    isExploited: facts?.isExploited ?? false,
    severity,
    epssScore: epss?.epssScore,
    cvssScore: facts ? toScore({ severity, cvssScore: facts.cvssScore }).cvssScore : 0,
    isDirect,
    hasFix: (facts?.fixedIn.length ?? 0) > 0,
  }
}
