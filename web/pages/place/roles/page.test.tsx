import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { screen, waitFor, within } from '@testing-library/react'
import { addPerson } from '#test/access/people.ts'
import {
  type Permission,
  permissionNames,
  permissionsWithoutEffect,
} from '../../../../src/foundation/access/permissions.ts'
import { callData } from '../../../api/client.ts'
import { allAreas, areasOf } from '../../../api/permissions.ts'
import { render } from '../../../testing/render.tsx'
import { useConsoleServer } from '../../../testing/server.ts'
import { NewRole } from './new.tsx'
import { RolePage } from './one.tsx'

test('permission areas: contain every permission with an effect once and omit unknown names', () => {
  const listed = allAreas.flatMap(({ permissions }) => permissions)
  assert.deepEqual([...listed].sort(), permissionNames.filter((name) => !permissionsWithoutEffect.has(name)).sort())
  assert.deepEqual(areasOf(['org.project.ignore.read', 'org.collection.read', 'org.of.the.future']), [
    { title: 'Ignores', permissions: ['org.project.ignore.read'] },
  ])
})

describe('roles pages', () => {
  const server = useConsoleServer()
  beforeEach(() => server().connect())

  const openNew = (query = '') =>
    render(<NewRole />, { at: `/groups/${server().groupId}/roles/new${query}`, route: '/groups/:placeId/roles/new' })
  const openOne = (id: string) =>
    render(<RolePage />, { at: `/groups/${server().groupId}/roles/${id}`, route: '/groups/:placeId/roles/:roleId' })
  const make = (name: string, permissions: Permission[]) =>
    callData('createRole', {
      params: { group_id: server().groupId },
      body: { data: { type: 'role', attributes: { name, description: '', permissions } } },
      idempotencyKey: name,
    })
  const read = async (id: string) => (await server().call('GET', `/rest/groups/${server().groupId}/roles/${id}`)).json()

  test('new role: created from permissions explained in words', async () => {
    const { user, address } = openNew()
    await user.type(screen.getByLabelText(/^Name/), 'Release manager')
    const ignores = within(screen.getByRole('group', { name: 'Ignores' }))
    await user.click(ignores.getByRole('checkbox', { name: 'All of these: Ignores' }))
    await user.click(ignores.getByRole('checkbox', { name: 'Remove ignores' }))
    assert.ok(screen.getByText(/3 permissions chosen.*of its organizations can have/))
    await user.click(screen.getByRole('checkbox', { name: 'See the group' }))
    assert.ok(screen.getByText(/4 permissions chosen.*only members and service accounts of the group/))
    await user.click(screen.getByRole('button', { name: 'Create role' }))
    await waitFor(() => assert.match(address(), /\/roles\/[0-9a-f-]{36}$/))
    const { attributes } = (await read(address().split('/').at(-1)!)).data
    assert.deepEqual(attributes.permissions.toSorted(), [
      'group.read',
      'org.project.ignore.create',
      'org.project.ignore.edit',
      'org.project.ignore.read',
    ])
  })

  test('built-in role: explained and read-only; its copy starts with its permissions', async () => {
    const roles = (await server().call('GET', `/rest/groups/${server().groupId}/roles`)).json()
    const { id, attributes } = roles.data.find(
      (role: { attributes: { name: string } }) => role.attributes.name === 'Org Collaborator',
    )
    const { unmount } = openOne(id)
    assert.ok(await screen.findByText('See projects and their issues'))
    assert.ok(screen.queryByRole('button', { name: 'Save role' }) === null)
    const target = screen.getByRole('link', { name: 'Copy to new role' }).getAttribute('href')!
    unmount()
    openNew(target.slice(target.indexOf('?')))
    const shown = attributes.permissions.filter((name: string) => !permissionsWithoutEffect.has(name))
    assert.ok(await screen.findByText(new RegExp(`^${shown.length} permissions chosen`)))
  })

  test('role: changed; deleted only when no member has it', async () => {
    const { id } = await make('Reviewer', ['org.read'])
    const { user, address } = openOne(id)
    await user.click(await screen.findByRole('checkbox', { name: 'Ignore issues' }))
    await user.click(screen.getByRole('button', { name: 'Save role' }))
    await waitFor(async () =>
      assert.deepEqual((await read(id)).data.attributes.permissions.toSorted(), [
        'org.project.ignore.create',
        'org.read',
      ]),
    )

    const person = await addPerson(server())
    const relationships = { user: { data: { id: person.id, type: 'user' } }, role: { data: { id, type: 'role' } } }
    const members = `/rest/orgs/${server().orgId}/memberships`
    const created = await server().call('POST', members, { body: { data: { type: 'org_membership', relationships } } })
    assert.equal(created.statusCode, 201, created.body)
    const remove = async () => {
      await user.click(await screen.findByRole('button', { name: 'Delete this role' }))
      await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    }
    await remove()
    assert.match((await screen.findByRole('alert')).textContent, /1 membership has the role/)
    await server().call('DELETE', `${members}/${created.json().data.id}`)
    await remove()
    await waitFor(() => assert.equal(address(), `/groups/${server().groupId}/roles`))
  })

  test('new role: a permission that the caller lacks is refused; the form keeps its input', async () => {
    const { groupId } = server()
    server().connect(await server().keyWith(['group.read', 'group.role.read', 'group.role.create'], { groupId }))
    const { user } = openNew()
    await user.type(screen.getByLabelText(/^Name/), 'Too much')
    await user.click(screen.getByRole('checkbox', { name: 'Delete projects' }))
    await user.click(screen.getByRole('button', { name: 'Create role' }))
    assert.match((await screen.findByRole('alert')).textContent, /Role not created.*org\.project\.delete/s)
    assert.ok(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Delete projects' }).checked)
  })
})
