import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { render } from '../../../testing/render.tsx'
import { useConsoleServer } from '../../../testing/server.ts'
import { NewRule, RulePage } from './rule.tsx'

describe('rule editor', () => {
  const server = useConsoleServer()
  const rules = async () => (await server().call('GET', `/rest/orgs/${server().orgId}/policies`)).json().data

  test('rule editor: previews what the conditions hide, creates the rule, and changes it', async () => {
    const { orgId } = server()
    await recordProject(server(), {
      graph: { shop: ['left@1.0.0', 'right@1.0.0'], 'left@1.0.0': [], 'right@1.0.0': [] },
      issues: [
        { id: 'GHSA-left', in: 'left@1.0.0', severity: 'low' },
        { id: 'GHSA-right', in: 'right@1.0.0', severity: 'critical' },
      ],
    })
    server().connect()
    const { user, address, unmount } = render(<NewRule />, {
      at: `/orgs/${orgId}/ignores/new`,
      route: '/orgs/:placeId/ignores/new',
    })
    await screen.findByText('Complete the conditions to see what the rule would affect.')
    await user.type(screen.getByLabelText('Package', { selector: 'input' }), 'npm/left{Enter}')
    await screen.findByText(/1 vulnerability: 1 issue in 1 project/)
    await user.click(screen.getByRole('button', { name: 'Add condition' }))
    await user.selectOptions(screen.getByLabelText('and'), 'Severity')
    await user.click(screen.getByRole('checkbox', { name: 'Critical' }))
    await screen.findByText('No open issue matches now.')
    await user.click(screen.getByRole('checkbox', { name: 'Low' }))
    await screen.findByText(/1 vulnerability: 1 issue in 1 project/)
    await user.type(screen.getByLabelText(/^Name/), 'Left only')
    await user.type(screen.getByLabelText(/^Reason/), 'Never called')
    await user.click(screen.getByRole('button', { name: 'Create rule' }))
    await waitFor(() => assert.equal(address(), `/orgs/${orgId}/ignores`))
    const [made] = await rules()
    assert.deepEqual(made.attributes.conditions_group.conditions, [
      { field: 'package', operator: 'includes', value: ['npm/left'] },
      { field: 'severity', operator: 'includes', value: ['critical', 'low'] },
    ])
    unmount()

    const again = render(<RulePage />, {
      at: `/orgs/${orgId}/ignores/${made.id}`,
      route: '/orgs/:placeId/ignores/:policyId',
    })
    await again.user.click(await screen.findByRole('button', { name: 'Remove Severity' }))
    await again.user.click(screen.getByRole('button', { name: 'Save rule' }))
    await waitFor(() => assert.equal(again.address(), `/orgs/${orgId}/ignores`))
    const [changed] = await rules()
    assert.equal(changed.attributes.name, 'Left only')
    assert.equal(changed.attributes.conditions_group.conditions.length, 1)
  })

  test('rule editor: a refused value is shown at its condition', async () => {
    const { orgId } = server()
    server().connect()
    const { user } = render(<NewRule />, { at: `/orgs/${orgId}/ignores/new`, route: '/orgs/:placeId/ignores/new' })
    await user.selectOptions(screen.getByLabelText('If'), 'Project tag')
    await user.type(screen.getByLabelText('Project tag', { selector: 'input' }), 'team{Enter}')
    await user.type(screen.getByLabelText(/^Name/), 'Team')
    await user.type(screen.getByLabelText(/^Reason/), 'Never called')
    await user.click(screen.getByRole('button', { name: 'Create rule' }))
    await screen.findByText('Rule not saved')
    await waitFor(() =>
      assert.equal(screen.getByLabelText('Project tag', { selector: 'input' }).getAttribute('aria-invalid'), 'true'),
    )
  })
})
