import type { OrgOrGroup } from '#foundation/http/org-or-group.ts'
import { addMembership, type MembershipChange } from './change-membership.ts'
import { listAllMembers } from './store.ts'

/** Adds the members of another place to this one, with the same roles, whose permissions the caller must have. */
export async function copyMembers(change: MembershipChange, from: OrgOrGroup): Promise<void> {
  for (const { user_id, role_id } of await listAllMembers(change.tx, from)) {
    await addMembership(change, { userId: user_id, roleId: role_id, maySee: async () => true })
  }
}
