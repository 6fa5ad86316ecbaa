import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen } from '@testing-library/react'
import { createAccount, ofOrg } from '#test/access/accounts.ts'
import { createConsoleBrowser } from '#test/access/console-browser.ts'
import { addPerson } from '#test/access/people.ts'
import { forgetKey } from '../api/session.ts'
import { render } from '../testing/render.tsx'
import { useConsoleServer } from '../testing/server.ts'
import { signInHere } from '../testing/sign-in.ts'
import { AuthGate } from './auth-gate.tsx'
import { router } from './routes.tsx'

describe('a credential that ends during use', () => {
  const server = useConsoleServer()

  function open(path: string) {
    router.navigate(path)
    render(<AuthGate />)
  }

  test('API key revoked during use: the next page is the sign-in, with the reason; the key is forgotten', async () => {
    const { call, connect, orgId } = server()
    const { id, attributes } = await createAccount(server(), ofOrg.path(server()), { name: 'short-lived' })
    connect(String(attributes['api_key']))
    open(`/orgs/${orgId}/projects`)
    await screen.findByText('No projects yet')
    await screen.findByLabelText('Organization or group')
    const signOut = (await screen.findByText('short-lived')).closest('button')!
    assert.match(signOut.textContent, /^Sign out/)
    // A request for counts may be refused first, and take the link with the page.
    const link = screen.getByText('Audit log')
    assert.equal((await call('DELETE', `${ofOrg.path(server())}/${id}`)).statusCode, 204)
    fireEvent.click(link)
    await screen.findByText('You were signed out')
    assert.equal(sessionStorage.length, 0)
  })

  test('session revoked in another browser: the next page is the sign-in, with the reason', async () => {
    server().connect()
    forgetKey()
    const person = await addPerson(server(), { permissions: ['org.read'], orgId: server().orgId })
    await signInHere(person)
    open('/account')
    await screen.findByText('This browser')
    const link = screen.getByText('Authorized apps')
    const phone = createConsoleBrowser(server())
    await phone.signIn(person)
    await phone.ask('DELETE', '/console/sessions')
    fireEvent.click(link)
    await screen.findByText('You were signed out')
  })
})
