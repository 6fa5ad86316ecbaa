import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { screen, waitFor, within } from '@testing-library/react'
import { foldChanges } from '#features/issue-index/trends/fold-store.ts'
import { publishRecords } from '#test/manifests/published-advisories.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { render } from '../../../testing/render.tsx'
import { useConsoleServer } from '../../../testing/server.ts'
import { Projects } from './list.tsx'

describe('projects by repository', () => {
  const server = useConsoleServer()
  let orgId: string
  before(async () => {
    orgId = await server().addOrg()
    const graph = { shop: ['a@1.0.0'], 'a@1.0.0': [] }
    const issues = [{ id: 'R-1', in: 'a@1.0.0', severity: 'critical' }] as const
    await recordProject(server(), { orgId, name: 'group/clean', graph: { project: [] } })
    await recordProject(server(), { orgId, name: 'group/gaps', graph, issues, isComplete: false })
    while ((await foldChanges(server().parts.services.db, 100)) > 0);
    // With the starter set alone, nothing is clean.
    await publishRecords(server().parts, [])
  })

  const open = () => {
    server().connect()
    return render(<Projects />, { at: `/orgs/${orgId}/projects`, route: '/orgs/:placeId/projects' })
  }

  test('projects by repository: counts are minimums where tests have gaps; only complete tests are clean', async () => {
    const { user } = open()
    await screen.findByRole('link', { name: 'group/gaps' })
    const [, worst, clean] = within(screen.getByRole('table')).getAllByRole('row')
    assert.match(worst!.textContent, /group\/gaps1≥ 1≥ 0≥ 0≥ 0 1 incomplete/)
    assert.match(clean!.textContent, /group\/clean10000 Complete · clean/)
    await screen.findByText(/2 repositories · 2 projects · 1 complete, 1 incomplete, 0 not tested/)
    await user.click(screen.getByRole('button', { name: 'Manifests of group/gaps' }))
    const cell = (await screen.findByText('Incomplete')).closest('tr')!.querySelector('[title^="At least"]')!
    assert.equal(cell.textContent, '≥ 1')
  })

  test('projects by repository: no column for lines of open issues on the first day', async (context) => {
    const isWide = (query: string) =>
      Object.assign(new EventTarget(), { matches: query.includes('min-width'), media: query })
    context.mock.method(window, 'matchMedia', isWide)
    open()
    await screen.findByRole('link', { name: 'group/gaps' })
    await waitFor(() => assert.ok(screen.queryByRole('columnheader', { name: '90 days' }) === null))
  })

  test('projects by repository: rows and their manifests have a line of open issues, untested days none', async (context) => {
    const isWide = (query: string) =>
      Object.assign(new EventTarget(), { matches: query.includes('min-width'), media: query })
    context.mock.method(window, 'matchMedia', isWide)
    const past = Date.now() - 40 * 86_400_000
    const of = { orgId: await server().addOrg(), name: 'group/old', graph: { shop: ['a@1.0.0'], 'a@1.0.0': [] } }
    await recordProject(server(), { ...of, graph: { shop: [] }, at: past })
    await recordProject(server(), of)
    await recordProject(server(), { ...of, name: 'group/new' })
    while ((await foldChanges(server().parts.services.db, 100)) > 0);
    server().connect()
    const at = `/orgs/${of.orgId}/projects`
    const { user } = render(<Projects />, { at, route: '/orgs/:placeId/projects' })
    const line = await screen.findByRole('img', { name: '90 days: 0 to 1' })
    assert.match(line.querySelector('path')!.getAttribute('d')!, /^M4,20L.+,4$/)
    assert.equal(screen.getAllByRole('img', { name: /^90 days/ }).length, 1)
    await user.click(screen.getByRole('button', { name: 'Manifests of group/old' }))
    await waitFor(() => assert.equal(screen.getAllByRole('img', { name: '90 days: 0 to 1' }).length, 2))
  })

  test('projects by repository: a row expands to its manifests, which the address keeps', async () => {
    const { user, address } = open()
    const expand = await screen.findByRole('button', { name: 'Manifests of group/gaps' })
    await user.click(expand)
    await waitFor(() => assert.equal(screen.getAllByRole('link', { name: 'group/gaps' }).length, 2))
    assert.match(address(), /\?open=/)
    assert.equal(expand.getAttribute('aria-expanded'), 'true')
    await user.click(expand)
    assert.doesNotMatch(address(), /open/)
  })

  test('projects by repository: the choice "Flat list" shows the list with filters', async () => {
    const { user, address } = open()
    await user.click(await screen.findByRole('radio', { name: 'Flat list' }))
    await screen.findByRole('group', { name: 'Filters' })
    assert.equal(address(), `/orgs/${orgId}/projects?view=flat`)
  })
})
