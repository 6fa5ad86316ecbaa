import type { FastifyRequest } from 'fastify'
import { groupOf, orgOf } from './request-context.ts'

/** An organization with its group, or a whole group. */
export interface OrgOrGroup {
  readonly groupId: string
  /** Null for a group. */
  readonly orgId: string | null
}

/** Differences between the same operations of organizations and of groups. */
export interface OwnerKind {
  readonly level: 'Org' | 'Group'
  readonly noun: string
  /** Path of the list, as routes spell it. */
  readonly path: string
  ownerOf(request: FastifyRequest): OrgOrGroup
  /** Path of the list of one owner, without `/rest`. */
  pathOf(owner: OrgOrGroup): string
}

/** Returns the kinds of owners for a list below their paths, such as `/memberships`. */
export function ownerKinds(list: string): { readonly org: OwnerKind; readonly group: OwnerKind } {
  return {
    org: {
      level: 'Org',
      noun: 'an organization',
      path: `/orgs/:org_id${list}`,
      ownerOf(request) {
        const { id, groupId } = orgOf(request)
        return { groupId, orgId: id }
      },
      pathOf: ({ orgId }) => `/orgs/${orgId}${list}`,
    },
    group: {
      level: 'Group',
      noun: 'a group',
      path: `/groups/:group_id${list}`,
      ownerOf: (request) => ({ groupId: groupOf(request).id, orgId: null }),
      pathOf: ({ groupId }) => `/groups/${groupId}${list}`,
    },
  }
}
