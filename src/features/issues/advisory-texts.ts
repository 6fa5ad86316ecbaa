import type { VulnerabilityFacts } from '#analysis/advisories/vulnerability.ts'
import type { AdvisoryHolder } from '#scanning/advisories/advisory-holder.ts'
import type { PackageManager } from '#scanning/reading/package-managers.ts'
import { managerOfPlace, type ProjectIssue } from './project-issues.ts'

export interface AdvisoryTexts {
  /** Markdown; empty if the advisories no longer contain it. */
  readonly description: string
  readonly references: readonly string[]
  readonly functions: VulnerabilityFacts['functions']
}

const UNKNOWN: AdvisoryTexts = { description: '', references: [], functions: [] }

interface TextsInput {
  readonly manager: PackageManager
  readonly issues: readonly Pick<ProjectIssue, 'id' | 'facts' | 'places'>[]
}

export function readTexts(holder: AdvisoryHolder, { manager, issues }: TextsInput): ReadonlyMap<string, AdvisoryTexts> {
  const { advisories, release } = holder.acquire()
  try {
    return new Map(
      issues.map(({ id, facts, places }) => {
        const record = advisories.findRecord(id)
        if (facts === undefined || record === undefined) return [id, UNKNOWN]
        const others = [...facts.ghsa, ...facts.cve, ...facts.otherIds]
          .map((other) => advisories.findRecord(other))
          .filter((other) => other !== undefined && other !== record)
        const match = { record, others: others as number[] }
        const { description, references, functions } = advisories.describe(match, {
          registry: managerOfPlace({ manager }, places[0]).registry,
          name: facts.advisoryName,
        })
        return [id, { description, references: references.map(({ url }) => url), functions }]
      }),
    )
  } finally {
    release()
  }
}
