import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { direct, shop } from '#test/projects/shop-project.ts'
import { render } from '../../../testing/render.tsx'
import { useConsoleServer } from '../../../testing/server.ts'
import { IssuesPage } from './page.tsx'

describe('list of each issue', () => {
  const server = useConsoleServer()

  test('list of each issue: filters by state and package, and links to the projects', async () => {
    const { orgId } = server()
    const { projectId } = await recordProject(server(), shop)
    const other = await recordProject(server(), { ...shop, name: 'team/other:package.json' })
    const body = { reasonType: 'wont-fix', disregardIfFixable: false, reason: 'accepted here' }
    await server().call('POST', `/v1/org/${orgId}/project/${projectId}/ignore/${direct}`, { body })
    server().connect()
    const at = `/orgs/${orgId}/issues?by=issue`
    const { user, address } = render(<IssuesPage />, { at, route: '/orgs/:placeId/issues' })
    const rows = () => [...screen.getByLabelText('Issues').querySelectorAll('tbody tr')]
    await screen.findByText('accepted here (Administrator)')
    assert.equal(rows().length, 4)
    assert.match(rows()[0]!.textContent, /critical.*Risk \d+.*left@1\.0\.0/)
    await user.selectOptions(screen.getByLabelText('State'), 'false')
    await user.type(screen.getByLabelText('Package'), 'left')
    await waitFor(() => assert.equal(rows().length, 1))
    assert.ok(screen.queryByText(/accepted here/) === null)
    await user.click(screen.getByText('team/other:package.json'))
    assert.equal(address(), `/orgs/${orgId}/projects/${other.projectId}`)
  })
})
