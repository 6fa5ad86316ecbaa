import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor, within } from '@testing-library/react'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { direct, shop } from '#test/projects/shop-project.ts'
import { render } from '../../../testing/render.tsx'
import { useConsoleServer } from '../../../testing/server.ts'
import { OrgSettings } from '../organizations/settings.tsx'
import { TriagePanel } from './panel.tsx'

describe('owner and due date of a vulnerability', () => {
  const server = useConsoleServer()

  async function open(key?: string) {
    const orgId = await server().addOrg()
    const { projectId } = await recordProject(server(), { ...shop, orgId })
    server().connect(key)
    const page = render(<TriagePanel orgId={orgId} projectId={projectId} issueId={direct} />, {
      at: `/orgs/${orgId}/issues`,
      route: '/orgs/:placeId/issues',
    })
    const read = async (id = projectId) =>
      (await server().call('GET', `/rest/orgs/${orgId}/triage/${id}/${direct}`)).json().data.attributes
    return { ...page, orgId, projectId, read }
  }

  test('panel: a date set for the whole repository is shown in its project, which may override and reset it', async () => {
    const { user, read } = await open()
    await user.click(await screen.findByRole('radio', { name: 'Whole repository' }))
    await user.type(await screen.findByLabelText('Due date'), '2031-08-29')
    await user.keyboard('{Enter}')
    await waitFor(async () => assert.equal((await read()).due_on, '2031-08-29'))
    await user.click(screen.getByRole('radio', { name: 'This project' }))
    await screen.findByText(/Date set for the repository team\/shop/)
    await user.clear(screen.getByLabelText('Due date'))
    await user.type(screen.getByLabelText('Due date'), '2031-09-01')
    await user.keyboard('{Enter}')
    await user.click(await screen.findByRole('button', { name: 'Reset date' }))
    await waitFor(async () => assert.equal((await read()).own.due_on, null))
    await screen.findByText(/Date set for the repository/)
  })

  test('panel: an owner who left the organization is named, and another can be chosen', async () => {
    const { user, orgId, projectId, read, unmount } = await open()
    await user.click(await screen.findByRole('button', { name: 'Assign to me' }))
    await waitFor(async () => assert.equal((await read()).assignee?.name, 'Administrator'))
    unmount()
    const { db } = server().parts.services
    const former = { assignee_id: '00000000-0000-4000-8000-000000000001', assignee_name: 'Former Member' }
    await db.updateTable('triaged_issues').set(former).execute()
    render(<TriagePanel orgId={orgId} projectId={projectId} issueId={direct} />)
    await screen.findByText(/Former Member is no longer a member/)
    await screen.findByRole('button', { name: 'Assign to me' })
  })

  test('panel: without the permission to change projects, the fields are disabled and the reason is shown', async () => {
    const orgId = server().orgId
    const key = await server().keyWith(['org.read', 'org.project.read', 'org.project.snapshot.read'])
    const { projectId } = await recordProject(server(), shop)
    server().connect(key)
    render(<TriagePanel orgId={orgId} projectId={projectId} issueId={direct} />)
    await screen.findByText('org.project.edit', { selector: 'code' })
    for (const name of ['Due date', 'Add a comment']) {
      assert.ok(screen.getByLabelText(name).closest('fieldset')?.disabled, name)
    }
    assert.ok(screen.getByRole('radio', { name: 'Whole repository' }).closest('fieldset[disabled]') === null)
  })

  test('comments: an author edits and deletes a comment; those of others have no buttons', async () => {
    const { user, orgId, projectId } = await open()
    const body = { data: { type: 'issue_comment', attributes: { body: 'from a colleague' } } }
    const permissions = ['org.read', 'org.project.read', 'org.project.snapshot.read', 'org.project.edit'] as const
    const key = await server().keyWith([...permissions], { orgId })
    const path = `/rest/orgs/${orgId}/triage/${projectId}/${direct}/comments`
    assert.equal((await server().call('POST', path, { body, key })).statusCode, 201)
    await user.type(await screen.findByLabelText('Add a comment'), 'mine')
    await user.click(screen.getByRole('button', { name: 'Comment' }))
    const entryOf = async (text: string) => within((await screen.findByText(text)).closest<HTMLElement>('li')!)
    const colleague = await entryOf('from a colleague')
    assert.ok(colleague.queryByRole('button') === null)
    await user.click((await entryOf('mine')).getByRole('button', { name: 'Edit' }))
    await user.type(screen.getByLabelText('Comment'), ' too')
    await user.click(screen.getByRole('button', { name: 'Save comment' }))
    await waitFor(() => assert.ok(screen.queryByRole('button', { name: 'Save comment' }) === null))
    await user.click((await entryOf('mine too')).getByRole('button', { name: 'Delete comment' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete comment' }))
    await waitFor(() => assert.ok(screen.queryByText('mine too') === null))
  })

  test('settings: the SLA policy is saved; an emptied field removes the due date of its severity', async () => {
    server().connect()
    const orgId = await server().addOrg()
    const { user } = render(<OrgSettings />, { at: `/orgs/${orgId}/settings`, route: '/orgs/:placeId/settings' })
    await user.type(await screen.findByLabelText('Critical'), '14')
    await user.click(screen.getByRole('button', { name: 'Save due dates' }))
    const policy = async () => (await server().call('GET', `/rest/orgs/${orgId}/sla_policy`)).json().data.attributes
    await waitFor(async () => assert.equal((await policy()).critical_days, 14))
    const critical = await screen.findByLabelText('Critical')
    await user.clear(critical)
    await user.click(screen.getByRole('button', { name: 'Save due dates' }))
    await waitFor(async () => assert.equal((await policy()).critical_days, null))
  })
})
