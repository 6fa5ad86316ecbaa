import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { orgCollaborator } from '#foundation/access/built-in-roles.ts'
import { createAccount, ofOrg } from '#test/access/accounts.ts'
import { addProjectRow } from '#test/projects/project-rows.ts'
import { type BareRepository, bareRepository, type CommittedFile } from '#test/repositories/git-repository.ts'
import { serveGit } from '#test/repositories/git-server.ts'
import { importAndWait, importOf } from '#test/repositories/imports.ts'
import { routes } from '../../../app/routes.tsx'
import { render } from '../../../testing/render.tsx'
import { useImportServer } from '../../../testing/server.ts'
import { Integrations } from '../integrations/list.tsx'
import { Imports } from './list.tsx'
import { Manifests } from './manifests.tsx'
import { NewImport } from './new.tsx'

/** The starter set of advisories knows this version. */
const vulnerable = { minimist: '0.0.8' }

/** An npm project with its lockfile, below a folder. */
function project(folder: string, dependencies: Readonly<Record<string, string>>): CommittedFile[] {
  const manifest = { name: folder || 'shop', version: '1.0.0', dependencies }
  const locked = Object.entries(dependencies).map(([name, version]) => [`node_modules/${name}`, { version }])
  const lockfile = { ...manifest, lockfileVersion: 3, packages: { '': manifest, ...Object.fromEntries(locked) } }
  const at = folder === '' ? '' : `${folder}/`
  return [
    { path: `${at}package.json`, content: JSON.stringify(manifest) },
    { path: `${at}package-lock.json`, content: JSON.stringify(lockfile) },
  ]
}

describe('imports', () => {
  const server = useImportServer({ GATEHOUSE_OUTGOING_ALLOW: '127.0.0.1' })
  let repository: BareRepository
  before(() => {
    repository = bareRepository()
  })
  after(() => repository[Symbol.dispose]())
  beforeEach(() => server().connect())

  function open({ orgId = server().orgId, integration = '', staleTime = 0 } = {}) {
    const at = `/orgs/${orgId}/imports/new${integration && `?integration=${integration}`}`
    return render(<NewImport />, { at, route: '/orgs/:placeId/imports/new', others: routes, staleTime })
  }
  const enter = (label: string | RegExp, value: string) =>
    fireEvent.change(screen.getByLabelText(label), { target: { value } })
  const press = (name: string) => fireEvent.click(screen.getByText(name, { selector: 'button *' }).closest('button')!)
  const region = async (name: string) => within((await screen.findByText(name, { selector: 'h2' })).closest('section')!)
  const hrefOf = (name: string | RegExp) =>
    screen.getByText(name, { selector: 'a, a *' }).closest('a')!.getAttribute('href')

  test('new import without a source: leads to connecting one', async () => {
    const orgId = await server().addOrg()
    open({ orgId })
    await screen.findByText('No source connected')
    assert.equal(hrefOf('Connect one'), `/orgs/${orgId}/integrations/new`)
  })

  test('new import: a refused target is said in an alert, and a refused manifest at its field alone', async () => {
    open({ integration: server().integrationId })
    await screen.findByLabelText(/^Folder/)
    enter(/^Folder/, 'gone.git')
    press('Import')
    await screen.findByRole('alert')
    enter(/^Folder/, repository.path)
    enter('Manifests', '../package.json')
    press('Import')
    const invalid = () => [...document.querySelectorAll('[aria-invalid=true]')].map(({ tagName }) => tagName)
    await waitFor(() => assert.deepEqual(invalid(), ['TEXTAREA']))
    assert.equal(screen.getByLabelText('Manifests').getAttribute('aria-invalid'), 'true')
  })

  test('import with failures: lists each manifest; a second one without them updates its projects', async () => {
    repository.commit([
      ...project('', vulnerable),
      ...project('web', {}),
      { path: 'broken/package.json', content: '{ "name": "broken", ' },
      { path: 'node_modules/minimist/package.json', content: '{}' },
    ])
    const { orgId, integrationId } = server()
    // Also pages that were read a moment before show what an import changed.
    const { address, goBack } = open({ integration: integrationId, staleTime: Number.POSITIVE_INFINITY })
    const openProject = async () => {
      fireEvent.click(await screen.findByText(/^package(-lock)?\.json$/, { selector: 'a' }))
      await screen.findByText('Dependencies', { selector: 'dt' })
      return screen.getByText('About').closest('section')!.textContent
    }
    await screen.findByLabelText(/^Folder/)
    enter(/^Folder/, repository.path)
    press('Import')
    await screen.findByText(/^Import of .*repository/)
    const failed = await region('Progress')
    await failed.findByText('with failures')
    failed.getByText('2 of 3 imported, 1 failed')
    const table = await screen.findByRole('table', { name: 'Manifests' })
    // Projects are counted as imported shortly before they are listed.
    await waitFor(() => assert.equal(within(table).getAllByText('imported').length, 2))
    assert.match(table.textContent, /broken\/package\.json.*failed.+web\/package/s)
    const importPath = address()
    assert.match(await openProject(), /Dependencies1/)
    const projectPath = address()
    const ignore = { reason: 'only our own arguments are read', reasonType: 'wont-fix', disregardIfFixable: false }
    const ignores = `/v1/org/${orgId}/project/${projectPath.split('/').at(-1)}/ignore/CVE-2021-44906`
    assert.equal((await server().call('POST', ignores, { body: ignore })).statusCode, 200)

    repository.commit([...project('', { ...vulnerable, left: '1.0.0' }), ...project('web', {})])
    goBack()
    await screen.findByText('with failures')
    press('Import again')
    await screen.findByText('2 of 2 imported')
    await screen.findByText('complete')
    assert.notEqual(address(), importPath)
    await openProject()
    assert.equal(address(), projectPath)
    const about = screen.getByText('About').closest('section')!
    await waitFor(() => assert.match(about.textContent, /Ignored1Dependencies2/))
    const ignored = await screen.findByRole('table', { name: 'Ignored issues' })
    await within(ignored).findByText('only our own arguments are read')
    fireEvent.click(screen.getByText('History', { selector: '[role=tab] *' }))
    const tests = await screen.findByRole('table', { name: 'Tests' })
    await waitFor(() => assert.equal(within(tests).getAllByRole('row').length, 3))
  })

  test('lists of imports and projects: show failures and ignored issues', async () => {
    const { orgId } = server()
    const { goTo } = render(<Imports />, {
      at: `/orgs/${orgId}/imports`,
      route: '/orgs/:placeId/imports',
      others: routes,
    })
    const imports = within(await screen.findByRole('table', { name: 'Imports' }))
    await imports.findByText('with failures')
    imports.getByText('complete')
    goTo(`/orgs/${orgId}/projects?view=flat`)
    const projects = within(await screen.findByRole('table', { name: 'Projects' }))
    await projects.findByText('1 ignored')
  })

  test('new import from a source just connected: begins with it; a stalled import is followed and stopped', async () => {
    await using stalled = await serveGit(repository.path, { before: () => true })
    const { orgId } = server()
    const { goTo, user } = open()
    await screen.findByLabelText('From')
    goTo(`/orgs/${orgId}/integrations/new`)
    fireEvent.click(await screen.findByLabelText('Git'))
    enter('Name', 'A slow one')
    press('Connect')
    fireEvent.click(await screen.findByText('Import from this source'))
    // Although the list of sources was read before this one existed.
    const source = await screen.findByLabelText<HTMLSelectElement>('From')
    assert.match(source.selectedOptions[0]!.textContent, /^A slow one/)
    enter(/^Repository address/, `${stalled.url}/repository.git`)
    press('Import')
    const progress = await region('Progress')
    await progress.findByText('Looking for manifests…')
    const stop = async (choice: string) => {
      press('Stop import')
      await user.click(within(await screen.findByRole('dialog')).getByText(choice, { selector: 'button *' }))
      await waitFor(() => assert.ok(screen.queryByRole('dialog') === null))
    }
    await stop('Keep importing')
    progress.getByText('running')
    await stop('Stop import')
    await progress.findByText('stopped')
  })

  test('manifests of an import: says that there are none only at its end', async () => {
    const empty = bareRepository()
    empty.commit([{ path: 'README', content: 'Nothing to test.' }])
    const { id } = await importAndWait(server(), importOf(empty.path))
    empty[Symbol.dispose]()
    const { orgId } = server()
    const show = (state: 'pending' | 'complete', waiting: number) =>
      render(
        <Manifests
          orgId={orgId}
          importId={id}
          progress={{ state, is_listed: true, manifests: { waiting, done: 0, failed: 0 } }}
        />,
        { at: '/', route: '/' },
      ).unmount
    // The progress is often newer than the list.
    const hideWaiting = show('pending', 180)
    await screen.findByText('Loading the manifests…')
    hideWaiting()
    const hideListed = show('pending', 0)
    await screen.findByText('Reading the repository.')
    hideListed()
    show('complete', 0)
    await screen.findByText('No supported manifest found.')
  })

  test('a running import that is left: pages that were read before it are read again', async () => {
    await using stalled = await serveGit(repository.path, { before: () => true })
    const { orgId } = server()
    const attributes = { kind: 'git', name: 'Another slow one' }
    const body = { data: { type: 'integration', attributes } }
    const made = (await server().call('POST', `/rest/orgs/${orgId}/integrations`, { body })).json()
    const { goTo, address } = open({ integration: made.data.id, staleTime: Number.POSITIVE_INFINITY })
    const newImport = address()
    const projects = `/orgs/${orgId}/projects?view=flat`
    await screen.findByLabelText(/^Repository address/)
    goTo(projects)
    await screen.findByRole('table', { name: 'Projects' })
    goTo(newImport)
    await screen.findByLabelText(/^Repository address/)
    enter(/^Repository address/, `${stalled.url}/repository.git`)
    press('Import')
    await (await region('Progress')).findByText('Looking for manifests…')
    await addProjectRow(server(), { name: 'team/added meanwhile' })
    goTo(projects)
    await screen.findByLabelText('team/added meanwhile', { selector: 'a' })
  })

  test('an import that ends before its page is there: pages that were read before it are read again', async () => {
    repository.commit(project('quick', {}))
    const { orgId } = server()
    const { goTo } = open({ staleTime: Number.POSITIVE_INFINITY })
    const projects = `/orgs/${orgId}/projects?view=flat`
    goTo(projects)
    await screen.findByRole('table', { name: 'Projects' })
    const { id } = await importAndWait(server(), importOf(repository.path))
    goTo(`/orgs/${orgId}/imports/${id}`)
    await (await region('Progress')).findByText('complete')
    goTo(projects)
    await screen.findByLabelText(/quick\/package/, { selector: 'a' })
  })

  test('pages of imports: name a missing permission', async () => {
    const { attributes } = await createAccount(server(), ofOrg.path(server()), { role_id: orgCollaborator.id })
    server().connect(String(attributes['api_key']))
    const { orgId } = server()
    for (const [path, Page] of Object.entries({
      imports: Imports,
      'imports/new': NewImport,
      integrations: Integrations,
    })) {
      const { unmount } = render(<Page />, { at: `/orgs/${orgId}/${path}`, route: `/orgs/:placeId/${path}` })
      assert.match((await screen.findByRole('alert')).textContent, /org\.edit/)
      unmount()
    }
  })
})
