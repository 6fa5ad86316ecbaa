import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { createAccount, ofOrg } from '#test/access/accounts.ts'
import { createApp, unattended } from '#test/access/apps.ts'
import { audit } from '#test/browser/accessibility.ts'
import { skipWithoutBrowser } from '#test/browser/browser.ts'
import { buildConsole, type Console, follow, openConsole, type Tab } from '#test/browser/console.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { type BareRepository, bareRepository } from '#test/repositories/git-repository.ts'
import { serveGit } from '#test/repositories/git-server.ts'
import { type ImportApp, startImportApp } from '#test/repositories/imports.ts'
import { listenAnywhere } from '#test/servers/listening.ts'
import { startReceiver } from '#test/servers/receiver.ts'
import { paths } from '../../web/navigation/paths.ts'

const manifest = { name: 'shop', version: '1.0.0', dependencies: { minimist: '^0.0.8', left: '1.0.0' } }
const lockfile = {
  ...manifest,
  lockfileVersion: 3,
  packages: {
    '': manifest,
    'node_modules/minimist': { version: '0.0.8' },
    'node_modules/left': { version: '1.0.0' },
  },
}

describe('accessibility of temporary parts of the console', { skip: skipWithoutBrowser }, () => {
  let app: ImportApp
  let gui: Console
  let repository: BareRepository
  /** The tab of the test before, if that passed. */
  let free: Tab | undefined
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

  /**
   * Goes to an address in the tab of the test before: a load, and axe in a new document, take longer than most audits.
   */
  async function visit(path: string, run: (page: Page) => Promise<void>): Promise<void> {
    const tab = free ?? (await gui.open(path))
    if (free) await follow(tab.page, path)
    free = undefined
    await run(tab.page)
    assert.deepEqual(tab.complaints, [])
    free = tab
  }

  const org = () => ({ kind: 'orgs', id: app.orgId }) as const

  /** Returns the role and the beginning of the name of the focused element. */
  const focusOf = (page: Page) =>
    page.evaluate(
      "(({ tagName, ariaLabel, textContent }) => tagName + ': ' + (ariaLabel ?? textContent).trim().slice(0, 30))(document.activeElement)",
    )

  test('secrets that are shown once are accessible', async () => {
    const { id: appId } = await createApp(app, { name: 'Nightly', ...unattended })
    await visit(paths.newServiceAccount(org()), async (page) => {
      const kept = page.getByRole('link', { name: 'I have saved it' })
      const create = async () => {
        await page.getByRole('button', { name: /^(Create|Install)$/ }).click()
        await kept.waitFor()
      }
      const name = page.getByRole('textbox', { name: 'Name' })
      const role = page.getByRole('combobox', { name: 'Role' })

      await name.fill('By key')
      await role.selectOption({ label: 'Org Collaborator' })
      await create()
      await audit(page, 'once-api-key')
      await follow(page, paths.newApp(app.orgId))
      await name.fill('Dashboard')
      await page.getByRole('textbox', { name: 'Redirect URIs' }).fill('https://app.example/callback')
      await create()
      await audit(page, 'once-app-secret')
      await follow(page, paths.newServiceAccount(org()))
      await name.fill('By secret')
      await role.selectOption({ label: 'Org Collaborator' })
      await page.getByRole('radio', { name: 'Client secret' }).check()
      await create()
      await audit(page, 'once-account-secret')
      await follow(page, paths.newInstall(org()))
      await page.getByRole('textbox', { name: 'App id' }).fill(appId)
      await create()
      await audit(page, 'once-install-secret')
      await follow(page, paths.newWebhook(app.orgId))
      await page.getByRole('textbox', { name: 'Address' }).fill('https://chat.example/hook')
      await create()
      await audit(page, 'once-signing-secret')
      await kept.click()
      await page.getByRole('button', { name: 'Replace secret' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).waitFor()
      await audit(page, 'signing-secret-replacing')
      await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
      await page.getByRole('textbox', { name: 'New signing secret' }).waitFor()
      await audit(page, 'once-new-signing-secret')
    })
  })

  test('replacing secrets is accessible and restores the focus', async () => {
    const { id } = await createAccount(app, ofOrg.path(app), { auth_type: 'oauth_client_secret' })
    await visit(paths.serviceAccount(org(), id), async (page) => {
      const section = page.getByRole('region', { name: 'Client secrets' })
      const dialog = page.getByRole('dialog')
      await section.getByRole('button', { name: 'Replace' }).click()
      await dialog.getByRole('button', { name: 'Replace' }).waitFor()
      await audit(page, 'secret-replacing')
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      assert.equal(await focusOf(page), 'BUTTON: Replace')
      await section.getByRole('button', { name: 'Add second secret' }).click()
      await section.getByRole('textbox', { name: 'New client secret' }).waitFor()
      await section
        .getByRole('button', { name: /^Delete the secret/ })
        .nth(1)
        .waitFor()
      assert.ok(await section.getByRole('button', { name: 'Add second secret' }).isDisabled(), 'there is no third')
      await audit(page, 'once-second-secret')
      await section
        .getByRole('button', { name: /^Delete the secret/ })
        .first()
        .press('Enter')
      await dialog.getByRole('button', { name: 'Delete secret' }).waitFor()
      await audit(page, 'secret-deleting')
      await dialog.getByRole('button', { name: 'Delete secret' }).press('Enter')
      await section.getByText('Secret deleted.').waitFor()
      await dialog.waitFor({ state: 'detached' })
      await page.locator('[role=table]:focus').waitFor()
      assert.equal(await focusOf(page), 'TABLE: Credentials')
    })
  })

  test('messages of a webhook are accessible', async () => {
    await using receiver = await startReceiver()
    const attributes = { url: receiver.url, events: ['*'] }
    const { data } = (
      await app.call('POST', `/rest/orgs/${app.orgId}/webhooks`, { body: { data: { type: 'webhook', attributes } } })
    ).json()
    await visit(paths.webhook(app.orgId, data.id), async (page) => {
      const dialog = page.getByRole('dialog')
      const messages = page.getByRole('table', { name: 'Messages' })
      await page.getByRole('button', { name: 'Send test' }).press('Enter')
      await page.getByText('Accepted: 204').waitFor()
      await page.getByRole('button', { name: 'Send test' }).and(page.locator(':focus')).waitFor()
      receiver.answer = (response) => response.writeHead(500).end('the chat is closed')
      await page.getByRole('button', { name: 'Send test' }).click()
      await page.getByText('Not accepted').waitFor()
      await messages.getByText('failed').waitFor()
      await audit(page, 'webhook-tried')
      for (const [at, state] of ['failed', 'delivered'].entries()) {
        const opener = messages.getByRole('row').filter({ hasText: state }).getByRole('button')
        await opener.press('Enter')
        await dialog.getByText('Sent request').waitFor()
        await audit(page, `webhook-message-${state}`)
        if (at === 0) {
          await dialog.getByRole('button', { name: 'Send again' }).press('Enter')
          await dialog.getByText('Queued for delivery.').waitFor()
          await audit(page, 'webhook-message-again')
        }
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
        assert.equal(await focusOf(page), 'BUTTON: webhook.ping')
      }
    })
  })

  test('the import form with errors and a running import are accessible', async () => {
    await using stalled = await serveGit(repository.path, { before: () => true })
    const slow = await app.addIntegration(app.orgId, { kind: 'git', baseUrl: stalled.url })
    await visit(`${paths.newImport(app.orgId)}?integration=${app.integrationId}`, async (page) => {
      const start = page.getByRole('button', { name: 'Import', exact: true })
      await page.getByRole('textbox', { name: 'Folder', exact: true }).fill('/nowhere-that-is-allowed')
      await page.getByRole('textbox', { name: 'Manifests' }).fill('../package.json')
      await start.click()
      await page.getByRole('alert').waitFor()
      await audit(page, 'import-refused')
      await follow(page, paths.imports(app.orgId))
      await follow(page, `${paths.newImport(app.orgId)}?integration=${slow}`)
      await page.getByRole('textbox', { name: 'Repository address' }).fill(`${stalled.url}/repository.git`)
      await start.click()
      await page.getByText('Looking for manifests…').waitFor()
      await audit(page, 'import-running', { receivesUpdates: true })
      await page.getByRole('button', { name: 'Stop import' }).press('Enter')
      await page.getByRole('dialog').getByRole('button', { name: 'Stop import' }).waitFor()
      await audit(page, 'import-canceling', { receivesUpdates: true })
      await page.getByRole('dialog').getByRole('button', { name: 'Stop import' }).press('Enter')
      await page.getByRole('region', { name: 'Progress' }).getByText('stopped').waitFor()
      await page.locator('section:focus').waitFor()
      assert.match(String(await focusOf(page)), /^SECTION: Progress/)
      await audit(page, 'import-canceled', { receivesUpdates: true })
    })
  })

  test('package tests with a result and with an error are accessible', async () => {
    await visit(paths.packageTest(app.orgId), async (page) => {
      const test = page.getByRole('button', { name: 'Test', exact: true })
      await test.click()
      await page.getByText('Required').waitFor()
      const other = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('nothing to read') }
      await page.getByLabel('Manifests and lockfiles').setInputFiles(other)
      await audit(page, 'test-files')
      await test.click()
      await page.getByText('Test failed').waitFor()
      await audit(page, 'test-refused')
      const files = Object.entries({
        'package.json': manifest,
        'package-lock.json': lockfile,
        'app/package.json': '{ "name": ',
      })
      for (const [name, content] of files) {
        await page.getByRole('button', { name: 'Add a file' }).click()
        const fields = page.getByRole('group').last()
        await fields.getByRole('textbox', { name: 'Path' }).fill(name)
        const text = typeof content === 'string' ? content : JSON.stringify(content)
        await fields.getByRole('textbox', { name: 'Contents' }).fill(text)
      }
      await test.click()
      const table = page.getByRole('table', { name: 'Vulnerabilities' })
      await table.waitFor()
      await page.getByText('This project could not be tested').waitFor()
      await audit(page, 'test-result')
      await table.getByRole('button').first().press('Enter')
      await page.getByRole('dialog').getByText('Introduced through').waitFor()
      await audit(page, 'test-finding')
    })
  })

  test('tabs work by keyboard; deleting a row or the last row moves the focus', async () => {
    const { projectId } = await recordProject(app, {
      name: 'team/shop:package.json',
      graph: { shop: ['left@1.0.0'], 'left@1.0.0': [] },
      issues: [
        { id: 'GHSA-aaaa-bbbb-cccc', in: 'left@1.0.0', severity: 'high' },
        { id: 'GHSA-dddd-eeee-ffff', in: 'left@1.0.0', severity: 'low' },
      ],
    })
    for (const issue of ['GHSA-aaaa-bbbb-cccc', 'GHSA-dddd-eeee-ffff']) {
      const body = { reason: 'never called', reasonType: 'wont-fix', disregardIfFixable: false }
      const { statusCode } = await app.call('POST', `/v1/org/${app.orgId}/project/${projectId}/ignore/${issue}`, {
        body,
      })
      assert.equal(statusCode, 200)
    }
    await visit(paths.project(app.orgId, projectId), async (page) => {
      const tabNamed = (name: string) => page.getByRole('tab', { name })
      const isShown = async (name: string) => {
        await page.getByRole('tabpanel', { name }).waitFor()
        assert.equal(await focusOf(page), `BUTTON: ${name}`)
      }
      await tabNamed('Issues').press('End')
      await isShown('Settings')
      await page.keyboard.press('Home')
      await isShown('Issues')
      await page.keyboard.press('ArrowRight')
      await isShown('Dependencies')
      await page.keyboard.press('ArrowRight')
      await isShown('Ignores')

      const dialog = page.getByRole('dialog')
      const end = async (row: Locator) => {
        await row.press('Enter')
        await dialog.getByRole('button', { name: 'Delete ignore' }).press('Enter')
        await dialog.waitFor({ state: 'detached' })
        await row.waitFor({ state: 'detached' })
      }
      await end(page.getByRole('button', { name: /^Delete the ignore of GHSA-aaaa/ }))
      await page.locator('[role=table]:focus').waitFor()
      await end(page.getByRole('button', { name: /^Delete the ignore of GHSA-dddd/ }))
      await page.getByRole('heading', { name: 'No ignores' }).waitFor()
      await page.locator('h1:focus').waitFor()
      assert.match(String(await focusOf(page)), /^H1: team\/shop/)
    })
  })
})
