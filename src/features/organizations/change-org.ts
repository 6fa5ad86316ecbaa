import { randomUUID } from 'node:crypto'
import { endAppsAround } from '#features/app-installs/leave-org.ts'
import { deleteCredentialsOfOrg } from '#features/credentials/store.ts'
import { copyMembers } from '#features/members/copy-members.ts'
import type { Permission } from '#foundation/access/permissions.ts'
import { type Change, recordAudit } from '#foundation/audit/record.ts'
import * as store from './store.ts'
import { insertWithFreeSlug } from './to-slug.ts'

interface OrgInput {
  readonly name: string
  readonly groupId: string
  /** The organization whose members are copied with their roles. */
  readonly membersOf?: string | undefined
  /** The caller's permissions in the group, hence in the new organization. */
  readonly permissions: ReadonlySet<Permission>
}

export async function createOrg(
  change: Change,
  { name, groupId, membersOf, permissions }: OrgInput,
): Promise<store.OrgRow> {
  const { tx, actor, at } = change
  const org = await insertWithFreeSlug(name, 'org', (slug) =>
    store.insertOrg(tx, { id: randomUUID(), groupId, name, slug, at }),
  )
  await recordAudit(change, { ...org, org_id: org.id }, { action: 'org.create', after: toAudited(org) })
  if (membersOf !== undefined) {
    await copyMembers({ tx, actor, permissions, at, place: { groupId, orgId: org.id } }, { groupId, orgId: membersOf })
  }
  return org
}

/** Renames an organization. Its slug stays, since links and scripts use it. */
export async function renameOrg(change: Change, id: string, name: string): Promise<store.OrgRow> {
  const before = await store.getOrg(change.tx, id)
  const org = await store.renameOrg(change.tx, id, { name, at: change.at })
  await recordAudit(
    change,
    { ...org, org_id: id },
    { action: 'org.update', before: toAudited(before), after: toAudited(org) },
  )
  return org
}

/**
 * Deletes an organization with everything in it. Its credentials are refused from the commit on. The audit log keeps
 * its events.
 */
export async function removeOrg(change: Change, id: string): Promise<void> {
  const org = await store.lockOrgForDeletion(change.tx, id)
  await endAppsAround(change, id)
  await deleteCredentialsOfOrg(change.tx, id)
  await store.deleteOrg(change.tx, id)
  await recordAudit(change, { ...org, org_id: id }, { action: 'org.delete', before: toAudited(org) })
}

function toAudited({ name, slug, group_id }: store.OrgRow): object {
  return { name, slug, group_id }
}
