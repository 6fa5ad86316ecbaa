import type { Severity } from '../advisories/cvss.ts'
import type { VulnerabilityFacts } from '../advisories/vulnerability.ts'

/** What lists and filters show of an issue, and what single issues are made of; descriptions stay with the advisories. */
export interface IssueFacts
  extends Omit<
    VulnerabilityFacts,
    'id' | 'title' | 'description' | 'severity' | 'references' | 'modificationTime' | 'functions'
  > {
  /** The name under which the advisories speak of the package. */
  readonly advisoryName: string
}

/** One vulnerability of one package version, whoever contains it. */
export interface KnownIssue {
  readonly issueId: string
  readonly severity: Severity
  readonly title: string
  readonly facts: IssueFacts
}

/** From the mildest; storage counts them from 1. */
export const severities = ['low', 'medium', 'high', 'critical'] as const satisfies readonly Severity[]

export function toSeverityNumber(severity: Severity): number {
  return severities.indexOf(severity) + 1
}

export function toSeverity(number: number): Severity {
  return severities[number - 1]!
}

export function toKnownIssue(facts: VulnerabilityFacts, advisoryName: string): KnownIssue {
  const { id, title, description: _, severity, references: __, modificationTime: ___, functions: ____, ...rest } = facts
  return { issueId: id, severity, title, facts: { ...rest, advisoryName } }
}
