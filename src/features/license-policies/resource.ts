import { type Static, Type } from 'typebox'
import type { LicensePolicy, LicenseRule } from '#analysis/licenses/judge-license.ts'
import { isKnown, parseLicense, writeLicense } from '#analysis/licenses/license-expression.ts'
import { resource, Timestamp, Uuid } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { proseText } from '#foundation/http/text.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import { type Fault, Problem } from '#foundation/problem.ts'
import type { StoredPolicy } from './store.ts'

const strict = { additionalProperties: false } as const

function verdict(description: string) {
  return Type.Enum(['none', 'low', 'medium', 'high', 'critical'], { description })
}

const UnlistedSeverity = verdict('Severity of licenses without a rule; none allows them')
const UnknownSeverity = verdict('Severity of packages with an unknown license; none allows them')

const Rule = Type.Object(
  {
    license: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'An SPDX identifier, optionally WITH an exception, or a LicenseRef; common spellings are accepted',
    }),
    severity: verdict('Severity of packages under this license; none allows them'),
    instructions: Type.Optional(proseText(2000, 'Shown with issues of this license')),
  },
  strict,
)

const Rules = Type.Array(Rule, { maxItems: 1000, description: 'At most one rule per license' })

export const Policy = resource(
  'license_policy',
  Type.Object({
    rules: Rules,
    unlisted_severity: UnlistedSeverity,
    unknown_severity: UnknownSeverity,
    updated_at: Type.Union([Timestamp, Type.Null()], { description: 'Null if the policy was never changed' }),
  }),
)

const ChangedAttributes = Type.Object(
  {
    rules: Type.Optional(Rules),
    unlisted_severity: Type.Optional(UnlistedSeverity),
    unknown_severity: Type.Optional(UnknownSeverity),
  },
  { ...strict, minProperties: 1 },
)
type ChangedAttributes = Static<typeof ChangedAttributes>

export const ChangedPolicy = Type.Object(
  {
    data: Type.Object(
      { id: Type.Optional(Uuid), type: Type.Literal('license_policy'), attributes: ChangedAttributes },
      strict,
    ),
  },
  strict,
)

nameSchemas({ LicenseRule: Rule, Policy, ChangedLicensePolicy: ChangedPolicy })

export function toResource(orgId: string, policy: LicensePolicy & Partial<StoredPolicy>): Static<typeof Policy> {
  return {
    id: orgId,
    type: 'license_policy',
    attributes: {
      ...toAttributes(policy),
      updated_at: policy.updatedAt === undefined ? null : toTimestamp(policy.updatedAt),
    },
  }
}

export function toAttributes({ rules, unlisted, unknown }: LicensePolicy) {
  return {
    rules: rules.map(({ license, verdict: severity, instructions }) => ({
      license,
      severity,
      ...(instructions !== undefined && { instructions }),
    })),
    unlisted_severity: unlisted,
    unknown_severity: unknown,
  }
}

/** Parses a change. Throws 400 for unknown licenses and duplicate rules. */
export function parseChange({ rules, unlisted_severity, unknown_severity }: ChangedAttributes): Partial<LicensePolicy> {
  return {
    ...(rules !== undefined && { rules: parseRules(rules) }),
    ...(unlisted_severity !== undefined && { unlisted: unlisted_severity }),
    ...(unknown_severity !== undefined && { unknown: unknown_severity }),
  }
}

function parseRules(rules: readonly Static<typeof Rule>[]): LicenseRule[] {
  const faults: Fault[] = []
  const parsed = new Map<string, LicenseRule>()
  for (const [index, rule] of rules.entries()) {
    const pointer = `/data/attributes/rules/${index}/license`
    const license = findOneLicense(rule.license)
    if (license === undefined) {
      const detail = `${pointer} must be one SPDX license (https://spdx.org/licenses) or a LicenseRef, not an expression`
      faults.push({ detail, source: { pointer } })
    } else if (parsed.has(license)) {
      faults.push({ detail: `${pointer} repeats another rule`, source: { pointer } })
    } else parsed.set(license, toRule(license, rule))
  }
  if (faults.length > 0) throw new Problem('invalid-request', faults)
  return [...parsed.values()]
}

function toRule(license: string, { severity, instructions }: Static<typeof Rule>): LicenseRule {
  return { license, verdict: severity, ...(instructions !== undefined && { instructions }) }
}

function findOneLicense(text: string): string | undefined {
  const expression = parseLicense(text)
  return expression?.kind === 'license' && isKnown(expression) ? writeLicense(expression) : undefined
}
