import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createAccount, ofOrg } from '#test/access/accounts.ts'
import { createApp, unattended } from '#test/access/apps.ts'
import { addApp, consentTo } from '#test/access/tokens.ts'
import { skipWithoutBrowser } from '#test/browser/browser.ts'
import { buildConsole, type Console, look, openConsole } from '#test/browser/console.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { listenAnywhere } from '#test/servers/listening.ts'

describe('apps in the console', { skip: skipWithoutBrowser }, () => {
  let app: TestApp
  let baseUrl: string
  let gui: Console
  let adminId: string
  before(async () => {
    buildConsole()
    app = await startApp('sqlite')
    baseUrl = await listenAnywhere(app)
    adminId = (await app.call('GET', '/rest/self')).json().data.id
    gui = await openConsole(baseUrl, app.adminKey)
  })
  after(async () => {
    await gui?.close()
    await app?.close()
  })

  const isAccepted = async (token: string) => {
    const { statusCode } = await app.call('GET', '/rest/orgs', { key: token })
    assert.ok(statusCode === 200 || statusCode === 401)
    return statusCode === 200
  }

  test('an app is registered, its secret shown once, changed and deleted', async () => {
    await using tab = await gui.open(`/orgs/${app.orgId}/apps`)
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
    await page.getByRole('heading', { name: 'Dashboard', exact: true }).waitFor()
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
    await page.getByRole('heading', { name: 'Board', exact: true }).waitFor()

    await page.getByRole('button', { name: 'Delete this app' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'No apps yet' }).waitFor()
    assert.deepEqual(tab.complaints, [])
  })

  test('an unattended app is registered without redirect addresses, installed, and its install revoked', async () => {
    await using tab = await gui.open(`/orgs/${app.orgId}/apps/new`)
    const { page } = tab
    await page.getByRole('textbox', { name: 'Name' }).fill('Nightly')
    await page.getByRole('radio', { name: 'Runs unattended where it is installed' }).check()
    await page.getByRole('button', { name: 'Create' }).click()
    const words = await page.getByText('The app has no client of its own').textContent()
    const id = /[0-9a-f-]{36}/.exec(words!)![0]

    await page.getByRole('link', { name: 'Installs', exact: true }).click()
    await page.getByRole('heading', { name: 'Installs', exact: true, level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Install app' }).click()
    await page.getByRole('textbox', { name: 'App id' }).fill(app.orgId)
    await page.getByRole('button', { name: 'Install' }).click()
    await page.getByText('app not found').waitFor()
    await page.getByRole('textbox', { name: 'App id' }).fill(id)
    await page.getByRole('button', { name: 'Install' }).click()
    const client_secret = await page.getByRole('textbox', { name: 'Client secret' }).inputValue()
    const client_id = /[0-9a-f-]{36}/.exec((await page.getByText('Client id:').textContent())!)![0]
    await look(page, 'console-installed')
    const answer = await fetch(`${baseUrl}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }),
    })
    const { access_token } = (await answer.json()) as { access_token: string }
    assert.ok(await isAccepted(access_token))

    await page.getByRole('link', { name: 'I have saved it' }).click()
    await page.getByRole('table', { name: 'Credentials' }).getByText('active', { exact: true }).waitFor()
    await look(page, 'console-install')
    await page.getByRole('button', { name: 'Revoke install' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('heading', { name: 'No installs' }).waitFor()
    assert.ok(!(await isAccepted(access_token)))
    assert.deepEqual(tab.complaints, [])
  })

  test('a user sees authorized apps and revokes a session, one place, and all access', async () => {
    const client = await addApp(app, { name: 'Helper', scopes: ['org.read'] })
    const other = await app.addOrg()
    const places = [app.orgId, other].map((orgId) => ({ groupId: app.groupId, orgId }))
    const first = await consentTo(app, { app: client, userId: adminId, places })
    const second = await consentTo(app, { app: client, userId: adminId, places: [] })
    await using tab = await gui.open('/apps')
    const { page } = tab
    await page.getByRole('link', { name: 'Helper' }).waitFor()
    await look(page, 'console-own-apps')
    await page.getByRole('link', { name: 'Helper' }).click()
    const sessions = page.getByRole('table', { name: 'Sessions' })
    await sessions.getByRole('button', { name: 'End' }).nth(1).waitFor()
    const placesTable = page.getByRole('table', { name: 'Places' })
    await placesTable.getByText('Default organization').waitFor()
    await look(page, 'console-own-app')

    assert.ok(await isAccepted(first.token))
    await sessions.getByRole('row').filter({ hasText: first.id }).getByRole('button', { name: 'End' }).click()
    await sessions.getByText(first.id).waitFor({ state: 'detached' })
    assert.deepEqual([await isAccepted(first.token), await isAccepted(second.token)], [false, true])

    await placesTable.getByRole('button', { name: 'Revoke access' }).first().click()
    await placesTable.getByRole('button', { name: 'Revoke access' }).nth(1).waitFor({ state: 'detached' })
    assert.ok(await isAccepted(second.token))
    await page.getByRole('button', { name: 'End everything' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click()
    await page.getByRole('heading', { name: 'No authorized apps' }).waitFor()
    assert.ok(!(await isAccepted(second.token)))
    assert.deepEqual(tab.complaints, [])
  })

  test('pages of apps fit a narrow screen in the dark scheme', async () => {
    const { id } = await createApp(app, { name: 'A name long enough to need two lines on a telephone' })
    await createApp(app, { name: 'Nightly', ...unattended })
    await consentTo(app, { app: await addApp(app, { name: 'Helper' }), userId: adminId })
    await using tab = await gui.open('/apps', { viewport: { width: 320, height: 640 }, colorScheme: 'dark' })
    const { page } = tab
    await page.getByRole('link', { name: 'Helper' }).waitFor()
    await look(page, 'console-own-apps-narrow')
    const paths = [
      `orgs/${app.orgId}/apps`,
      `orgs/${app.orgId}/apps/${id}`,
      `orgs/${app.orgId}/apps/new`,
      `groups/${app.groupId}/installs`,
    ]
    for (const path of paths) {
      await page.goto(`${baseUrl}/console/${path}`)
      await page.waitForLoadState('networkidle')
      await look(page, `console-${path.replaceAll(/[0-9a-f-]{36}/g, 'one').replaceAll('/', '-')}-narrow`)
    }
    assert.deepEqual(tab.complaints, [])
  })

  test('the longest names without spaces fit a phone and a tablet', async () => {
    const long = (length: number) => `long-${'w'.repeat(length - 5)}`
    const place = `/rest/orgs/${app.orgId}`
    const expires_at = new Date(Date.now() + 5 * 86_400_000).toISOString()
    await createAccount(app, ofOrg.path(app), { name: long(255), auth_type: 'oauth_client_secret', expires_at })
    const attributes = { url: `https://hooks.example/${long(500)}`, events: ['issues.new'], description: long(500) }
    const webhook = await app.call('POST', `${place}/webhooks`, { body: { data: { type: 'webhook', attributes } } })
    const person = { type: 'user', attributes: { name: long(100), email: `${long(60)}@people.example` } }
    const user = await app.call('POST', `/rest/groups/${app.groupId}/users`, { body: { data: person } })
    await using tab = await gui.open('/', { viewport: { width: 390, height: 844 } })
    const { page } = tab
    await page.getByRole('link', { name: long(255) }).waitFor()
    await look(page, 'console-long-names-overview')
    await page.goto(`${baseUrl}/console/orgs/${app.orgId}/webhooks/${webhook.json().data.id}`)
    await page.getByRole('heading', { name: 'hooks.example' }).waitFor()
    await look(page, 'console-long-names-webhook')
    await page.goto(`${baseUrl}/console/groups/${app.groupId}/users/${user.json().data.id}`)
    await page.getByRole('heading', { name: long(100) }).waitFor()
    await look(page, 'console-long-names-user')
    await page.setViewportSize({ width: 800, height: 900 })
    await page.goto(`${baseUrl}/console/groups/${app.groupId}/users`)
    await page.getByRole('link', { name: long(100) }).waitFor()
    const hidden = await page.evaluate(
      "(() => { const table = document.querySelector('main table'); return table.scrollWidth - table.parentElement.clientWidth })()",
    )
    assert.ok(Number(hidden) <= 0, `the table of users is cut off by ${hidden} px on a tablet`)
    assert.deepEqual(tab.complaints, [])
  })
})
