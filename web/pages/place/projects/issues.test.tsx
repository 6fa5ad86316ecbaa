import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor, within } from '@testing-library/react'
import { type IssueInput, recordProject } from '#test/projects/recorded-projects.ts'
import { deep, shop } from '#test/projects/shop-project.ts'
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

  async function open({ projectId }: { projectId: string }, at = '/') {
    server().connect()
    const project = await readProject(server().orgId, projectId)
    return render(<ProjectIssues orgId={server().orgId} project={project} />, { at })
  }
  const title = (id: string) => screen.findByText(`Title of ${id}`, { selector: 'button' })
  const isWithout = (id: string) =>
    waitFor(() => assert.ok(screen.queryByText(`Title of ${id}`, { selector: 'button' }) === null))
  /** Finds the button that filters by a severity, and asserts that it shows this number of issues. */
  const filter = async (name: string, count: number) => {
    const button = (await screen.findByText(name, { selector: 'button[aria-pressed] span' })).closest('button')!
    assert.match(button.textContent, new RegExp(`^${name}\\s*${count}$`))
    return button
  }

  test('issues of a project: a severity filters the list until it is chosen again', async () => {
    const { user } = await open(await recordProject(server(), shop))
    await title(deep)
    await user.click(await filter('critical', 1))
    await isWithout(deep)
    await user.click(await filter('critical', 1))
    await title(deep)
  })

  test('issues of a project: Enter opens an issue with its paths, Escape closes it', async () => {
    const { user } = await open(await recordProject(server(), shop))
    ;(await title(deep)).focus()
    await user.keyboard('{Enter}')
    await screen.findByText('Introduced through 2 paths')
    const dialog = screen.getByRole('dialog')
    assert.match(dialog.textContent, /left@1\.0\.0 › deep@3\.0\.0.*right@2\.0\.0 › deep@3\.0\.0/)
    await user.keyboard('{Escape}')
    await waitFor(() => assert.ok(screen.queryByRole('dialog') === null))
  })

  test('issues of a project: a thousand are shown page by page, by keyboard and by address', async () => {
    const packages = Array.from({ length: 1000 }, (_, n) => `many-${String(n).padStart(4, '0')}@1.0.0`)
    const severities = ['low', 'medium', 'high', 'critical'] as const
    const many = await recordProject(server(), {
      name: 'team/many:package.json',
      graph: { many: packages, ...Object.fromEntries(packages.map((label) => [label, []])) },
      issues: packages.map((label, n) => ({ id: `MANY-${n}`, in: label, severity: severities[n % 4]! })),
    })
    const { user, address, goBack, unmount } = await open(many)
    const part = (text: string) => screen.findByText(text, { selector: '[role=status]' })
    const next = () => screen.getByText('Next').closest('button')!
    const buttons = () => [...screen.getByLabelText('Issues').querySelectorAll('td button')] as HTMLElement[]
    await part('1 to 25 of 1,000 issues')
    assert.equal(buttons().length, 25)
    for (const severity of severities) await filter(severity, 250)
    next().focus()
    await user.keyboard('{Enter}')
    await part('26 to 50 of 1,000 issues')
    assert.match(address(), /[?&]page=2/)
    assert.ok(document.activeElement === next(), 'who turns pages by keyboard stays where they are')
    goBack()
    await part('1 to 25 of 1,000 issues')
    ;(await filter('low', 250)).focus()
    await user.keyboard('{Enter}')
    await part('1 to 25 of 250 issues')
    const last = `${address()}&page=10`
    unmount()
    const again = await open(many, last)
    await part('226 to 250 of 250 issues')
    assert.equal(next().disabled, true)
    await again.user.click(buttons()[24]!)
    await within(await screen.findByRole('dialog')).findByText('Introduced through')
  })

  test('issues of a project: ignoring the last one of the chosen severity leaves none; the filter shows others', async () => {
    const names = Array.from({ length: 28 }, (_, n) => `last-${String(n).padStart(2, '0')}@1.0.0`)
    const severityOf = (n: number) => (n === 0 ? 'low' : n === 1 ? 'medium' : 'high')
    const made = await recordProject(server(), {
      name: 'team/last:package.json',
      graph: { last: names, ...Object.fromEntries(names.map((name) => [name, []])) },
      issues: names.map((name, n) => ({ id: `LAST-${n}`, in: name, severity: severityOf(n) })),
    })
    const body = { reasonType: 'wont-fix', disregardIfFixable: false }
    for (let n = 2; n < names.length; n++) {
      await server().call('POST', `/v1/org/${server().orgId}/project/${made.projectId}/ignore/LAST-${n}`, { body })
    }
    const { user } = await open(made)
    await user.click(await filter('low', 1))
    await isWithout('LAST-1')
    await user.click(await title('LAST-0'))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByText('Ignore…'))
    await user.click(dialog.getByLabelText('Will not be fixed'))
    await user.type(dialog.getByLabelText(/^Reason/), 'the last of them')
    await user.click(dialog.getByText('Ignore it').closest('button')!)
    // The list of ignored issues begins with worse ones, so that the issue is not visible there.
    await dialog.findByText('Ignore saved.')
    await user.keyboard('{Escape}')
    await screen.findByText('No matching issues', { selector: 'h2' })
    ;(await filter('low', 0)).focus()
    await user.keyboard('{Enter}')
    await title('LAST-1')
  })
})
