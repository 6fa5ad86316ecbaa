import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor, within } from '@testing-library/react'
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
    await user.selectOptions(screen.getByLabelText('Show'), 'Without effect')
    await waitFor(() => assert.ok(screen.queryByText('accepted') === null))
    const rows = screen.getByLabelText('Ignores').querySelectorAll('tbody tr')
    assert.equal(rows.length, 4)
    await user.click(within(rows[0] as HTMLElement).getByText(shop.name))
    assert.equal(address(), `/orgs/${orgId}/projects/${projectId}`)
  })
})
