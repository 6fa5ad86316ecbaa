import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { orgCollaborator } from '#foundation/access/built-in-roles.ts'
import { skipWithoutBrowser } from '#test/browser/browser.ts'
import { buildConsole, type Console, look, openConsole } from '#test/browser/console.ts'
import { type BareRepository, bareRepository, type CommittedFile } from '#test/repositories/git-repository.ts'
import { serveGit } from '#test/repositories/git-server.ts'
import { toTarGz } from '#test/repositories/tar.ts'
import { ADMIN_KEY, VERSION } from '#test/servers/app.ts'
import { type ServerProcess, startServer } from '#test/servers/server-process.ts'

/** The starter set of advisories knows this version. */
const vulnerable = { minimist: '0.0.8' }

/** A project of npm with its lockfile, below a folder. */
function project(folder: string, dependencies: Readonly<Record<string, string>>): CommittedFile[] {
  const manifest = { name: folder || 'shop', version: '1.0.0', dependencies }
  const locked = Object.entries(dependencies).map(([name, version]) => [`node_modules/${name}`, { version }] as const)
  const lockfile = { ...manifest, lockfileVersion: 3, packages: { '': manifest, ...Object.fromEntries(locked) } }
  const at = folder === '' ? '' : `${folder}/`
  return [
    { path: `${at}package.json`, content: JSON.stringify(manifest) },
    { path: `${at}package-lock.json`, content: JSON.stringify(lockfile) },
  ]
}

function toArchive(files: readonly CommittedFile[]): Buffer {
  return toTarGz(Object.fromEntries(files.map(({ path, content }) => [String(path), String(content)])))
}

/** Moves from the current focus by keyboard. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let steps = 0; steps < 60; steps++) {
    await page.keyboard.press('Tab')
    if ((await target.and(page.locator(':focus')).count()) > 0) return
  }
  assert.fail(`${target} is not reached by the keyboard`)
}

/** Goes from an integration to the import from it; both pages ask for a target, and the first stays until the other is there. */
async function goToImport(page: Page, go: (link: Locator) => Promise<void>): Promise<void> {
  await go(page.getByRole('link', { name: 'Import from this source' }))
  await page.getByRole('heading', { name: 'Import a repository', level: 1 }).waitFor()
}

describe('imports in the console', { skip: skipWithoutBrowser }, () => {
  let dataDir: string
  let repository: BareRepository
  let server: ServerProcess
  let gui: Console
  let orgId: string
  before(async () => {
    buildConsole()
    dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-console-'))
    repository = bareRepository()
    server = await startServer({
      GATEHOUSE_DATA_DIR: dataDir,
      GATEHOUSE_ADMIN_API_KEY: ADMIN_KEY,
      GATEHOUSE_ADMIN_PASSWORD: 'a password for tests',
      GATEHOUSE_LOCAL_REPOSITORIES: dirname(repository.path),
      GATEHOUSE_OUTGOING_ALLOW: '127.0.0.1',
      GATEHOUSE_IMPORT_CHECK_SECONDS: '1',
    })
    gui = await openConsole(server.baseUrl, ADMIN_KEY)
    orgId = (await ask<{ data: { id: string }[] }>('/rest/orgs')).data[0]!.id
  })
  after(async () => {
    await gui?.close()
    await server?.end('SIGTERM')
    repository?.[Symbol.dispose]()
    if (dataDir) rmSync(dataDir, { recursive: true, force: true })
  })

  async function ask<T>(path: string): Promise<T> {
    const url = path.startsWith('/rest') ? `${path}${path.includes('?') ? '&' : '?'}version=${VERSION}` : path
    const answer = await fetch(`${server.baseUrl}${url}`, { headers: { authorization: `token ${ADMIN_KEY}` } })
    assert.equal(answer.status, 200, path)
    return (await answer.json()) as T
  }

  /** The region of an import's page with its progress. */
  const progressOf = (page: Page) => page.getByRole('region', { name: 'Progress' })

  test('a repository is connected, imported and watched; an ignored issue stays ignored', async () => {
    repository.commit([
      ...project('', vulnerable),
      ...project('web', {}),
      { path: 'broken/package.json', content: '{ "name": "broken", ' },
      { path: 'node_modules/minimist/package.json', content: '{}' },
    ])
    await using tab = await gui.open(`/orgs/${orgId}/imports/new`)
    const { page } = tab
    await page.getByRole('heading', { name: 'No source connected' }).waitFor()
    await page.getByRole('link', { name: 'Connect one' }).click()
    await page.getByRole('radio', { name: 'Bitbucket Server' }).check()
    await page.getByRole('radio', { name: 'User name and password' }).check()
    await page.getByLabel(/^Password/).waitFor()
    await look(page, 'integration-new')
    await page.getByRole('radio', { name: 'Folder on the server' }).check()
    assert.equal(await page.getByRole('textbox', { name: 'Address' }).count(), 0)
    assert.equal(await page.getByRole('radio', { name: 'A token' }).count(), 0)
    await page.getByRole('textbox', { name: 'Name' }).fill('Our machine')
    await page.getByRole('button', { name: 'Connect' }).click()

    await page.getByRole('heading', { name: 'Our machine', level: 1 }).waitFor()
    const connection = page.getByRole('region', { name: 'Connection' })
    await connection.getByRole('button', { name: 'Test connection' }).click()
    await connection.getByText('It works').waitFor()
    await connection.getByRole('textbox', { name: 'Folder' }).fill('gone.git')
    await connection.getByRole('button', { name: 'Test connection' }).click()
    await connection.getByText('Connection failed').waitFor()
    await look(page, 'integration')

    await goToImport(page, (link) => link.click())
    await page.getByRole('textbox', { name: 'Folder', exact: true }).fill('gone.git')
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await look(page, 'import-refused')
    await page.getByRole('textbox', { name: 'Folder', exact: true }).fill('repository.git')
    await page.getByRole('textbox', { name: 'Manifests' }).fill('../package.json')
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.locator('textarea[aria-invalid=true]').waitFor()
    assert.equal(await page.locator('input[aria-invalid=true]').count(), 0, 'it is not said of the folder')
    await page.getByRole('textbox', { name: 'Manifests' }).fill('')
    await page.getByRole('textbox', { name: 'Folder', exact: true }).fill('repository.git')
    const events = page.waitForResponse((answer) => /\/imports\/[0-9a-f-]+\/events/.test(answer.url()))
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('heading', { name: /^Import of .*repository/ }).waitFor()
    assert.equal((await events).headers()['content-type'], 'text/event-stream')
    await progressOf(page).getByText('with failures').waitFor()
    await progressOf(page).getByText('2 of 3 imported, 1 failed').waitFor()
    const manifests = page.getByRole('table', { name: 'Manifests' })
    await manifests.getByText('imported').nth(1).waitFor()
    await manifests.getByText('failed').waitFor()
    assert.match((await manifests.textContent())!, /broken\/package\.json.*failed.+web\/package/s)
    await look(page, 'import')
    const importPath = new URL(page.url()).pathname.replace('/console', '')

    await manifests.getByRole('link', { name: /^package(-lock)?\.json$/ }).click()
    const issues = page.getByRole('table', { name: 'Issues', exact: true })
    const issue = issues.getByRole('row').filter({ hasText: 'CVE-2021-44906' }).getByRole('button')
    await issue.waitFor()
    const projectPath = new URL(page.url()).pathname
    const projectId = projectPath.split('/').at(-1)!
    const { browseUrl } = await ask<{ browseUrl: string }>(`/v1/org/${orgId}/project/${projectId}`)
    assert.equal(new URL(browseUrl).pathname, projectPath)
    await look(page, 'imported-project')
    await issue.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('minimist@0.0.8').first().waitFor()
    await dialog.getByRole('button', { name: 'Ignore…' }).click()
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('only our own arguments are read')
    await dialog.getByLabel('End date').fill('2999-01-01T00:00')
    await dialog.getByRole('button', { name: 'Ignore it' }).click()
    await dialog.getByText('Issue ignored.').waitFor()
    await page.keyboard.press('Escape')
    const ignored = page.getByRole('table', { name: 'Ignored issues' })
    await ignored.getByText('only our own arguments are read').waitFor()

    // A later import of the same repository updates its project, and the ignore still applies.
    repository.commit([...project('', { ...vulnerable, left: '1.0.0' }), ...project('web', {})])
    await page.goto(`${server.baseUrl}/console${importPath}`)
    await progressOf(page).getByRole('button', { name: 'Import again' }).click()
    await page.waitForURL((url) => !url.pathname.endsWith(importPath))
    await progressOf(page).getByText('complete').waitFor()
    await progressOf(page).getByText('2 of 2 imported').waitFor()
    await page.goto(`${server.baseUrl}${projectPath}`)
    await ignored.getByText('only our own arguments are read').waitFor()
    await page.getByRole('region', { name: 'About' }).getByText('Dependencies').waitFor()
    assert.match((await page.getByRole('region', { name: 'About' }).textContent())!, /Ignored1Dependencies2/)
    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByRole('table', { name: 'Tests' }).getByRole('row').nth(2).waitFor()
    await page.getByRole('link', { name: 'Projects', exact: true }).click()
    await page.getByRole('heading', { name: 'Projects', exact: true, level: 1 }).waitFor()
    await page.getByText('Flat list').click()
    const projects = page.getByRole('table', { name: 'Projects' })
    await projects.getByText('1 ignored').waitFor()
    await look(page, 'imported-projects')
    await page.getByRole('link', { name: 'Imports', exact: true }).click()
    await page.getByRole('heading', { name: 'Imports', exact: true, level: 1 }).waitFor()
    await page.getByRole('table', { name: 'Imports' }).getByText('with failures').waitFor()
    await look(page, 'imports')
    assert.deepEqual(tab.complaints, [])
  })

  test('an archive is uploaded and imported; its next version with a renamed folder updates the same projects', async () => {
    await using tab = await gui.open(`/orgs/${orgId}/integrations/new`)
    const { page } = tab
    await page.getByRole('radio', { name: 'Archives' }).check()
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByText('No archives yet.').waitFor()
    const send = (name: string, buffer: Buffer) =>
      page.getByLabel('Archive', { exact: true }).setInputFiles({ name, mimeType: 'application/gzip', buffer })
    await send('shop.tar.gz', Buffer.from('this is no archive'))
    await page.getByText('Archive rejected').waitFor()
    await send('shop.tar.gz', toArchive([...project('', vulnerable), ...project('web', { lodash: '4.17.20' })]))
    await page.getByText('shop was sent').waitFor()
    await look(page, 'archives')
    const archives = page.url()
    const archive = page.getByRole('table', { name: 'Archives' }).getByRole('link', { name: 'Import' })
    await archive.click()
    assert.equal(await page.getByRole('combobox', { name: 'Archive' }).inputValue(), 'shop')
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await progressOf(page).getByText('2 of 2 imported').waitFor()
    const manifests = page.getByRole('table', { name: 'Manifests' })
    const projectsOf = async () => {
      // Projects are counted as imported shortly before they are listed.
      await manifests.getByText('imported').nth(1).waitFor()
      return manifests.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')!).sort())
    }
    const first = await projectsOf()
    assert.equal(first.length, 2)
    const web = (await manifests.getByRole('link', { name: /web/ }).getAttribute('href'))!
    await manifests.getByRole('link', { name: /^package/ }).click()
    const issues = page.getByRole('table', { name: 'Issues', exact: true })
    await issues.getByText('CVE-2021-44906').waitFor()
    const root = page.url()

    await page.goto(archives)
    const second = [...project('', { minimist: '1.2.8' }), ...project('site', { lodash: '4.17.20', left: '1.0.0' })]
    await send('shop.tgz', toArchive(second))
    await page.getByText('shop was sent').waitFor()
    await archive.first().click()
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await progressOf(page).getByText('2 of 2 imported').waitFor()
    assert.deepEqual(await projectsOf(), first, 'both are the projects of the first version')
    assert.match((await manifests.textContent())!, /site\/package/)
    await look(page, 'archive-second')

    const tests = page.getByRole('table', { name: 'Tests' })
    await page.goto(`${root}?view=history`)
    await tests.getByRole('row').nth(2).waitFor()
    assert.match((await tests.textContent())!, /none.*1 critical/s)
    await page.getByRole('tab', { name: 'Issues' }).click()
    await page.getByRole('heading', { name: 'No known issues' }).waitFor()
    await page.goto(`${server.baseUrl}${web}?view=history`)
    await page.getByRole('heading', { name: /site\/package/, level: 1 }).waitFor()
    await tests.getByRole('row').nth(2).waitFor()
    await page.getByRole('region', { name: 'About' }).getByText('site/package', { exact: false }).waitFor()
    assert.equal(await page.getByText('Not watched').count(), 0)
    assert.deepEqual(tab.complaints, [])
  })

  test('credentials are set, changed and removed, never shown; a refused name is reported at its field', async () => {
    const secret = 'a-token-that-nobody-sees'
    await using tab = await gui.open(`/orgs/${orgId}/integrations/new`)
    const { page } = tab
    await page.getByRole('radio', { name: 'Git', exact: true }).check()
    await page.getByRole('textbox', { name: 'Name' }).fill('Our git')
    await page.getByRole('textbox', { name: 'Address' }).fill('https://git.example/team')
    await page.getByRole('radio', { name: 'A token' }).check()
    await page.getByLabel(/^Token/).fill(secret)
    await page.getByRole('button', { name: 'Connect' }).click()
    const about = page.getByRole('region', { name: 'About' })
    await about.getByText('set', { exact: true }).waitFor()
    assert.ok(!(await page.content()).includes(secret), 'credentials are never shown')
    const credentials = page.getByRole('region', { name: 'Credentials' })
    await credentials.getByRole('radio', { name: 'None' }).check()
    await credentials.getByRole('button', { name: 'Remove credentials' }).click()
    await about.getByText('not set').waitFor()
    await credentials.getByRole('radio', { name: 'User name and password' }).check()
    await credentials.getByRole('textbox', { name: 'User name' }).fill('builds')
    await credentials.getByLabel(/^Password/).fill(secret)
    await credentials.getByRole('button', { name: 'Set credentials' }).click()
    await about.getByText('set', { exact: true }).waitFor()
    await look(page, 'integration-git')

    await page.goto(`${server.baseUrl}/console/orgs/${orgId}/integrations/new`)
    await page.getByRole('textbox', { name: 'Name' }).fill('Our git')
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByText('already exists').first().waitFor()
    await page.getByRole('link', { name: 'Integrations', exact: true }).click()
    await page.getByRole('heading', { name: 'Integrations', exact: true, level: 1 }).waitFor()
    const list = page.getByRole('table', { name: 'Integrations' })
    await list.getByRole('link', { name: 'Our git' }).waitFor()
    await look(page, 'integrations')
    await list.getByRole('link', { name: 'Our git' }).click()
    await page.getByRole('button', { name: 'Delete this integration' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Integrations', exact: true, level: 1 }).waitFor()
    await list.getByRole('link').first().waitFor()
    await list.getByRole('link', { name: 'Our git' }).waitFor({ state: 'detached' })
    assert.ok(!server.logged().includes(secret))
    assert.deepEqual(tab.complaints, [])
  })

  test('connecting, importing and ignoring work by keyboard alone', async () => {
    repository.commit([...project('', vulnerable), ...project('by-keys', vulnerable)])
    await using tab = await gui.open(`/orgs/${orgId}/integrations`)
    const { page } = tab
    const press = async (target: Locator, key = 'Enter') => {
      await tabTo(page, target)
      await page.keyboard.press(key)
    }
    const type = async (name: string, text: string) => {
      await tabTo(page, page.getByRole('textbox', { name, exact: true }))
      await page.keyboard.type(text)
    }
    await press(page.getByRole('link', { name: 'Connect source' }))
    await page.getByRole('heading', { name: 'Connect source', level: 1 }).waitFor()
    await tabTo(page, page.getByRole('radio', { checked: true }).first())
    const folder = page.getByRole('radio', { name: 'Folder on the server' })
    for (let steps = 0; steps < 10 && !(await folder.isChecked()); steps++) await page.keyboard.press('ArrowDown')
    await type('Name', 'By keys')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'By keys', level: 1 }).waitFor()
    await goToImport(page, press)
    await type('Folder', 'repository.git')
    await page.keyboard.press('Enter')
    await progressOf(page).getByText('2 of 2 imported').waitFor()
    await press(page.getByRole('table', { name: 'Manifests' }).getByRole('link', { name: /by-keys/ }))
    const issues = page.getByRole('table', { name: 'Issues', exact: true })
    const issue = issues.getByRole('row').filter({ hasText: 'CVE-2021-44906' }).getByRole('button')
    await press(issue)
    const dialog = page.getByRole('dialog')
    await press(dialog.getByRole('button', { name: 'Ignore…' }))
    await dialog.getByRole('textbox', { name: 'Reason' }).waitFor()
    await press(dialog.getByRole('radio', { checked: true }).first(), 'ArrowUp')
    await type('Reason', 'no mouse was used')
    await press(dialog.getByRole('button', { name: 'Ignore it' }))
    await dialog.getByText('Issue ignored.').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('table', { name: 'Ignored issues' }).getByText('no mouse was used').waitFor()
    await press(page.getByRole('tab', { name: 'Issues' }), 'ArrowLeft')
    await page.getByRole('region', { name: 'Watching' }).waitFor()
    await press(page.getByRole('button', { name: 'Delete this project' }))
    await press(dialog.getByRole('button', { name: 'Delete' }))
    await page.getByRole('heading', { name: 'Projects', exact: true, level: 1 }).waitFor()
    assert.deepEqual(tab.complaints, [])
  })

  test('a stalled import is followed and canceled', async () => {
    await using stalled = await serveGit(repository.path, { before: () => true })
    await using tab = await gui.open(`/orgs/${orgId}/imports/new`)
    const { page } = tab
    const source = page.getByRole('combobox', { name: 'From' })
    await source.waitFor()
    await page.getByRole('link', { name: 'Integrations', exact: true }).click()
    await page.getByRole('link', { name: 'Connect source' }).click()
    await page.getByRole('heading', { name: 'Connect source', level: 1 }).waitFor()
    await page.getByRole('radio', { name: 'Git', exact: true }).check()
    await page.getByRole('textbox', { name: 'Name' }).fill('A slow one')
    await page.getByRole('button', { name: 'Connect' }).click()
    await goToImport(page, (link) => link.click())
    // Although the list of sources was loaded before this one existed.
    await source.waitFor()
    assert.match((await source.locator('option:checked').textContent())!, /^A slow one/)
    await page.getByRole('textbox', { name: 'Repository address' }).fill(`${stalled.url}/repository.git`)
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await progressOf(page).getByText('Looking for manifests…').waitFor()
    await look(page, 'import-running')
    await page.getByRole('button', { name: 'Cancel import' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel import' }).click()
    await progressOf(page).getByText('canceled').waitFor()
    assert.deepEqual(tab.complaints, [])
  })

  test('a missing permission to edit is named on pages of imports', async () => {
    const attributes = { name: 'looker', auth_type: 'api_key', role_id: orgCollaborator.id }
    const answer = await fetch(`${server.baseUrl}/rest/orgs/${orgId}/service_accounts?version=${VERSION}`, {
      method: 'POST',
      headers: { authorization: `token ${ADMIN_KEY}`, 'content-type': 'application/vnd.api+json' },
      body: JSON.stringify({ data: { type: 'service_account', attributes } }),
    })
    const { data } = (await answer.json()) as { data: { attributes: { api_key: string } } }
    for (const path of ['imports', 'imports/new', 'integrations']) {
      await using tab = await gui.open(`/orgs/${orgId}/${path}`, { key: data.attributes.api_key })
      assert.match((await tab.page.getByRole('alert').textContent())!, /org\.edit/)
      assert.deepEqual(tab.complaints, [])
    }
  })

  test('pages of imports fit a narrow screen in the dark scheme', async () => {
    await using tab = await gui.open(`/orgs/${orgId}/imports`, {
      viewport: { width: 320, height: 640 },
      colorScheme: 'dark',
    })
    const { page } = tab
    await page.getByRole('table', { name: 'Imports' }).getByRole('link').last().click()
    await page.getByRole('table', { name: 'Manifests' }).getByRole('row').nth(1).waitFor()
    await look(page, 'import-narrow')
    for (const path of ['imports', 'imports/new', 'integrations', 'integrations/new']) {
      await page.goto(`${server.baseUrl}/console/orgs/${orgId}/${path}`)
      await page.waitForLoadState('networkidle')
      await look(page, `${path.replace('/', '-')}-narrow`)
    }
    await page.goto(`${server.baseUrl}/console/orgs/${orgId}/integrations`)
    await page.getByRole('table', { name: 'Integrations' }).getByRole('link').first().click()
    await page.getByRole('region', { name: 'Connection' }).waitFor()
    await look(page, 'integration-narrow')
    assert.deepEqual(tab.complaints, [])
  })
})
