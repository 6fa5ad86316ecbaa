import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { authorizeUrl, scopes } from '#test/access/authorization-pages.ts'
import { codeOf, forgetUsedCodes } from '#test/access/factors.ts'
import { addPerson, PASSWORD } from '#test/access/people.ts'
import { addApp } from '#test/access/tokens.ts'
import { audit } from '#test/browser/accessibility.ts'
import { newProfile, type OwnBrowser, openPage, skipWithoutBrowser, startBrowser } from '#test/browser/browser.ts'
import { buildConsole, follow, look } from '#test/browser/console.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { freePort } from '#test/servers/free-port.ts'
import { paths } from '../../web/navigation/paths.ts'

const NEW_PASSWORD = 'a longer password than before'

describe('signing in to the console', { skip: skipWithoutBrowser }, () => {
  let app: TestApp
  let baseUrl: string
  let browser: OwnBrowser
  let profile: BrowserContext
  before(async () => {
    buildConsole()
    const port = await freePort()
    // Browsers refuse passkeys at an address without a domain.
    baseUrl = `http://localhost:${port}`
    app = await startApp('sqlite', { GATEHOUSE_BASE_URL: baseUrl })
    await app.server.listen({ host: '127.0.0.1', port })
    browser = await startBrowser()
    profile = await newProfile(browser)
  })
  after(async () => {
    await browser?.close()
    await app?.close()
  })

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  /** Opens a tab without a session, and with an authenticator for passkeys. */
  async function open(url: string) {
    await profile.clearCookies()
    const tab = await openPage(profile, url)
    const device = await profile.newCDPSession(tab.page)
    await device.send('WebAuthn.enable')
    await device.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    return tab
  }

  async function signIn(page: Page, email: string, password = PASSWORD) {
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await button(page, 'Sign in').click()
  }

  async function signOut(page: Page) {
    await page.getByRole('link', { name: 'Authorized apps' }).click()
    await heading(page, 'Authorized apps').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await heading(page, 'Sign in').waitFor()
  }

  /** Looks at a page on a wide and on a narrow screen; the scheme changes no layout. */
  async function lookTwice(page: Page, name: string): Promise<void> {
    await look(page, `${name}-wide-light`)
    await page.setViewportSize({ width: 390, height: 900 })
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    await look(page, `${name}-narrow-dark`)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.emulateMedia({ colorScheme: null, reducedMotion: 'reduce' })
  }

  test('a session outlives a reload until the user signs out; scripts see no secret', async () => {
    const person = await addPerson(app, { permissions: ['org.read', 'org.project.read'], orgId: app.orgId })
    const { page, complaints } = await open(`${baseUrl}/console/account`)
    await heading(page, 'Sign in').waitFor()
    await lookTwice(page, 'sign-in')
    await signIn(page, person.email)
    await heading(page, 'Your account').waitFor()
    await page.getByText('This browser', { exact: true }).waitFor()
    await lookTwice(page, 'account')
    assert.equal(await page.evaluate('sessionStorage.length + document.cookie.length'), 0, 'scripts see no secret')
    await page.reload()
    await page.getByText('This browser', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Overview' }).click()
    await heading(page, 'Overview').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await heading(page, 'Sign in').waitFor()
    await page.reload()
    await heading(page, 'Sign in').waitFor()
    assert.deepEqual(complaints, [])
    await page.close()
  })

  test('a one-time link leads to a page for the new password', async () => {
    const person = await addPerson(app)
    const answer = await app.call('POST', `/console/groups/${app.groupId}/users/${person.id}/password-reset`)
    const { hash, pathname } = new URL((answer.json() as { url: string }).url)
    const { page, complaints } = await open(`${baseUrl}${pathname}${hash}`)
    await heading(page, 'Set a new password').waitFor()
    await lookTwice(page, 'new-password')
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Set password' }).click()
    await heading(page, 'Password changed').waitFor()
    await page.getByRole('link', { name: 'Sign in', exact: true }).click()
    await heading(page, 'Sign in').waitFor()
    await signIn(page, person.email, NEW_PASSWORD)
    await heading(page, 'Overview').waitFor()
    assert.deepEqual(complaints, [])
    await page.close()
  })

  test('a passkey is set up when the group requires one, then signs in after a password, alone, and for an app', async () => {
    const groupId = await app.addGroup()
    const orgId = await app.addOrg({ groupId })
    const person = await addPerson(app, { permissions: scopes, groupId, orgId })
    const { db } = app.parts.services
    await db.updateTable('groups').set({ second_factor: 'required' }).where('id', '=', groupId).execute()
    const { page, complaints } = await open(`${baseUrl}/console/apps`)
    await signIn(page, person.email)
    await heading(page, 'Set up a second factor').waitFor()
    await page.getByRole('img', { name: /^QR code/ }).waitFor()
    await audit(page, 'enrollment-app')
    await page.getByText('Passkey', { exact: true }).click()
    await audit(page, 'enrollment-passkey')
    await button(page, 'Create passkey').click()
    await heading(page, 'Recovery codes').waitFor()
    await audit(page, 'enrollment-codes')
    await button(page, 'I saved the codes').click()
    await heading(page, 'Authorized apps').waitFor()

    await signOut(page)
    await signIn(page, person.email)
    await heading(page, 'Verify it’s you').waitFor()
    await audit(page, 'second-step-passkey')
    await button(page, 'Use passkey').click()
    await heading(page, 'Authorized apps').waitFor()
    await signOut(page)
    await button(page, 'Sign in with a passkey').click()
    await heading(page, 'Authorized apps').waitFor()
    await signOut(page)

    const client = await addApp(app, { scopes })
    await page.goto(baseUrl + authorizeUrl(client))
    await page.getByLabel('E-mail address').fill(person.email)
    await page.getByLabel('Password').fill(PASSWORD)
    await button(page, 'Sign in').click()
    await button(page, 'Use passkey').click()
    await heading(page, 'Authorize An app?').waitFor()
    await button(page, 'Not you? Use another account').click()
    await heading(page, 'Sign in').waitFor()
    await button(page, 'Use a passkey').click()
    await button(page, 'Sign in with a passkey').click()
    await heading(page, 'Authorize An app?').waitFor()
    assert.deepEqual(complaints, [])
    await page.close()
  })

  test('an authenticator app is added on the account page, requested at sign-in, and removed', async () => {
    const person = await addPerson(app, { permissions: scopes, orgId: app.orgId })
    const { page, complaints } = await open(`${baseUrl}/console/account`)
    await signIn(page, person.email)
    await button(page, 'Add authenticator app').click()
    await page.getByRole('img', { name: /^QR code/ }).waitFor()
    await audit(page, 'account-add-app')
    const secret = (await page.locator('code.secret').innerText()).replaceAll(' ', '')
    await page.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret))
    await page.getByRole('dialog').getByRole('button', { name: 'Add authenticator app' }).click()
    await page.getByRole('list', { name: 'Recovery codes' }).waitFor()
    await audit(page, 'account-codes')
    await button(page, 'I saved the codes').click()
    await page.getByText('10 recovery codes are left.').waitFor()
    await audit(page, 'account-factors')

    await signOut(page)
    await forgetUsedCodes(app, person.id)
    await signIn(page, person.email)
    await page.getByRole('textbox', { name: 'Code' }).fill('000000')
    await button(page, 'Verify').click()
    await page.getByRole('alert').waitFor()
    await audit(page, 'second-step-refused')
    await page.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret))
    await button(page, 'Verify').click()
    await heading(page, 'Authorized apps').waitFor()
    await follow(page, paths.account)
    await heading(page, 'Your account').waitFor()

    const { db, now } = app.parts.services
    const set = { signed_in_at: now() - 11 * 60_000 }
    await db.updateTable('user_sessions').set(set).where('user_id', '=', person.id).execute()
    await button(page, 'Remove Authenticator app').click()
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).waitFor()
    await audit(page, 'account-sign-in-again')
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in', exact: true }).click()
    await forgetUsedCodes(app, person.id)
    await page.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret))
    await button(page, 'Verify').click()
    await button(page, 'Remove second factor').click()
    await page.getByText(/No second factors yet/).waitFor()
    assert.deepEqual(complaints, [])
    await page.close()
  })
})
