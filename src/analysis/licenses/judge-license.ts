import type { Severity } from '../advisories/cvss.ts'
import { type LicenseExpression, writeLicense } from './license-expression.ts'

/** The severity of using a license; `none` is acceptable. */
export type LicenseVerdict = Severity | 'none'

export interface LicenseRule {
  /** An SPDX identifier, optionally WITH an exception, or a LicenseRef. */
  readonly license: string
  readonly verdict: LicenseVerdict
  /** Shown to readers of the finding. */
  readonly instructions?: string | undefined
}

/** An organization's rules for licenses. */
export interface LicensePolicy {
  readonly rules: readonly LicenseRule[]
  /** Verdict for licenses without a rule. */
  readonly unlisted: LicenseVerdict
  /** Verdict for missing and unrecognized licenses. */
  readonly unknown: LicenseVerdict
}

/** A license that violates the policy. */
export interface LicenseOffense {
  /** An SPDX expression; undefined if unknown. */
  readonly license: string | undefined
  readonly severity: Severity
  readonly instructions: readonly string[]
}

const order: readonly LicenseVerdict[] = ['none', 'low', 'medium', 'high', 'critical']

export function isPermissive({ rules, unlisted, unknown }: LicensePolicy): boolean {
  return [unlisted, unknown, ...rules.map(({ verdict }) => verdict)].every((verdict) => verdict === 'none')
}

/**
 * Returns the violations of an expression. Every part of an AND is binding and a violation of its own; of an OR one
 * part can be chosen, so it is a violation only if all parts are, with the mildest verdict.
 */
export function judgeLicense(expression: LicenseExpression | undefined, policy: LicensePolicy): LicenseOffense[] {
  if (expression === undefined || expression.kind === 'unknown') return offense(undefined, { verdict: policy.unknown })
  if (expression.kind === 'license') return judgeOne(expression, policy)
  const judged = expression.parts.map((part) => judgeLicense(part, policy))
  if (expression.kind === 'and') return withoutRepeats(judged.flat())
  if (judged.some((offenses) => offenses.length === 0)) return []
  const [mildest] = judged.toSorted((a, b) => worstOf(a) - worstOf(b))
  const instructions = [...new Set(mildest!.flatMap((licenseOffense) => licenseOffense.instructions))]
  return [{ license: writeLicense(expression), severity: order[worstOf(mildest!)] as Severity, instructions }]
}

/**
 * Judges one license. A rule for it with its exception, or for it or later versions, takes precedence over one for the
 * plain license.
 */
function judgeOne(
  license: LicenseExpression & { kind: 'license' },
  { rules, unlisted }: LicensePolicy,
): LicenseOffense[] {
  const text = writeLicense(license)
  const names = [text, license.id, license.id.replace(/\+$/, '')]
  const rule = names.map((name) => rules.find((rule) => rule.license === name)).find((rule) => rule !== undefined)
  return offense(text, rule ?? { verdict: unlisted })
}

function offense(
  license: string | undefined,
  { verdict, instructions }: Pick<LicenseRule, 'verdict' | 'instructions'>,
): LicenseOffense[] {
  if (verdict === 'none') return []
  return [{ license, severity: verdict, instructions: instructions === undefined ? [] : [instructions] }]
}

function worstOf(offenses: readonly LicenseOffense[]): number {
  return Math.max(...offenses.map(({ severity }) => order.indexOf(severity)))
}

function withoutRepeats(offenses: readonly LicenseOffense[]): LicenseOffense[] {
  return offenses.filter(({ license }, at) => offenses.findIndex((other) => other.license === license) === at)
}
