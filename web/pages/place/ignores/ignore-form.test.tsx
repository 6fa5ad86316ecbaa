import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { call } from '../../../api/client.ts'
import { render } from '../../../testing/render.tsx'
import { useConsoleServer } from '../../../testing/server.ts'
import { IgnoreForm } from './ignore-form.tsx'

describe('ignore form', () => {
  const server = useConsoleServer()

  test('ignore form: a temporary ignore requires an end date, other ignores do not', async () => {
    const { orgId } = server()
    const issue = { id: 'GHSA-left', in: 'left@1.0.0' }
    const { projectId } = await recordProject(server(), {
      graph: { shop: ['left@1.0.0'], 'left@1.0.0': [] },
      issues: [issue],
    })
    server().connect()
    let isDone = false
    const form = (id: string) => (
      <IgnoreForm orgId={orgId} projectId={projectId} issueId={id} onDone={() => (isDone = true)} onCancel={() => {}} />
    )
    const stored = async () =>
      (await call('listIgnores', { params: { org_id: orgId }, query: {} })).data.map(({ attributes }) => attributes)

    const { user, unmount } = render(form(issue.id))
    await user.type(screen.getByLabelText(/^Reason/), 'Fixed next week')
    fireEvent.change(screen.getByLabelText(/^End date/), { target: { value: '' } })
    await user.click(screen.getByRole('button', { name: 'Ignore it' }))
    await screen.findByText('Choose an end date. A temporary ignore must end.')
    assert.deepEqual(await stored(), [])
    fireEvent.change(screen.getByLabelText(/^End date/), { target: { value: '2999-01-01T00:00' } })
    assert.ok(screen.queryByText(/must end/) === null)
    await user.click(screen.getByRole('button', { name: 'Ignore it' }))
    await waitFor(() => assert.ok(isDone))
    const [temporary] = await stored()
    assert.equal(temporary!.reason_type, 'temporary-ignore')
    assert.equal(temporary!.expires_at, new Date('2999-01-01T00:00').toISOString())

    unmount()
    isDone = false
    const again = render(form('GHSA-right'))
    await again.user.click(screen.getByRole('radio', { name: 'Not vulnerable' }))
    await again.user.type(screen.getByLabelText(/^Reason/), 'Never called')
    await again.user.click(screen.getByRole('button', { name: 'Ignore it' }))
    await waitFor(() => assert.ok(isDone))
    assert.equal((await stored()).find(({ issue_id }) => issue_id === 'GHSA-right')!.expires_at, null)
  })
})
