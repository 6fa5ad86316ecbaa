/** Kinds of decision, as ignores name them. */
export const reasonTypes = ['not-vulnerable', 'wont-fix', 'temporary-ignore'] as const
export type ReasonType = (typeof reasonTypes)[number]

/** The name of policy files. */
export const POLICY_FILE = '.snyk'

/** The rules of one policy file. Every part that was not read has a note. */
export interface PolicyFile {
  readonly rules: readonly PolicyRule[]
  readonly exclusions: readonly PolicyExclusion[]
  /** Sentences about parts that are not applied. */
  readonly notes: readonly string[]
}

/** A decision to ignore an issue, as a policy file writes it. */
export interface PolicyRule {
  readonly issueId: string
  /** Canonical text of an `IgnorePath`. */
  readonly path: string
  /** Undefined if the file gives none. */
  readonly reason: string | undefined
  readonly reasonType: ReasonType
  readonly disregardIfFixable: boolean
  /** Epoch milliseconds; null for never. */
  readonly expiresAt: number | null
  /** Counted from 1. */
  readonly line: number
}

/** Files to exclude from tests. */
export interface PolicyExclusion {
  /** A glob relative to the file's folder. */
  readonly pattern: string
  readonly reason: string | undefined
  readonly expiresAt: number | null
  readonly line: number
}

/** An organization's decision on policy files. */
export const policySettings = ['allow', 'require-reason', 'forbid'] as const
export type PolicySetting = (typeof policySettings)[number]

const FORBIDDEN = 'The organization forbids policy files'

/** Returns the parts of a policy file that the setting allows; notes name the rest. */
export function applySetting(file: PolicyFile, setting: PolicySetting): PolicyFile {
  if (setting === 'allow') return file
  const { rules, exclusions, notes } = file
  if (setting === 'forbid') {
    const count = rules.length + exclusions.length
    const note = `${FORBIDDEN}, so ${count === 1 ? 'its rule was' : `its ${count} rules were`} not applied`
    return { rules: [], exclusions: [], notes: count === 0 ? notes : [note, ...notes] }
  }
  const hasReason = ({ reason }: { readonly reason: string | undefined }) => reason !== undefined
  const silent = [
    ...rules.map((rule) => ({ ...rule, what: `the ignore of ${rule.issueId}` })),
    ...exclusions.map((exclusion) => ({ ...exclusion, what: `the exclusion of ${exclusion.pattern}` })),
  ].filter((entry) => !hasReason(entry))
  const missing = silent.map(
    ({ what, line }) => `The organization requires a reason, so ${what} was not applied (line ${line})`,
  )
  return {
    rules: rules.filter(hasReason),
    exclusions: exclusions.filter(hasReason),
    notes: [...limitNotes(missing), ...notes],
  }
}

const MAX_NOTES = 20

/** Keeps the first notes and counts the others. */
export function limitNotes(notes: readonly string[]): readonly string[] {
  if (notes.length <= MAX_NOTES) return notes
  return [...notes.slice(0, MAX_NOTES), `${notes.length - MAX_NOTES} more parts were not applied`]
}
