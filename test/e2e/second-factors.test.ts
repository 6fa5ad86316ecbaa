import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { authorizeUrl, scopes } from '#test/access/authorization-pages.ts'
import { codeOf, forgetUsedCodes } from '#test/access/factors.ts'
import { addPerson, PASSWORD } from '#test/access/people.ts'
import { addApp } from '#test/access/tokens.ts'
import { audit } from '#test/browser/accessibility.ts'
import { type OwnBrowser, openTab, skipWithoutBrowser, startBrowser } from '#test/browser/browser.ts'
import { buildConsole } from '#test/browser/console.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { freePort } from '#test/servers/free-port.ts'

describe('second factors in a browser', { skip: skipWithoutBrowser }, () => {
  let app: TestApp
  let baseUrl: string
  let browser: OwnBrowser
  before(async () => {
    buildConsole()
    const port = await freePort()
    // Browsers refuse passkeys at an address without a domain.
    baseUrl = `http://localhost:${port}`
    app = await startApp('sqlite', { GATEHOUSE_BASE_URL: baseUrl })
    await app.server.listen({ host: '127.0.0.1', port })
    browser = await startBrowser()
  })
  after(async () => {
    await browser?.close()
    await app?.close()
  })

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  async function openConsole(path: string) {
    const tab = await openTab(browser, `${baseUrl}/console${path}`)
    const device = await tab.page.context().newCDPSession(tab.page)
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

  async function sendPassword(page: Page, email: string) {
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await button(page, 'Sign in').click()
  }

  async function signOut(page: Page) {
    await page.getByRole('link', { name: 'Authorized apps' }).click()
    await heading(page, 'Authorized apps').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await heading(page, 'Sign in').waitFor()
  }

  test('a passkey is set up when the group requires one, then signs in after a password, alone, and for an app', async () => {
    const groupId = await app.addGroup()
    const orgId = await app.addOrg({ groupId })
    const person = await addPerson(app, { permissions: scopes, groupId, orgId })
    const { db } = app.parts.services
    await db.updateTable('groups').set({ second_factor: 'required' }).where('id', '=', groupId).execute()
    const { page, complaints } = await openConsole('/apps')
    await sendPassword(page, person.email)
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
    await sendPassword(page, person.email)
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
    await heading(page, 'Let An app in?').waitFor()
    await button(page, 'Not you? Use another account').click()
    await heading(page, 'Sign in').waitFor()
    await button(page, 'Use a passkey').click()
    await button(page, 'Sign in with a passkey').click()
    await heading(page, 'Let An app in?').waitFor()
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('an authenticator app is added on the account page, requested at sign-in, and removed', async () => {
    const person = await addPerson(app, { permissions: scopes, orgId: app.orgId })
    const { page, complaints } = await openConsole('/account')
    await sendPassword(page, person.email)
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
    await sendPassword(page, person.email)
    await page.getByRole('textbox', { name: 'Code' }).fill('000000')
    await button(page, 'Verify').click()
    await page.getByRole('alert').waitFor()
    await audit(page, 'second-step-refused')
    await page.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret))
    await button(page, 'Verify').click()
    await heading(page, 'Authorized apps').waitFor()
    await page.goto(`${baseUrl}/console/account`)
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
    await page.context().close()
  })
})
