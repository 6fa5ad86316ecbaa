import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type OwnBrowser, openTab, skipWithoutBrowser, startBrowser } from '#test/browser/browser.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { buildDocumentationIfStale } from '../../../tools/documentation/build.ts'

describe('search in the documentation', { skip: skipWithoutBrowser }, () => {
  let app: TestApp
  let browser: OwnBrowser
  let baseUrl: string
  before(async () => {
    await buildDocumentationIfStale()
    app = await startApp('sqlite')
    baseUrl = await app.server.listen({ host: '127.0.0.1', port: 0 })
    browser = await startBrowser()
  })
  after(async () => {
    await browser?.close()
    await app?.close()
  })

  test('documentation search: the keyboard alone finds a part of a guide and opens it', async () => {
    const { page, complaints } = await openTab(browser, `${baseUrl}/docs/operation/`)
    await page.keyboard.press('/')
    await page.keyboard.type('rotate secret key')
    const first = page.getByRole('search').getByRole('link').first()
    await first.filter({ hasText: 'Rotate the secret key' }).waitFor()
    assert.match((await page.getByRole('status').textContent())!, /^\d+ results/)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/operation/#rotate-the-secret-key')
    assert.equal(await first.isVisible(), false)
    assert.deepEqual(complaints, [])
  })

  test('documentation search: without a hit, says so; Escape closes it', async () => {
    const { page } = await openTab(browser, `${baseUrl}/docs/`)
    const field = page.getByRole('searchbox', { name: 'Search the documentation' })
    await field.fill('nothing like it <b>')
    await page.getByText('Nothing found for “nothing like it <b>”.').waitFor()
    await field.press('Escape')
    assert.equal(await field.inputValue(), '')
    assert.equal(await page.getByRole('status').isVisible(), false)
  })

  test('documentation code: a button copies it', async () => {
    const permissions = ['clipboard-read', 'clipboard-write']
    const { page } = await openTab(browser, `${baseUrl}/docs/install/`, { permissions })
    await page.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), 'npm ci && npm start')
  })

  test('documentation without scripts: the page is complete and shows no search', async () => {
    const { page } = await openTab(browser, `${baseUrl}/docs/install/`, { javaScriptEnabled: false })
    await page.getByRole('heading', { name: 'Containers' }).waitFor()
    assert.equal(await page.locator('#site-search').isVisible(), false)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Containers' }).click()
    await page.waitForURL('**/docs/install/#containers')
  })
})
