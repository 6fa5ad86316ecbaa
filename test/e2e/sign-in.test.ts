import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { type OwnBrowser, openTab, skipWithoutBrowser, startBrowser } from '#test/browser/browser.ts'
import { type LocalServer, serveHttp } from '#test/servers/local-server.ts'
import { type ServerProcess, startServer } from '#test/servers/server-process.ts'

const KEY = '0c7b2a4e-6b0f-4b52-9b55-3f1f0d6a9e01'
const EMAIL = 'ada@example.test'
const PASSWORD = 'correct horse battery'

/** Folder for optional screenshots. */
const screenshots = process.env['SCREENSHOTS_DIR']

interface Client {
  readonly id: string
  readonly client_id: string
  readonly client_secret: string
}

describe('sign-in for an app in a browser', { skip: skipWithoutBrowser }, () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-sign-in-'))
  let server: ServerProcess
  let baseUrl: string
  let callbacks: LocalServer
  let browser: OwnBrowser
  let orgId: string
  let app: Client
  before(async () => {
    callbacks = await serveHttp((request, response) => {
      if (request.url?.includes('state=elsewhere')) {
        response.writeHead(303, { location: `http://localhost:${callbacks.port}/landed` }).end()
        return
      }
      response.setHeader('content-type', 'text/html').end('<title>App</title><h1>Back in the app</h1>')
    })
    server = await startServer({
      GATEHOUSE_DATA_DIR: dataDir,
      GATEHOUSE_ADMIN_EMAIL: EMAIL,
      GATEHOUSE_ADMIN_PASSWORD: PASSWORD,
      GATEHOUSE_ADMIN_API_KEY: KEY,
    })
    baseUrl = server.baseUrl
    browser = await startBrowser()
    orgId = (await rest('GET', '/orgs')).data[0].id
    app = await register('Vulnerability Dashboard', callbacks.url)
  })
  after(async () => {
    await browser?.close()
    await server?.end('SIGTERM')
    await callbacks?.[Symbol.asyncDispose]()
    rmSync(dataDir, { recursive: true })
  })

  async function rest(method: string, path: string, { key = KEY, body }: { key?: string; body?: object } = {}) {
    const answer = await fetch(`${baseUrl}/rest${path}?version=2024-10-15`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/vnd.api+json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, ...(text === '' ? {} : JSON.parse(text)) }
  }

  async function register(name: string, origin: string): Promise<Client> {
    const scopes = ['org.read', 'org.project.read', 'org.project.ignore.create', 'org.package.test']
    const attributes = { name, redirect_uris: [`${origin}/callback`], scopes }
    const created = await rest('POST', `/orgs/${orgId}/apps/creations`, { body: { data: { type: 'app', attributes } } })
    assert.equal(created.status, 201)
    return { id: created.data.id, ...created.data.attributes }
  }

  const verifier = randomBytes(32).toString('base64url')
  const authorizeUrl = (parameters: Record<string, string> = {}) =>
    `${baseUrl}/oauth2/authorize?${new URLSearchParams({
      response_type: 'code',
      client_id: app.client_id,
      redirect_uri: `${callbacks.url}/callback`,
      state: 'the state',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...parameters,
    })}`

  async function ask(form: Record<string, string>) {
    const answer = await fetch(`${baseUrl}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: app.client_id, client_secret: app.client_secret, ...form }),
    })
    return { status: answer.status, body: JSON.parse(await answer.text()) }
  }

  /** Takes a screenshot and checks the rules of every page. */
  async function look(page: Page, name: string): Promise<void> {
    if (screenshots !== undefined) await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true })
    const [wide, visible] = (await page.evaluate('[document.documentElement.scrollWidth, window.innerWidth]')) as [
      number,
      number,
    ]
    assert.ok(wide <= visible, `${name} is ${wide} wide on a screen of ${visible}`)
    assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1)
    const unlabeled = await page.evaluate(
      "[...document.querySelectorAll('input:not([type=hidden])')].filter((input) => input.labels.length === 0).length",
    )
    assert.equal(unlabeled, 0, name)
  }

  async function signIn(page: Page, password = PASSWORD): Promise<void> {
    await page.getByLabel('E-mail address').fill(EMAIL)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  async function atCallback(page: Page): Promise<URLSearchParams> {
    await page.getByRole('heading', { name: 'Back in the app' }).waitFor()
    return new URL(page.url()).searchParams
  }

  test('an app is signed in, allowed, used, refreshed, listed and revoked', async () => {
    const { page, complaints } = await openTab(browser, authorizeUrl())
    await look(page, 'sign-in')
    await signIn(page, 'wrong')
    await page.getByRole('alert').waitFor()
    assert.match((await page.getByRole('alert').textContent())!, /The e-mail address or the password is wrong/)
    await look(page, 'sign-in-wrong')
    await page.getByRole('link', { name: 'The e-mail address or the password is wrong.' }).click()
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')

    await page.getByRole('heading', { name: 'Authorize Vulnerability Dashboard?' }).waitFor()
    await look(page, 'consent')
    // The only organization is selected already.
    await page.getByLabel('Default organization').uncheck()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('alert').waitFor()
    await look(page, 'consent-nothing-chosen')
    await page.getByRole('group', { name: 'Default group' }).getByLabel('Default organization').check()
    await page.getByRole('button', { name: 'Allow' }).click()
    const answer = await atCallback(page)
    assert.equal(answer.get('state'), 'the state')
    assert.equal(answer.get('iss'), baseUrl)
    assert.deepEqual(complaints, [])

    const code = { grant_type: 'authorization_code', code: answer.get('code')!, code_verifier: verifier }
    const first = await ask({ ...code, redirect_uri: `${callbacks.url}/callback` })
    assert.equal(first.status, 200, JSON.stringify(first.body))
    assert.equal(first.body.scope, 'org.read org.project.read org.project.ignore.create org.package.test')
    const orgs = await rest('GET', '/orgs', { key: first.body.access_token })
    assert.deepEqual(
      orgs.data.map(({ id }: { id: string }) => id),
      [orgId],
    )
    const second = await ask({ grant_type: 'refresh_token', refresh_token: first.body.refresh_token })
    assert.equal(second.status, 200, JSON.stringify(second.body))

    const apps = await rest('GET', '/self/apps')
    assert.deepEqual(
      apps.data.map(({ attributes }: { attributes: { name: string } }) => attributes.name),
      ['Vulnerability Dashboard'],
    )
    assert.equal((await rest('GET', `/self/apps/${app.id}/sessions`)).data.length, 1)
    const events = await rest('GET', `/orgs/${orgId}/audit_logs`)
    assert.ok(
      events.data.some(
        ({ attributes }: { attributes: { action: string } }) => attributes.action === 'app_install.create',
      ),
    )
    assert.equal((await rest('DELETE', `/self/apps/${app.id}`)).status, 204)
    assert.equal((await rest('GET', '/orgs', { key: second.body.access_token })).status, 401)
    assert.equal((await ask({ grant_type: 'refresh_token', refresh_token: second.body.refresh_token })).status, 400)
    assert.ok(![PASSWORD, first.body.access_token, code.code].some((secret) => server.logged().includes(secret)))
    await page.context().close()
  })

  test('a refusal and a canceled sign-in lead back to the app', async () => {
    const { page, complaints } = await openTab(browser, authorizeUrl())
    await page.getByRole('button', { name: 'Cancel' }).click()
    assert.equal((await atCallback(page)).get('error'), 'access_denied')
    await page.goto(authorizeUrl())
    await signIn(page)
    await page.getByRole('button', { name: 'Refuse' }).click()
    const answer = await atCallback(page)
    assert.deepEqual(
      [answer.get('error'), answer.get('state'), answer.get('code')],
      ['access_denied', 'the state', null],
    )
    // The browser is signed in now.
    await page.goto(authorizeUrl())
    await page.getByRole('button', { name: 'Not you? Use another account' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('an app may redirect the browser to another site', async () => {
    const { page, complaints } = await openTab(browser, authorizeUrl({ state: 'elsewhere' }))
    await signIn(page)
    await page.getByRole('button', { name: 'Refuse' }).click()
    await page.waitForURL(`http://localhost:${callbacks.port}/landed`)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  const errors: [name: string, parameters: Record<string, string>, title: string][] = [
    ['unknown-app', { client_id: '7f6f1e4e-0000-4000-8000-000000000000' }, 'Unknown app'],
    ['wrong-redirect', { redirect_uri: 'https://evil.example/' }, 'The app sent an unregistered redirect address'],
  ]
  for (const [name, parameters, title] of errors) {
    test(`${name}: an error page without a redirect`, async () => {
      const { page, complaints } = await openTab(browser, authorizeUrl(parameters))
      await page.getByRole('heading', { name: title }).waitFor()
      await look(page, name)
      assert.ok(page.url().startsWith(baseUrl))
      assert.deepEqual(complaints, [])
      await page.context().close()
    })
  }

  test('a page that was submitted before, reached by going back, is no longer valid', async () => {
    const { page } = await openTab(browser, authorizeUrl())
    await signIn(page)
    await page.getByLabel('Default organization').check()
    const address = page.url()
    await page.getByRole('button', { name: 'Allow' }).dblclick()
    assert.ok((await atCallback(page)).get('code'), 'a double click is one answer')
    await page.goto(address)
    await page.getByRole('heading', { name: 'This page has expired' }).waitFor()
    await look(page, 'expired')
    await page.context().close()
  })

  test('a browser without cookies gets an explanation', async () => {
    const { page } = await openTab(browser, authorizeUrl())
    const address = page.url()
    await page.context().clearCookies()
    await page.goto(address)
    assert.match((await page.textContent('main'))!, /blocks cookies/)
    await page.context().close()
  })

  const looks: [name: string, options: BrowserContextOptions][] = [
    ['narrow', { viewport: { width: 320, height: 640 } }],
    ['dark', { colorScheme: 'dark' }],
    ['without-styles', {}],
  ]
  for (const [name, options] of looks) {
    test(`${name}: sign-in and consent are complete and work`, async () => {
      const { page, complaints } = await openTab(browser, 'about:blank', options)
      if (name === 'without-styles') await page.route('**/*.css', (route) => route.abort())
      await page.goto(authorizeUrl())
      await look(page, `sign-in-${name}`)
      await signIn(page)
      await page.getByRole('heading', { name: 'Authorize Vulnerability Dashboard?' }).waitFor()
      await page.getByLabel('Whole group').check()
      await look(page, `consent-${name}`)
      await page.getByRole('button', { name: 'Allow' }).click()
      assert.ok((await atCallback(page)).get('code'))
      assert.deepEqual(complaints, [])
      await page.context().close()
    })
  }

  test('sign-in and consent work by keyboard alone, in page order', async () => {
    const { page } = await openTab(browser, authorizeUrl())
    await page.waitForFunction("document.activeElement.id === 'email'")
    await page.keyboard.type(EMAIL)
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Authorize Vulnerability Dashboard?' }).waitFor()
    const reached: string[] = []
    for (let count = 0; count < 5; count++) {
      await page.keyboard.press('Tab')
      reached.push(
        await page.evaluate('(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()'),
      )
    }
    assert.deepEqual(reached, [
      'Not you? Use another account',
      'The whole group',
      'Default organization',
      'console',
      'Allow',
    ])
    await page.context().close()
  })

  test('consent fits a phone, also with the longest name of an app', async () => {
    const name = `long-${'w'.repeat(250)}`
    const { client_id } = await register(name, callbacks.url)
    const { page, complaints } = await openTab(browser, authorizeUrl({ client_id }), {
      viewport: { width: 390, height: 844 },
    })
    await signIn(page)
    await page.getByRole('heading', { name: `Authorize ${name}?` }).waitFor()
    await look(page, 'consent-long-name')
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('consent finds one of hundreds of organizations by search', async () => {
    const { group_id: groupId } = (await rest('GET', `/orgs/${orgId}`)).data.attributes
    const names = Array.from({ length: 300 }, (_, index) => `Team ${String(index).padStart(3, '0')}`)
    for (let at = 0; at < names.length; at += 20) {
      await Promise.all(names.slice(at, at + 20).map((name) => makeOrg(groupId, name)))
    }
    const { page, complaints } = await openTab(browser, authorizeUrl())
    await signIn(page)
    await page.getByLabel('Whole group').uncheck()
    await page.getByLabel('Search by name').fill('team 271')
    await page.keyboard.press('Enter')
    await page.getByLabel('Team 271').check()
    await page.getByLabel('Search by name').fill('team 04')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByLabel('Team 042').check()
    assert.ok(await page.getByLabel('Team 271').isChecked())
    await look(page, 'consent-many')
    await page.getByRole('button', { name: 'Allow' }).click()
    assert.ok((await atCallback(page)).get('code'))
    const installs = await rest('GET', '/self/apps/installs')
    assert.equal(installs.data.length, 2)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  async function makeOrg(groupId: string, name: string): Promise<void> {
    const answer = await fetch(`${baseUrl}/v1/org`, {
      method: 'POST',
      headers: { authorization: `token ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name, groupId }),
    })
    assert.equal(answer.status, 201, await answer.text())
  }

  test('signing out requires a new sign-in', async () => {
    const { page, complaints } = await openTab(browser, authorizeUrl())
    await signIn(page)
    await page.getByRole('heading', { name: 'Authorize Vulnerability Dashboard?' }).waitFor()
    await page.goto(`${baseUrl}/oauth2/sign-out`)
    await look(page, 'sign-out')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
    await page.goto(authorizeUrl())
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.deepEqual(complaints, [])
    await page.context().close()
  })
})
