import { type Static, Type } from 'typebox'
import type { ExploitMaturity } from '#analysis/advisories/cvss.ts'
import type { ExploitSignals } from '#analysis/advisories/exploit-signals.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'

const Day = (description: string) => Type.Optional(Type.String({ format: 'date', description }))
const Share = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 1, description }))

/** Attributes about exploitation, which are extensions; unknown ones are absent. */
export const SignalAttributes = {
  is_exploited: Type.Optional(
    Type.Boolean({ description: 'Whether a catalog of exploited vulnerabilities lists it, or one of the group' }),
  ),
  exploited_since: Day('The earliest date of such a catalog entry'),
  exploit_due: Day('The earliest date until which such a catalog demands a fix'),
  has_exploit: Type.Optional(
    Type.Boolean({ description: 'Whether exploit code exists: a CVSS vector says so, or it is exploited' }),
  ),
  epss_score: Share('Probability of exploitation within 30 days (EPSS); absent if unknown'),
  epss_percentile: Share('Share of all scored vulnerabilities with this score or less'),
}
const Attributes = Type.Object(SignalAttributes)

export const RiskFactor = Type.Object({ name: Type.String(), points: Type.Integer(), description: Type.String() })

nameSchemas({ RiskFactor })

type Signals = { readonly [Name in keyof ExploitSignals]: ExploitSignals[Name] | undefined } & {
  readonly isExploited: boolean
  readonly exploitMaturity: ExploitMaturity
}

export function toSignalAttributes({
  isExploited,
  exploitedSince,
  exploitDue,
  epssScore,
  epssPercentile,
  exploitMaturity,
}: Signals): Static<typeof Attributes> {
  return {
    is_exploited: isExploited,
    ...(exploitedSince !== undefined && { exploited_since: exploitedSince }),
    ...(exploitDue !== undefined && { exploit_due: exploitDue }),
    has_exploit: exploitMaturity === 'mature',
    ...(epssScore !== undefined && { epss_score: epssScore }),
    ...(epssPercentile !== undefined && { epss_percentile: epssPercentile }),
  }
}
