import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { screen, waitFor, within } from '@testing-library/react'
import { addPerson, PASSWORD } from '#test/access/people.ts'
import { credentialInUse, forgetKey, readKey, setSession } from '../../api/session.ts'
import { render } from '../../testing/render.tsx'
import { useConsoleServer } from '../../testing/server.ts'
import { SignIn } from './page.tsx'

describe('sign-in form', () => {
  const server = useConsoleServer()
  beforeEach(() => setSession(undefined))

  function open() {
    server().connect()
    forgetKey()
    return render(<SignIn />).user
  }

  async function signInAs(email: string, password: string) {
    const user = open()
    await user.type(screen.getByLabelText('E-mail'), email)
    await user.type(screen.getByLabelText('Password'), `${password}{Enter}`)
    return user
  }

  async function signInWith(key: string) {
    const user = open()
    await user.click(screen.getByRole('button', { name: 'Use an API key' }))
    await user.type(screen.getByLabelText('API key'), `${key}{Enter}`)
  }

  test('sign-in form: e-mail and password begin a browser session; the tab stores no key', async () => {
    const person = await addPerson(server())
    await signInAs(` ${person.email}`, PASSWORD)
    const sessions = () =>
      server().parts.services.db.selectFrom('user_sessions').selectAll().where('user_id', '=', person.id).execute()
    await waitFor(async () => assert.equal(credentialInUse(), (await sessions())[0]?.id ?? 'none yet'))
    assert.equal(readKey(), undefined)
  })

  test('sign-in form: a wrong password is refused without saying which field is wrong', async () => {
    await signInAs('nobody@example.test', 'wrong')
    const alert = await screen.findByRole('alert')
    assert.match(alert.textContent, /Not signed in.*The e-mail address or the password is wrong/)
    assert.equal(credentialInUse(), undefined)
  })

  test('sign-in form: "Forgot password?" names the reset command', async () => {
    const user = open()
    await user.click(screen.getByRole('button', { name: 'Forgot password?' }))
    assert.match(screen.getByRole('status').textContent, /gatehouse admin reset-password/)
  })

  test('sign-in form: a wrong API key shows the reason and is not stored', async () => {
    await signInWith('b2a0d0de-0000-4000-8000-000000000000')
    const alert = await screen.findByRole('alert')
    assert.match(alert.textContent, /Not signed in.*Invalid auth token provided/)
    const link = within(alert).getByText('unauthenticated').closest('a')!
    assert.equal(link.getAttribute('href'), '/docs/errors/unauthenticated')
    assert.equal(sessionStorage.length + localStorage.length, 0)
    assert.equal(readKey(), undefined)
  })

  test('sign-in form: an API key with a space is refused without a request', async () => {
    const user = open()
    server().disconnect()
    await user.click(screen.getByRole('button', { name: 'Use an API key' }))
    await user.type(screen.getByLabelText('API key'), 'two words{Enter}')
    assert.match((await screen.findByRole('alert')).textContent, /no spaces/)
  })

  test('sign-in form: a valid API key is stored without surrounding spaces', async () => {
    await signInWith(`  ${server().adminKey} `)
    await waitFor(() => assert.equal(readKey(), server().adminKey))
  })

  test('sign-in form: the button shows that a key is being checked', async () => {
    const release = server().hold()
    await signInWith(server().adminKey)
    const button = screen.getByRole('button', { name: 'Sign in' })
    await waitFor(() => assert.equal(button.getAttribute('data-loading'), 'true'))
    assert.equal(readKey(), undefined)
    release()
    await waitFor(() => assert.equal(readKey(), server().adminKey))
  })
})
