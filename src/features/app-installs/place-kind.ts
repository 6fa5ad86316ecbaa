import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Permission } from '#foundation/access/permissions.ts'
import { Uuid } from '#foundation/http/documents.ts'
import { type AccessRule, groupOf, orgOf } from '#foundation/http/request-context.ts'
import type { Place } from './store.ts'

type Verb = 'read' | 'install' | 'edit'

/** Differences between installs in organizations and in groups: paths and permissions. */
export interface PlaceKind {
  readonly level: 'Org' | 'Group'
  readonly noun: string
  /** Path of the list, as routes spell it. */
  readonly path: string
  readonly params: Readonly<Record<string, TSchema>>
  access(verb: Verb): AccessRule
  placeOf(request: FastifyRequest): Place
  /** Path of the list of one place, without `/rest`. */
  pathOf(place: Place): string
}

export const orgs: PlaceKind = {
  level: 'Org',
  noun: 'an organization',
  path: '/orgs/:org_id/apps/installs',
  params: { org_id: Uuid },
  access: (verb) => ({ org: [`org.app.${verb}` satisfies Permission] }),
  placeOf(request) {
    const { id, groupId } = orgOf(request)
    return { groupId, orgId: id }
  },
  pathOf: ({ orgId }) => `/orgs/${orgId}/apps/installs`,
}

export const groups: PlaceKind = {
  level: 'Group',
  noun: 'a group',
  path: '/groups/:group_id/apps/installs',
  params: { group_id: Uuid },
  access: (verb) => ({ group: [`group.app.${verb}` satisfies Permission] }),
  placeOf: (request) => ({ groupId: groupOf(request).id, orgId: null }),
  pathOf: ({ groupId }) => `/groups/${groupId}/apps/installs`,
}
