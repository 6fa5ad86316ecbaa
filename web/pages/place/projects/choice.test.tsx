import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { render } from '../../../testing/render.tsx'
import { useConsoleServer } from '../../../testing/server.ts'
import { Projects } from './list.tsx'

describe('bulk changes of projects', () => {
  const server = useConsoleServer()

  test('selected projects: get a tag together; the list shows the total', async () => {
    for (const name of ['one', 'two', 'three']) {
      await recordProject(server(), { name, graph: { shop: ['a@1.0.0'], 'a@1.0.0': [] } })
    }
    server().connect()
    const { user } = render(<Projects />, {
      at: `/orgs/${server().orgId}/projects?view=flat`,
      route: '/orgs/:placeId/projects',
    })
    await screen.findByText(/^3 projects\. /)
    for (const name of ['one', 'two']) await user.click(await screen.findByRole('checkbox', { name: `Choose ${name}` }))
    await user.click(screen.getByRole('button', { name: 'Tag 2 projects' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.type(dialog.getByLabelText(/^Key/), 'team')
    await user.type(dialog.getByLabelText(/^Value/), 'red')
    await user.click(dialog.getByRole('button', { name: 'Add tag' }))
    await screen.findByText('2 projects tagged.')
    const query = { tags: 'team:red', meta_count: 'only' }
    const answer = await server().call('GET', `/rest/orgs/${server().orgId}/projects`, { query })
    assert.equal(answer.json().meta.count, 2)
  })
})
