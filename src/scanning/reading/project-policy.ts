import { applySetting, type PolicyRule, type PolicySetting } from '#analysis/discovery/policy-files/policy-file.ts'
import { isPolicyText, readPolicy } from '#analysis/discovery/policy-files/read-policy.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { Manifest } from '#analysis/ecosystems/ecosystem.ts'
import type { SentPolicy } from './task.ts'

/** The policy file of a project, as far as the organization allows it to apply. */
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
    return { path: sent.path, rules: [], notes: [`Not applied: ${sent.problem}`] }
  }
  const { rules, notes } = applySetting({ ...readPolicy(sent.text), exclusions: [] }, setting)
  return { path: sent.path, rules, notes }
}

/** A manifest without the policy files that a request sent among its additional files. */
export interface Separated {
  readonly manifest: Manifest
  readonly policy: SentPolicy | undefined
  /** Returns the number that an additional file had in the request. */
  numberOf(index: number): number
}

export function separatePolicy(manifest: Manifest): Separated {
  const { additional, places } = manifest
  const position = places === undefined ? additional.findIndex(isPolicyText) : -1
  if (position < 0) return { manifest, policy: undefined, numberOf: (index) => index }
  return {
    manifest: { ...manifest, additional: additional.filter((_, index) => index !== position) },
    policy: { path: `additional file ${position + 1}`, text: additional[position]! },
    numberOf: (index) => (index < position ? index : index + 1),
  }
}

/** Returns the error with the file's number in the request. */
export function renumbered(error: Unreadable, { numberOf }: Separated): Unreadable {
  if (error.file === 'target') return error
  return new Unreadable(error.message, { file: numberOf(error.file), line: error.line, cause: error })
}
