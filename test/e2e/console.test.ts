import assert from 'node:assert/strict'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { hintOf } from '#foundation/secrets/typed-secret.ts'
import { createAccount, ofOrg } from '#test/access/accounts.ts'
import { sendForm } from '#test/access/oauth.ts'
import { type OwnBrowser, openTab, skipWithoutBrowser, startBrowser } from '#test/browser/browser.ts'
import { buildConsole, signIn } from '#test/browser/console.ts'
import { expectSignOut } from '#test/browser/expect-sign-out.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { listenAnywhere } from '#test/servers/listening.ts'

const manifest = { name: 'shop', version: '1.0.0', dependencies: { minimist: '^0.0.8' } }
const lockfile = {
  name: 'shop',
  version: '1.0.0',
  lockfileVersion: 3,
  packages: { '': manifest, 'node_modules/minimist': { version: '0.0.8' } },
}

describe('the console in a browser', { skip: skipWithoutBrowser }, () => {
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

  const open = (path: string) => openTab(browser, `${baseUrl}${path}`)

  test('a wrong key is refused with its reason and not stored', async () => {
    const { page, complaints } = await open('/')
    await signIn(page, 'b2a0d0de-0000-4000-8000-000000000000')
    const alert = page.getByRole('alert')
    await alert.waitFor()
    assert.match((await alert.textContent())!, /Invalid auth token provided/)
    const link = await alert.getByRole('link', { name: 'unauthenticated' }).getAttribute('href')
    assert.equal(link, '/docs/errors/unauthenticated')
    assert.equal(await page.evaluate('sessionStorage.length + localStorage.length'), 0)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('an administrator creates a service account, tests a lockfile, and reads the audit log', async () => {
    const { page, complaints } = await open(`/console/orgs/${app.orgId}/service-accounts`)
    await signIn(page, app.adminKey)

    // The requested page is shown after signing in.
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
    const found = page.getByRole('table', { name: 'Vulnerabilities' })
    assert.match((await found.textContent())!, /CVE-2021-44906/)
    await found.getByRole('button').first().click()
    assert.match((await page.getByRole('dialog').textContent())!, /Introduced through[\s\S]*minimist@0\.0\.8/)
    await page.keyboard.press('Escape')

    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByRole('heading', { name: 'Audit log', exact: true, level: 1 }).waitFor()
    const events = page.getByRole('table', { name: 'Audit events' })
    await events.getByRole('button', { name: 'service_account.create' }).waitFor()
    assert.match((await events.textContent())!, /Administrator[\s\S]*build server/)

    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
    assert.equal(await page.title(), 'Sign in · Gatehouse')
    assert.equal(await page.evaluate('sessionStorage.length'), 0)
    assert.deepEqual(complaints, [])
    assert.ok(!app.log().includes(key))
    await page.context().close()
  })

  test('a key that is revoked during use leads back to the sign-in', async () => {
    const account = await app.call('POST', `/rest/orgs/${app.orgId}/service_accounts`, {
      body: {
        data: {
          type: 'service_account',
          attributes: { name: 'short-lived', auth_type: 'api_key', role_id: '6c0e9a52-1a55-4d0e-8f0b-6d0f3a1c0003' },
        },
      },
    })
    const { id, attributes } = account.json().data
    const { page } = await open(`/console/orgs/${app.orgId}/projects`)
    await signIn(page, attributes.api_key)
    await page.getByRole('heading', { name: 'No projects yet' }).waitFor()
    await page.getByRole('combobox', { name: 'Organization or group' }).waitFor()
    await page.getByRole('button', { name: 'Sign out short-lived' }).waitFor()
    await app.call('DELETE', `/rest/orgs/${app.orgId}/service_accounts/${id}`)
    await expectSignOut(page, 'Audit log')
    assert.equal(await page.evaluate('sessionStorage.length'), 0)
    await page.context().close()
  })

  test('every file of the built console is served compressed and immutable; the first ones are below 120 kB', async () => {
    const names = readdirSync('web/dist/assets').filter((name) => !/\.(br|gz)$/.test(name))
    assert.ok(names.length > 20)
    const [style, first] = [/^style-.*\.css$/, /^index-.*\.js$/].map((name) => names.find((each) => name.test(each))!)
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

  test('a secret is replaced with a grace period, shown as still in use, and deleted', async () => {
    const { id, attributes } = await createAccount(app, ofOrg.path(app), { auth_type: 'oauth_client_secret' })
    const { page, complaints } = await open(`/console/orgs/${app.orgId}/service-accounts/${id}`)
    await signIn(page, app.adminKey)
    const section = page.getByRole('region', { name: 'Client secrets' })
    const table = section.getByRole('table', { name: 'Credentials' })
    await table.getByText('active', { exact: true }).waitFor()
    assert.match((await table.textContent())!, /never[\s\S]*anywhere[\s\S]*stays/)

    await section.getByRole('button', { name: 'Replace' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: '1 hour' }).check()
    await dialog.getByRole('button', { name: 'Replace' }).click()
    const secret = await section.getByRole('textbox', { name: 'New client secret' }).inputValue()
    await table.getByText('retiring').waitFor()
    assert.match((await table.textContent())!, /retiring ends [\s\S]*active/)
    assert.equal(await section.getByText('A replaced secret is still in use').count(), 0)

    const old = String(attributes['client_secret'])
    const form = { grant_type: 'client_credentials', client_id: String(attributes['client_id']), client_secret: old }
    assert.equal((await sendForm(app, 'token', form)).statusCode, 200)
    await app.parts.lastUses.flush()
    await page.reload()
    await section.getByText('A replaced secret is still in use').waitFor()
    assert.ok(!(await page.content()).includes(secret), 'the secret is shown once')

    await section.getByRole('button', { name: `Delete the secret with the hint ${hintOf(old)}` }).click()
    await dialog.getByRole('button', { name: 'Delete it' }).click()
    await section.getByText('Secret deleted.').waitFor()
    await table.getByText('retiring').waitFor({ state: 'detached' })
    assert.equal((await sendForm(app, 'token', form)).statusCode, 401)
    assert.equal((await sendForm(app, 'token', { ...form, client_secret: secret })).statusCode, 200)

    // The message of a refused change is gone for the next.
    await section.getByRole('button', { name: 'Add second secret' }).click()
    const second = section.getByRole('button', { name: /^Delete the secret/ }).first()
    await second.waitFor()
    const secretsPath = `${ofOrg.path(app)}/${id}/secrets`
    const [{ id: newest }] = (await app.call('GET', secretsPath)).json().data
    assert.equal((await app.call('DELETE', `${secretsPath}/${newest}`)).statusCode, 204)
    await section.getByRole('button', { name: `Delete the secret with the hint ${hintOf(secret)}` }).click()
    await dialog.getByRole('button', { name: 'Delete it' }).click()
    await section.getByText('Not saved').waitFor()
    await section.getByRole('button', { name: 'Replace' }).click()
    await dialog.getByRole('button', { name: 'Replace' }).click()
    await table.getByText('retiring').waitFor()
    await section.getByText('Not saved').waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
    await page.context().close()
  })
})
