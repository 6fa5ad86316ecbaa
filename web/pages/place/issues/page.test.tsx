import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor, within } from '@testing-library/react'
import { publishRecords } from '#test/manifests/published-advisories.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { render } from '../../../testing/render.tsx'
import { useConsoleServer } from '../../../testing/server.ts'
import { toFile } from './export-formats.ts'
import { IssuesPage } from './page.tsx'

describe('issues page', () => {
  const server = useConsoleServer()
  const open = (query = '') => {
    server().connect()
    const address = `/orgs/${server().orgId}/issues`
    return render(<IssuesPage />, { at: `${address}${query}`, route: '/orgs/:placeId/issues' })
  }

  test('issues page: a selected vulnerability is ignored in every project with a reason', async () => {
    for (const name of ['one', 'two']) {
      await recordProject(server(), {
        name,
        graph: { project: ['left@1.0.0'], 'left@1.0.0': [] },
        issues: [{ id: 'GHSA-left', in: 'left@1.0.0', severity: 'critical' }],
      })
    }
    const { user } = open()
    await user.click(await screen.findByRole('checkbox', { name: 'Select Title of GHSA-left' }))
    await user.click(screen.getByRole('button', { name: 'Ignore…' }))
    const dialog = await screen.findByRole('dialog')
    within(dialog).getByText('1 critical')
    within(dialog).getByText('Title of GHSA-left (GHSA-left) in 2 projects')
    const end = within(dialog).getByLabelText(/^End date/)
    await user.type(within(dialog).getByLabelText(/^Reason/), 'Never called')
    await user.click(within(dialog).getByRole('button', { name: 'Ignore everywhere' }))
    await within(dialog).findByText('Choose an end date. A temporary ignore must end.')
    assert.equal(end.getAttribute('aria-invalid'), 'true')
    await user.click(within(dialog).getByRole('radio', { name: 'Will not be fixed' }))
    assert.equal(end.getAttribute('aria-invalid'), null)
    await user.click(within(dialog).getByRole('button', { name: 'Ignore everywhere' }))
    await screen.findByText('2 issues ignored.')
    const listed = await server().call('GET', `/rest/orgs/${server().orgId}/ignores`)
    const reasons = listed.json().data.map(({ attributes }: { attributes: { reason: string } }) => attributes.reason)
    assert.deepEqual(reasons, ['Never called', 'Never called'])
  })

  test('issues page: a search applies while typing, and rows of the search before cannot be selected', async () => {
    for (const name of ['alpha', 'beta']) {
      await recordProject(server(), {
        name,
        graph: { project: [`${name}@1.0.0`], [`${name}@1.0.0`]: [] },
        issues: [{ id: `GHSA-${name}`, in: `${name}@1.0.0`, severity: 'high' }],
      })
    }
    const { user, address } = open()
    await user.click(await screen.findByRole('checkbox', { name: 'Select Title of GHSA-beta' }))
    await user.type(screen.getByRole('searchbox', { name: 'CVE, package or title' }), 'alpha')
    await waitFor(() => assert.match(address(), /q=alpha/))
    await waitFor(() => assert.ok(screen.queryByRole('checkbox', { name: 'Select Title of GHSA-beta' }) === null))
    assert.ok(screen.queryByRole('toolbar', { name: 'Selected vulnerabilities' }) === null)
    await user.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
    await screen.findByText('1 selected')
  })

  test('issues page: shows nothing about exploitation without a catalog, and view, filter and column with one', async () => {
    await recordProject(server(), {
      name: 'exploited',
      graph: { project: ['used@1.0.0'], 'used@1.0.0': [] },
      issues: [{ id: 'GHSA-used', in: 'used@1.0.0', severity: 'low' }],
    })
    const { unmount } = open()
    await screen.findByRole('checkbox', { name: 'Select Title of GHSA-used' })
    await screen.findByRole('navigation', { name: 'Views' })
    assert.ok(screen.queryByText(/exploited/i) === null)
    assert.ok(screen.queryByRole('combobox', { name: 'Exploited' }) === null)
    unmount()
    await publishRecords(server().parts, [], { exploited: ['CVE-2026-1'] })
    open()
    await screen.findByRole('columnheader', { name: 'Exploited' })
    screen.getByRole('link', { name: 'Exploited' })
    screen.getByRole('combobox', { name: 'Exploited' })
  })

  test('issues page: filters are saved as a view, found again, and removed', async () => {
    const { user, address, unmount } = open('?severity=high&q=left')
    const views = within(await screen.findByRole('navigation', { name: 'Views' }))
    await user.click(views.getByRole('button', { name: 'Save view' }))
    await user.type(await screen.findByLabelText('Name'), 'High and left{Enter}')
    const saved = await views.findByRole('link', { name: 'High and left' })
    assert.equal(saved.getAttribute('aria-current'), 'page')
    assert.ok(views.queryByRole('button', { name: 'Save view' }) === null)
    await user.click(views.getByRole('link', { name: 'Exploited' }))
    assert.match(address(), /issues\?exploited=yes$/)
    unmount()
    const again = open()
    await again.user.click(await screen.findByRole('link', { name: 'High and left' }))
    assert.match(again.address(), /issues\?q=left&severity=high$/)
    await again.user.click(screen.getByRole('button', { name: 'Remove view High and left' }))
    assert.ok(screen.queryByRole('link', { name: 'High and left' }) === null)
  })

  test('issues page: every project of a selected vulnerability gets a tag', async () => {
    const made = await Promise.all(
      ['three', 'four'].map((name) =>
        recordProject(server(), {
          name,
          graph: { project: ['right@1.0.0'], 'right@1.0.0': [] },
          issues: [{ id: 'GHSA-right', in: 'right@1.0.0', severity: 'critical' }],
        }),
      ),
    )
    const { user } = open()
    await user.click(await screen.findByRole('checkbox', { name: 'Select Title of GHSA-right' }))
    await user.click(screen.getByRole('button', { name: 'Tag projects…' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.type(dialog.getByLabelText(/^Key/), 'team')
    await user.type(dialog.getByLabelText(/^Value/), 'payments')
    await user.click(dialog.getByRole('button', { name: 'Add tag' }))
    await screen.findByText('2 projects tagged.')
    for (const { projectId } of made) {
      const answer = await server().call('GET', `/rest/orgs/${server().orgId}/projects/${projectId}`)
      assert.deepEqual(answer.json().data.attributes.tags, [{ key: 'team', value: 'payments' }])
    }
  })

  test('issues page: the list of each issue says whether it includes ignored ones', async () => {
    const { unmount } = open('?ignored=false')
    await screen.findByText('Open issues of all projects.')
    unmount()
    open('?by=issue')
    await screen.findByText('Current issues of all projects, ignored ones included.')
  })

  test('issues page: a long project keeps the end of its path', async () => {
    const name = `shop:${'a-long-folder/'.repeat(10)}package.json`
    await recordProject(server(), {
      name,
      graph: { project: ['long@1.0.0'], 'long@1.0.0': [] },
      issues: [{ id: 'GHSA-long', in: 'long@1.0.0', severity: 'high' }],
    })
    open('?by=project')
    const link = await screen.findByRole('link', { name })
    within(link).getByText(/\/package\.json$/)
  })

  test('issues page: a filter without matches offers to clear it', async () => {
    const { user, address } = open('?q=nothing')
    await user.click(await screen.findByRole('button', { name: 'Clear filters' }))
    assert.equal(address(), `/orgs/${server().orgId}/issues`)
  })
})

test('issues CSV: quotes separators and disarms formulas', async () => {
  const attributes = { name: '=1+1, "x"', is_exploited: false, is_fixable: true, issues: 2, ignored: 0 }
  const [, line] = (await toFile('csv', [{ id: 'GHSA-1', type: 'issue_group', attributes }]).text()).split('\r\n')
  assert.equal(line, `GHSA-1,"'=1+1, ""x""",,,false,true,,,,,,,,2,0,`)
})
