import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import { type IdentityProvider, startIdentityProvider } from '#test/access/identity-provider.ts'
import { addProvider, type Configured, PROVIDER_SERVER } from '#test/access/sign-on.ts'
import { forgetKey, setSession } from '../../api/session.ts'
import { render } from '../../testing/render.tsx'
import { useConsoleServer } from '../../testing/server.ts'
import { SignIn } from './page.tsx'

describe('sign-in form with single sign-on', () => {
  const server = useConsoleServer(PROVIDER_SERVER)
  let provider: IdentityProvider
  let configured: Configured
  before(async () => {
    provider = await startIdentityProvider()
    configured = await addProvider(server(), provider)
  })
  after(async () => provider[Symbol.asyncDispose]())
  beforeEach(() => {
    server().connect()
    forgetKey()
    setSession(undefined)
  })

  async function enter(email: string) {
    const { user } = render(<SignIn />)
    await user.type(screen.getByLabelText('E-mail'), email)
    await user.tab()
    return user
  }

  test('sign-in form: the e-mail domain offers its provider, which opens with a login hint', async () => {
    const leave = mock.method(location, 'assign', () => undefined)
    const user = await enter(`ada@${configured.domain}`)
    await user.click(await screen.findByRole('button', { name: 'Continue with Directory' }))
    await waitFor(() => assert.equal(leave.mock.callCount(), 1))
    const url = new URL(String(leave.mock.calls[0]!.arguments[0]))
    leave.mock.restore()
    assert.equal(url.origin, provider.issuer)
    assert.equal(url.searchParams.get('login_hint'), `ada@${configured.domain}`)
    assert.ok(screen.getByLabelText('Password'))
  })

  test('sign-in form: other domains offer the password only', async () => {
    await enter('ada@elsewhere.example')
    assert.ok(screen.getByRole('button', { name: 'Sign in' }))
    assert.ok(screen.queryByRole('button', { name: /Continue with/ }) === null)
  })

  test('sign-in form: a required provider hides the password behind a button', async () => {
    const { db } = server().parts.services
    await db.updateTable('identity_providers').set({ mode: 'required' }).where('id', '=', configured.id).execute()
    const user = await enter(`ada@${configured.domain}`)
    await screen.findByRole('button', { name: 'Continue with Directory' })
    assert.ok(screen.queryByRole('button', { name: 'Sign in' }) === null)
    await user.click(screen.getByRole('button', { name: 'Use a password' }))
    assert.ok(screen.getByRole('button', { name: 'Sign in' }))
  })
})
