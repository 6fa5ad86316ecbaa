import assert from 'node:assert/strict'
import { issueCredential } from '#features/credentials/issue-credential.ts'
import type { Permission } from '#foundation/access/permissions.ts'
import type { TestApp } from '../servers/app.ts'
import { type Attempt, addRole, addUser, newRole, newUser, theirs } from './attempts.ts'
import { another, membership, places } from './members.ts'
import { addIdentity, addProvider } from './sign-on.ts'

export function attemptsOnPeople(app: () => TestApp): Attempt[] {
  return [...onMemberships(app), ...onRoles(app), ...onUsers(app)]
}

function onMemberships(app: () => TestApp): Attempt[] {
  return places.flatMap(({ word, permission, ...place }): Attempt[] => {
    const list = `/rest/${word}s/:${word}_id/memberships`
    const path = () => `/rest/${word}s/${place.id(app())}/memberships`
    const made = async (permissions: readonly Permission[]) => {
      const answer = await app().call('POST', path(), {
        body: membership(word, await addUser(app()), await addRole(app(), permissions)),
      })
      assert.equal(answer.statusCode, 201, answer.body)
      return `${path()}/${answer.json().data.id}`
    }
    const gives = (what: string, before: readonly Permission[], later: readonly Permission[]): Attempt => ({
      ...{ word, permission: permission('edit'), operation: `PATCH ${list}/:membership_id`, what, authority: theirs },
      async send(key) {
        const target = await made(before)
        return app().call('PATCH', target, { key, body: another(word, await addRole(app(), later)) })
      },
    })
    return [
      {
        ...{ word, permission: permission('add'), operation: `POST ${list}`, what: 'adds a role', authority: theirs },
        async send(key) {
          const body = membership(word, await addUser(app()), await addRole(app(), theirs))
          return app().call('POST', path(), { key, body })
        },
      },
      gives('promotes a member', [], theirs),
      gives('demotes a member with more permissions', theirs, []),
      {
        ...{ word, permission: permission('delete'), operation: `DELETE ${list}/:membership_id` },
        ...{ what: 'removes a member with more permissions', authority: theirs },
        send: async (key) => app().call('DELETE', await made(theirs), { key }),
      },
    ]
  })
}

function onRoles(app: () => TestApp): Attempt[] {
  const list = '/rest/groups/:group_id/roles'
  const path = () => `/rest/groups/${app().groupId}/roles`
  const edits = (what: string, before: readonly Permission[], later: readonly Permission[]): Attempt => ({
    ...{ word: 'group', permission: 'group.role.edit', operation: `PATCH ${list}/:role_id`, what, authority: theirs },
    async send(key) {
      const id = await addRole(app(), before)
      const body = { data: { id, type: 'role', attributes: { permissions: later } } }
      return app().call('PATCH', `${path()}/${id}`, { key, body })
    },
  })
  return [
    {
      ...{ word: 'group', permission: 'group.role.create', operation: `POST ${list}`, what: 'creates a role' },
      authority: theirs,
      send: (key) => app().call('POST', path(), { key, body: newRole(theirs) }),
    },
    edits('adds permissions', ['group.role.edit'], ['group.role.edit', ...theirs]),
    edits('removes permissions', ['group.role.edit', ...theirs], ['group.role.edit']),
    {
      ...{ word: 'group', permission: 'group.role.delete', operation: `DELETE ${list}/:role_id` },
      what: 'deletes a role without members',
      send: async (key) => app().call('DELETE', `${path()}/${await addRole(app(), theirs)}`, { key }),
    },
  ]
}

function onUsers(app: () => TestApp): Attempt[] {
  const list = '/rest/groups/:group_id/users'
  const path = () => `/rest/groups/${app().groupId}/users`
  const made = async () => {
    const id = await addUser(app())
    const body = membership('group', id, await addRole(app(), theirs))
    const answer = await app().call('POST', `/rest/groups/${app().groupId}/memberships`, { body })
    assert.equal(answer.statusCode, 201, answer.body)
    return id
  }
  const edits = (what: string, attributes: object, authority: readonly Permission[] = []): Attempt => ({
    ...{ word: 'group', permission: 'group.user.edit', operation: `PATCH ${list}/:user_id`, what, authority },
    async send(key) {
      const id = await made()
      return app().call('PATCH', `${path()}/${id}`, { key, body: { data: { id, type: 'user', attributes } } })
    },
  })
  return [
    {
      ...{ word: 'group', permission: 'group.user.create', operation: `POST ${list}`, what: 'creates an account' },
      send: (key) => app().call('POST', path(), { key, body: newUser() }),
    },
    edits('sets a password', { password: 'a new password for them' }, theirs),
    edits('changes the names', { name: 'Somebody Else', username: 'somebody' }),
    {
      ...{ word: 'group', permission: 'group.user.delete', operation: `DELETE ${list}/:user_id` },
      ...{ what: 'deletes an account', authority: theirs },
      send: async (key) => app().call('DELETE', `${path()}/${await made()}`, { key }),
    },
    {
      ...{ word: 'group', permission: 'group.user.edit', operation: `DELETE ${list}/:user_id/api_keys/:key_id` },
      ...{ what: 'revokes an API key', authority: theirs },
      async send(key) {
        const id = await made()
        const { services } = app().parts
        const owner = { kind: 'user', id } as const
        const { row } = await issueCredential(services, services.db, { kind: 'api_key', owner, name: 'k' })
        return app().call('DELETE', `${path()}/${id}/api_keys/${row.id}`, { key })
      },
    },
    {
      ...{ word: 'group', permission: 'group.user.edit', operation: `DELETE ${list}/:user_id/identities/:identity_id` },
      ...{ what: 'disconnects an identity', authority: theirs },
      async send(key) {
        const id = await made()
        const provider = await addProvider(app(), { issuer: 'https://issuer.example' })
        const identityId = await addIdentity(app(), { providerId: provider.id, userId: id })
        return app().call('DELETE', `${path()}/${id}/identities/${identityId}`, { key })
      },
    },
  ]
}
