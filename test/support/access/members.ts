import { groupViewer, orgCollaborator } from '#foundation/access/built-in-roles.ts'
import type { Permission } from '#foundation/access/permissions.ts'
import type { TestApp } from '../servers/app.ts'

export type Word = 'org' | 'group'

/** The two kinds of places that people are members of, as tests address them. */
export interface Tenancy {
  readonly word: Word
  readonly defaultRole: string
  id(app: TestApp): string
  keyWith(app: TestApp, permissions: readonly Permission[]): Promise<string>
  permission(verb: 'read' | 'add' | 'edit' | 'delete'): Permission
}

export const places: readonly Tenancy[] = [
  {
    word: 'org',
    defaultRole: orgCollaborator.id,
    id: (app) => app.orgId,
    keyWith: (app, permissions) => app.keyWith(permissions),
    permission: (verb) => `org.user.${verb}`,
  },
  {
    word: 'group',
    defaultRole: groupViewer.id,
    id: (app) => app.groupId,
    keyWith: (app, permissions) => app.keyWith(permissions, { groupId: app.groupId }),
    permission: (verb) => (verb === 'add' ? 'group.user.create' : `group.user.${verb}`),
  },
]

export const ref = (type: string, id: string) => ({ data: { type, id } })
/** A body that makes a user a member. */
export const membership = (word: Word, userId: string, roleId: string) => ({
  data: {
    type: `${word}_membership`,
    relationships: { user: ref('user', userId), role: ref(`${word}_role`, roleId) },
  },
})
/** A body that gives a member another role. */
export const another = (word: Word, roleId: string, more: object = {}) => ({
  data: { type: `${word}_membership`, ...more, relationships: { role: ref(`${word}_role`, roleId) } },
})
