import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor, within } from '@testing-library/react'
import { addProjectRow } from '#test/projects/project-rows.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { direct, shop } from '#test/projects/shop-project.ts'
import { render } from '../../../testing/render.tsx'
import { useConsoleServer } from '../../../testing/server.ts'
import { ProjectPage } from './one.tsx'

describe('project page', () => {
  const server = useConsoleServer()

  function open(projectId: string, { key, orgId = server().orgId }: { key?: string; orgId?: string } = {}) {
    server().connect(key)
    return render(<ProjectPage />, {
      at: `/orgs/${orgId}/projects/${projectId}`,
      route: '/orgs/:placeId/projects/:projectId',
    })
  }

  for (const [isComplete, title] of [
    [true, 'Few advisories known'],
    [false, 'Incomplete test'],
  ] as const) {
    test(`project page: with the starter set, a test that is ${isComplete ? '' : 'in'}complete has the title "${title}"`, async () => {
      const graph = { shop: ['a@1.0.0'], 'a@1.0.0': [] }
      const { projectId } = await recordProject(server(), { graph, isComplete })
      open(projectId)
      await screen.findByText(title)
      await screen.findByText(/Only the starter set of advisories was used/)
    })
  }

  test('project page: unreadable files are shown with the error, since when, and the time of the results', async () => {
    const { id } = await addProjectRow(server(), {
      source_failure: 'The repository does not exist or the credentials may not read it (HTTP 404)',
      source_failed_at: Date.UTC(2026, 4, 3),
      source_read_at: Date.UTC(2026, 4, 2),
    })
    open(id)
    const alert = (await screen.findByText('Its files cannot be read anymore')).closest('[role=status]')!
    assert.match(alert.textContent, /The repository does not exist.*HTTP 404/)
    assert.deepEqual(
      [...alert.querySelectorAll('time')].map((time) => time.getAttribute('datetime')),
      ['2026-05-03T00:00:00.000Z', '2026-05-02T00:00:00.000Z'],
    )
  })

  test('project page: shows the coverage and the history of tests', async () => {
    const { projectId } = await recordProject(server(), shop)
    const { user } = open(projectId)
    await user.click(await screen.findByRole('tab', { name: 'Coverage' }))
    const coverage = await screen.findByLabelText('Coverage', { selector: 'section' })
    assert.match(coverage.textContent, /starter set[\s\S]*3 of 3 resolved and tested/)
    await user.click(screen.getByRole('tab', { name: 'History' }))
    await screen.findByText('API client', { selector: 'td *' })
    assert.match(screen.getByLabelText('Tests').textContent, /1 critical1 high/)
  })

  test('project page: read-only access; each refused action names the missing permission', async () => {
    const { projectId } = await recordProject(server(), shop)
    const key = await server().keyWith(['org.read', 'org.project.read', 'org.project.snapshot.read'])
    const { user } = open(projectId, { key })
    await user.click(await screen.findByText(`Title of ${direct}`))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByText('Ignore…'))
    await user.click(dialog.getByLabelText('Will not be fixed'))
    await user.type(dialog.getByLabelText(/^Reason/), 'I would like to')
    await user.click(dialog.getByText('Ignore it').closest('button')!)
    assert.match((await dialog.findByRole('alert')).textContent, /org\.project\.ignore/)
    await user.keyboard('{Escape}')
    await waitFor(() => assert.ok(screen.queryByRole('dialog') === null))
    await user.click(screen.getByRole('tab', { name: 'Ignores' }))
    assert.match((await screen.findByRole('alert')).textContent, /org\.project\.ignore\.read/)
    await user.click(screen.getByRole('tab', { name: 'Settings' }))
    await user.click(await screen.findByText('Deactivate'))
    assert.match((await screen.findByRole('alert')).textContent, /org\.project\.status/)
  })

  test('project page: a project of another organization is not found', async () => {
    const { projectId } = await recordProject(server(), shop)
    open(projectId, { orgId: await server().addOrg() })
    assert.match((await screen.findByRole('alert')).textContent, /not found/)
  })
})
