import type { Place } from '#features/roles/assignable-role.ts'
import { addMembership, type Change } from './change-membership.ts'
import { listAllMembers } from './store.ts'

/** Makes the people of another place members of this one, with the same roles; the caller must hold what they give. */
export async function copyMembers(change: Change, from: Place): Promise<void> {
  for (const { user_id, role_id } of await listAllMembers(change.tx, from)) {
    await addMembership(change, { userId: user_id, roleId: role_id, maySee: async () => true })
  }
}
