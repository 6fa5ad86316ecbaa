import type { FastifyRequest } from 'fastify'
import { type OwnerKind, ownerKinds } from '#foundation/http/org-or-group.ts'
import { type AccessRule, groupOf, orgOf } from '#foundation/http/request-context.ts'

type Verb = 'read' | 'add' | 'edit' | 'delete'

export interface PlaceKind extends OwnerKind {
  /** The prefix of type names: `org_membership`, `org_role`. */
  readonly word: 'org' | 'group'
  /** Name of the role in `sort_by`. */
  readonly sortByRole: 'role' | 'role_name'
  readonly releases: { readonly list: readonly string[]; readonly one: readonly string[] }
  access(verb: Verb): AccessRule
  nameOf(request: FastifyRequest): string
}

const kinds = ownerKinds('/memberships')
const since = ['2024-05-09~experimental', '2024-08-25']

export const orgs: PlaceKind = {
  ...kinds.org,
  word: 'org',
  sortByRole: 'role',
  releases: { list: since, one: ['2024-06-06~experimental', '2024-08-25'] },
  access: (verb) => ({ org: [`org.user.${verb}`] }),
  nameOf: (request) => orgOf(request).name,
}

export const groups: PlaceKind = {
  ...kinds.group,
  word: 'group',
  sortByRole: 'role_name',
  releases: { list: since, one: since },
  access: (verb) => ({ group: [verb === 'add' ? 'group.user.create' : `group.user.${verb}`] }),
  nameOf: (request) => groupOf(request).name,
}
