export type GroupKind = 'vulnerability' | 'package'

/** The group of each key in each organization. */
export interface GroupsOfOrgs {
  readonly orgNumbers: readonly number[]
  readonly kind: GroupKind
  readonly keys: readonly string[]
}
