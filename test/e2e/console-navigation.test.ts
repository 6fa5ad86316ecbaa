import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { openTab, skipWithoutBrowser, startBrowser } from '#test/browser/browser.ts'
import { buildConsole, type Console, openConsole, signIn } from '#test/browser/console.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { listenAnywhere } from '#test/servers/listening.ts'

const tall = { viewport: { width: 1280, height: 1400 } }

const manifest = { name: 'shop', version: '1.0.0', dependencies: { minimist: '^0.0.8' } }
const lockfile = {
  name: 'shop',
  version: '1.0.0',
  lockfileVersion: 3,
  packages: { '': manifest, 'node_modules/minimist': { version: '0.0.8' } },
}

/** Returns the file with the code of a page, found by words in it. */
function programOf(words: string): string {
  const folder = 'web/dist/assets'
  const programs = readdirSync(folder).filter(
    (name) => name.endsWith('.js') && readFileSync(join(folder, name), 'utf8').includes(words),
  )
  assert.equal(programs.length, 1, words)
  return programs[0]!
}

const isFor = (name: string) => (url: URL) => url.pathname.endsWith(`/${name}`)

/** Delays requests for a file until released. */
async function hold(page: Page, name: string): Promise<() => Promise<void>> {
  const routes: Route[] = []
  let isFree = false
  await page.route(isFor(name), (route) => (isFree ? route.continue() : void routes.push(route)))
  return async () => {
    isFree = true
    for (const route of routes) await route.continue()
  }
}

describe('navigation in the console', { skip: skipWithoutBrowser }, () => {
  let app: TestApp
  let baseUrl: string
  let gui: Console
  before(async () => {
    buildConsole()
    app = await startApp('sqlite')
    baseUrl = await listenAnywhere(app)
    gui = await openConsole(baseUrl, app.adminKey)
  })
  after(async () => {
    await gui?.close()
    await app?.close()
  })

  const titleOf = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 })

  test('sign-in appears at the requested address; the next page and pages of visible links are prefetched', async () => {
    const names = ['Monitored manifests', 'Every change, newest first'].map(programOf)
    const browser = await startBrowser()
    try {
      const { page, complaints } = await openTab(browser, 'about:blank', { ...tall, savesData: false })
      const inside = page.waitForResponse((answer) => /\/authenticated-app-.*\.js$/.test(answer.url()))
      const fetched = names.map((name) => page.waitForResponse((answer) => isFor(name)(new URL(answer.url()))))
      await page.goto(`${baseUrl}/console/orgs/${app.orgId}/members`)
      assert.equal((await inside).status(), 200)
      await titleOf(page, 'Sign in').waitFor()
      assert.equal(await page.title(), 'Sign in · Gatehouse')
      await signIn(page, app.adminKey)
      await titleOf(page, 'Members').waitFor()

      await Promise.all(fetched)
      for (const name of names) await page.route(isFor(name), (route) => route.abort())
      await page.getByRole('link', { name: 'Audit log' }).click()
      await titleOf(page, 'Audit log').waitFor()
      await page.getByRole('link', { name: 'Projects', exact: true }).click()
      await titleOf(page, 'Projects').waitFor()

      await page.getByRole('button', { name: 'Sign out' }).click()
      await titleOf(page, 'Sign in').waitFor()
      assert.match(page.url(), /\/projects$/)
      await page.goto(`${baseUrl}/console/sign-in`)
      await signIn(page, app.adminKey)
      await titleOf(page, 'Overview').waitFor()
      assert.deepEqual(complaints, [])
    } finally {
      await browser.close()
    }
  })

  test('browsers that save data prefetch nothing; a page missing on the server offers to reload the console', async () => {
    const name = programOf('Every change, newest first')
    const isProgram = isFor(name)
    // File names of another build: the server answers that it has no such file.
    const rename = (route: Route) =>
      route.continue({ url: route.request().url().replace('.js', '.of-another-build.js') })
    await using tab = await gui.open('/', {
      ...tall,
      savesData: true,
      prepare: (page) => page.route(isProgram, rename),
    })
    const { page } = tab
    await titleOf(page, 'Overview').waitFor()
    await page.waitForLoadState('networkidle')
    const names = (await page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")) as string[]
    assert.ok(names.length > 5 && !names.some((resource) => resource.endsWith(name)))
    const audit = page.getByRole('link', { name: 'Audit log' })
    await audit.click()
    await page.getByRole('alert').getByText('The server was upgraded since').waitFor()
    await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Overview' }).click()
    await titleOf(page, 'Overview').waitFor()
    await audit.click()
    const again = page.getByRole('button', { name: 'Reload' })
    await again.waitFor()
    await page.unroute(isProgram, rename)
    const fetched = page.waitForResponse((answer) => isProgram(new URL(answer.url())))
    await again.press('Enter')
    assert.equal((await fetched).status(), 200)
    await titleOf(page, 'Audit log').waitFor()
    assert.deepEqual(tab.complaints, [])
  })

  test('a slow page shows and announces that it loads, and the previous page accepts no input', async () => {
    await using tab = await gui.open(`/orgs/${app.orgId}/issues`)
    const { page } = tab
    const letGo = await hold(page, programOf('Members of this organization'))
    const field = page.getByRole('searchbox', { name: 'CVE, package or title' })
    const words = 'mini'
    await field.fill(words)
    await page.waitForURL(/q=mini/)
    const before = page.url()
    // Like a click, but the focus stays in the field, as after navigation by a script or a keyboard command.
    await page.getByRole('link', { name: 'Members' }).evaluate((link: { click(): void }) => link.click())
    await page.getByRole('status').filter({ hasText: 'Loading the page…' }).waitFor({ state: 'attached' })
    await page.locator('.waiting').waitFor()
    await page.locator('.page[aria-busy=true]').waitFor()
    await page.keyboard.type(' else')
    await page.keyboard.press('Enter')
    assert.equal(await field.inputValue(), words, 'nothing is typed into it')
    assert.equal(page.url(), before, 'nothing is sent')
    await letGo()
    await titleOf(page, 'Members').waitFor()
    await page.locator('.waiting').waitFor({ state: 'detached' })
    await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor({ state: 'detached' })
    assert.equal(await page.locator('[inert]').count(), 0)
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Members')
    assert.deepEqual(tab.complaints, [])
  })

  test('a saved secret disappears immediately, also while the next page loads', async () => {
    await using tab = await gui.open(`/orgs/${app.orgId}/service-accounts/new`)
    const { page } = tab
    const letGo = await hold(page, programOf('Its credentials are revoked at once'))
    await page.getByRole('textbox', { name: 'Name' }).fill('kept')
    await page.getByRole('combobox', { name: 'Role' }).selectOption({ label: 'Org Collaborator' })
    await page.getByRole('button', { name: 'Create' }).click()
    const secret = page.locator('textarea.secret')
    await secret.waitFor({ state: 'visible' })
    await page.getByRole('link', { name: 'I have saved it' }).click()
    await secret.waitFor({ state: 'hidden' })
    assert.equal(await titleOf(page, 'kept').count(), 0, 'the next page is not there yet')
    await letGo()
    await titleOf(page, 'kept').waitFor()
    assert.equal(await secret.count(), 0)
    assert.deepEqual(tab.complaints, [])
  })

  test('an administrator creates a service account, tests a lockfile, and reads the audit log', async () => {
    await using tab = await gui.open(`/orgs/${app.orgId}/service-accounts`)
    const { page } = tab
    await page.getByRole('link', { name: 'New service account' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('build server')
    await page.getByRole('combobox', { name: 'Role' }).selectOption({ label: 'Org Collaborator' })
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('it is shown only once').waitFor()
    const key = await page.getByRole('textbox', { name: 'API key' }).inputValue()
    assert.equal((await app.call('GET', '/rest/self', { key })).json().data.attributes.name, 'build server')
    await page.getByRole('link', { name: 'I have saved it' }).click()
    await page.getByRole('heading', { name: 'build server', exact: true }).waitFor()
    assert.ok(!(await page.content()).includes(key), 'the key is shown once')

    await page.getByRole('link', { name: 'Test a manifest' }).click()
    await page.getByRole('textbox', { name: 'Path' }).fill('package.json')
    await page.getByRole('textbox', { name: 'Contents' }).fill(JSON.stringify(manifest))
    await page.getByRole('button', { name: 'Add a file' }).click()
    const second = page.getByRole('group', { name: 'File 2' })
    await second.getByRole('textbox', { name: 'Path' }).fill('package-lock.json')
    await second.getByRole('textbox', { name: 'Contents' }).fill(JSON.stringify(lockfile))
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    const coverage = page.getByRole('region', { name: 'Coverage' })
    await coverage.waitFor()
    assert.match((await coverage.textContent())!, /starter set[\s\S]*1 of 1 resolved and tested/)
    const table = page.getByRole('table', { name: 'Vulnerabilities' })
    assert.match((await table.textContent())!, /CVE-2021-44906/)
    await table.getByRole('button').first().click()
    assert.match((await page.getByRole('dialog').textContent())!, /Introduced through[\s\S]*minimist@0\.0\.8/)
    await page.keyboard.press('Escape')

    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByRole('heading', { name: 'Audit log', exact: true, level: 1 }).waitFor()
    const events = page.getByRole('table', { name: 'Audit events' })
    await events.getByRole('button', { name: 'service_account.create' }).first().waitFor()
    assert.match((await events.textContent())!, /Administrator[\s\S]*build server/)

    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
    assert.equal(await page.title(), 'Sign in · Gatehouse')
    assert.equal(await page.evaluate('sessionStorage.length'), 0)
    assert.deepEqual(tab.complaints, [])
    assert.ok(!app.log().includes(key))
  })

  test('a printed page: has light colors and no frame; the dark screen returns after it', async () => {
    await using tab = await gui.open('/', { colorScheme: 'dark', viewport: { width: 700, height: 900 } })
    const { page } = tab
    await titleOf(page, 'Overview').waitFor()
    await page.evaluate("dispatchEvent(new Event('beforeprint'))")
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    assert.equal(await page.getByRole('banner').isVisible(), false)
    assert.equal(await page.locator('#navigation').isVisible(), false)
    assert.equal(await page.locator('html').getAttribute('data-mantine-color-scheme'), 'light')
    await page.evaluate("dispatchEvent(new Event('afterprint'))")
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
    assert.equal(await page.locator('html').getAttribute('data-mantine-color-scheme'), 'dark')
    assert.equal(await page.getByRole('banner').isVisible(), true)
  })

  test('every file of the built console is served compressed and immutable; the first ones are below 120 kB', async () => {
    const names = readdirSync('web/dist/assets').filter((name) => !/\.(br|gz)$/.test(name))
    assert.ok(names.length > 20)
    const [style, first] = [/^style-.*\.css$/, /^index-.*\.js$/].map((name) => names.find((file) => name.test(file))!)
    const sent = new Map<string, number>()
    for (const name of names) {
      const headers = { 'accept-encoding': 'gzip, deflate, br, zstd' }
      const answer = await app.server.inject({ url: `/console/assets/${name}`, headers })
      assert.match(String(answer.headers['content-type']), name.endsWith('.css') ? /^text\/css/ : /javascript/, name)
      assert.match(String(answer.headers['cache-control']), /immutable/, name)
      const isLarge = statSync(join('web/dist/assets', name)).size >= 1000
      assert.equal(answer.headers['content-encoding'], isLarge ? 'br' : undefined, name)
      sent.set(name, answer.rawPayload.length)
    }
    const bytes = sent.get(first!)! + sent.get(style!)!
    assert.ok(bytes < 120_000, `what is fetched before the sign-in grew to ${bytes} bytes`)
  })
})
