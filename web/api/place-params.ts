import type { Place } from '../navigation/paths.ts'
import type { Id } from './client.ts'

/** Returns the id of an operation that organizations and groups have in common. */
export function idIn<OfOrg extends Id, OfGroup extends Id>({ kind }: Place, ofOrg: OfOrg, ofGroup: OfGroup) {
  return kind === 'orgs' ? ofOrg : ofGroup
}

/** Returns the parameters of such an operation, which uses the one in its path. */
export function paramsOf({ id }: Place) {
  return { org_id: id, group_id: id }
}
