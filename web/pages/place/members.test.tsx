import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { screen, waitFor, within } from '@testing-library/react'
import { createConsoleBrowser } from '#test/access/console-browser.ts'
import { addPerson } from '#test/access/people.ts'
import { forgetKey } from '../../api/session.ts'
import type { ConsoleScope } from '../../navigation/paths.ts'
import { render } from '../../testing/render.tsx'
import { useConsoleServer } from '../../testing/server.ts'
import { signInHere } from '../../testing/sign-in.ts'
import { Members } from './members.tsx'

describe('members page', () => {
  const server = useConsoleServer()
  beforeEach(() => server().connect())

  const open = ({ kind, id }: ConsoleScope) =>
    render(<Members />, { at: `/${kind}/${id}/members`, route: `/${kind}/:placeId/members` }).user
  /** Finds the row of a member; an open dialog suggests the same names. */
  const findRow = (name: string) =>
    screen.queryAllByRole('row', { hidden: true }).find((row) => row.textContent.includes(name))
  const rowOf = async (name: string) => within(await waitFor(() => findRow(name) ?? assert.fail(`no row of ${name}`)))

  async function begin(user: ReturnType<typeof open>, name: string) {
    await user.click(await screen.findByRole('button', { name }))
    return within(await screen.findByRole('dialog'))
  }

  async function chooseRole(user: ReturnType<typeof open>, dialog: ReturnType<typeof within>, name: string) {
    await dialog.findByRole('option', { name })
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Role' }), name)
  }

  test('new member without an account: is invited with a role and a link that sets the password', async () => {
    const user = open({ kind: 'orgs', id: server().orgId })
    const dialog = await begin(user, 'Add member')
    await user.type(dialog.getByLabelText(/^E-mail/), 'grace@example.test')
    await chooseRole(user, dialog, 'Org Collaborator')
    assert.ok(dialog.queryByLabelText(/^Name/) === null)
    await user.click(dialog.getByRole('button', { name: 'Add member' }))
    await dialog.findByText('No account has this address')
    await user.type(dialog.getByLabelText(/^Name/), 'Grace Hopper')
    await user.click(dialog.getByRole('button', { name: 'Invite person' }))
    const link = (await dialog.findByLabelText<HTMLTextAreaElement>('One-time link')).value
    const browser = createConsoleBrowser(server())
    const reset = { token: new URL(link).hash.slice(1), password: 'a password of some length' }
    assert.equal((await browser.ask('POST', '/console/password-reset', { body: reset })).statusCode, 204)
    const credentials = { email: 'grace@example.test', password: reset.password }
    assert.equal((await browser.trySignIn(credentials)).statusCode, 200)
    await user.click(dialog.getByRole('button', { name: 'Done' }))
    assert.ok((await rowOf('Grace Hopper')).getByText('Org Collaborator'))
  })

  test('organization member: added by e-mail address, given another role, and removed', async () => {
    const person = await addPerson(server())
    const user = open({ kind: 'orgs', id: server().orgId })
    const dialog = await begin(user, 'Add member')
    await user.type(dialog.getByLabelText(/^E-mail/), person.email)
    await chooseRole(user, dialog, 'Org Collaborator')
    await user.click(dialog.getByRole('button', { name: 'Add member' }))
    assert.ok((await rowOf(person.name)).getByText('Org Collaborator'))

    const change = await begin(user, `Change role of ${person.name}`)
    await chooseRole(user, change, 'Org Admin')
    await user.click(change.getByRole('button', { name: 'Change role' }))
    await waitFor(async () => assert.ok((await rowOf(person.name)).queryByText('Org Admin')))

    const removal = await begin(user, `Remove ${person.name}`)
    await user.click(removal.getByRole('button', { name: 'Remove member' }))
    await waitFor(() => assert.ok(findRow(person.name) === undefined))
  })

  test('new member: a caller who may not create users is told which permission is missing', async () => {
    const names = [
      'group.read',
      'group.user.read',
      'org.user.read',
      'org.user.add',
      'org.read',
      'group.role.read',
    ] as const
    const member = await addPerson(server(), { permissions: names })
    forgetKey()
    await signInHere(member)
    const user = open({ kind: 'orgs', id: server().orgId })
    const dialog = await begin(user, 'Add member')
    await user.type(dialog.getByLabelText(/^E-mail/), 'nobody@example.test')
    await chooseRole(user, dialog, 'CI')
    await user.click(dialog.getByRole('button', { name: 'Add member' }))
    await user.type(await dialog.findByLabelText(/^Name/), 'Nobody')
    await user.click(dialog.getByRole('button', { name: 'Invite person' }))
    assert.match((await dialog.findByRole('alert')).textContent, /Member not added.*group\.user\.create/s)
  })

  test('member removal: a refusal is shown in the dialog and the member stays', async () => {
    const { groupId } = server()
    const reader = await addPerson(server(), { permissions: ['group.read', 'group.user.read'] })
    forgetKey()
    await signInHere(reader)
    const user = open({ kind: 'groups', id: groupId })
    const removal = await begin(user, `Remove ${reader.name}`)
    await user.click(removal.getByRole('button', { name: 'Remove member' }))
    assert.match((await removal.findByRole('alert')).textContent, /Member not removed.*group\.user\.delete/s)
    assert.ok(await rowOf(reader.name))
  })
})
