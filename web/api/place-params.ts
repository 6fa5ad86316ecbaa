import type { Place } from '../navigation/paths.ts'

const nouns = { orgs: 'Org', groups: 'Group' } as const

/** Returns the noun in the ids of operations that organizations and groups have in common. */
export function nounOf({ kind }: Place) {
  return nouns[kind]
}

/** Returns the parameters of such an operation, which uses the one in its path. */
export function paramsOf({ id }: Place) {
  return { org_id: id, group_id: id }
}
