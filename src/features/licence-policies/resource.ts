import { type Static, Type } from 'typebox'
import type { LicencePolicy, LicenceRule } from '#analysis/licences/judge-licence.ts'
import { isKnown, parseLicence, writeLicence } from '#analysis/licences/licence-expression.ts'
import { resource, Timestamp, Uuid } from '#foundation/http/documents.ts'
import { proseText } from '#foundation/http/text.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import { type Fault, Problem } from '#foundation/problem.ts'
import type { StoredPolicy } from './store.ts'

const strict = { additionalProperties: false } as const

function verdict(description: string) {
  return Type.Enum(['none', 'low', 'medium', 'high', 'critical'], { description })
}

const UnlistedSeverity = verdict('What a licence means that no rule names; none allows it')
const UnknownSeverity = verdict('What it means that a package’s licence is not known; none allows it')

const Rule = Type.Object(
  {
    license: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'An SPDX identifier, also one WITH an exception, or a LicenseRef; common spellings are understood',
    }),
    severity: verdict('How bad it is to use something under it; none allows it'),
    instructions: Type.Optional(proseText(2000, 'For the people who meet it')),
  },
  strict,
)

const Rules = Type.Array(Rule, { maxItems: 1000, description: 'One for each licence' })

export const Policy = resource(
  'license_policy',
  Type.Object({
    rules: Rules,
    unlisted_severity: UnlistedSeverity,
    unknown_severity: UnknownSeverity,
    updated_at: Type.Union([Timestamp, Type.Null()], { description: 'Null for a policy that was never changed' }),
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

export function toResource(orgId: string, policy: LicencePolicy & Partial<StoredPolicy>): Static<typeof Policy> {
  return {
    id: orgId,
    type: 'license_policy',
    attributes: {
      ...toAttributes(policy),
      updated_at: policy.updatedAt === undefined ? null : toTimestamp(policy.updatedAt),
    },
  }
}

/** As the interface spells it. */
export function toAttributes({ rules, unlisted, unknown }: LicencePolicy) {
  return {
    rules: rules.map(({ licence, verdict: severity, instructions }) => ({
      license: licence,
      severity,
      ...(instructions !== undefined && { instructions }),
    })),
    unlisted_severity: unlisted,
    unknown_severity: unknown,
  }
}

/** What is to change. Throws 400 for what is no licence, and for two rules about one. */
export function parseChange({ rules, unlisted_severity, unknown_severity }: ChangedAttributes): Partial<LicencePolicy> {
  return {
    ...(rules !== undefined && { rules: parseRules(rules) }),
    ...(unlisted_severity !== undefined && { unlisted: unlisted_severity }),
    ...(unknown_severity !== undefined && { unknown: unknown_severity }),
  }
}

function parseRules(rules: readonly Static<typeof Rule>[]): LicenceRule[] {
  const faults: Fault[] = []
  const parsed = new Map<string, LicenceRule>()
  for (const [index, { license, severity, instructions }] of rules.entries()) {
    const pointer = `/data/attributes/rules/${index}/license`
    const licence = findOneLicence(license)
    if (licence === undefined) {
      const detail = `${pointer} must be one SPDX licence (https://spdx.org/licenses) or a LicenseRef, not an expression`
      faults.push({ detail, source: { pointer } })
    } else if (parsed.has(licence)) {
      faults.push({ detail: `${pointer} is named by another rule already`, source: { pointer } })
    } else parsed.set(licence, { licence, verdict: severity, ...(instructions !== undefined && { instructions }) })
  }
  if (faults.length > 0) throw new Problem('invalid-request', faults)
  return [...parsed.values()]
}

function findOneLicence(text: string): string | undefined {
  const expression = parseLicence(text)
  return expression?.kind === 'licence' && isKnown(expression) ? writeLicence(expression) : undefined
}
