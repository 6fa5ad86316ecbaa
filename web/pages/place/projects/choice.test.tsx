import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor, within } from '@testing-library/react'
import { addProjectRow } from '#test/projects/project-rows.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { render } from '../../../testing/render.tsx'
import { useConsoleServer } from '../../../testing/server.ts'
import { Projects } from './list.tsx'

describe('bulk changes of projects', () => {
  const server = useConsoleServer()

  function open({
    orgId = server().orgId,
    query = 'view=flat',
    key,
  }: {
    orgId?: string
    query?: string
    key?: string
  }) {
    server().connect(key)
    return render(<Projects />, { at: `/orgs/${orgId}/projects?${query}`, route: '/orgs/:placeId/projects' })
  }
  const box = (name: string) => screen.findByLabelText(`Choose ${name}`)
  const button = (name: string) => screen.getByText(name, { selector: 'button *' }).closest('button')!
  const dialog = async () => within(await screen.findByRole('dialog'))
  const isClosed = () => waitFor(() => assert.ok(screen.queryByRole('dialog') === null))
  /** The projects of the table, or none while there is no table. */
  const links = () => [...document.querySelectorAll('table a')].map((link) => link.getAttribute('aria-label'))

  test('selected projects: get a tag together; the list shows the total', async () => {
    for (const name of ['one', 'two', 'three']) {
      await recordProject(server(), { name, graph: { shop: ['a@1.0.0'], 'a@1.0.0': [] } })
    }
    const { user } = open({})
    await screen.findByText(/^3 projects\. /)
    for (const name of ['one', 'two']) await user.click(await box(name))
    await user.click(button('Tag 2 projects'))
    const tagging = await dialog()
    await user.type(tagging.getByLabelText(/^Key/), 'team')
    await user.type(tagging.getByLabelText(/^Value/), 'red')
    await user.click(tagging.getByRole('button', { name: 'Add tag' }))
    await screen.findByText('2 projects tagged.')
    const query = { tags: 'team:red', meta_count: 'only' }
    const answer = await server().call('GET', `/rest/orgs/${server().orgId}/projects`, { query })
    assert.equal(answer.json().meta.count, 2)
  })

  test('selected projects: are not deleted without the permission, which an alert names', async () => {
    const orgId = await server().addOrg()
    await addProjectRow(server(), { org_id: orgId, name: 'one' })
    const { user } = open({ orgId, key: await server().keyWith(['org.read', 'org.project.read'], { orgId }) })
    await user.click(await box('one'))
    await user.click(button('Delete 1 project'))
    await user.click((await dialog()).getByRole('button', { name: 'Delete' }))
    assert.match((await screen.findByRole('alert')).textContent, /org\.project\.delete/)
    assert.deepEqual(links(), ['one'])
  })

  test('selected projects: are deleted together by keyboard; "Clear selection" clears it', async () => {
    const orgId = await server().addOrg()
    for (const name of ['one', 'two', 'three']) await addProjectRow(server(), { org_id: orgId, name })
    const { user } = open({ orgId })
    const press = async (target: HTMLElement) => {
      target.focus()
      await user.keyboard('{Enter}')
    }
    await user.click(await box('one'))
    await user.click(await box('two'))
    screen.getByText('2 projects selected')
    await press(button('Delete 2 projects'))
    await press((await dialog()).getByRole('button', { name: 'Delete' }))
    await waitFor(() => assert.deepEqual(links(), ['three']))
    await isClosed()
    await user.click(await box('three'))
    await press(button('Clear selection'))
    await waitFor(() => assert.ok(screen.queryByLabelText('Selected projects') === null))
    const { data } = (await server().call('GET', `/rest/orgs/${orgId}/projects`)).json()
    assert.deepEqual(
      data.map(({ attributes }: { attributes: { name: string } }) => attributes.name),
      ['three'],
    )
  })

  test('selected projects: deleting all of a page leads to the first page; an empty page offers it', async () => {
    const orgId = await server().addOrg()
    const number = (at: number) => String(at).padStart(2, '0')
    for (let at = 0; at < 22; at++) await addProjectRow(server(), { org_id: orgId, name: `app-${number(at)}` })
    const { user, address, unmount } = open({ orgId, query: 'sort=name' })
    await box('app-00')
    await user.click(button('Next'))
    await user.click(await box('app-20'))
    const second = address()
    await user.click(button('Select all on this page'))
    await user.click(button('Delete 2 projects'))
    await user.click((await dialog()).getByRole('button', { name: 'Delete' }))
    await box('app-00')
    await isClosed()
    assert.equal(links().length, 20)
    unmount()

    const again = open({ orgId, query: second.slice(second.indexOf('?') + 1) })
    await screen.findByText('This page is empty', { selector: 'h2' })
    button('Go to first page').focus()
    await again.user.keyboard('{Enter}')
    await box('app-00')
  })
})
