import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { screen } from '@testing-library/react'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { render } from '../../../testing/render.tsx'
import { useConsoleServer } from '../../../testing/server.ts'
import { ProjectPage } from './one.tsx'

const graph = { shop: ['a@1.0.0'], 'a@1.0.0': [] }

describe('test of a project on request', () => {
  const server = useConsoleServer()
  let projectId: string
  before(async () => {
    projectId = (await recordProject(server(), { name: 'shop', graph, at: Date.now() - 60_000 })).projectId
  })
  const open = (key?: string) => {
    server().connect(key)
    const at = `/orgs/${server().orgId}/projects/${projectId}`
    return render(<ProjectPage />, { at, route: '/orgs/:placeId/projects/:projectId' })
  }
  const findButton = () => screen.findByRole('button', { name: 'Test now' })

  test('test of a project: waits for the result, which the page then shows', async () => {
    const { user } = open()
    await user.click(await findButton())
    await screen.findByText('Waiting for the test…')
    assert.equal((await findButton()).getAttribute('data-loading'), 'true')
    const issues = [{ id: 'GHSA-new', in: 'a@2.0.0', severity: 'high' }] as const
    await recordProject(server(), { name: 'shop', graph: { shop: ['a@2.0.0'], 'a@2.0.0': [] }, issues })
    await screen.findByText('Tested again.')
    await screen.findAllByText(/GHSA-new/)
  })

  test('test of a project: a refusal is shown, and nothing waits', async () => {
    const { user } = open(await server().keyWith(['org.read', 'org.project.read']))
    await user.click(await findButton())
    await screen.findByText('Could not request the test')
    assert.ok(screen.queryByText('Waiting for the test…') === null)
  })

  test('test of a project: tells when the next one is due', async () => {
    const { db } = server().parts.services
    const inHours = (hours: number) => Date.now() + hours * 3_600_000
    await db
      .updateTable('projects')
      .set({ next_test_at: inHours(23.5) })
      .where('id', '=', projectId)
      .execute()
    open()
    assert.equal((await screen.findByText(/^Next test/)).textContent, 'Next test in 23 hours')
  })

  test('test of a project: one that is due is waited for after the page was loaded again', async () => {
    const { db } = server().parts.services
    await db.updateTable('projects').set({ next_test_at: Date.now() }).where('id', '=', projectId).execute()
    open()
    await screen.findByText('Waiting for the test…')
  })

  test('test of a project: an inactive project has to be activated first', async () => {
    const { db } = server().parts.services
    await db
      .updateTable('projects')
      .set({ status: 'inactive', next_test_at: null })
      .where('id', '=', projectId)
      .execute()
    open()
    assert.equal(((await findButton()) as HTMLButtonElement).disabled, true)
  })
})
