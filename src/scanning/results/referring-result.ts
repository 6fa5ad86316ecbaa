import { type Static, Type } from 'typebox'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { TestResult, Vulnerability } from './test-result.ts'

/** Members of a vulnerability that do not depend on the project, and that are most of its bytes. */
const DETAILS = ['description', 'credit', 'references'] as const

/** The details of one vulnerability in an answer of many projects. */
export const VulnerabilityDetails = Type.Pick(Vulnerability, [...DETAILS])
export type VulnerabilityDetails = Static<typeof VulnerabilityDetails>

export const ReferringVulnerability = Type.Omit(Vulnerability, [...DETAILS])
export type ReferringVulnerability = Static<typeof ReferringVulnerability>

/** A result in an answer of many projects, which has the details of each vulnerability once. */
export const ReferringResult = Type.Object({
  ...TestResult.properties,
  issues: Type.Object({
    ...TestResult.properties.issues.properties,
    vulnerabilities: Type.Array(ReferringVulnerability),
  }),
})
export type ReferringResult = Static<typeof ReferringResult>

nameSchemas({ VulnerabilityDetails, ReferringVulnerability, ReferringResult })

/** Moves the details of vulnerabilities out of a result: JSON by id, each once. */
export function splitDetails(result: TestResult): { result: ReferringResult; details: Map<string, string> } {
  const details = new Map<string, string>()
  const vulnerabilities = result.issues.vulnerabilities.map(({ description, credit, references, ...rest }) => {
    if (!details.has(rest.id)) details.set(rest.id, JSON.stringify({ description, credit, references }))
    return rest
  })
  return { result: { ...result, issues: { ...result.issues, vulnerabilities } }, details }
}
