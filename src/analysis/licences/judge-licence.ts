import type { Severity } from '../advisories/cvss.ts'
import { type LicenceExpression, writeLicence } from './licence-expression.ts'

/** How bad it is to use something under a licence; `none` is fine. */
export type LicenceVerdict = Severity | 'none'

export interface LicenceRule {
  /** An SPDX identifier, one WITH an exception, or a LicenseRef. */
  readonly licence: string
  readonly verdict: LicenceVerdict
  /** For the people who meet it. */
  readonly instructions?: string | undefined
}

/** What an organisation thinks of licences. */
export interface LicencePolicy {
  readonly rules: readonly LicenceRule[]
  /** For licences that no rule names. */
  readonly unlisted: LicenceVerdict
  /** For packages whose licence nobody tells, and for words that are no licence we know. */
  readonly unknown: LicenceVerdict
}

/** A licence of a package that the policy objects to. */
export interface LicenceOffence {
  /** An SPDX expression; undefined when it is not known. */
  readonly licence: string | undefined
  readonly severity: Severity
  readonly instructions: readonly string[]
}

const order: readonly LicenceVerdict[] = ['none', 'low', 'medium', 'high', 'critical']

export function isPermissive({ rules, unlisted, unknown }: LicencePolicy): boolean {
  return [unlisted, unknown, ...rules.map(({ verdict }) => verdict)].every((verdict) => verdict === 'none')
}

/**
 * What the policy has against an expression. All parts of an AND bind, so each is an offence of its own; of an OR one part
 * may be chosen, so it is one only when every part is, and as bad as the mildest.
 */
export function judgeLicence(expression: LicenceExpression | undefined, policy: LicencePolicy): LicenceOffence[] {
  if (expression === undefined || expression.kind === 'unknown') return offence(undefined, { verdict: policy.unknown })
  if (expression.kind === 'licence') return judgeOne(expression, policy)
  const judged = expression.parts.map((part) => judgeLicence(part, policy))
  if (expression.kind === 'and') return withoutRepeats(judged.flat())
  if (judged.some((offences) => offences.length === 0)) return []
  const [mildest] = judged.toSorted((a, b) => worstOf(a) - worstOf(b))
  const instructions = [...new Set(mildest!.flatMap((each) => each.instructions))]
  return [{ licence: writeLicence(expression), severity: order[worstOf(mildest!)] as Severity, instructions }]
}

/** A rule for the licence with its exception, or for this licence and later ones, goes before one for the plain licence. */
function judgeOne(
  licence: LicenceExpression & { kind: 'licence' },
  { rules, unlisted }: LicencePolicy,
): LicenceOffence[] {
  const text = writeLicence(licence)
  const names = [text, licence.id, licence.id.replace(/\+$/, '')]
  const rule = names.map((name) => rules.find((each) => each.licence === name)).find((each) => each !== undefined)
  return offence(text, rule ?? { verdict: unlisted })
}

function offence(
  licence: string | undefined,
  { verdict, instructions }: Pick<LicenceRule, 'verdict' | 'instructions'>,
): LicenceOffence[] {
  if (verdict === 'none') return []
  return [{ licence, severity: verdict, instructions: instructions === undefined ? [] : [instructions] }]
}

function worstOf(offences: readonly LicenceOffence[]): number {
  return Math.max(...offences.map(({ severity }) => order.indexOf(severity)))
}

function withoutRepeats(offences: readonly LicenceOffence[]): LicenceOffence[] {
  return offences.filter(({ licence }, at) => offences.findIndex((other) => other.licence === licence) === at)
}
