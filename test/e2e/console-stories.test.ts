import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { foldChanges } from '#features/issue-index/trends/fold-store.ts'
import { createAccount, ofOrg } from '#test/access/accounts.ts'
import { createApp, inGroup, install } from '#test/access/apps.ts'
import { addApp, consentTo } from '#test/access/tokens.ts'
import { audit } from '#test/browser/accessibility.ts'
import { skipWithoutBrowser } from '#test/browser/browser.ts'
import { buildConsole, type Console, follow, goTo, look, openConsole } from '#test/browser/console.ts'
import { settle } from '#test/browser/settle.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { type BareRepository, bareRepository } from '#test/repositories/git-repository.ts'
import { type ImportApp, importAndWait, importOf, npmProject, startImportApp } from '#test/repositories/imports.ts'
import { toTarGz } from '#test/repositories/tar.ts'
import { listenAnywhere } from '#test/servers/listening.ts'
import { isSigned, startReceiver } from '#test/servers/receiver.ts'
import { paths } from '../../web/navigation/paths.ts'

/** The starter set of advisories knows this version. */
const vulnerable = ['minimist', '0.0.8'] as const

const narrow = { viewport: { width: 320, height: 640 }, colorScheme: 'dark' } as const

function toArchive(files: ReturnType<typeof npmProject>): Buffer {
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

describe('stories of the console', { skip: skipWithoutBrowser }, () => {
  let app: ImportApp
  let gui: Console
  let repository: BareRepository
  before(async () => {
    buildConsole()
    repository = bareRepository()
    app = await startImportApp('sqlite', { GATEHOUSE_OUTGOING_ALLOW: '127.0.0.1' })
    gui = await openConsole(await listenAnywhere(app), app.adminKey)
  })
  after(async () => {
    await gui?.close()
    await app?.close()
    repository?.[Symbol.dispose]()
  })

  /** The region of an import's page with its progress. */
  const progressOf = (page: Page) => page.getByRole('region', { name: 'Progress' })
  const headingOf = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 })

  test('overview: open work and issues are shown, charts work by keyboard and as tables, links lead to lists', async () => {
    const { orgId } = app
    const of = { name: 'team/shop:package.json', graph: { shop: ['left@1.0.0'], 'left@1.0.0': [] } }
    const issues = [
      { id: 'GHSA-aaaa-bbbb-cccc', in: 'left@1.0.0', severity: 'critical' },
      { id: 'GHSA-dddd-eeee-ffff', in: 'left@1.0.0', severity: 'low' },
    ] as const
    const { projectId } = await recordProject(app, { ...of, issues, at: app.parts.services.now() - 40 * 86_400_000 })
    const ignore = { reason: 'gone', reasonType: 'wont-fix', disregardIfFixable: false }
    await app.call('POST', `/v1/org/${orgId}/project/${projectId}/ignore/GHSA-gone-gone-gone`, { body: ignore })
    repository.commit([{ path: 'broken/package.json', content: '{' }])
    await importAndWait(app, importOf(repository.path))
    await app.parts.services.db.updateTable('imports').set({ state: 'failed' }).execute()
    const { id } = await createAccount(app, ofOrg.path(app), { auth_type: 'oauth_client_secret', name: 'build server' })
    const replace = { data: { type: 'service_account', attributes: { mode: 'replace', grace_seconds: 3600 } } }
    assert.equal((await app.call('POST', `${ofOrg.path(app)}/${id}/secrets`, { body: replace })).statusCode, 200)
    while ((await foldChanges(app.parts.services.db, 1_000)) > 0);

    await using tab = await gui.open('/')
    const { page } = tab
    const open = page.getByRole('region', { name: 'Open issues', exact: true })
    await open.getByRole('link').first().waitFor()
    const size = page.viewportSize()!
    await page.getByRole('table', { name: 'Repositories with the worst issues' }).waitFor()
    for (const width of [390, 800, 1200, 1280, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      const cut = await page.evaluate(
        "[...document.querySelectorAll('main th')].filter((cell) => cell.clientWidth > 0 && cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)",
      )
      assert.deepEqual(cut, [], `the heads of the overview's tables overlap at ${width} px`)
    }
    await page.setViewportSize(size)
    const [total, ...bySeverity] = (await open.getByRole('link').allTextContents()).map(Number)
    assert.deepEqual([total, ...bySeverity], [2, 1, 0, 0, 1])
    const work = page.getByRole('region', { name: 'Open work' })
    for (const words of ['1', 'build server'])
      await work.getByRole('link', { name: words, exact: true }).first().waitFor()
    await audit(page, 'overview-with-all')

    const chart = page.getByRole('region', { name: 'Open issues by severity', exact: true })
    const slider = chart.getByRole('slider')
    await slider.focus()
    await page.keyboard.press('Home')
    const first = await slider.getAttribute('aria-valuetext')
    await page.keyboard.press('ArrowRight')
    await chart.getByText(/critical 1/i).waitFor()
    assert.notEqual(await slider.getAttribute('aria-valuetext'), first)
    await audit(page, 'overview-charts')
    await chart.getByText('Table', { exact: true }).click()
    const rows = chart.getByRole('table').getByRole('row')
    assert.equal(await rows.count(), 42)
    assert.equal(await rows.last().getByRole('cell').nth(1).textContent(), '1')
    await page.getByRole('radiogroup', { name: 'Range of the trends' }).getByText('30 days').click()
    await page.waitForURL(/days=30/)
    await rows.nth(31).waitFor({ state: 'detached' })
    assert.equal(await rows.count(), 31)

    await open.getByRole('link').nth(1).click()
    const list = page.getByRole('table', { name: 'Issues' })
    await list.getByText('GHSA-aaaa-bbbb-cccc', { exact: true }).waitFor()
    assert.equal(await list.getByRole('row').count(), 2)
    await page.goBack()
    await headingOf(page, 'Overview').waitFor()
    assert.deepEqual(tab.complaints, [])
  })

  test('imports: connecting, importing and ignoring work by keyboard alone', async () => {
    const { orgId } = app
    repository.commit([...npmProject('', ...vulnerable), ...npmProject('by-keys', ...vulnerable)])
    await using tab = await gui.open(paths.integrations(orgId))
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
    await headingOf(page, 'Connect source').waitFor()
    await tabTo(page, page.getByRole('radio', { checked: true }).first())
    const folder = page.getByRole('radio', { name: 'Folder on the server' })
    for (let steps = 0; steps < 10 && !(await folder.isChecked()); steps++) await page.keyboard.press('ArrowDown')
    await look(page, 'integration-new')
    await type('Name', 'By keys')
    await page.keyboard.press('Enter')
    await headingOf(page, 'By keys').waitFor()
    await look(page, 'integration')
    await press(page.getByRole('link', { name: 'Import from this source' }))
    await headingOf(page, 'Import a repository').waitFor()
    await type('Folder', repository.path)
    const events = page.waitForResponse((answer) => /\/imports\/[0-9a-f-]+\/events/.test(answer.url()))
    await page.keyboard.press('Enter')
    assert.equal((await events).headers()['content-type'], 'text/event-stream')
    await progressOf(page).getByText('2 of 2 imported').waitFor()
    await page.getByRole('table', { name: 'Manifests' }).getByText('imported').nth(1).waitFor()
    await look(page, 'import')
    await press(page.getByRole('table', { name: 'Manifests' }).getByRole('link', { name: /by-keys/ }))
    const issue = page
      .getByRole('table', { name: 'Issues', exact: true })
      .getByRole('row')
      .filter({ hasText: 'CVE-2021-44906' })
    await issue.getByRole('button').waitFor()
    const { pathname } = new URL(page.url())
    const { browseUrl } = (await app.call('GET', `/v1/org/${orgId}/project/${pathname.split('/').at(-1)}`)).json()
    assert.equal(new URL(browseUrl).pathname, pathname)
    await look(page, 'imported-project')
    await press(issue.getByRole('button'))
    const dialog = page.getByRole('dialog')
    await dialog.getByText('minimist@0.0.8').first().waitFor()
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
    await headingOf(page, 'Projects').waitFor()
    assert.deepEqual(tab.complaints, [])
  })

  test('an archive is uploaded and imported; its next version with a renamed folder updates the same projects', async () => {
    const { orgId } = app
    await using tab = await gui.open(paths.newIntegration(orgId))
    const { page } = tab
    await page.getByRole('radio', { name: 'Archives' }).check()
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByText('No archives yet.').waitFor()
    const send = (name: string, buffer: Buffer) =>
      page.getByLabel('Archive', { exact: true }).setInputFiles({ name, mimeType: 'application/gzip', buffer })
    await send('shop.tar.gz', Buffer.from('this is no archive'))
    await page.getByText('Archive rejected').waitFor()
    await send('shop.tar.gz', toArchive([...npmProject('', ...vulnerable), ...npmProject('web')]))
    await page.getByText('shop was sent').waitFor()
    await look(page, 'archives')
    const archivesPath = new URL(page.url()).pathname.replace('/console', '')
    const manifests = page.getByRole('table', { name: 'Manifests' })
    const importNewest = async () => {
      await page.getByRole('table', { name: 'Archives' }).getByRole('link', { name: 'Import' }).first().click()
      assert.equal(await page.getByRole('combobox', { name: 'Archive' }).inputValue(), 'shop')
      await page.getByRole('button', { name: 'Import', exact: true }).click()
      await progressOf(page).getByText('2 of 2 imported').waitFor()
      // Projects are counted as imported shortly before they are listed.
      await manifests.getByText('imported').nth(1).waitFor()
      return manifests.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')!).sort())
    }
    const first = await importNewest()
    assert.equal(first.length, 2)
    const web = (await manifests.getByRole('link', { name: /web/ }).getAttribute('href'))!.replace('/console', '')
    await manifests.getByRole('link', { name: /^package/ }).click()
    await page.getByRole('table', { name: 'Issues', exact: true }).getByText('CVE-2021-44906').waitFor()
    const root = new URL(page.url()).pathname.replace('/console', '')

    await follow(page, archivesPath)
    await send(
      'shop.tgz',
      toArchive([...npmProject('', 'minimist', '1.2.8'), ...npmProject('site', 'lodash', '4.17.19')]),
    )
    await page.getByText('shop was sent').waitFor()
    assert.deepEqual(await importNewest(), first, 'both are the projects of the first version')
    assert.match((await manifests.textContent())!, /site\/package/)
    await look(page, 'archive-second')

    const tests = page.getByRole('table', { name: 'Tests' })
    await follow(page, `${root}?view=history`)
    await tests.getByRole('row').nth(2).waitFor()
    assert.match((await tests.textContent())!, /none.*1 critical/s)
    await page.getByRole('tab', { name: 'Issues' }).click()
    await page.getByRole('heading', { name: 'No known issues' }).waitFor()
    await goTo(page, `${web}?view=history`)
    await page.getByRole('heading', { name: /site\/package/, level: 1 }).waitFor()
    await tests.getByRole('row').nth(2).waitFor()
    await page.getByRole('region', { name: 'About' }).getByText('site/package', { exact: false }).waitFor()
    assert.equal(await page.getByText('Not watched').count(), 0)
    assert.deepEqual(tab.complaints, [])
  })

  test('apps: an app is registered, its secret shown once, changed and deleted', async () => {
    await using tab = await gui.open(paths.apps(app.orgId))
    const { page } = tab
    await page.getByRole('link', { name: 'New app' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Dashboard')
    await page
      .getByRole('textbox', { name: 'Redirect URIs' })
      .fill('https://app.example/callback\n\nhttp://localhost:3000/back')
    await page.getByRole('checkbox', { name: 'See projects and their issues' }).check()
    assert.ok(await page.getByRole('checkbox', { name: 'See the organization', exact: true }).isDisabled())
    await look(page, 'console-new-app')
    await page.getByRole('button', { name: 'Create' }).click()
    const secret = await page.getByRole('textbox', { name: 'Client secret' }).inputValue()
    assert.match(secret, /^snyk_cs_/)
    await look(page, 'console-created-app')
    await page.getByRole('link', { name: 'I have saved it' }).click()
    await headingOf(page, 'Dashboard').waitFor()
    await page.getByRole('table', { name: 'Credentials' }).getByText('active', { exact: true }).waitFor()
    assert.ok(!(await page.content()).includes(secret), 'the secret is shown once')
    await look(page, 'console-app')

    const { data } = (await app.call('GET', `/rest/orgs/${app.orgId}/apps/creations`)).json()
    assert.deepEqual(data[0].attributes.redirect_uris, ['https://app.example/callback', 'http://localhost:3000/back'])
    assert.deepEqual(data[0].attributes.scopes, ['org.read', 'org.project.read'])
    const change = page.getByRole('region', { name: 'Change' })
    await change.getByRole('textbox', { name: 'Redirect URIs' }).fill('ftp://app.example')
    await change.getByRole('button', { name: 'Save' }).click()
    await change.getByRole('alert').waitFor()
    await change.getByRole('textbox', { name: 'Redirect URIs' }).fill('https://app.example/other')
    await change.getByRole('textbox', { name: 'Name' }).fill('Board')
    await change.getByRole('button', { name: 'Save' }).click()
    await headingOf(page, 'Board').waitFor()

    await page.getByRole('button', { name: 'Delete this app' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'No apps yet' }).waitFor()
    assert.deepEqual(tab.complaints, [])
  })

  test('webhooks: a webhook is created, tested, switched off and deleted', async () => {
    await using receiver = await startReceiver()
    await using tab = await gui.open(paths.webhooks(app.orgId))
    const { page } = tab
    await page.getByRole('link', { name: 'New webhook' }).click()
    await page.getByRole('textbox', { name: 'Address' }).fill(receiver.url)
    await page.getByRole('textbox', { name: 'Description' }).fill('The chat of the team')
    await page.getByRole('switch', { name: 'Send all events' }).check()
    await look(page, 'webhook-new')
    await page.getByRole('button', { name: 'Create' }).click()
    const secret = await page.getByRole('textbox', { name: 'Signing secret', exact: true }).inputValue()
    await look(page, 'webhook-created')
    await page.getByRole('link', { name: 'I have saved it' }).click()
    await page.getByText('No deliveries yet.').waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'Signing secret', exact: true }).count(), 0)
    await page.getByRole('button', { name: 'Send test' }).click()
    await page.getByText('Accepted: 204').waitFor()
    assert.ok(await isSigned(receiver.received[0]!, secret))
    await page.getByRole('table', { name: 'Messages' }).getByRole('button', { name: 'webhook.ping' }).click()
    await page.getByRole('dialog').getByText('Sent request').waitFor()
    await look(page, 'webhook-message')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('button', { name: 'Enable' }).waitFor()
    await look(page, 'webhook-off')
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click()
    await headingOf(page, 'Webhooks').waitFor()
    const list = page.getByRole('table', { name: 'Webhooks' })
    await list.getByText('disabled').waitFor()
    assert.match((await list.textContent())!, /The chat of the team.*all events.*disabled/)
    await look(page, 'webhooks')
    await list.getByRole('link', { name: receiver.url }).click()
    await page.getByRole('button', { name: 'Delete this webhook' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
    assert.deepEqual(tab.complaints, [])
  })

  /** Opens pages one after another; each must fit the screen. */
  async function lookAt(page: Page, pages: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, path] of Object.entries(pages)) {
      await follow(page, path)
      await settle(page)
      await look(page, name)
    }
  }

  test('pages of imports, apps and webhooks fit a narrow screen in the dark scheme', async () => {
    const { orgId, groupId, integrationId } = app
    const { id } = await createApp(app, { name: 'A name long enough to need two lines on a telephone' })
    const own = await addApp(app, { name: 'Helper' })
    await consentTo(app, { app: own, userId: (await app.call('GET', '/rest/self')).json().data.id })
    await install(app, inGroup.path(app))
    repository.commit([...npmProject(''), { path: 'broken/package.json', content: '{' }])
    await importAndWait(app, importOf(repository.path))
    const [{ id: importId }] = (await app.call('GET', `/rest/orgs/${orgId}/imports`)).json().data
    const url = 'https://hooks.example/a/path/long/enough/to/need/more/than/one/line/on/a/telephone'
    const webhook = { data: { type: 'webhook', attributes: { url, events: ['*'] } } }
    const { data } = (await app.call('POST', `/rest/orgs/${orgId}/webhooks`, { body: webhook })).json()
    await using tab = await gui.open(paths.ownApps, narrow)
    await tab.page.getByRole('link', { name: 'Helper' }).waitFor()
    await look(tab.page, 'own-apps-narrow')
    await lookAt(tab.page, {
      'own-app-narrow': paths.ownApp(own.id),
      'apps-narrow': paths.apps(orgId),
      'app-narrow': paths.app(orgId, id),
      'app-new-narrow': paths.newApp(orgId),
      'installs-narrow': paths.installs({ kind: 'groups', id: groupId }),
      'imports-narrow': paths.imports(orgId),
      'import-narrow': paths.importRun(orgId, importId),
      'import-new-narrow': paths.newImport(orgId),
      'integrations-narrow': paths.integrations(orgId),
      'integration-new-narrow': paths.newIntegration(orgId),
      'integration-narrow': paths.integration(orgId, integrationId),
      'webhooks-narrow': paths.webhooks(orgId),
      'webhook-new-narrow': paths.newWebhook(orgId),
      'webhook-narrow': paths.webhook(orgId, data.id),
    })
    assert.deepEqual(tab.complaints, [])
  })

  test('the longest names without spaces fit a phone and a tablet', async () => {
    const long = (length: number) => `long-${'w'.repeat(length - 5)}`
    const expires_at = new Date(Date.now() + 5 * 86_400_000).toISOString()
    await createAccount(app, ofOrg.path(app), { name: long(255), auth_type: 'oauth_client_secret', expires_at })
    const attributes = { url: `https://hooks.example/${long(500)}`, events: ['issues.new'], description: long(500) }
    const body = { data: { type: 'webhook', attributes } }
    const webhook = await app.call('POST', `/rest/orgs/${app.orgId}/webhooks`, { body })
    const person = { type: 'user', attributes: { name: long(100), email: `${long(60)}@people.example` } }
    const user = await app.call('POST', `/rest/groups/${app.groupId}/users`, { body: { data: person } })
    await using tab = await gui.open('/')
    const { page } = tab
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('link', { name: long(255) }).waitFor()
    await look(page, 'console-long-names-overview')
    await follow(page, paths.webhook(app.orgId, webhook.json().data.id))
    await page.getByRole('heading', { name: 'hooks.example' }).waitFor()
    await look(page, 'console-long-names-webhook')
    await follow(page, paths.user(app.groupId, user.json().data.id))
    await page.getByRole('heading', { name: long(100) }).waitFor()
    await look(page, 'console-long-names-user')
    await page.setViewportSize({ width: 800, height: 900 })
    await follow(page, paths.users(app.groupId))
    await page.getByRole('link', { name: long(100) }).waitFor()
    const hidden = await page.evaluate(
      "(() => { const table = document.querySelector('main table'); return table.scrollWidth - table.parentElement.clientWidth })()",
    )
    assert.ok(Number(hidden) <= 0, `the table of users is cut off by ${hidden} px on a tablet`)
    assert.deepEqual(tab.complaints, [])
  })
})
