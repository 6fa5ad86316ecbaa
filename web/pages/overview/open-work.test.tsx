import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { createAccount, ofOrg } from '#test/access/accounts.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { type BareRepository, bareRepository } from '#test/repositories/git-repository.ts'
import { importAndWait, importOf } from '#test/repositories/imports.ts'
import { routes } from '../../app/routes.tsx'
import { PlaceContext } from '../../hooks/place.ts'
import { Navigation } from '../../shell/navigation.tsx'
import { render } from '../../testing/render.tsx'
import { useImportServer } from '../../testing/server.ts'
import { Attention } from './attention.tsx'
import { Overview } from './page.tsx'

describe('open work of an organization', () => {
  const server = useImportServer()
  const place = (orgId = server().orgId) => ({ kind: 'orgs', id: orgId }) as const
  let repository: BareRepository
  before(() => {
    repository = bareRepository()
  })
  after(() => repository[Symbol.dispose]())
  beforeEach(() => server().connect())

  const card = async (title: RegExp) => within((await screen.findByText(title, { selector: 'h2' })).parentElement!)

  /** Returns the id of an import that failed, after one with a manifest that failed. */
  async function failImports(): Promise<string> {
    repository.commit([{ path: 'broken/package.json', content: '{' }])
    await importAndWait(server(), importOf(repository.path))
    const { db } = server().parts.services
    const row = await db.selectFrom('imports').selectAll().executeTakeFirstOrThrow()
    const id = randomUUID()
    await db
      .insertInto('imports')
      .values({ ...row, id, state: 'failed', created_at: Date.now() })
      .execute()
    return id
  }

  test('overview without permissions: the totals are refused with the missing permission', async () => {
    server().connect(await server().keyWith(['org.read']))
    render(
      <PlaceContext value={place()}>
        <Overview />
      </PlaceContext>,
    )
    const title = await screen.findByText('Could not load the totals')
    assert.match(title.closest('[role=alert]')!.textContent!, /org\.project\.read/)
  })

  test('open work: is counted, and its links lead to what was counted', async () => {
    const { orgId } = server()
    const { projectId } = await recordProject(server(), { graph: { shop: ['left@1.0.0'], 'left@1.0.0': [] } })
    const ignore = { reason: 'gone', reasonType: 'wont-fix', disregardIfFixable: false }
    await server().call('POST', `/v1/org/${orgId}/project/${projectId}/ignore/GHSA-gone-gone-gone`, { body: ignore })
    const id = await failImports()
    const account = await createAccount(server(), ofOrg.path(server()), {
      auth_type: 'oauth_client_secret',
      name: 'build server',
    })
    const replace = { data: { type: 'service_account', attributes: { mode: 'replace', grace_seconds: 3600 } } }
    const secrets = await server().call('POST', `${ofOrg.path(server())}/${account.id}/secrets`, { body: replace })
    assert.equal(secrets.statusCode, 200)

    const { goTo } = render(<Attention orgId={orgId} />, { at: '/', route: '/', others: routes })
    const follow = async (title: RegExp, name: string | RegExp) => {
      fireEvent.click(await (await card(title)).findByText(name, { selector: 'a' }))
    }
    await (await card(/^Failed imports/)).findByText('1 with manifests that failed', { selector: 'a' })
    const [ending] = await (await card(/^Secrets/)).findAllByRole('listitem')
    assert.match(ending!.textContent, /^build server .+ ends in .+ minutes/)
    await follow(/^Failed imports/, '1')
    await within(await screen.findByRole('table', { name: 'Imports' })).findByText('failed')
    goTo('/')
    await follow(/^Ignores/, '1')
    await within(await screen.findByRole('table', { name: 'Ignores' })).findByText('GHSA-gone-gone-gone')
    goTo('/')
    await follow(/^Secrets/, 'build server')
    await screen.findByText('build server', { selector: 'h1' })

    // More than one page.
    cleanup()
    const { db } = server().parts.services
    const row = await db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const more = Array.from({ length: 101 }, () => ({ ...row, id: randomUUID(), created_at: Date.now() }))
    await db.insertInto('imports').values(more).execute()
    render(<Attention orgId={orgId} />)
    await (await card(/^Failed imports/)).findByText('102', { selector: 'a' })
    cleanup()
    render(<Navigation place={place()} onNavigate={() => undefined} />)
    await screen.findByText('102 failed')
  })
})
