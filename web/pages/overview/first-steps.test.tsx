import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { orgCollaborator } from '#foundation/access/built-in-roles.ts'
import { createAccount, ofOrg } from '#test/access/accounts.ts'
import { toOsvRecord, writeOsvExport } from '#test/manifests/osv-export.ts'
import { type BareRepository, bareRepository } from '#test/repositories/git-repository.ts'
import { npmProject } from '#test/repositories/imports.ts'
import { PlaceContext } from '../../hooks/place.ts'
import { render } from '../../testing/render.tsx'
import { useImportServer } from '../../testing/server.ts'
import { Overview } from './page.tsx'

describe('first steps', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-osv-'))
  const server = useImportServer({ GATEHOUSE_ADVISORIES_URL: folder })
  let repository: BareRepository
  before(() => {
    writeOsvExport(folder, [toOsvRecord('GHSA-1', 'npm', 'a')])
    repository = bareRepository()
    repository.commit(npmProject(''))
  })
  after(() => {
    repository[Symbol.dispose]()
    rmSync(folder, { recursive: true })
  })
  beforeEach(() => server().connect())

  const open = (orgId: string) => {
    const page = (
      <PlaceContext value={{ kind: 'orgs', id: orgId }}>
        <Overview />
      </PlaceContext>
    )
    return render(page, { at: `/orgs/${orgId}` })
  }
  const steps = async () => within(await screen.findByRole('region', { name: 'First steps' }))

  test('first steps: each is done in place; the list ends when the key of the CI account is closed', async () => {
    const orgId = await server().addOrg()
    const { user } = open(orgId)
    const list = await steps()
    list.getByText('0 of 4 done')
    assert.ok(screen.queryByText('Failed imports, last 7 days') === null)
    await user.click(list.getByRole('button', { name: 'Connect source' }))
    await user.click(await list.findByRole('radio', { name: 'Folder on the server' }))
    await user.click(list.getByRole('button', { name: 'Connect' }))
    await list.findByText('1 of 4 done')
    await user.click(list.getByRole('button', { name: 'Import repository' }))
    fireEvent.change(await list.findByLabelText(/^Folder/), { target: { value: repository.path } })
    await user.click(list.getByRole('button', { name: 'Import' }))
    await list.findByText('1 of 1 imported')
    await list.findByText('2 of 4 done')
    await screen.findByText('Failed imports, last 7 days')
    await user.click(list.getByRole('button', { name: 'Load advisories' }))
    await user.click(await list.findByRole('button', { name: 'Sync advisories' }))
    await list.findByText('3 of 4 done')
    await user.click(list.getByRole('button', { name: 'Add CI account' }))
    await user.click(await list.findByRole('button', { name: 'Create key' }))
    await list.findByRole('textbox', { name: 'API key' })
    await list.findByText('4 of 4 done')
    await user.click(list.getByRole('button', { name: 'Close' }))
    await waitFor(() => assert.ok(screen.queryByRole('region', { name: 'First steps' }) === null))
  })

  test('first steps: once hidden, an empty organization says that it has no projects', async () => {
    const orgId = await server().addOrg()
    const { user, unmount } = open(orgId)
    await user.click((await steps()).getByRole('button', { name: 'Hide first steps' }))
    await screen.findByRole('heading', { name: 'No projects yet' })
    await waitFor(() => assert.equal(screen.getAllByText('None').length, 3, 'no open work'))
    unmount()
    open(orgId)
    await screen.findByRole('heading', { name: 'No projects yet' })
  })

  test('first steps: not shown to callers who may not connect sources', async () => {
    const orgId = await server().addOrg()
    const { attributes } = await createAccount(server(), ofOrg.path({ ...server(), orgId }), {
      role_id: orgCollaborator.id,
    })
    server().connect(String(attributes['api_key']))
    open(orgId)
    await screen.findByRole('heading', { name: 'No projects yet' })
  })
})
