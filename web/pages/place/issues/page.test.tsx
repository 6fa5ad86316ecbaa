import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { evaluatePolicies } from '#features/issue-index/policies/evaluation-rounds.ts'
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

  const evaluate = () => evaluatePolicies(server().parts.services, undefined)

  test('issues page: a selected vulnerability is ignored by one rule, which can be undone', async () => {
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
    const dialog = within(await screen.findByRole('dialog', { name: 'Ignore 1 vulnerability' }))
    await dialog.findByText(/1 vulnerability: 2 issues in 2 projects/)
    dialog.getByText(', including 1 critical')
    assert.match(dialog.getByRole('list', { name: 'Vulnerabilities to change' }).textContent, /GHSA-left2 projects/)
    const end = dialog.getByLabelText<HTMLInputElement>(/^End date/)
    assert.notEqual(end.value, '')
    await user.type(dialog.getByLabelText(/^Reason/), 'Never called')
    fireEvent.change(end, { target: { value: '' } })
    const submit = dialog.getByRole('button', { name: 'Ignore 1 vulnerability' })
    await user.click(submit)
    await dialog.findByText('Choose an end date. A temporary ignore must end.')
    await user.click(dialog.getByRole('button', { name: '30 days' }))
    assert.equal(end.getAttribute('aria-invalid'), null)
    await user.click(submit)
    await screen.findByText(/^Ignoring 1 vulnerability/)
    await evaluate()
    await screen.findByText('Ignored 1 vulnerability.')
    await waitFor(() => assert.ok(screen.queryByRole('checkbox', { name: 'Select Title of GHSA-left' }) === null))
    const rules = () => server().call('GET', `/rest/orgs/${server().orgId}/policies`)
    const [rule] = (await rules()).json().data
    assert.deepEqual(rule.attributes.hides, { issues: 2, projects: 2 })
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    await screen.findByText(/^Undone\./)
    await evaluate()
    await screen.findByRole('checkbox', { name: 'Select Title of GHSA-left' })
    assert.deepEqual((await rules()).json().data, [])
  })

  test('issues page: a rule for all that match names the filters; another filter clears the selection and says so', async () => {
    for (let n = 0; n < 25; n++) {
      const many = `many-${n}@1.0.0`
      const issues = [{ id: `MANY-${n}`, in: many, severity: 'low' } as const]
      await recordProject(server(), { name: many, graph: { project: [many], [many]: [] }, issues })
    }
    const { user } = open('?q=many')
    await user.click(await screen.findByRole('button', { name: 'Select all 25 matching' }))
    const bar = within(screen.getByRole('toolbar', { name: 'Selected vulnerabilities' }))
    bar.getByText('All 25 matching selected')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Severity' }), 'low')
    await screen.findByText('Selection cleared, because other rows are shown.')
    assert.ok(screen.queryByRole('toolbar', { name: 'Selected vulnerabilities' }) === null)
    await user.click(await screen.findByRole('button', { name: 'Select all 25 matching' }))
    await user.click(screen.getByRole('button', { name: 'Ignore…' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Ignore 25 vulnerabilities' }))
    dialog.getByText('All that match: “many” · Low · Open.')
    await dialog.findByText('and 15 more')
    await user.type(dialog.getByLabelText(/^Reason/), 'Not deployed')
    await user.click(dialog.getByRole('button', { name: 'Ignore 25 vulnerabilities' }))
    await screen.findByText(/^Ignoring 25 vulnerabilities/)
    await evaluate()
    await screen.findByText('Ignored 25 vulnerabilities.')
    await screen.findByText('No issues match these filters')
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
    await screen.findByText(/Exploited catalog: not synced/)
    assert.ok(screen.queryByText(/^exploited/i) === null)
    assert.equal(
      screen.getByText(/^Worst first:/).textContent,
      'Worst first: severity, score, projects, direct, fixable',
    )
    assert.ok(screen.queryByRole('combobox', { name: 'Exploited' }) === null)
    unmount()
    await publishRecords(server().parts, [], { exploited: ['CVE-2026-1'] })
    open()
    await screen.findByRole('link', { name: 'Exploited' })
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

test('issues CSV: contains the reasons of the order, quotes separators and disarms formulas', async () => {
  const reasons = { is_exploited: true, exploited_since: '2026-02-03', exploit_due: '2026-03-04', has_exploit: true }
  const scores = { epss_score: 0.5, epss_percentile: 0.9, risk_score: 700, is_direct: true }
  const attributes = { name: '=1+1, "x"', ...reasons, ...scores, is_fixable: true, issues: 2, ignored: 0 }
  const [, line] = (await toFile('csv', [{ id: 'GHSA-1', type: 'issue_group', attributes }]).text()).split('\r\n')
  assert.equal(line, `GHSA-1,"'=1+1, ""x""",,,true,2026-02-03,2026-03-04,true,0.5,0.9,700,true,true,,,,,,,,2,0,`)
})
