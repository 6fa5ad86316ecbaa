import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { screen, waitFor, within } from '@testing-library/react'
import { createConsoleBrowser } from '#test/access/console-browser.ts'
import { addPerson, PASSWORD, type Person } from '#test/access/people.ts'
import { credentialInUse, forgetKey } from '../../api/session.ts'
import { render } from '../../testing/render.tsx'
import { useConsoleServer } from '../../testing/server.ts'
import { signInHere } from '../../testing/sign-in.ts'
import { Account } from './page.tsx'

describe('account page', () => {
  const server = useConsoleServer()
  let person: Person
  beforeEach(async () => {
    server().connect()
    forgetKey()
    person = await addPerson(server())
    await signInHere(person)
  })

  const rows = async () => within(await screen.findByRole('table', { name: 'Sessions' })).findAllByText(/^Firefox on/)

  test('account page: shows the user and their sessions; one session is signed out', async () => {
    const phone = createConsoleBrowser(server(), '198.51.100.7')
    await phone.signIn(person)
    const { user } = render(<Account />)
    assert.ok(await screen.findByText(person.email))
    assert.equal((await rows()).length, 1)
    assert.ok(screen.getByText('This browser'))
    assert.ok(screen.getByText('198.51.100.7'))
    await user.click(screen.getByRole('button', { name: 'Sign out Firefox on Linux' }))
    await waitFor(() => assert.ok(screen.queryByText('198.51.100.7') === null))
    assert.equal((await phone.ask('GET', '/rest/self')).statusCode, 401)
  })

  test('password change: a wrong current password is refused at its field, a right one ends other sessions', async () => {
    const phone = createConsoleBrowser(server(), '198.51.100.7')
    await phone.signIn(person)
    const { user } = render(<Account />)
    await user.type(await screen.findByLabelText('Current password'), 'wrong')
    await user.type(screen.getByLabelText('New password'), 'a password of some length')
    await user.click(screen.getByRole('button', { name: 'Change password' }))
    assert.match((await screen.findByRole('alert')).textContent, /The current password is wrong/)
    await user.clear(screen.getByLabelText('Current password'))
    await user.type(screen.getByLabelText('Current password'), PASSWORD)
    await user.click(screen.getByRole('button', { name: 'Change password' }))
    assert.ok(await screen.findByText(/Password changed/))
    assert.equal((await phone.ask('GET', '/rest/self')).statusCode, 401)
    const again = { email: person.email, password: 'a password of some length' }
    assert.equal((await createConsoleBrowser(server()).trySignIn(again)).statusCode, 200)
  })

  test('sign-out everywhere: asks for confirmation, then ends all sessions', async () => {
    const { user } = render(<Account />)
    await user.click(await screen.findByRole('button', { name: 'Sign out everywhere' }))
    const dialog = await screen.findByRole('dialog')
    await user.click(within(dialog).getByRole('button', { name: 'Sign out everywhere' }))
    await waitFor(() => assert.equal(credentialInUse(), undefined))
    const { db } = server().parts.services
    assert.deepEqual(await db.selectFrom('user_sessions').select('id').where('user_id', '=', person.id).execute(), [])
  })

  test('API key on the account page: refuses invalid networks, works, and ends when revoked', async () => {
    const { user } = render(<Account />)
    await user.click(await screen.findByRole('button', { name: 'Create API key' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Create API key' }))
    await user.type(dialog.getByLabelText(/^Name/), 'backup job')
    await user.type(dialog.getByLabelText('Allowed networks'), 'home')
    await user.click(dialog.getByRole('button', { name: 'Create API key' }))
    assert.ok(await dialog.findByRole('alert'))
    await user.clear(dialog.getByLabelText('Allowed networks'))
    await user.click(dialog.getByRole('button', { name: 'Create API key' }))
    const key = (await dialog.findByLabelText<HTMLInputElement>('API key')).value
    assert.equal((await server().call('GET', '/rest/self', { key })).statusCode, 200)
    await user.click(dialog.getByRole('button', { name: 'Done' }))
    const row = (await screen.findByRole('cell', { name: 'backup job' })).closest('tr')!
    assert.match(row.textContent!, /Never\w+ \d+, 20\d\d/)
    await user.click(screen.getByRole('button', { name: 'Revoke backup job' }))
    const question = within(await screen.findByRole('dialog', { name: 'Revoke backup job?' }))
    await user.click(question.getByRole('button', { name: 'Revoke key' }))
    assert.ok(await screen.findByText('No API keys yet.'))
    assert.equal((await server().call('GET', '/rest/self', { key })).statusCode, 401)
  })
})
