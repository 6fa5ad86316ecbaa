import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
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
    assert.ok(screen.queryByRole('dialog') === null)
  })

  test('issues of a project: Back closes a drawer; closing it goes back to the list', async () => {
    const { projectId } = await recordProject(server(), {
      graph: { shop: ['c@1.0.0'], 'c@1.0.0': [] },
      issues: [
        { id: 'GHSA-one', in: 'c@1.0.0' },
        { id: 'GHSA-two', in: 'c@1.0.0' },
      ],
    })
    server().connect()
    const project = await readProject(server().orgId, projectId)
    const page = render(<ProjectIssues orgId={server().orgId} project={project} />, { at: '/?view=issues' })
    const open = async (id: string) => {
      await page.user.click(await screen.findByRole('button', { name: `Title of ${id}` }))
      await screen.findByRole('dialog', { name: `Title of ${id}` })
      assert.match(page.address(), new RegExp(`open=.*${id}`))
    }
    const isClosed = async () => {
      await waitFor(() => assert.ok(screen.queryByRole('dialog') === null))
      assert.equal(page.address(), '/?view=issues')
    }
    await open('GHSA-one')
    page.goBack()
    await isClosed()
    await open('GHSA-two')
    await page.user.click(screen.getByRole('button', { name: 'Close' }))
    await isClosed()
    assert.equal(page.entries(), 2, 'the drawer is the next entry of the history, not one between two lists')
  })

  test('issues of a project: a drawer that the address opened is closed without going back', async () => {
    const { projectId } = await recordProject(server(), {
      graph: { shop: ['c@1.0.0'], 'c@1.0.0': [] },
      issues: [{ id: 'GHSA-one', in: 'c@1.0.0' }],
    })
    server().connect()
    const project = await readProject(server().orgId, projectId)
    const begin = () => render(<ProjectIssues orgId={server().orgId} project={project} />, { at: shared })
    let shared = '/?view=issues'
    const first = begin()
    await first.user.click(await screen.findByRole('button', { name: 'Title of GHSA-one' }))
    shared = first.address()
    first.unmount()
    const page = begin()
    await screen.findByRole('dialog', { name: 'Title of GHSA-one' })
    await page.user.click(screen.getByRole('button', { name: 'Close' }))
    await waitFor(() => assert.ok(screen.queryByRole('dialog') === null))
    assert.deepEqual([page.address(), page.entries()], ['/?view=issues', 1])
  })
})
