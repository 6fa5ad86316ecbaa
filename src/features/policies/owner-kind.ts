import type { Permission } from '#foundation/access/permissions.ts'
import { ownerKinds, type OwnerKind as Paths } from '#foundation/http/org-or-group.ts'
import type { AccessRule } from '#foundation/http/request-context.ts'

type Verb = 'create' | 'read' | 'edit' | 'delete'

export interface OwnerKind extends Paths {
  access(verb: Verb): AccessRule
}

const kinds = ownerKinds('/policies')
const read: readonly Permission[] = ['org.project.read', 'org.project.ignore.read']

export const orgs: OwnerKind = {
  ...kinds.org,
  access: (verb) => ({ org: verb === 'read' ? read : [...read, `org.project.ignore.${verb}`] }),
}

/** A group's policies concern all of its organizations, so only those who may change the group change them. */
export const groups: OwnerKind = {
  ...kinds.group,
  access: (verb) => ({ group: [verb === 'read' ? 'group.read' : 'group.edit'] }),
}
