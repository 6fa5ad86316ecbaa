import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { addApp, consentTo } from '#test/access/tokens.ts'
import { routes } from '../../app/routes.tsx'
import { render } from '../../testing/render.tsx'
import { useConsoleServer } from '../../testing/server.ts'
import { OwnApps } from './list.tsx'

describe('authorized apps', () => {
  const server = useConsoleServer()

  test('authorized apps: a session, one place and all access are revoked', async () => {
    const { call, connect, orgId, groupId } = server()
    const userId = (await call('GET', '/rest/self')).json().data.id
    const app = await addApp(server(), { name: 'Helper', scopes: ['org.read'] })
    const places = [orgId, await server().addOrg()].map((id) => ({ groupId, orgId: id }))
    const first = await consentTo(server(), { app, userId, places })
    const second = await consentTo(server(), { app, userId, places: [] })
    const statusOf = async ({ token }: typeof first) => (await call('GET', '/rest/orgs', { key: token })).statusCode
    assert.equal(await statusOf(first), 200)

    connect()
    const { user } = render(<OwnApps />, { at: '/apps', route: '/apps', others: routes })
    fireEvent.click(await screen.findByText('Helper'))
    const sessions = within(await screen.findByRole('table', { name: 'Sessions' }))
    await waitFor(() => assert.equal(sessions.getAllByText('End').length, 2))
    const granted = within(screen.getByRole('table', { name: 'Places' }))
    await granted.findByText('Default organization')
    fireEvent.click(sessions.getByLabelText(`End session ${first.id}`))
    await waitFor(() => assert.ok(sessions.queryByText(first.id) === null))
    assert.deepEqual([await statusOf(first), await statusOf(second)], [401, 200])

    const revokers = () => granted.getAllByText('Revoke access')
    assert.equal(revokers().length, 2)
    fireEvent.click(revokers()[0]!.closest('button')!)
    await waitFor(() => assert.equal(revokers().length, 1))
    assert.equal(await statusOf(second), 200)
    fireEvent.click(screen.getByText('Revoke all access').closest('button')!)
    await user.click(within(await screen.findByRole('dialog')).getByText('Revoke access'))
    await screen.findByText('No authorized apps')
    assert.equal(await statusOf(second), 401)
  })
})
