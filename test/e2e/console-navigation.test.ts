import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { openTab, skipWithoutBrowser, startBrowser } from '#test/browser/browser.ts'
import { buildConsole, type Console, openConsole, signIn } from '#test/browser/console.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { listenAnywhere } from '#test/servers/listening.ts'

const tall = { viewport: { width: 1280, height: 1400 } }

/** Returns the file with the code of a page, found by words in it. */
function programOf(words: string): string {
  const folder = 'web/dist/assets'
  const found = readdirSync(folder).filter(
    (name) => name.endsWith('.js') && readFileSync(join(folder, name), 'utf8').includes(words),
  )
  assert.equal(found.length, 1, words)
  return found[0]!
}

const isFor = (name: string) => (url: URL) => url.pathname.endsWith(`/${name}`)

/** Delays requests for a file until released. */
async function hold(page: Page, name: string): Promise<() => Promise<void>> {
  const held: Route[] = []
  let isFree = false
  await page.route(isFor(name), (route) => (isFree ? route.continue() : void held.push(route)))
  return async () => {
    isFree = true
    for (const route of held) await route.continue()
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

  test('sign-in appears at the requested address and prefetches the next page', async () => {
    const browser = await startBrowser()
    try {
      const { page, complaints } = await openTab(browser, 'about:blank', { savesData: false })
      const inside = page.waitForResponse((answer) => /\/authenticated-app-.*\.js$/.test(answer.url()))
      await page.goto(`${baseUrl}/console/orgs/${app.orgId}/members`)
      assert.equal((await inside).status(), 200)
      await titleOf(page, 'Sign in').waitFor()
      assert.equal(await page.title(), 'Sign in · Gatehouse')
      await signIn(page, app.adminKey)
      await titleOf(page, 'Members').waitFor()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await titleOf(page, 'Sign in').waitFor()
      assert.match(page.url(), /\/members$/)
      await page.goto(`${baseUrl}/console/sign-in`)
      await signIn(page, app.adminKey)
      await titleOf(page, 'Overview').waitFor()
      assert.deepEqual(complaints, [])
    } finally {
      await browser.close()
    }
  })

  test('pages of visible links are prefetched', async () => {
    const names = ['Monitored manifests', 'Every change, newest first'].map(programOf)
    const fetched: Promise<unknown>[] = []
    await using tab = await gui.open('/', {
      ...tall,
      savesData: false,
      prepare: async (page) => {
        for (const name of names) fetched.push(page.waitForResponse((answer) => isFor(name)(new URL(answer.url()))))
      },
    })
    const { page } = tab
    await Promise.all(fetched)
    for (const name of names) await page.route(isFor(name), (route) => route.abort())
    await page.getByRole('link', { name: 'Audit log' }).click()
    await titleOf(page, 'Audit log').waitFor()
    await page.getByRole('link', { name: 'Projects', exact: true }).click()
    await titleOf(page, 'Projects').waitFor()
    assert.deepEqual(tab.complaints, [])
  })

  test('nothing is prefetched for browsers that save data', async () => {
    await using tab = await gui.open('/', { ...tall, savesData: true })
    const { page } = tab
    const name = programOf('Every change, newest first')
    await titleOf(page, 'Overview').waitFor()
    await page.waitForLoadState('networkidle')
    const names = (await page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")) as string[]
    assert.ok(names.length > 5 && !names.some((each) => each.endsWith(name)))
    const fetched = page.waitForResponse((answer) => isFor(name)(new URL(answer.url())))
    await page.getByRole('link', { name: 'Audit log' }).click()
    assert.equal((await fetched).status(), 200)
    await titleOf(page, 'Audit log').waitFor()
  })

  test('a page missing on the server offers to reload the console', async () => {
    const isProgram = isFor(programOf('Every change, newest first'))
    // File names of another build: the server answers that it has no such file.
    const rename = (route: Route) =>
      route.continue({ url: route.request().url().replace('.js', '.of-another-build.js') })
    await using tab = await gui.open('/', { ...tall, prepare: (page) => page.route(isProgram, rename) })
    const { page } = tab
    await titleOf(page, 'Overview').waitFor()
    const audit = page.getByRole('link', { name: 'Audit log' })
    await audit.click()
    await page.getByRole('alert').getByText('The server was upgraded since').waitFor()
    await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Overview' }).click()
    await titleOf(page, 'Overview').waitFor()
    await audit.click()
    const again = page.getByRole('button', { name: 'Reload' })
    await again.waitFor()
    await page.unroute(isProgram, rename)
    await again.press('Enter')
    await titleOf(page, 'Audit log').waitFor()
    assert.deepEqual(tab.complaints, [])
  })

  test('a slow page shows and announces that it loads, and the previous page accepts no input', async () => {
    let letGo = async () => {}
    await using tab = await gui.open(`/orgs/${app.orgId}/audit-log`, {
      ...tall,
      prepare: async (page) => {
        letGo = await hold(page, programOf('Members of this organization'))
      },
    })
    const { page } = tab
    const field = page.getByRole('textbox', { name: 'Who (id)' })
    await field.fill('somebody')
    await page.getByRole('table', { name: 'Audit events' }).getByRole('row').nth(1).waitFor()
    const before = page.url()
    // Like a click, but the focus stays in the field, as after navigation by a script or a keyboard command.
    await page.getByRole('link', { name: 'Members' }).evaluate((link: { click(): void }) => link.click())
    await page.getByRole('status').filter({ hasText: 'Loading the page…' }).waitFor({ state: 'attached' })
    await page.locator('.waiting').waitFor()
    await page.locator('.page[aria-busy=true]').waitFor()
    await page.keyboard.type(' else')
    await page.keyboard.press('Enter')
    assert.equal(await page.locator('input[value="somebody"]').count(), 1, 'nothing is typed into it')
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
    let letGo = async () => {}
    await using tab = await gui.open(`/orgs/${app.orgId}/service-accounts/new`, {
      prepare: async (page) => {
        letGo = await hold(page, programOf('Its credentials are revoked at once'))
      },
    })
    const { page } = tab
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

  test('a loading list has no rows for screen readers', async () => {
    let letGo = async () => {}
    await using tab = await gui.open(`/orgs/${app.orgId}/audit-log`, {
      prepare: async (page) => {
        letGo = await hold(page, 'audit_logs')
      },
    })
    const { page } = tab
    const table = page.getByRole('table', { name: 'Audit events' })
    await page.locator('[aria-busy=true]').filter({ has: table }).waitFor()
    assert.equal(await table.getByRole('row').count(), 1, 'the names of the columns')
    await letGo()
    await table.getByRole('row').nth(1).waitFor()
    assert.deepEqual(tab.complaints, [])
  })

  test('a repeated submission is sent once', async () => {
    let letGo = async () => {}
    await using tab = await gui.open(`/orgs/${app.orgId}/integrations/new`, {
      prepare: async (page) => {
        letGo = await hold(page, programOf('Checks that the source is reachable'))
      },
    })
    const { page } = tab
    await page.getByRole('radio', { name: 'Archives' }).check()
    await page.getByRole('textbox', { name: 'Name' }).fill('Once')
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url())
    })
    const made = page.waitForResponse((answer) => answer.request().method() === 'POST')
    const connect = page.getByRole('button', { name: 'Connect' })
    await connect.click()
    assert.equal((await made).status(), 201)
    // Although its page has not loaded yet.
    await page.locator('.page[aria-busy=true]').waitFor()
    await connect.evaluate((button: { click(): void }) => button.click())
    await page.keyboard.press('Enter')
    await letGo()
    await titleOf(page, 'Once').waitFor()
    assert.equal(sent.length, 1)
    assert.deepEqual(tab.complaints, [])
  })
})
