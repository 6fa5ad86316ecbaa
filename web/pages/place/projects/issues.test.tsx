import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen } from '@testing-library/react'
import { type IssueInput, recordProject } from '#test/projects/recorded-projects.ts'
import { readProject } from '../../../api/projects.ts'
import { render } from '../../../testing/render.tsx'
import { useConsoleServer } from '../../../testing/server.ts'
import { ProjectIssues } from './issues.tsx'

describe('issues page of a project', () => {
  const server = useConsoleServer()

  async function show(issues: readonly IssueInput[]) {
    const graph = { shop: ['a@1.0.0', 'b@1.0.0'], 'a@1.0.0': [], 'b@1.0.0': [] }
    const { projectId } = await recordProject(server(), { graph, issues })
    server().connect()
    render(<ProjectIssues orgId={server().orgId} project={await readProject(server().orgId, projectId)} />)
    const status = await screen.findByRole('status')
    const body = document.body.cloneNode(true) as HTMLElement
    for (const style of body.querySelectorAll('style')) style.remove()
    return { pager: status.textContent, page: body.textContent }
  }

  const inA = Array.from({ length: 26 }, (_, n) => ({ id: `GHSA-${n}`, in: 'a@1.0.0' }))

  test('issues of a project: the pager shows the number of issues', async () => {
    const { pager, page } = await show(inA)
    assert.equal(pager, '1 to 25 of 26 issues')
    assert.match(page, /High\s*26/i)
  })

  test('issues of a project: an issue in two packages has two rows and counts once', async () => {
    const { pager, page } = await show([...inA, { id: 'GHSA-0', in: 'b@1.0.0' }])
    assert.equal(pager, 'Page 1 of 2')
    assert.match(page, /High\s*26/i)
    assert.doesNotMatch(page, /27/)
  })

  test('issues of a project: the address contains the open issue; a vanished issue is reported', async () => {
    const graph = { shop: ['c@1.0.0'], 'c@1.0.0': [] }
    const { projectId } = await recordProject(server(), { graph, issues: [{ id: 'GHSA-open', in: 'c@1.0.0' }] })
    server().connect()
    const project = await readProject(server().orgId, projectId)
    const open = (at: string) => render(<ProjectIssues orgId={server().orgId} project={project} />, { at })
    const page = open('/?view=issues')
    await page.user.click(await screen.findByRole('button', { name: 'Title of GHSA-open' }))
    await screen.findByRole('dialog')
    const shared = page.address()
    page.unmount()
    const again = open(shared)
    await screen.findByRole('dialog', { name: 'Title of GHSA-open' })
    again.unmount()
    open(shared.replace('GHSA-open', 'GHSA-gone'))
    await screen.findByText(/is not on this page/)
    assert.equal(screen.queryByRole('dialog'), null)
  })
})
