import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { hintOf } from '#foundation/secrets/typed-secret.ts'
import { createAccount, ofOrg } from '#test/access/accounts.ts'
import { sendForm } from '#test/access/oauth.ts'
import { render } from '../../../testing/render.tsx'
import { useConsoleServer } from '../../../testing/server.ts'
import { ServiceAccountPage } from '../service-accounts/one.tsx'

describe('client secrets', () => {
  const server = useConsoleServer()
  beforeEach(() => server().connect())

  async function open(id: string) {
    const at = `/orgs/${server().orgId}/service-accounts/${id}`
    const rendered = render(<ServiceAccountPage />, { at, route: '/orgs/:placeId/service-accounts/:accountId' })
    const table = await screen.findByRole('table', { name: 'Credentials' })
    await within(table).findAllByText('active')
    return { ...rendered, table }
  }
  const press = (name: string) => fireEvent.click(screen.getByText(name, { selector: 'button *' }).closest('button')!)

  async function confirm(name: string) {
    const dialog = within(await screen.findByRole('dialog'))
    fireEvent.click(dialog.getByText(name, { selector: 'button *' }).closest('button')!)
  }

  async function remove(secret: string) {
    fireEvent.click(await screen.findByLabelText(`Delete the secret with the hint ${hintOf(secret)}`))
    await confirm('Delete secret')
  }

  test('client secret: replaced with a grace period, shown as still in use, and deleted', async () => {
    const { id, attributes } = await createAccount(server(), ofOrg.path(server()), { auth_type: 'oauth_client_secret' })
    const { table, unmount } = await open(id)
    assert.match(table.textContent, /never[\s\S]*anywhere[\s\S]*stays/)
    press('Replace')
    fireEvent.click(within(await screen.findByRole('dialog')).getByLabelText('1 hour'))
    await confirm('Replace')
    const { value: secret } = await screen.findByLabelText<HTMLTextAreaElement>('New client secret')
    await within(table).findByText('retiring')
    assert.match(table.textContent, /retiring ends [\s\S]*active/)
    assert.ok(screen.queryByText('A replaced secret is still in use') === null)

    const { client_id, client_secret: old } = attributes as Record<string, string>
    const statusWith = async (client_secret: string) =>
      (await sendForm(server(), 'token', { grant_type: 'client_credentials', client_id: client_id!, client_secret }))
        .statusCode
    assert.equal(await statusWith(old!), 200)
    await server().parts.lastUses.flush()
    unmount()
    const again = await open(id)
    await screen.findByText('A replaced secret is still in use')
    assert.ok(!document.documentElement.outerHTML.includes(secret), 'the secret is shown once')
    await remove(old!)
    await screen.findByText('Secret deleted.')
    await waitFor(() => assert.ok(within(again.table).queryByText('retiring') === null))
    assert.deepEqual([await statusWith(old!), await statusWith(secret)], [401, 200])
  })

  test('client secret: the message of a refused change is gone for the next', async () => {
    const { id, attributes } = await createAccount(server(), ofOrg.path(server()), { auth_type: 'oauth_client_secret' })
    const { table } = await open(id)
    press('Add second secret')
    await waitFor(() => assert.equal(screen.getAllByLabelText(/^Delete the secret/).length, 2))
    const secretsPath = `${ofOrg.path(server())}/${id}/secrets`
    const [{ id: newest }] = (await server().call('GET', secretsPath)).json().data
    assert.equal((await server().call('DELETE', `${secretsPath}/${newest}`)).statusCode, 204)
    await remove(String(attributes['client_secret']))
    await screen.findByText('Not saved')
    press('Replace')
    await confirm('Replace')
    await within(table).findByText('retiring')
    await waitFor(() => assert.ok(screen.queryByText('Not saved') === null))
  })
})
