import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { screen, waitFor, within } from '@testing-library/react'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { ProjectFilters } from '../pages/place/projects/filters.tsx'
import { Projects } from '../pages/place/projects/list.tsx'
import { render } from '../testing/render.tsx'
import { useConsoleServer } from '../testing/server.ts'

describe('list of projects', () => {
  const server = useConsoleServer()
  let orgId: string
  before(async () => {
    orgId = await server().addOrg()
    for (let at = 0; at < 21; at++) {
      const name = `app-${String(at).padStart(2, '0')}`
      await recordProject(server(), { orgId, name, graph: { shop: ['a@1.0.0'], 'a@1.0.0': [] } })
    }
  })

  function open(search = '?view=flat', id = orgId) {
    return render(<Projects />, { at: `/orgs/${id}/projects${search}`, route: '/orgs/:placeId/projects' })
  }
  const rows = () => within(screen.getByRole('table', { name: 'Projects' })).getAllByRole('row')

  test('project list while loading: the table is busy and has only its header', async () => {
    server().connect()
    const release = server().hold()
    open()
    const table = screen.getByRole('table', { name: 'Projects' })
    assert.equal(table.closest('[aria-busy]')?.getAttribute('aria-busy'), 'true')
    assert.equal(rows().length, 1, 'the names of the columns')
    release()
    await screen.findByRole('link', { name: 'app-00' })
    assert.equal(table.closest('[aria-busy]')?.getAttribute('aria-busy'), 'false')
  })

  test('project list of an empty organization: offers an import instead of table and filters', async () => {
    server().connect()
    const empty = await server().addOrg()
    open('?view=flat', empty)
    await screen.findByRole('heading', { name: 'No projects yet' })
    assert.ok(screen.queryByRole('table') === null)
    assert.ok(screen.queryByRole('group', { name: 'Filters' }) === null)
    const link = screen.getByRole('link', { name: 'Import repository' })
    assert.equal(link.getAttribute('href'), `/orgs/${empty}/imports/new`)
  })

  test('project list that cannot be read: shows the reason; "Try again" loads it', async () => {
    server().disconnect()
    const { user } = open()
    const alert = await screen.findByRole('alert')
    assert.match(alert.textContent, /Could not load the projects.*The server did not respond/)
    assert.ok(screen.queryByRole('table') === null)
    server().connect()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByRole('link', { name: 'app-00' })
  })

  test('project list pages: turn by keyboard, and back with the address', async () => {
    server().connect()
    const { user, address, goBack } = open()
    await screen.findByRole('link', { name: 'app-19' })
    const next = screen.getByRole('button', { name: 'Next' })
    const isDisabled = (name: string) => screen.getByRole('button', { name }).hasAttribute('disabled')
    assert.deepEqual([isDisabled('Previous'), isDisabled('Next')], [true, false])
    next.focus()
    await user.keyboard('{Enter}')
    await screen.findByRole('link', { name: 'app-20' })
    assert.equal(rows().length, 2)
    assert.match(address(), /&after=/)
    assert.deepEqual([isDisabled('Previous'), isDisabled('Next')], [false, true])
    await goBack()
    await screen.findByRole('link', { name: 'app-00' })
    assert.doesNotMatch(address(), /after/)
  })

  test('project filters: are written to the address and lead to the first page', async () => {
    server().connect()
    const { user, address } = open()
    await screen.findByRole('link', { name: 'app-00' })
    await user.click(screen.getByRole('button', { name: 'Next' }))
    await screen.findByRole('link', { name: 'app-20' })
    await user.type(screen.getByLabelText('Name contains'), 'APP-1{Enter}')
    await screen.findByRole('link', { name: 'app-10' })
    assert.equal(address(), `/orgs/${orgId}/projects?view=flat&name=APP-1`)
    assert.equal(rows().length, 11)
  })

  test('project filters: are read from the address; clearing keeps the order', async () => {
    server().connect()
    const { user, address } = open('?name=app-1&sort=-name')
    await screen.findByRole('link', { name: 'app-19' })
    assert.match(rows()[1]!.textContent, /app-19/)
    assert.equal((screen.getByLabelText('Name contains') as HTMLInputElement).value, 'app-1')
    await user.click(screen.getByRole('button', { name: 'Clear' }))
    await screen.findByRole('link', { name: 'app-20' })
    assert.equal(address(), `/orgs/${orgId}/projects?view=flat&sort=-name`)
  })

  test('project filters on phones: they apply while typing in a drawer, which shows their number', async (context) => {
    const isPhone = (query: string) =>
      Object.assign(new EventTarget(), { matches: query.includes('max-width'), media: query })
    context.mock.method(window, 'matchMedia', isPhone)
    server().connect()
    const { user, address } = open('?status=active')
    await screen.findByRole('link', { name: 'app-00' })
    assert.ok(screen.queryByLabelText('Name contains') === null)
    await user.click(screen.getByRole('button', { name: 'Filters (1)' }))
    await user.type(await screen.findByLabelText('Name contains'), 'app-19')
    await waitFor(() => assert.equal(address(), `/orgs/${orgId}/projects?view=flat&status=active&name=app-19`))
    await user.click(screen.getByRole('button', { name: 'Close' }))
    await screen.findByRole('button', { name: 'Filters (2)' })
    await waitFor(() => assert.ok(screen.queryByRole('dialog') === null))
    assert.equal(address(), `/orgs/${orgId}/projects?view=flat&status=active&name=app-19`)
    await waitFor(() => assert.equal(rows().length, 2))
  })

  test('project filters without matches: stay, with an enabled Clear button', async () => {
    server().connect()
    open('?name=nothing-has-this')
    await screen.findByRole('heading', { name: 'No matching projects' })
    assert.ok(!screen.getByRole('button', { name: 'Clear' }).hasAttribute('disabled'))
  })
})

test('project filters: without a filter, the Clear button is disabled', async () => {
  render(<ProjectFilters filters={{ sort: 'name' }} onApply={() => assert.fail('nothing was applied')} />)
  await waitFor(() => assert.ok(screen.getByRole('button', { name: 'Clear' }).hasAttribute('disabled')))
})
