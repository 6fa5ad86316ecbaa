import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanup, screen } from '@testing-library/react'
import { render } from '../../../testing/render.tsx'
import { useConsoleServer } from '../../../testing/server.ts'
import { NewServiceAccount } from './new.tsx'

describe('new service account form', () => {
  const server = useConsoleServer()

  async function fill(name: string) {
    server().connect()
    const at = `/orgs/${server().orgId}/service-accounts/new`
    const { user } = render(<NewServiceAccount />, { at, route: '/orgs/:placeId/service-accounts/new' })
    const role = screen.getByLabelText(/^Role/)
    await screen.findByRole('option', { name: 'Org Collaborator' })
    await user.type(screen.getByLabelText(/^Name/), name)
    await user.selectOptions(role, 'Org Collaborator')
    return user
  }
  const create = () => screen.getByRole('button', { name: 'Create' })

  test('new service account: the API key is shown once with a warning, selectable', async () => {
    const user = await fill('build server')
    await user.click(create())
    const field = (await screen.findByRole('textbox', { name: 'API key' })) as HTMLTextAreaElement
    assert.match(screen.getByRole('alert').textContent, /shown only once/)
    assert.ok(field.readOnly)
    const self = await server().call('GET', '/rest/self', { key: field.value })
    assert.equal(self.json().data.attributes.name, 'build server')
    await user.click(field)
    assert.deepEqual([field.selectionStart, field.selectionEnd], [0, field.value.length])
    assert.equal(sessionStorage.length, 1, 'only the key of the person')
    assert.equal(localStorage.length, 0)
  })

  test('new service account: a taken name gets an alert; the form keeps its input', async () => {
    const user = await fill('twice')
    await user.click(create())
    await screen.findByRole('textbox', { name: 'API key' })
    cleanup()
    const again = await fill('twice')
    await again.click(create())
    assert.match((await screen.findByRole('alert')).textContent, /Account not created.*name-taken/)
    assert.equal((screen.getByLabelText(/^Name/) as HTMLInputElement).value, 'twice')
  })

  test('new service account: a refused name is described at its field', async () => {
    const user = await fill('   ')
    await user.click(create())
    await screen.findByRole('alert')
    const field = screen.getByLabelText(/^Name/)
    assert.equal(field.getAttribute('aria-invalid'), 'true')
    const ids = field.getAttribute('aria-describedby')!.split(' ')
    const fault = ids.map((id) => document.getElementById(id)?.textContent).join(' ')
    assert.ok(fault.length > 'Unique; name the program '.length, fault)
  })

  test('new service account: token lifetime is offered for OAuth accounts only', async () => {
    const user = await fill('worker')
    assert.ok(screen.queryByLabelText('Access tokens are valid for') === null)
    await user.click(screen.getByRole('radio', { name: /client secret/i }))
    screen.getByLabelText('Access tokens are valid for')
  })
})
