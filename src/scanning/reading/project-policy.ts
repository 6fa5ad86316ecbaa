import { type Manifest, Unreadable } from '#analysis/ecosystems/ecosystem.ts'
import { applySetting, type PolicyRule, type PolicySetting } from '#analysis/policy-files/policy-file.ts'
import { isPolicyText, readPolicy } from '#analysis/policy-files/read-policy.ts'
import type { SentPolicy } from './task.ts'

/** The policy file of a project, as far as the organization lets it apply. */
export interface ProjectPolicy {
  readonly path: string
  readonly rules: readonly PolicyRule[]
  /** Sentences about parts that are not applied. */
  readonly notes: readonly string[]
}

export function readProjectPolicy(
  sent: SentPolicy | undefined,
  setting: PolicySetting = 'allow',
): ProjectPolicy | undefined {
  if (sent === undefined) return undefined
  if (sent.problem !== undefined) {
    return { path: sent.path, rules: [], notes: [`Nothing of it was applied: ${sent.problem}`] }
  }
  const { rules, notes } = applySetting({ ...readPolicy(sent.text), exclusions: [] }, setting)
  return { path: sent.path, rules, notes }
}

/** A manifest without the policy files among its additional files, which only requests have there. */
export interface Separated {
  readonly manifest: Manifest
  readonly policy: SentPolicy | undefined
  /** Restores the number that an additional file had. */
  numberOf(index: number): number
}

export function separatePolicy(manifest: Manifest): Separated {
  const { additional, places } = manifest
  const found = places === undefined ? additional.findIndex(isPolicyText) : -1
  if (found < 0) return { manifest, policy: undefined, numberOf: (index) => index }
  return {
    manifest: { ...manifest, additional: additional.filter((_, index) => index !== found) },
    policy: { path: `additional file ${found + 1}`, text: additional[found]! },
    numberOf: (index) => (index < found ? index : index + 1),
  }
}

/** Returns the error about a file under the number that the sender knows. */
export function renumbered(error: Unreadable, { numberOf }: Separated): Unreadable {
  if (error.file === 'target') return error
  return new Unreadable(error.message, { file: numberOf(error.file), line: error.line, cause: error })
}
