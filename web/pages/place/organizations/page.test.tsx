import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { addPerson } from '#test/access/people.ts'
import { call } from '../../../api/client.ts'
import { forgetKey } from '../../../api/session.ts'
import { render } from '../../../testing/render.tsx'
import { useConsoleServer } from '../../../testing/server.ts'
import { signInHere } from '../../../testing/sign-in.ts'
import { Groups } from '../../groups/list.tsx'
import { Organizations } from './list.tsx'
import { OrgSettings } from './settings.tsx'

describe('groups and organizations pages', () => {
  const server = useConsoleServer()
  beforeEach(() => server().connect())

  const openList = () =>
    render(<Organizations />, { at: `/groups/${server().groupId}/orgs`, route: '/groups/:placeId/orgs' })
  const openSettings = (id: string) =>
    render(<OrgSettings />, { at: `/orgs/${id}/settings`, route: '/orgs/:placeId/settings' })

  async function begin(user: ReturnType<typeof openList>['user'], action: string) {
    await user.click(await screen.findByRole('button', { name: action }))
    return within(await screen.findByRole('dialog'))
  }

  test('new organization: copies the members of another organization', async () => {
    const { orgId } = server()
    const person = await addPerson(server(), { permissions: ['org.read'], orgId })
    const { user, address } = openList()
    const dialog = await begin(user, 'New organization')
    await user.type(dialog.getByLabelText(/^Name/), 'Payments')
    const source = dialog.getByRole('combobox', { name: 'Copy members from' })
    await waitFor(() => assert.equal(within(source).getAllByRole('option').length, 2))
    await user.selectOptions(source, orgId)
    await user.click(dialog.getByRole('button', { name: 'Create organization' }))
    await waitFor(() => assert.match(address(), /^\/orgs\/[0-9a-f-]{36}\/projects$/))
    const members = await server().call('GET', `/rest/orgs/${address().split('/')[2]}/memberships`)
    assert.match(members.body, new RegExp(person.id))
    cleanup()
    openList()
    assert.ok(await screen.findByRole('link', { name: 'Settings of Payments' }))
  })

  test('organization rename: a refused name stays in the form; a valid one is saved', async () => {
    const { id } = await call('createOrgV1', {
      body: { name: 'Before', groupId: server().groupId },
      idempotencyKey: 'renamed',
    })
    const { user } = openSettings(id)
    const field = await screen.findByRole<HTMLInputElement>('textbox', { name: /^Name/ })
    await user.clear(field)
    await user.type(field, '   ')
    await user.click(screen.getByRole('button', { name: 'Rename organization' }))
    assert.match((await screen.findByRole('alert')).textContent, /Organization not renamed/)
    await user.type(field, 'After')
    await user.click(screen.getByRole('button', { name: 'Rename organization' }))
    assert.ok(await screen.findByText('After'))
    assert.equal((await server().call('GET', `/rest/orgs/${id}`)).json().data.attributes.name, 'After')
  })

  test('organization deletion: enabled after its slug is typed', async () => {
    const { id } = await call('createOrgV1', {
      body: { name: 'Short lived', groupId: server().groupId },
      idempotencyKey: 'deleted',
    })
    const { user, address } = openSettings(id)
    const dialog = await begin(user, 'Delete this organization')
    assert.ok(dialog.getByText(/tokens stop working at once.*cannot be undone/))
    const button = dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete organization' })
    await user.type(dialog.getByLabelText('Type short-lived to confirm'), 'short')
    assert.ok(button.disabled)
    await user.type(dialog.getByLabelText('Type short-lived to confirm'), '-lived')
    await user.click(button)
    await waitFor(() => assert.equal(address(), `/groups/${server().groupId}/orgs`))
    assert.equal((await server().call('GET', `/rest/orgs/${id}`)).statusCode, 404)
  })

  test('organization deletion: without the permission, names org.delete', async () => {
    const { id } = await call('createOrgV1', {
      body: { name: 'Kept', groupId: server().groupId },
      idempotencyKey: 'kept',
    })
    server().connect(await server().keyWith(['org.read'], { orgId: id }))
    const { user } = openSettings(id)
    const dialog = await begin(user, 'Delete this organization')
    await user.type(dialog.getByLabelText('Type kept to confirm'), 'kept')
    await user.click(dialog.getByRole('button', { name: 'Delete organization' }))
    assert.match((await dialog.findByRole('alert')).textContent, /Organization not deleted.*org\.delete/s)
  })

  test('new group: created with group.create and opened; without it, the alert names it', async () => {
    forgetKey()
    const may = await addPerson(server(), { permissions: ['group.read', 'group.create'] })
    await signInHere(may)
    const { user, address } = render(<Groups />, { at: '/groups', route: '/groups' })
    const dialog = await begin(user, 'New group')
    await user.type(dialog.getByLabelText(/^Name/), 'Second company')
    await user.click(dialog.getByRole('button', { name: 'Create group' }))
    await waitFor(() => assert.match(address(), /^\/groups\/[0-9a-f-]{36}\/orgs$/))
    assert.notEqual(address().split('/')[2], server().groupId)

    await signInHere(await addPerson(server(), { permissions: ['group.read'] }))
    cleanup()
    const { user: other } = render(<Groups />, { at: '/groups', route: '/groups' })
    const refused = await begin(other, 'New group')
    await other.type(refused.getByLabelText(/^Name/), 'Third company')
    await other.click(refused.getByRole('button', { name: 'Create group' }))
    assert.match((await refused.findByRole('alert')).textContent, /Group not created.*group\.create/s)
  })
})
