import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { createConsoleBrowser } from '#test/access/console-browser.ts'
import { addPerson, PASSWORD } from '#test/access/people.ts'
import { type OwnBrowser, openTab, skipWithoutBrowser, startBrowser } from '#test/browser/browser.ts'
import { buildConsole, look } from '#test/browser/console.ts'
import { expectSignOut } from '#test/browser/expect-sign-out.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { listenAnywhere } from '#test/servers/listening.ts'

const NEW_PASSWORD = 'a longer password than before'

describe('signing in to the console', { skip: skipWithoutBrowser }, () => {
  let app: TestApp
  let baseUrl: string
  let browser: OwnBrowser
  before(async () => {
    buildConsole()
    app = await startApp('sqlite')
    baseUrl = await listenAnywhere(app)
    browser = await startBrowser()
  })
  after(async () => {
    await browser?.close()
    await app?.close()
  })

  async function signIn(page: Page, email: string, password: string): Promise<void> {
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  const headingOf = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

  test('a user signs in, sees their sessions, and signs out', async () => {
    const person = await addPerson(app, { permissions: ['org.read', 'org.project.read'], orgId: app.orgId })
    const { page, complaints } = await openTab(browser, `${baseUrl}/console/account`)
    await headingOf(page, 'Sign in').waitFor()
    await lookEverywhere(page, 'sign-in')
    await signIn(page, person.email, 'wrong')
    await page.getByText('The e-mail address or the password is wrong.').waitFor()
    await signIn(page, person.email, PASSWORD)
    await headingOf(page, 'Your account').waitFor()
    await page.getByText('This browser', { exact: true }).waitFor()
    await lookEverywhere(page, 'account')
    assert.equal(await page.evaluate('sessionStorage.length + document.cookie.length'), 0, 'scripts see no secret')

    await page.reload()
    await page.getByText('This browser', { exact: true }).waitFor()
    const phone = createConsoleBrowser(app, '198.51.100.7')
    await phone.signIn(person)
    await page.getByLabel('Current password').fill(PASSWORD)
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Password changed.').waitFor()
    assert.equal((await phone.ask('GET', '/rest/self')).statusCode, 401)

    await page.getByRole('link', { name: 'Overview' }).click()
    await headingOf(page, 'Overview').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await headingOf(page, 'Sign in').waitFor()
    await page.reload()
    await headingOf(page, 'Sign in').waitFor()
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('a session revoked elsewhere leads back to the sign-in', async () => {
    const person = await addPerson(app, { permissions: ['org.read'], orgId: app.orgId })
    const { page } = await openTab(browser, `${baseUrl}/console/account`)
    await signIn(page, person.email, PASSWORD)
    await page.getByText('This browser', { exact: true }).waitFor()
    const phone = createConsoleBrowser(app)
    await phone.signIn(person)
    await phone.ask('DELETE', '/console/sessions')
    await expectSignOut(page, 'Authorized apps')
    await page.context().close()
  })

  test('a one-time link leads to a page for the new password', async () => {
    const person = await addPerson(app)
    const answer = await app.call('POST', `/console/groups/${app.groupId}/users/${person.id}/password-reset`)
    const { hash, pathname } = new URL((answer.json() as { url: string }).url)
    const { page, complaints } = await openTab(browser, `${baseUrl}${pathname}${hash}`)
    await headingOf(page, 'Set a new password').waitFor()
    await lookEverywhere(page, 'new-password')
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Set password' }).click()
    await headingOf(page, 'Password changed').waitFor()
    await page.getByRole('link', { name: 'Sign in', exact: true }).click()
    await headingOf(page, 'Sign in').waitFor()
    await signIn(page, person.email, NEW_PASSWORD)
    await headingOf(page, 'Overview').waitFor()
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  async function lookEverywhere(page: Page, name: string): Promise<void> {
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await look(page, `${name}-${width}-${colorScheme}`)
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  }
})
