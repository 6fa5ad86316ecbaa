import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import { addProjectRow } from '#test/projects/project-rows.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { shop } from '#test/projects/shop-project.ts'
import { render } from '../../../testing/render.tsx'
import { useConsoleServer } from '../../../testing/server.ts'
import { Projects } from './list.tsx'

describe('flat list of projects', () => {
  const server = useConsoleServer()
  before(async () => {
    await recordProject(server(), { name: 'team/app-00', graph: { shop: ['clean@1.0.0'], 'clean@1.0.0': [] } })
    await recordProject(server(), { ...shop, name: 'team/app-01' })
    await addProjectRow(server(), { name: 'team/app-10', type: 'npm' })
    await addProjectRow(server(), { name: 'team/app-11', type: 'npm' })
    await addProjectRow(server(), { name: 'team/old', status: 'inactive', type: 'pip' })
    await addProjectRow(server(), { name: 'team/broken', failure: 'The lockfile is not JSON' })
    await addProjectRow(server(), {
      name: 'team/stale',
      tested_at: Date.now(),
      source_failure: 'The repository does not exist or the credentials may not read it (HTTP 404)',
      source_failed_at: Date.now() - 3 * 86_400_000,
      source_read_at: Date.now() - 4 * 86_400_000,
    })
  })
  beforeEach(() => server().connect())

  function open() {
    const at = `/orgs/${server().orgId}/projects?view=flat`
    return render(<Projects />, { at, route: '/orgs/:placeId/projects' })
  }
  const link = (name: string) => screen.findByLabelText(name, { selector: 'a' })
  const rows = () => [...document.querySelectorAll('tbody tr')].map(({ textContent }) => textContent)
  const names = () => [...document.querySelectorAll('tbody a')].map((link) => link.getAttribute('aria-label'))
  const button = (name: string) => screen.getByText(name, { selector: 'button *' }).closest('button')!

  test('flat list of projects: rows show issues, age and status', async () => {
    open()
    await link('team/app-00')
    assert.match(rows()[0]!, /team\/app-00.*none/)
    assert.match(rows()[1]!, /team\/app-01.*1 critical1 high.*active/)
    const row = (name: string) => rows().find((row) => row.includes(name))
    assert.match(row('team/old')!, /inactive/)
    assert.match(row('team/broken')!, /team\/broken.*not yet.*failing/)
    assert.match(row('team/stale')!, /team\/stale.*files 4 days ago.*out of date/)
  })

  test('flat list of projects: name and order are in the address; "Clear" shows all', async () => {
    const { user, address } = open()
    await link('team/app-00')
    await user.selectOptions(screen.getByLabelText('Order'), 'Name, Z to A')
    await user.type(screen.getByLabelText('Name contains'), 'APP-1{Enter}')
    await waitFor(() => assert.deepEqual(names(), ['team/app-11', 'team/app-10']))
    assert.match(address(), /name=APP-1.*sort=-name|sort=-name.*name=APP-1/)
    await user.click(button('Clear'))
    await link('team/old')
  })

  test('flat list of projects: status and type narrow it together', async () => {
    const { user } = open()
    await link('team/old')
    await user.selectOptions(screen.getByLabelText('Status'), 'inactive')
    await user.selectOptions(screen.getByLabelText('Type'), 'npm')
    await screen.findByText('No matching projects', { selector: 'h2' })
  })
})
