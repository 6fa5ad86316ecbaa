import type { VulnerabilityFacts } from '#analysis/advisories/vulnerability.ts'
import type { Registry } from '#analysis/ecosystems/ecosystem.ts'
import type { AdvisoryHolder } from '#features/advisories/holder.ts'
import type { ProjectIssue } from './project-issues.ts'

export interface AdvisoryTexts {
  /** Markdown; empty when the advisories no longer hold it. */
  readonly description: string
  readonly references: readonly string[]
  readonly functions: VulnerabilityFacts['functions']
}

const UNKNOWN: AdvisoryTexts = { description: '', references: [], functions: [] }

/** What stays with the advisories, for those issues that are looked at. */
export function readTexts(
  holder: AdvisoryHolder,
  registry: Registry,
  issues: readonly Pick<ProjectIssue, 'id' | 'facts'>[],
): ReadonlyMap<string, AdvisoryTexts> {
  const { advisories, release } = holder.acquire()
  try {
    return new Map(
      issues.map(({ id, facts }) => {
        const record = advisories.findRecord(id)
        if (facts === undefined || record === undefined) return [id, UNKNOWN]
        const others = [...facts.ghsa, ...facts.cve, ...facts.otherIds]
          .map((other) => advisories.findRecord(other))
          .filter((other) => other !== undefined && other !== record)
        const match = { record, others: others as number[] }
        const { description, references, functions } = advisories.describe(match, {
          registry,
          name: facts.advisoryName,
        })
        return [id, { description, references: references.map(({ url }) => url), functions }]
      }),
    )
  } finally {
    release()
  }
}
