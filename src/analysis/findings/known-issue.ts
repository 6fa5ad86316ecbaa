import type { Severity } from '../advisories/cvss.ts'
import type { VulnerabilityFacts } from '../advisories/vulnerability.ts'

/** Issue data for lists and filters; descriptions stay with the advisories. */
export interface IssueFacts
  extends Omit<
    VulnerabilityFacts,
    | 'id'
    | 'title'
    | 'description'
    | 'severity'
    | 'references'
    | 'modificationTime'
    | 'functions'
    // These change every day for all packages, so they are looked up where they are needed.
    | 'epssScore'
    | 'epssPercentile'
  > {
  /** The package's name in the advisories. */
  readonly advisoryName: string
}

/** A vulnerability of one package version, independent of projects. */
export interface KnownIssue {
  readonly issueId: string
  readonly severity: Severity
  readonly title: string
  readonly facts: IssueFacts
}

/** Mildest first; stored as numbers from 1. */
export const severities = ['low', 'medium', 'high', 'critical'] as const satisfies readonly Severity[]

export function toSeverityNumber(severity: Severity): number {
  return severities.indexOf(severity) + 1
}

export function toSeverity(number: number): Severity {
  return severities[number - 1]!
}

export function toKnownIssue(facts: VulnerabilityFacts, advisoryName: string): KnownIssue {
  const { id, title, description: _, severity, references: __, modificationTime: ___, functions: ____, ...more } = facts
  const { epssScore: _____, epssPercentile: ______, ...rest } = more
  return { issueId: id, severity, title, facts: { ...rest, advisoryName } }
}
