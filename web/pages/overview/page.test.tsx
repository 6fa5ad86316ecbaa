import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { publishRecords } from '#test/manifests/published-advisories.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { call } from '../../api/client.ts'
import { readTrend } from '../../api/overview.ts'
import { PlaceContext } from '../../hooks/place.ts'
import { render } from '../../testing/render.tsx'
import { useConsoleServer } from '../../testing/server.ts'
import { Advisories } from './advisories.tsx'
import { Exploited } from './exploited.tsx'
import { Figures } from './figures.tsx'
import { Overview } from './page.tsx'
import { WorstRepositories } from './repositories.tsx'
import { Upgrades } from './upgrades.tsx'

const DAY_MS = 86_400_000
const graph = { shop: ['a@1.0.0', 'b@1.0.0'], 'a@1.0.0': [], 'b@1.0.0': [] }
const upgraded = { shop: ['b@1.0.0'], 'b@1.0.0': [] }
const issues = [
  { id: 'PAGE-1', in: 'a@1.0.0', severity: 'critical' },
  { id: 'PAGE-2', in: 'b@1.0.0', severity: 'low', upgradable: ['b@1.0.0'] },
] as const

describe('overview page', () => {
  const server = useConsoleServer()

  test('overview without a place: lists organizations and groups', async () => {
    server().connect()
    render(<Overview />)
    await screen.findByRole('table', { name: 'Organizations and groups' })
  })

  test('overview without any organization or group: says how to get one', async () => {
    server().connect(await server().keyWith([]))
    render(<Overview />)
    await screen.findByText('No organizations yet')
    assert.ok(screen.queryByRole('table', { name: 'Organizations and groups' }) === null)
  })

  test('overview figures: are exact and link to the lists that they count', async () => {
    server().connect()
    const orgId = await server().addOrg()
    const at = Date.now() - 6 * DAY_MS
    await recordProject(server(), { orgId, name: 'one', graph, issues, at })
    await recordProject(server(), { orgId, name: 'one', graph: upgraded, issues: issues.slice(1) })
    await recordProject(server(), { orgId, name: 'two', graph, issues, isComplete: false })
    const [overview, trend] = [
      await call('getOverview', { params: { org_id: orgId } }),
      await readTrend({ orgId, days: 90 }),
    ]
    render(<Figures orgId={orgId} overview={overview} trend={trend} days={90} />)
    const open = within(screen.getByRole('region', { name: 'Open issues' }))
    const links = open.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])
    const list = `/orgs/${orgId}/issues?ignored=false`
    assert.deepEqual(links, [
      ['3', list],
      ['1', `${list}&effective_severity_level=critical`],
      ['0', `${list}&effective_severity_level=high`],
      ['0', `${list}&effective_severity_level=medium`],
      ['2', `${list}&effective_severity_level=low`],
    ])
    open.getByText('↑ 1 in 90 days')
    within(screen.getByRole('region', { name: 'Projects with complete tests' })).getByText('1 of 2')
    within(screen.getByRole('region', { name: 'Mean time to fix' })).getByText('6 days')
  })

  test('worst repositories: an incomplete repository shows its issues as a minimum', () => {
    const open = { critical: 1, high: 2, medium: 0, low: 3 }
    const repositories = [
      { id: 'x', name: 'whole', projects: 1, incomplete: 0, open },
      { id: 'y', name: 'group/gaps', projects: 2, incomplete: 1, open },
    ]
    render(<WorstRepositories orgId="org" repositories={repositories} total={1_284} isCounting />)
    const texts = screen.getAllByRole('row').map(({ textContent }) => textContent)
    assert.deepEqual(texts.slice(1), ['whole1126Complete', 'group/gaps2≥ 1≥ 2≥ 61 incomplete'])
    assert.equal(screen.getByRole('link', { name: 'All 1,284' }).getAttribute('href'), '/orgs/org/projects')
    assert.equal(
      screen.getByRole('link', { name: 'group/gaps' }).getAttribute('href'),
      '/orgs/org/projects?target_id=y',
    )
  })

  test('worst repositories: an empty list says whether there are no issues or counting is under way', () => {
    const { unmount } = render(<WorstRepositories orgId="org" repositories={[]} total={1} isCounting={false} />)
    screen.getByText('No repository has open issues.')
    unmount()
    render(<WorstRepositories orgId="org" repositories={[]} total={1} isCounting />)
    screen.getByText(/New issues are being counted/)
  })

  test('overview: names newly exploited vulnerabilities only if the server has a catalog of them', async () => {
    server().connect()
    await recordProject(server(), { name: 'any', graph, issues })
    const at = `/orgs/${server().orgId}`
    const place = { kind: 'orgs', id: server().orgId } as const
    const page = (
      <PlaceContext value={place}>
        <Overview />
      </PlaceContext>
    )
    const { unmount } = render(page, { at })
    await screen.findByText('Starter set', { exact: false })
    assert.ok(screen.queryByText(/exploited/i) === null)
    unmount()
    await publishRecords(server().parts, [], { exploited: ['CVE-2026-1'] })
    render(page, { at })
    await screen.findByRole('region', { name: 'Newly exploited, last 30 days' })
  })

  test('exploited vulnerabilities: link to their pages; without any, "None"', () => {
    const exploited = [{ id: 'GHSA-x', title: 'Code runs', projects: 1, since: new Date().toISOString() }]
    const { unmount } = render(<Exploited orgId="org" exploited={exploited} />)
    const link = screen.getByRole('link', { name: 'Code runs' })
    assert.equal(link.getAttribute('href'), '/orgs/org/vulnerabilities/GHSA-x')
    assert.match(link.parentElement!.textContent!, /1 project · /)
    assert.equal(
      screen.getByRole('link', { name: 'All exploited' }).getAttribute('href'),
      '/orgs/org/issues?exploited=yes',
    )
    unmount()
    render(<Exploited orgId="org" exploited={[]} />)
    screen.getByText('None')
  })

  test('advisory registries: show their formats, also registries without advisories', () => {
    const facts = [{ registry: 'Go', records: 1_200, newest: '2026-01-01T00:00:00.000Z' }]
    const advisories = {
      source: 'a file',
      is_starter_set: false,
      has_exploited_catalog: false,
      exploit_sources: [],
      checked_at: '2026-01-02T00:00:00.000Z',
    }
    render(<Advisories of={{ ...advisories, registries: facts }} />)
    const rows = screen.getAllByRole('row').map(({ textContent }) => textContent!)
    assert.match(rows[1]!, /^GoGo modules, govendor1,200/)
    assert.ok(rows.includes('PyPIpip, Poetry, uv, Pipenv, pyproject.toml0'), rows.join('; '))
  })

  test('upgrades: link to the issues of the package; without any, a sentence says so', () => {
    const upgrade = { registry: 'npm', package: '@a/b', from_version: '1', to_version: '2' }
    const { unmount } = render(
      <Upgrades orgId="org" upgrades={[{ ...upgrade, fixes: 1_402, critical: 41, projects: 38 }]} />,
    )
    const link = screen.getByRole('link', { name: '@a/b' })
    assert.equal(link.getAttribute('href'), '/orgs/org/issues?ignored=false&package=%40a%2Fb%401')
    assert.match(screen.getAllByRole('row')[1]!.textContent!, /1 → 2 npm1,4024138$/)
    unmount()
    render(<Upgrades orgId="org" upgrades={[]} />)
    screen.getByText('No known upgrade fixes an open issue.')
  })
})
