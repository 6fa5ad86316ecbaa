import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { routes } from '../../../app/routes.tsx'
import { render } from '../../../testing/render.tsx'
import { useConsoleServer } from '../../../testing/server.ts'
import { NewIntegration } from './new.tsx'

const SECRET = 'a-token-that-stays-hidden'

type Fields = Pick<typeof screen, 'getByLabelText'>

describe('connecting a source', () => {
  const server = useConsoleServer()
  beforeEach(() => server().connect())

  function open(others = routes) {
    const at = `/orgs/${server().orgId}/integrations/new`
    return render(<NewIntegration />, { at, route: '/orgs/:placeId/integrations/new', others })
  }
  const choose = (label: string | RegExp, form: Fields = screen) => fireEvent.click(form.getByLabelText(label))
  const enter = (label: string | RegExp, value: string, form: Fields = screen) =>
    fireEvent.change(form.getByLabelText(label), { target: { value } })
  const press = (name: string) => fireEvent.click(screen.getByText(name).closest('button')!)
  const region = async (name: string) => within((await screen.findByText(name, { selector: 'h2' })).closest('section')!)

  test('new integration: asks for the credentials and the address that the kind of source takes', () => {
    open()
    choose('Bitbucket Server')
    choose('User name and password')
    screen.getByLabelText(/^Password/)
    choose('Folder on the server')
    assert.ok(screen.queryByLabelText(/^Address/) === null)
    assert.ok(screen.queryByLabelText('A token') === null)
  })

  test('credentials of an integration: set, removed and set again, never shown; the integration is deleted', async () => {
    const { orgId } = server()
    const { address, user } = open()
    choose('Git')
    enter('Name', 'Our git')
    enter(/^Address/, 'https://git.example/team')
    choose('A token')
    enter(/^Token/, SECRET)
    press('Connect')
    const about = await region('About')
    about.getByText('set')
    assert.ok(!document.documentElement.outerHTML.includes(SECRET), 'credentials are never shown')
    choose(/^None/, await region('Credentials'))
    press('Remove credentials')
    await about.findByText('not set')
    const credentials = await region('Credentials')
    choose('User name and password', credentials)
    enter(/^User name(?! and)/, 'builds', credentials)
    enter(/^Password/, SECRET, credentials)
    press('Set credentials')
    await about.findByText('set')
    press('Delete this integration')
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByText('Delete'))
    await screen.findByText('No source connected')
    assert.equal(address(), `/orgs/${orgId}/integrations`)
    assert.ok(!server().log().includes(SECRET))
  })

  test('new integration: a taken name is refused at its field', async () => {
    const attributes = { kind: 'git', name: 'Theirs' }
    const body = { data: { type: 'integration', attributes } }
    const { statusCode } = await server().call('POST', `/rest/orgs/${server().orgId}/integrations`, { body })
    assert.equal(statusCode, 201)
    open()
    enter('Name', 'Theirs')
    press('Connect')
    await screen.findByRole('alert')
    const field = screen.getByLabelText('Name')
    assert.equal(field.getAttribute('aria-invalid'), 'true')
    assert.match(document.getElementById(`${field.id}-error`)!.textContent!, /already exists/)
  })

  test('new integration: a repeated submission is sent once, also while the next page loads', async (context) => {
    const next = Promise.withResolvers<() => string>()
    const { user } = open([{ path: '/orgs/:placeId/integrations/:id', load: () => next.promise }])
    choose('Archives')
    enter('Name', 'Once')
    const sending = context.mock.method(globalThis, 'fetch')
    const isSent = () => sending.mock.calls.filter(({ arguments: [, init] }) => init?.method === 'POST').length
    press('Connect')
    const created = () => server().call('GET', `/rest/orgs/${server().orgId}/integrations`)
    await waitFor(async () => assert.match((await created()).body, /Once/))
    press('Connect')
    await user.type(screen.getByLabelText('Name'), '{Enter}')
    next.resolve(() => 'The next page')
    await screen.findByText('The next page')
    assert.equal(isSent(), 1)
  })
})
