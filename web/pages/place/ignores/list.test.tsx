import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor, within } from '@testing-library/react'
import { evaluatePolicies } from '#features/issue-index/policies/evaluation-rounds.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { deep, direct, shop } from '#test/projects/shop-project.ts'
import { render } from '../../../testing/render.tsx'
import { useConsoleServer } from '../../../testing/server.ts'
import { Ignores } from './list.tsx'

describe('ignores of all projects', () => {
  const server = useConsoleServer()

  test('ignores of all projects: each says whether it has an effect and why not; the others can be hidden', async () => {
    const { orgId } = server()
    const { projectId } = await recordProject(server(), shop)
    const ignore = async (issueId: string, body: object) => {
      const answer = await server().call('POST', `/v1/org/${orgId}/project/${projectId}/ignore/${issueId}`, {
        body: { reasonType: 'wont-fix', disregardIfFixable: false, ...body },
      })
      assert.equal(answer.statusCode, 200)
    }
    await ignore(deep, { reason: 'accepted' })
    await ignore(deep, { ignorePath: 'gone > deep' })
    await ignore(direct, { disregardIfFixable: true })
    await ignore('GHSA-gone-gone-gone', {})
    await ignore(direct, { ignorePath: 'left', expires: '2020-01-01' })
    const { db } = server().parts.services
    await db.updateTable('ignores').set({ source: 'repository' }).where('path', '=', 'gone > deep').execute()
    server().connect()
    const { user, address } = render(<Ignores />, { at: `/orgs/${orgId}/ignores`, route: '/orgs/:placeId/ignores' })
    await screen.findByText('accepted')
    const table = screen.getByLabelText('Ignores')
    for (const exp of [
      /in effect/,
      /No path to the issue matches/,
      /no longer has this issue/,
      /ended/,
      /A fix exists/,
    ]) {
      assert.match(table.textContent, exp)
    }
    const count = () => screen.getByLabelText('Ignores').querySelectorAll('tbody tr').length
    await user.selectOptions(screen.getByLabelText('Source'), '.snyk files')
    await waitFor(() => assert.equal(count(), 1))
    await screen.findByText(/^From the repository/)
    await user.selectOptions(screen.getByLabelText('Source'), 'Projects')
    await waitFor(() => assert.equal(count(), 4))
    assert.ok(screen.queryByText(/^From the repository/) === null)
    await user.selectOptions(screen.getByLabelText('Source'), 'All')
    await user.selectOptions(screen.getByLabelText('State'), 'Without effect')
    await waitFor(() => assert.ok(screen.queryByText('accepted') === null))
    const rows = screen.getByLabelText('Ignores').querySelectorAll('tbody tr')
    assert.equal(rows.length, 4)
    await user.click(within(rows[0] as HTMLElement).getByText(shop.name))
    assert.equal(address(), `/orgs/${orgId}/projects/${projectId}`)
  })

  test('ignores of all projects: rules are listed with what they hide; a deleted one can be restored', async () => {
    const orgId = await server().addOrg()
    await recordProject(server(), { ...shop, orgId })
    const attributes = {
      name: 'Build tools',
      action_type: 'ignore',
      action: { data: { ignore_type: 'wont-fix', reason: 'never deployed' } },
      conditions_group: {
        logical_operator: 'and',
        conditions: [{ field: 'vulnerability-id', operator: 'includes', value: [deep] }],
      },
    }
    const body = { data: { type: 'policy', attributes } }
    assert.equal((await server().call('POST', `/rest/orgs/${orgId}/policies`, { body })).statusCode, 201)
    const evaluate = () => evaluatePolicies(server().parts.services, undefined)
    await evaluate()
    server().connect()
    const { user } = render(<Ignores />, { at: `/orgs/${orgId}/ignores`, route: '/orgs/:placeId/ignores' })
    const row = async () => (await screen.findByRole('link', { name: 'Build tools' })).closest('tr')!.textContent
    assert.match(
      await row(),
      new RegExp(`Vulnerability: ${deep}.*All projects.*Rule.*never deployed.*Hides 1 issue in 1 project`),
    )
    await user.selectOptions(screen.getByLabelText('Source'), 'Projects')
    await screen.findByText('No matching ignores')
    await user.selectOptions(screen.getByLabelText('Source'), 'Rules')
    await user.click(await screen.findByRole('button', { name: 'Delete Build tools' }))
    await user.click(await screen.findByRole('button', { name: 'Delete rule' }))
    await screen.findByText('No matching ignores')
    await user.selectOptions(screen.getByLabelText('State'), 'Deleted rules')
    await user.click(await screen.findByRole('button', { name: 'Restore Build tools' }))
    await screen.findByText('No matching ignores')
    await user.selectOptions(screen.getByLabelText('State'), 'All')
    await evaluate()
    assert.match(await row(), /Build tools/)
  })

  test('ignores of all projects: a rule names its projects and repositories; those that are gone stay ids', async () => {
    const orgId = await server().addOrg()
    const { projectId } = await recordProject(server(), { ...shop, orgId })
    const project = (await server().call('GET', `/rest/orgs/${orgId}/projects/${projectId}`)).json().data
    const target = project.relationships.target.data.id
    const gone = '00000000-0000-4000-8000-000000000001'
    const attributes = {
      name: 'Shop only',
      action_type: 'ignore',
      action: { data: { ignore_type: 'wont-fix', reason: 'never deployed' } },
      conditions_group: {
        logical_operator: 'and',
        conditions: [
          { field: 'project', operator: 'includes', value: [projectId, gone] },
          { field: 'target', operator: 'includes', value: [target] },
        ],
      },
    }
    const body = { data: { type: 'policy', attributes } }
    const answer = await server().call('POST', `/rest/orgs/${orgId}/policies`, { body })
    assert.equal(answer.statusCode, 201, answer.body)
    server().connect()
    render(<Ignores />, { at: `/orgs/${orgId}/ignores`, route: '/orgs/:placeId/ignores' })
    await screen.findByText(`Project: team/shop:package.json or ${gone} · Repository: team/shop:package.json`)
  })

  test('ignores of all projects: an uploaded VEX document becomes rules; a file that is not JSON is refused', async () => {
    const orgId = await server().addOrg()
    await recordProject(server(), { ...shop, orgId })
    server().connect()
    const { user, unmount } = render(<Ignores />, { at: `/orgs/${orgId}/ignores`, route: '/orgs/:placeId/ignores' })
    await user.click(await screen.findByRole('button', { name: 'Upload VEX' }))
    const field = await screen.findByLabelText<HTMLInputElement>('VEX document')
    await user.upload(field, new File(['<vex/>'], 'vex.json', { type: 'application/json' }))
    await screen.findByText('The document is not JSON. Upload OpenVEX, CycloneDX or CSAF as JSON.')
    const statement = {
      vulnerability: { name: deep },
      products: [{ '@id': 'pkg:npm/deep@3.0.0' }],
      status: 'not_affected',
      justification: 'vulnerable_code_not_present',
    }
    const document = {
      '@context': 'https://openvex.dev/ns/v0.2.0',
      '@id': 'https://vex.example/1',
      author: 'A team',
      timestamp: '2026-01-01T00:00:00Z',
      version: 1,
      statements: [statement],
    }
    await user.upload(field, new File([JSON.stringify(document)], 'vex.json', { type: 'application/json' }))
    await screen.findByText('1 rule created, 0 updated, 0 unchanged, 0 withdrawn.')
    await screen.findByText('VEX document', { selector: 'p' })
    unmount()
    const { groupId } = server()
    const ofGroup = render(<Ignores />, { at: `/groups/${groupId}/ignores`, route: '/groups/:placeId/ignores' })
    await ofGroup.user.click(await screen.findByRole('button', { name: 'Upload VEX' }))
    const file = new File([JSON.stringify(document)], 'vex.json', { type: 'application/json' })
    await ofGroup.user.upload(await screen.findByLabelText<HTMLInputElement>('VEX document'), file)
    await screen.findByText('1 rule created, 0 updated, 0 unchanged, 0 withdrawn.')
    const { data } = (await server().call('GET', `/rest/groups/${groupId}/policies`)).json()
    assert.equal(data[0].attributes.source, 'vex')
  })
})
