import type { EffectivePermissions, Principal } from '#foundation/access/caller.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { listGroupIds } from './store.ts'

const needed = 'group.org.create'

/**
 * Returns the group of a new organization: the named one, or the only one in which the caller may create organizations.
 */
export async function getGroupForNewOrg(
  { db, access }: Pick<Services, 'db' | 'access'>,
  principal: Principal,
  groupId: string | undefined,
): Promise<EffectivePermissions> {
  if (groupId !== undefined) return requireCreation(await access.permissionsInGroup(principal, groupId), groupId)
  const candidates = []
  for (const id of await listGroupIds(db, principal.id)) {
    const effective = await access.permissionsInGroup(principal, id)
    if (effective?.permissions.has(needed)) candidates.push(effective)
  }
  if (candidates.length > 1) {
    throw new Problem('unprocessable', 'The caller can create organizations in several groups; name one in groupId', {
      source: { pointer: '/groupId' },
    })
  }
  return candidates[0] ?? refuse()
}

function requireCreation(effective: EffectivePermissions | undefined, groupId: string): EffectivePermissions {
  if (!effective) {
    throw new Problem(
      'not-found',
      `Group ${groupId} was not found or you may not have the correct permissions to access it.`,
      { source: { pointer: '/groupId' } },
    )
  }
  return effective.permissions.has(needed) ? effective : refuse()
}

function refuse(): never {
  throw new Problem('forbidden', `This needs the permission ${needed}, which the credential's role does not have`)
}
