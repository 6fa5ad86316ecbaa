import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { screen, waitFor, within } from '@testing-library/react'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type IdentityProvider,
  startIdentityProvider,
} from '#test/access/identity-provider.ts'
import { addPerson } from '#test/access/people.ts'
import { PROVIDER_SERVER } from '#test/access/sign-on.ts'
import { render } from '../../../testing/render.tsx'
import { useConsoleServer } from '../../../testing/server.ts'
import { SingleSignOnPage } from './page.tsx'

describe('single sign-on page of a group', () => {
  const server = useConsoleServer(PROVIDER_SERVER)
  let provider: IdentityProvider
  before(async () => {
    provider = await startIdentityProvider()
  })
  after(async () => provider[Symbol.asyncDispose]())
  beforeEach(() => server().connect())

  const open = () =>
    render(<SingleSignOnPage />, {
      at: `/groups/${server().groupId}/single-sign-on`,
      route: '/groups/:placeId/single-sign-on',
    }).user

  const stored = async () => {
    const { db } = server().parts.services
    return db.selectFrom('identity_providers').selectAll().execute()
  }

  test('identity provider: added, tested, changed to required, and deleted', async () => {
    const user = open()
    await user.click(await screen.findByRole('button', { name: 'Add provider' }))
    const redirectUri = screen.getByText(/\/oauth2\/single-sign-on\/[0-9a-f-]{36}\/callback$/).textContent
    const type = (label: RegExp, text: string) => user.type(screen.getByLabelText(label), text)
    await type(/^Name/, 'Directory')
    await type(/^Issuer/, 'http://elsewhere.example')
    await type(/^Client ID/, CLIENT_ID)
    await type(/^Client secret/, CLIENT_SECRET)
    await type(/^E-mail domains/, 'company.example')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    assert.match((await screen.findByRole('alert')).textContent, /Not saved.*https address/)
    await user.clear(screen.getByLabelText(/^Issuer/))
    await type(/^Issuer/, provider.issuer)
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByRole('heading', { name: 'Directory' })
    await waitFor(() => assert.ok(screen.queryByRole('heading', { name: 'New identity provider' }) === null))
    const [row] = await stored()
    assert.ok(redirectUri.includes(row!.id))
    assert.ok(screen.getByText(redirectUri))

    await user.click(screen.getByRole('button', { name: 'Test Directory' }))
    assert.match((await screen.findByRole('status')).textContent, /The provider responds/)

    await user.click(screen.getByRole('button', { name: 'Change Directory' }))
    await user.click(screen.getByRole('radio', { name: 'Required' }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    assert.match((await screen.findByRole('alert')).textContent, /break-glass administrator/)
    await user.click(screen.getByRole('checkbox', { name: /Administrator/ }))
    await waitFor(() =>
      assert.equal((screen.getByRole('checkbox', { name: /Administrator/ }) as HTMLInputElement).checked, true),
    )
    await user.click(screen.getByRole('button', { name: 'Save' }))

    // The form, which contains this word too, has closed by then.
    const remove = await screen.findByRole('button', { name: 'Delete Directory' })
    assert.ok(screen.getByText('Required'))
    await user.click(remove)
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    assert.ok(await screen.findByText('No identity providers'))
    assert.deepEqual(await stored(), [])
  })

  test('disabled users: listed and enabled', async () => {
    const person = await addPerson(server())
    const path = `/console/groups/${server().groupId}/users/${person.id}/disabled`
    assert.equal((await server().call('PUT', path, { body: { disabled: true } })).statusCode, 204)
    const user = open()
    await user.click(await screen.findByRole('button', { name: `Enable ${person.name}` }))
    await waitFor(() => assert.ok(screen.queryByText('Disabled users') === null))
  })
})
