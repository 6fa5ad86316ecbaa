import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { screen, waitFor, within } from '@testing-library/react'
import { render } from '../../../testing/render.tsx'
import { useConsoleServer } from '../../../testing/server.ts'
import { LicensePolicyPage } from './page.tsx'
import { presets } from './presets.ts'

describe('license policy page', () => {
  const server = useConsoleServer()
  beforeEach(() => server().connect())

  const open = () =>
    render(<LicensePolicyPage />, {
      at: `/orgs/${server().orgId}/license-policy`,
      route: '/orgs/:placeId/license-policy',
    }).user
  const stored = async () =>
    (await server().call('GET', `/rest/orgs/${server().orgId}/license_policy`)).json().data.attributes
  const rule = (number: number) => within(screen.getByRole('group', { name: `Rule ${number}` }))

  test('license policy: saves defaults and rules; an invalid license is marked at its rule', async () => {
    const user = open()
    assert.ok(await screen.findByText(/All licenses are allowed until/))
    await user.selectOptions(screen.getByRole('combobox', { name: 'Unknown licenses' }), 'medium')
    for (const license of ['AGPL-3.0-only', 'No license at all']) {
      await user.click(screen.getByRole('button', { name: 'Add rule' }))
      const number = screen.getAllByRole('group').length
      await user.type(rule(number).getByRole('combobox', { name: 'License' }), license)
    }
    await user.selectOptions(rule(1).getByRole('combobox', { name: 'Severity' }), 'critical')
    await user.type(rule(1).getByRole('textbox', { name: 'Instructions' }), 'Ask the legal team')
    await user.click(screen.getByRole('button', { name: 'Save policy' }))
    await screen.findByRole('alert')
    const isRefused = (number: number) =>
      rule(number).getByRole('combobox', { name: 'License' }).getAttribute('aria-invalid') === 'true'
    assert.deepEqual([isRefused(1), isRefused(2)], [false, true])
    assert.equal((await stored()).updated_at, null)

    await user.click(screen.getByRole('button', { name: 'Remove No license at all' }))
    await user.click(screen.getByRole('button', { name: 'Save policy' }))
    await waitFor(async () => assert.notEqual((await stored()).updated_at, null))
    const { updated_at, ...policy } = await stored()
    assert.deepEqual(policy, {
      rules: [{ license: 'AGPL-3.0-only', severity: 'critical', instructions: 'Ask the legal team' }],
      unlisted_severity: 'none',
      unknown_severity: 'medium',
    })
  })

  test('license policy: a preset fills in the form and is saved only then; each is a valid policy', async () => {
    const user = open()
    for (const { name, policy } of presets) {
      await user.click(await screen.findByRole('button', { name: `Use preset: ${name}` }))
      screen.getByText(`Filled in “${name}”.`, { exact: false })
      assert.notDeepEqual((await stored()).rules, policy.rules)
      await user.click(screen.getByRole('button', { name: 'Save policy' }))
      await waitFor(() => assert.ok(screen.queryByText(`Filled in “${name}”.`, { exact: false }) === null))
      const { updated_at, ...saved } = await stored()
      assert.deepEqual(saved, policy)
    }
  })

  test('license policy: suggests the identifiers of SPDX', async () => {
    const user = open()
    await user.click(await screen.findByRole('button', { name: 'Add rule' }))
    const field = screen.getAllByRole<HTMLInputElement>('combobox', { name: 'License' }).at(-1)!
    await waitFor(() => assert.ok(field.list!.querySelector('[value="AGPL-3.0-or-later"]')))
  })

  test('license policy: saving without the permission names org.edit', async () => {
    server().connect(await server().keyWith(['org.read']))
    const user = open()
    await user.click(await screen.findByRole('button', { name: 'Save policy' }))
    assert.match((await screen.findByRole('alert')).textContent, /License policy not saved.*org\.edit/s)
  })
})
