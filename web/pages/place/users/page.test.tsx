import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, test } from 'node:test'
import { screen, waitFor, within } from '@testing-library/react'
import { createConsoleBrowser } from '#test/access/console-browser.ts'
import { addPerson, PASSWORD, type Person } from '#test/access/people.ts'
import { addIdentity, addProvider } from '#test/access/sign-on.ts'
import { render } from '../../../testing/render.tsx'
import { useConsoleServer } from '../../../testing/server.ts'
import { Users } from './list.tsx'
import { UserPage } from './one.tsx'

describe('users pages of a group', () => {
  const server = useConsoleServer()
  beforeEach(() => server().connect())

  const openList = (query = '') =>
    render(<Users />, { at: `/groups/${server().groupId}/users${query}`, route: '/groups/:placeId/users' })
  const openOne = (id: string) =>
    render(<UserPage />, { at: `/groups/${server().groupId}/users/${id}`, route: '/groups/:placeId/users/:userId' })
  const signIn = ({ email }: Person) => createConsoleBrowser(server()).trySignIn({ email, password: PASSWORD })

  async function addKey(person: Person): Promise<string> {
    const browser = createConsoleBrowser(server())
    await browser.signIn(person)
    const body = { data: { type: 'api_key', attributes: { name: 'Laptop' } } }
    const made = await browser.ask('POST', '/rest/self/api_keys', { body })
    assert.equal(made.statusCode, 201, made.body)
    return made.json().data.attributes.api_key
  }

  test('user list: shows roles and state; search matches name or e-mail address', async () => {
    const [reader, other] = [
      await addPerson(server(), { permissions: ['group.read'] }, { permissions: ['org.read'], orgId: server().orgId }),
      await addPerson(server()),
    ]
    const { user, address } = openList()
    const row = (await screen.findByText(reader.email)).closest('tr')!
    const [role] = await server()
      .parts.services.db.selectFrom('memberships')
      .select('role_id')
      .where('principal_id', '=', reader.id)
      .where('org_id', 'is', null)
      .execute()
    assert.ok(within(row).getByText(role!.role_id))
    assert.ok(within(row).getByText('1'))
    assert.ok(within(row).getByText('active'))
    assert.ok(within(screen.getByText(other.email).closest('tr')!).getByText('None'))

    const search = screen.getByLabelText('Name or e-mail address')
    await user.type(search, other.email.slice(1, -3).toUpperCase())
    await waitFor(() => assert.ok(screen.queryByText(reader.email) === null))
    assert.ok(screen.getByText(other.email))
    assert.match(address(), /\?find=/)
  })

  test('user list: a search without matches offers all users', async () => {
    const { user, address } = openList(`?find=${randomUUID()}`)
    await user.click(await screen.findByRole('button', { name: 'Show all users' }))
    assert.ok(await screen.findByText('admin@example.test'))
    assert.equal(address(), `/groups/${server().groupId}/users`)
  })

  test('user list: without the permission, the alert names group.user.read', async () => {
    const { groupId } = server()
    server().connect(await server().keyWith(['group.read'], { groupId }))
    openList()
    assert.match((await screen.findByRole('alert')).textContent, /group\.user\.read/)
  })

  test('user page: an API key is revoked after a confirmation', async () => {
    const person = await addPerson(server())
    const key = await addKey(person)
    const { user } = openOne(person.id)
    await user.click(await screen.findByRole('button', { name: 'Revoke Laptop' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Revoke key' }))
    assert.ok(await screen.findByText('No API keys yet.'))
    assert.equal((await server().call('GET', '/rest/self', { key })).statusCode, 401)
  })

  test('user page: an identity is disconnected after a confirmation', async () => {
    const person = await addPerson(server())
    const provider = await addProvider(server(), { issuer: 'https://issuer.example' })
    await addIdentity(server(), { providerId: provider.id, userId: person.id })
    const { user } = openOne(person.id)
    assert.ok(await screen.findByText(`subject of ${person.id}`))
    await user.click(screen.getByRole('button', { name: 'Disconnect Directory' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Disconnect' }))
    await waitFor(() => assert.ok(screen.queryByRole('heading', { name: 'Single sign-on' }) === null))
    const identities = await server().parts.services.db.selectFrom('identities').selectAll().execute()
    assert.deepEqual(identities, [])
  })

  test('user page: a user is disabled and enabled', async () => {
    const person = await addPerson(server())
    const { user } = openOne(person.id)
    await user.click(await screen.findByRole('button', { name: `Disable ${person.name}` }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Disable' }))
    const enable = await screen.findByRole('button', { name: `Enable ${person.name}` })
    assert.notEqual((await signIn(person)).statusCode, 200)
    await user.click(enable)
    await screen.findByRole('button', { name: `Disable ${person.name}` })
    assert.equal((await signIn(person)).statusCode, 200)
  })

  test('user page: changes of a user with more permissions are refused with the reason', async () => {
    const { groupId } = server()
    const strong = await addPerson(server(), { permissions: ['group.read', 'group.edit'] })
    await addKey(strong)
    const weak = await server().keyWith(['group.read', 'group.user.read', 'group.user.edit'], { groupId })
    server().connect(weak)
    const { user } = openOne(strong.id)
    for (const [action, verb] of [
      [`Disable ${strong.name}`, 'Disable'],
      ['Revoke Laptop', 'Revoke key'],
      [`Reset password of ${strong.name}`, 'Create link'],
    ] as const) {
      await user.click(await screen.findByRole('button', { name: action }))
      const dialog = within(await screen.findByRole('dialog'))
      await user.click(dialog.getByRole('button', { name: verb }))
      assert.match((await dialog.findByRole('alert')).textContent, /group\.edit/)
      await user.keyboard('{Escape}')
      await waitFor(() => assert.ok(screen.queryByRole('dialog') === null))
    }
    assert.equal((await signIn(strong)).statusCode, 200)
  })

  test('user page: a user of another group is not found', async () => {
    openOne(randomUUID())
    assert.match((await screen.findByRole('alert')).textContent, /not found/i)
  })
})
