import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, within } from '@testing-library/react'
import { createApp, unattended } from '#test/access/apps.ts'
import { sendForm } from '#test/access/oauth.ts'
import { routes } from '../../../app/routes.tsx'
import { render } from '../../../testing/render.tsx'
import { useConsoleServer } from '../../../testing/server.ts'
import { NewInstall } from './new.tsx'

describe('installing an app', () => {
  const server = useConsoleServer()
  const press = (name: string) => fireEvent.click(screen.getByText(name).closest('button, a')!)

  test('install: an unknown app is refused; the secret of an install obtains a token until it is revoked', async () => {
    const { orgId, connect, call } = server()
    const { id } = await createApp(server(), { name: 'Nightly', ...unattended })
    connect()
    const { user } = render(<NewInstall />, {
      at: `/orgs/${orgId}/installs/new`,
      route: '/orgs/:placeId/installs/new',
      others: routes,
    })
    const install = (appId: string) => {
      fireEvent.change(screen.getByLabelText(/^App id/), { target: { value: appId } })
      press('Install')
    }
    install(orgId)
    await screen.findByText('app not found', { exact: false })
    install(id)
    const { value: client_secret } = await screen.findByLabelText<HTMLTextAreaElement>('Client secret')
    const [client_id] = /[0-9a-f-]{36}/.exec(screen.getByText('Client id:', { exact: false }).textContent)!
    const answer = await sendForm(server(), 'token', { grant_type: 'client_credentials', client_id, client_secret })
    const key = answer.json().access_token as string
    assert.equal((await call('GET', '/rest/orgs', { key })).statusCode, 200)

    press('I have saved it')
    const credentials = await screen.findByRole('table', { name: 'Credentials' })
    await within(credentials).findByText('active')
    press('Revoke install')
    await user.click(within(await screen.findByRole('dialog')).getByText('Revoke'))
    await screen.findByText('No installs')
    assert.equal((await call('GET', '/rest/orgs', { key })).statusCode, 401)
  })
})
