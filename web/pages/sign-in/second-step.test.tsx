import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { screen, waitFor, within } from '@testing-library/react'
import { createConsoleBrowser } from '#test/access/console-browser.ts'
import { addApp, codeOf } from '#test/access/factors.ts'
import { addPerson, PASSWORD, type Person } from '#test/access/people.ts'
import { credentialInUse, forgetKey, setSession } from '../../api/session.ts'
import { render } from '../../testing/render.tsx'
import { useConsoleServer } from '../../testing/server.ts'
import { SignIn } from './page.tsx'

describe('sign-in with a second factor', () => {
  const server = useConsoleServer()
  let person: Person
  beforeEach(async () => {
    server().connect()
    forgetKey()
    setSession(undefined)
    person = await addPerson(server())
  })

  async function signIn() {
    const { user } = render(<SignIn />)
    await user.type(screen.getByLabelText('E-mail'), person.email)
    await user.type(screen.getByLabelText('Password'), `${PASSWORD}{Enter}`)
    return user
  }

  async function setUpApp() {
    const browser = createConsoleBrowser(server())
    await browser.signIn(person)
    return addApp(browser)
  }

  async function requireFactor() {
    const { db } = server().parts.services
    const [{ group_id }] = (await db.selectFrom('users').select('group_id').where('id', '=', person.id).execute()) as [
      { group_id: string },
    ]
    await db.updateTable('groups').set({ second_factor: 'required' }).where('id', '=', group_id).execute()
    return () => db.updateTable('groups').set({ second_factor: null }).where('id', '=', group_id).execute()
  }

  test('second step: asks for a code after the password; a wrong one is refused at its field', async () => {
    const { secret } = await setUpApp()
    const user = await signIn()
    await screen.findByRole('heading', { name: 'Verify it’s you' })
    await user.type(screen.getByLabelText('Code'), '000000{Enter}')
    assert.match((await screen.findByRole('alert')).textContent, /The code is wrong or was already used/)
    assert.equal(screen.getByLabelText('Code').getAttribute('aria-invalid'), 'true')
    assert.equal(credentialInUse(), undefined)
    await user.clear(screen.getByLabelText('Code'))
    await user.type(screen.getByLabelText('Code'), `${codeOf(secret, 1)}{Enter}`)
    await waitFor(() => assert.ok(credentialInUse()))
  })

  test('second step: a recovery code signs in; help names the reset command', async () => {
    const { codes } = await setUpApp()
    const user = await signIn()
    await user.click(await screen.findByRole('button', { name: 'Lost your second factor?' }))
    assert.match(screen.getByRole('status').textContent, /gatehouse admin reset-factors/)
    await user.type(screen.getByLabelText('Code'), `${codes[0]}{Enter}`)
    await waitFor(() => assert.ok(credentialInUse()))
  })

  test('second step: canceling returns to the password and ends the pending sign-in', async () => {
    await setUpApp()
    const user = await signIn()
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    assert.ok(await screen.findByLabelText('Password'))
    const { db } = server().parts.services
    const rows = () => db.selectFrom('pending_sign_ins').select('digest').where('user_id', '=', person.id).execute()
    await waitFor(async () => assert.deepEqual(await rows(), []))
  })

  test('required factor: set up with QR code or key; recovery codes are shown before the console', async () => {
    const restore = await requireFactor()
    const user = await signIn()
    await screen.findByRole('heading', { name: 'Set up a second factor' })
    assert.ok(await screen.findByRole('img', { name: 'QR code for the authenticator app' }))
    const secret = screen.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4}){7}$/).textContent.replaceAll(' ', '')
    await user.type(screen.getByLabelText('Code'), `${codeOf(secret)}{Enter}`)
    const list = await screen.findByRole('list', { name: 'Recovery codes' })
    assert.equal(within(list).getAllByRole('listitem').length, 10)
    assert.equal(credentialInUse(), undefined)
    await user.click(screen.getByRole('button', { name: 'I saved the codes' }))
    await waitFor(() => assert.ok(credentialInUse()))
    await restore()
  })
})
