import type { ConsoleScope } from '../navigation/paths.ts'
import type { Id } from './client.ts'

/** Returns the id of an operation that organizations and groups have in common. */
export function idIn<OfOrg extends Id, OfGroup extends Id>({ kind }: ConsoleScope, ofOrg: OfOrg, ofGroup: OfGroup) {
  return kind === 'orgs' ? ofOrg : ofGroup
}

/** Returns the parameters of such an operation, which uses the one in its path. */
export function paramsOf({ id }: ConsoleScope) {
  return { org_id: id, group_id: id }
}
