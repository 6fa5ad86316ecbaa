import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import { forgetKey, readKey } from '../api/session.ts'
import { render } from '../testing/render.tsx'
import { useConsoleServer } from '../testing/server.ts'
import { SignIn } from './sign-in.tsx'

describe('sign-in form', () => {
  const server = useConsoleServer()

  async function signInWith(key: string) {
    server().connect()
    forgetKey()
    const { user } = render(<SignIn />)
    await user.type(screen.getByLabelText('API key'), `${key}{Enter}`)
  }

  test('a wrong key is refused with the reason of the server, and not kept', async () => {
    await signInWith('b2a0d0de-0000-4000-8000-000000000000')
    const alert = await screen.findByRole('alert')
    assert.match(alert.textContent, /Not signed in.*Invalid auth token provided/)
    assert.equal(readKey(), undefined)
  })

  test('a key with a space inside is refused without asking the server', async () => {
    server().disconnect()
    const { user } = render(<SignIn />)
    await user.type(screen.getByLabelText('API key'), 'two words{Enter}')
    assert.match((await screen.findByRole('alert')).textContent, /no spaces/)
  })

  test('a right key is kept, without the spaces around it', async () => {
    await signInWith(`  ${server().adminKey} `)
    await waitFor(() => assert.equal(readKey(), server().adminKey))
  })

  test('the button shows that a key is being tried', async () => {
    const release = server().hold()
    await signInWith(server().adminKey)
    const button = screen.getByRole('button', { name: 'Sign in' })
    await waitFor(() => assert.equal(button.getAttribute('data-loading'), 'true'))
    assert.equal(readKey(), undefined)
    release()
    await waitFor(() => assert.equal(readKey(), server().adminKey))
  })
})
