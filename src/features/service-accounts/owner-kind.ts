import type { FastifyRequest } from 'fastify'
import type { TObject, TSchema } from 'typebox'
import type { Permission } from '#foundation/access/permissions.ts'
import { Uuid } from '#foundation/http/documents.ts'
import { type AccessRule, groupOf, orgOf } from '#foundation/http/request-context.ts'
import { NewGroupAccount, NewOrgAccount } from './resource.ts'
import type { Owner } from './store.ts'

type Verb = 'create' | 'read' | 'edit' | 'delete'

/** Differences between accounts of organizations and of groups: paths and permissions. */
export interface OwnerKind {
  readonly level: 'Org' | 'Group'
  readonly noun: string
  /** Path of the list, as routes spell it. */
  readonly path: string
  readonly params: Readonly<Record<string, TSchema>>
  readonly NewAccount: TObject
  access(verb: Verb): AccessRule
  ownerOf(request: FastifyRequest): Owner
  /** Path of the list of one owner, without `/rest`. */
  pathOf(owner: Owner): string
}

export const orgs: OwnerKind = {
  level: 'Org',
  noun: 'an organization',
  path: '/orgs/:org_id/service_accounts',
  params: { org_id: Uuid },
  NewAccount: NewOrgAccount,
  access: (verb) => ({ org: [`org.service_account.${verb}` satisfies Permission] }),
  ownerOf(request) {
    const { id, groupId } = orgOf(request)
    return { groupId, orgId: id }
  },
  pathOf: ({ orgId }) => `/orgs/${orgId}/service_accounts`,
}

export const groups: OwnerKind = {
  level: 'Group',
  noun: 'a group',
  path: '/groups/:group_id/service_accounts',
  params: { group_id: Uuid },
  NewAccount: NewGroupAccount,
  access: (verb) => ({ group: [`group.service_account.${verb}` satisfies Permission] }),
  ownerOf: (request) => ({ groupId: groupOf(request).id, orgId: null }),
  pathOf: ({ groupId }) => `/groups/${groupId}/service_accounts`,
}
