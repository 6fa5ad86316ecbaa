import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { screen, waitFor, within } from '@testing-library/react'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { shop } from '#test/projects/shop-project.ts'
import { render } from '../../../testing/render.tsx'
import { useConsoleServer } from '../../../testing/server.ts'
import { ProjectPage } from './one.tsx'

describe('settings of a project', () => {
  const server = useConsoleServer()
  let projectId: string
  beforeEach(async () => {
    projectId = (await recordProject(server(), shop)).projectId
  })

  function open(key?: string) {
    server().connect(key)
    const at = `/orgs/${server().orgId}/projects/${projectId}?view=settings`
    return render(<ProjectPage />, { at, route: '/orgs/:placeId/projects/:projectId' })
  }
  /** Returns the section with a title once the page is here. */
  const section = async (title: string) =>
    within((await screen.findByText(title, { selector: 'h2' })).closest<HTMLElement>('section')!)
  const button = (name: string) => screen.getByText(name, { selector: 'button *' }).closest('button')!
  const isGone = (find: () => HTMLElement | null) => waitFor(() => assert.ok(find() === null))
  const read = () => server().call('GET', `/rest/orgs/${server().orgId}/projects/${projectId}`)

  test('settings of a project: it is tested less often, deactivated, activated and deleted', async () => {
    const { user, address } = open()
    const about = await section('About')
    await user.selectOptions(await screen.findByLabelText(/^Tested again/), 'Every week')
    await about.findByText('every week')
    await user.click(button('Deactivate'))
    await screen.findByText('Not watched')
    await user.click(button('Activate'))
    await isGone(() => screen.queryByText('Not watched'))
    await user.click(button('Delete this project'))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    await screen.findByText('Another page')
    assert.equal(address(), `/orgs/${server().orgId}/projects`)
    assert.equal((await read()).statusCode, 404)
  })

  test('settings of a project: labels and tags are added and removed', async () => {
    const { user } = open()
    const about = await section('About')
    const labels = await section('Labels')
    const save = button('Save labels')
    await user.click(within(labels.getByLabelText('Business criticality')).getByLabelText('High'))
    await user.click(within(labels.getByLabelText('Environment')).getByLabelText('Back end'))
    await user.click(within(labels.getByLabelText('Lifecycle')).getByLabelText('Production'))
    await user.click(save)
    await about.findByText('Back end')
    await waitFor(() => assert.ok(!save.hasAttribute('data-loading')))
    await user.click(labels.getByLabelText('Back end'))
    await user.click(save)
    await isGone(() => about.queryByText('Back end'))

    const tags = await section('Tags')
    const add = async (key: string, value: string) => {
      await user.clear(tags.getByLabelText(/^Key/))
      await user.type(tags.getByLabelText(/^Key/), key)
      await user.clear(tags.getByLabelText(/^Value/))
      await user.type(tags.getByLabelText(/^Value/), `${value}{Enter}`)
    }
    await add('team', 'payments')
    await tags.findByLabelText('Remove tag team: payments')
    await add('team', 'with a space')
    await tags.findByRole('alert')
    await add('cost-center', '4711')
    await isGone(() => tags.queryByRole('alert'))
    ;(await tags.findByLabelText('Remove tag team: payments')).focus()
    await user.keyboard('{Enter}')
    await isGone(() => about.queryByText('team: payments'))
    await about.findByText('cost-center: 4711')
    const { attributes } = (await read()).json().data
    assert.deepEqual(
      [attributes.business_criticality, attributes.environment, attributes.lifecycle, attributes.tags],
      [['high'], [], ['production'], [{ key: 'cost-center', value: '4711' }]],
    )
  })

  test('settings of a project: an added tag does not take the focus from where it was moved meanwhile', async () => {
    const { user } = open()
    const tags = await section('Tags')
    await user.type(tags.getByLabelText(/^Key/), 'team')
    await user.type(tags.getByLabelText(/^Value/), 'payments{Enter}')
    button('Deactivate').focus()
    await tags.findByLabelText('Remove tag team: payments')
    await waitFor(() => assert.equal(tags.getByLabelText<HTMLInputElement>(/^Key/).value, ''))
    await user.keyboard('{Enter}')
    await screen.findByText('Not watched')
  })

  test('settings of a project: a refused change is undone and names the missing permission', async () => {
    const { orgId } = server()
    const tag = { key: 'cost-center', value: '4711' }
    await server().call('POST', `/v1/org/${orgId}/project/${projectId}/tags`, { body: tag })
    const { user } = open(await server().keyWith(['org.read', 'org.project.read', 'org.project.snapshot.read']))
    const tags = await section('Tags')
    await user.click(tags.getByLabelText('Remove tag cost-center: 4711'))
    assert.match((await tags.findByRole('alert')).textContent, /org\.project\.tag\.edit/)
    const labels = await section('Labels')
    await user.click(labels.getByLabelText('Sandbox'))
    await user.click(button('Save labels'))
    assert.match((await labels.findByRole('alert')).textContent, /org\.project\.attributes\.edit/)
    tags.getByLabelText('Remove tag cost-center: 4711')
  })
})
