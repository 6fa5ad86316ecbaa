import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Place } from '#features/roles/assignable-role.ts'
import { Uuid } from '#foundation/http/documents.ts'
import { type AccessRule, groupOf, orgOf } from '#foundation/http/request-context.ts'

type Verb = 'read' | 'add' | 'edit' | 'delete'

/** Differences between members of organizations and of groups: paths, permissions, type names. */
export interface PlaceKind {
  readonly level: 'Org' | 'Group'
  readonly noun: string
  /** The prefix of type names: `org_membership`, `org_role`. */
  readonly word: 'org' | 'group'
  /** Path of the list, as routes spell it. */
  readonly path: string
  readonly params: Readonly<Record<string, TSchema>>
  /** Name of the role in `sort_by`. */
  readonly sortByRole: 'role' | 'role_name'
  readonly releases: { readonly list: readonly string[]; readonly one: readonly string[] }
  access(verb: Verb): AccessRule
  placeOf(request: FastifyRequest): Place
  nameOf(request: FastifyRequest): string
}

const since = ['2024-05-09~experimental', '2024-08-25']

export const orgs: PlaceKind = {
  level: 'Org',
  noun: 'an organization',
  word: 'org',
  path: '/orgs/:org_id/memberships',
  params: { org_id: Uuid },
  sortByRole: 'role',
  releases: { list: since, one: ['2024-06-06~experimental', '2024-08-25'] },
  access: (verb) => ({ org: [`org.user.${verb}`] }),
  placeOf(request) {
    const { id, groupId } = orgOf(request)
    return { groupId, orgId: id }
  },
  nameOf: (request) => orgOf(request).name,
}

export const groups: PlaceKind = {
  level: 'Group',
  noun: 'a group',
  word: 'group',
  path: '/groups/:group_id/memberships',
  params: { group_id: Uuid },
  sortByRole: 'role_name',
  releases: { list: since, one: since },
  access: (verb) => ({ group: [verb === 'add' ? 'group.user.create' : `group.user.${verb}`] }),
  placeOf: (request) => ({ groupId: groupOf(request).id, orgId: null }),
  nameOf: (request) => groupOf(request).name,
}
