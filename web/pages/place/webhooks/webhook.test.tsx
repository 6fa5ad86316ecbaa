import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { isSigned, startReceiver } from '#test/servers/receiver.ts'
import { routes } from '../../../app/routes.tsx'
import { render } from '../../../testing/render.tsx'
import { useConsoleServer } from '../../../testing/server.ts'
import { Webhooks } from './list.tsx'
import { NewWebhook } from './new.tsx'

describe('webhooks', () => {
  const server = useConsoleServer({ GATEHOUSE_OUTGOING_ALLOW: '127.0.0.1' })
  const press = (name: string) =>
    fireEvent.click(screen.getByText(name, { selector: 'button *, a *' }).closest('button, a')!)
  const enter = (label: RegExp | string, value: string) =>
    fireEvent.change(screen.getByLabelText(label), { target: { value } })
  const findDialog = async () => within(await screen.findByRole('dialog'))

  test('webhook: created with a secret shown once, tested, changed, its messages read and resent', async () => {
    await using receiver = await startReceiver()
    const { connect, orgId, log } = server()
    connect()
    const at = `/orgs/${orgId}/webhooks/new`
    const { user } = render(<NewWebhook />, { at, route: '/orgs/:placeId/webhooks/new', others: routes })
    enter(/^Address/, 'http://10.0.0.7/hook')
    press('Create')
    await screen.findByRole('alert')
    enter(/^Address/, receiver.url)
    enter(/^Description/, 'The chat of the team')
    fireEvent.click(screen.getByLabelText('credential.exposed'))
    press('Create')
    const { value: secret } = await screen.findByLabelText<HTMLTextAreaElement>('Signing secret')
    assert.match(secret, /^whsec_/)
    press('I have saved it')
    await screen.findByText('No deliveries yet.')
    assert.ok(!document.documentElement.outerHTML.includes(secret), 'the secret is shown once')

    press('Send test')
    await screen.findByText('Accepted: 204')
    assert.ok(await isSigned(receiver.received[0]!, secret))
    receiver.answer = (response) => response.writeHead(500).end('the chat is closed')
    press('Send test')
    await screen.findByText('Not accepted')
    screen.getByText('the chat is closed')
    const messages = within(screen.getByRole('table', { name: 'Messages' }))
    await messages.findByText('failed')
    await user.selectOptions(screen.getByLabelText('State'), 'delivered')
    await waitFor(() => assert.ok(messages.queryByText('failed') === null))
    fireEvent.click(messages.getByText('webhook.ping'))
    const dialog = await findDialog()
    await dialog.findByText('Sent request')
    dialog.getByText(/webhook_id/)
    fireEvent.click(dialog.getByText('Send again').closest('button')!)
    await dialog.findByText('Queued for delivery.')
    await user.keyboard('{Escape}')
    await waitFor(() => assert.ok(screen.queryByRole('dialog') === null))
    await user.selectOptions(screen.getByLabelText('State'), 'waiting')
    await screen.findByText('waiting')

    fireEvent.click(screen.getByLabelText(/^Send all events/))
    press('Save')
    await within(screen.getByText('About').closest('section')!).findByText('all events')
    press('Replace secret')
    fireEvent.click((await findDialog()).getByText('Replace').closest('button')!)
    const { value: next } = await screen.findByLabelText<HTMLTextAreaElement>('New signing secret')
    receiver.answer = (response) => response.writeHead(204).end()
    press('Send test')
    await screen.findByText('Accepted: 204')
    const last = receiver.received.at(-1)!
    assert.deepEqual([await isSigned(last, secret), await isSigned(last, next)], [true, true])
    assert.ok(!log().includes(secret) && !log().includes(next))
  })

  test('webhooks without the permission to edit: name it', async () => {
    const { connect, keyWith, orgId } = server()
    connect(await keyWith(['org.read']))
    render(<Webhooks />, { at: `/orgs/${orgId}/webhooks`, route: '/orgs/:placeId/webhooks' })
    assert.match((await screen.findByRole('alert')).textContent, /org\.edit/)
  })
})
