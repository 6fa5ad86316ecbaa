import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { screen, waitFor, within } from '@testing-library/react'
import { operator } from '#foundation/access/caller.ts'
import type { AuditAction } from '#foundation/audit/actions.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { direct, shop } from '#test/projects/shop-project.ts'
import { render } from '../../../testing/render.tsx'
import { useConsoleServer } from '../../../testing/server.ts'
import { AuditLog } from './log.tsx'

describe('audit log page', () => {
  const server = useConsoleServer()
  const address = (query = '') => `/orgs/${server().orgId}/audit-log${query}`
  function open(query = '') {
    server().connect()
    return render(<AuditLog />, { at: address(query), route: '/orgs/:placeId/audit-log' })
  }
  const record = (action: string, at: number) =>
    recordAudit(
      { tx: server().parts.services.db, actor: operator, at },
      { id: randomUUID(), group_id: server().groupId, org_id: server().orgId },
      { action: action as AuditAction },
    )

  test('audit log while loading: the table is busy and has only its header', async () => {
    await record('thing.shown', Date.parse('2026-01-01T00:00:00Z'))
    server().connect()
    const release = server().hold()
    open()
    const table = screen.getByRole('table', { name: 'Audit events' })
    assert.ok(table.closest('[aria-busy=true]'))
    assert.equal(within(table).getAllByRole('row').length, 1, 'the names of the columns')
    release()
    await within(table).findByRole('button', { name: 'Details of thing.shown' })
    assert.ok(table.closest('[aria-busy=true]') === null)
  })

  test('audit log: the address contains the open event, which is found even on a later page', async () => {
    const at = Date.parse('2026-01-01T00:00:00.500Z')
    await record('thing.first', at)
    const page = open('?action=thing.*')
    await page.user.click(await screen.findByRole('button', { name: 'Details of thing.first' }))
    await screen.findByRole('dialog', { name: /performed thing\.first/ })
    const shared = page.address()
    assert.match(shared, /open=2026-01-01T00%3A00%3A00\.500Z/)
    await page.user.keyboard('{Escape}')
    await waitFor(() => assert.equal(page.address(), address('?action=thing.*')))
    page.unmount()

    for (let later = 1; later <= 20; later++) await record('thing.later', at + later)
    open(shared.slice(address().length))
    await screen.findByRole('dialog', { name: /performed thing\.first/ })
    const rows = within(await screen.findByRole('table', { name: 'Audit events', hidden: true }))
    assert.ok(rows.queryByText('thing.first') === null)
  })

  test('audit log: an ignored issue is shown with its project, both linked; a deleted project keeps no link', async () => {
    const { orgId } = server()
    const { projectId } = await recordProject(server(), shop)
    const ignore = { reason: 'accepted', reasonType: 'wont-fix', disregardIfFixable: false }
    const project = `/v1/org/${orgId}/project/${projectId}`
    assert.equal((await server().call('POST', `${project}/ignore/${direct}`, { body: ignore })).statusCode, 200)
    const row = async (action: string) =>
      within((await screen.findByRole('button', { name: `Details of ${action}` })).closest<HTMLElement>('tr')!)
    const { unmount } = open('?action=ignore.*')
    const ignored = await row('ignore.create')
    const hrefOf = (name: string) => ignored.getByRole('link', { name }).getAttribute('href')
    assert.equal(hrefOf(shop.name), `/orgs/${orgId}/projects/${projectId}`)
    assert.equal(hrefOf(direct), `/orgs/${orgId}/vulnerabilities/${direct}`)
    unmount()
    assert.equal((await server().call('DELETE', project)).statusCode, 200)
    open('?action=project.delete')
    const deleted = await row('project.delete')
    deleted.getByText(new RegExp(`deleted the project.*${shop.name}`))
    assert.ok(deleted.queryByRole('link', { name: shop.name }) === null)
  })

  test('audit log: filtered by person, action and object, chosen by name', async () => {
    const orgId = await server().addOrg()
    const { projectId } = await recordProject(server(), { ...shop, orgId })
    const ignore = { reason: 'accepted', reasonType: 'wont-fix', disregardIfFixable: false }
    await server().call('POST', `/v1/org/${orgId}/project/${projectId}/ignore/${direct}`, { body: ignore })
    await server().call('POST', `/rest/orgs/${orgId}/projects/${projectId}/tests`)
    server().connect()
    const page = render(<AuditLog />, { at: `/orgs/${orgId}/audit-log`, route: '/orgs/:placeId/audit-log' })
    await screen.findByText(/ignored/)
    const choose = async (label: string, text: string, option: RegExp) => {
      const field = screen.getByRole('combobox', { name: label })
      await page.user.click(field)
      await page.user.type(field, text)
      await page.user.click(await screen.findByRole('option', { name: option }))
    }
    await choose('Person or program', 'Admin', /^Administrator/)
    await choose('Object', 'shop', /^team\/shop/)
    await waitFor(() => assert.match(page.address(), /actor_id=.*target_id=|target_id=.*actor_id=/))
    await choose('Action', 'Ignored', /^Ignored …/)
    await waitFor(() => assert.match(page.address(), /action=ignore\.create/))
    await waitFor(() => assert.ok(screen.queryByRole('button', { name: 'Details of project.test' }) === null))
    await screen.findByRole('button', { name: 'Details of ignore.create' })
  })

  test('audit log: an event that does not exist is reported as not found', async () => {
    open(`?open=2026-01-01T00:00:00.000Z~${randomUUID()}`)
    assert.match((await screen.findByRole('alert')).textContent, /not found/)
    assert.ok(screen.queryByRole('dialog') === null)
  })
})
