import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type OwnBrowser, openTab, skipWithoutBrowser, startBrowser } from '#test/browser/browser.ts'
import { buildConsole, signIn } from '#test/browser/console.ts'
import { freePort } from '#test/servers/free-port.ts'
import { type LocalServer, serveHttp } from '#test/servers/local-server.ts'
import { type ServerProcess, startServer } from '#test/servers/server-process.ts'

const KEY = '0c7b2a4e-6b0f-4b52-9b55-3f1f0d6a9e01'
const EMAIL = 'ada@example.test'
const PASSWORD = 'correct horse battery'
const BASE_PATH = '/tools/gatehouse'

/** Ways in which proxies forward a base path. */
const manners = {
  'takes the path off': (url: string) => url.slice(BASE_PATH.length) || '/',
  'leaves the path on': (url: string) => url,
} as const

describe('a server with a base path, behind a proxy', { skip: skipWithoutBrowser }, () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-below-'))
  let toServer: (url: string) => string = manners['takes the path off']
  /** Browser requests to the host outside of the base path. */
  const strayed: string[] = []
  let server: ServerProcess
  let proxy: LocalServer
  let browser: OwnBrowser
  let baseUrl: string
  before(async () => {
    buildConsole()
    const port = await freePort()
    proxy = await serveHttp((request, response) => {
      const { url = '/' } = request
      const isBelow = url === BASE_PATH || url.startsWith(`${BASE_PATH}/`) || url.startsWith(`${BASE_PATH}?`)
      if (url.startsWith('/app/')) return void response.setHeader('content-type', 'text/html').end('<h1>Back</h1>')
      // RFC 8414 §3.1 puts the metadata at the root of the host.
      if (url.endsWith(BASE_PATH) && url.startsWith('/.well-known/')) return pass(request, response, { port, url })
      if (isBelow) return pass(request, response, { port, url: toServer(url) })
      strayed.push(url)
      response.writeHead(404).end()
    })
    baseUrl = `${proxy.url}${BASE_PATH}`
    server = await startServer({
      GATEHOUSE_DATA_DIR: dataDir,
      GATEHOUSE_PORT: String(port),
      GATEHOUSE_BASE_URL: `${baseUrl}/`,
      GATEHOUSE_ADMIN_EMAIL: EMAIL,
      GATEHOUSE_ADMIN_PASSWORD: PASSWORD,
      GATEHOUSE_ADMIN_API_KEY: KEY,
    })
    browser = await startBrowser()
  })
  after(async () => {
    await browser?.close()
    await server?.end('SIGTERM')
    await proxy?.[Symbol.asyncDispose]()
    rmSync(dataDir, { recursive: true })
  })

  const headers = { authorization: `token ${KEY}`, 'content-type': 'application/vnd.api+json' }
  const rest = async (path: string, init: RequestInit = {}) =>
    json(await fetch(`${baseUrl}/rest${path}?version=2024-10-15`, { headers, ...init }))

  async function nothingStrayed(complaints: readonly string[]): Promise<void> {
    assert.deepEqual(complaints, [])
    // Browsers request it from every host.
    assert.deepEqual(
      strayed.filter((url) => url !== '/favicon.ico'),
      [],
    )
  }

  async function isDressed(page: Page): Promise<void> {
    const sheets = (await page.evaluate('[...document.styleSheets].map((sheet) => sheet.cssRules.length)')) as number[]
    assert.ok(sheets.length > 0 && sheets.every((rules) => rules > 0))
  }

  async function letAppIn(): Promise<void> {
    const orgId = (await rest('/orgs')).data[0].id
    const redirectUri = `${proxy.url}/app/callback`
    const attributes = { name: 'Dashboard', redirect_uris: [redirectUri], scopes: ['org.read'] }
    const body = JSON.stringify({ data: { type: 'app', attributes } })
    const answer = await fetch(`${baseUrl}/rest/orgs/${orgId}/apps/creations?version=2024-10-15`, {
      method: 'POST',
      headers,
      body,
    })
    const app = (await json(answer)).data.attributes
    assert.ok(answer.headers.get('location')?.startsWith(`${baseUrl}/rest/orgs/`))
    assert.equal((await fetch(answer.headers.get('location')!, { headers })).status, 200)

    const parameters = new URLSearchParams({ response_type: 'code', client_id: app.client_id, state: 's' })
    const { page, complaints } = await openTab(browser, `${baseUrl}/oauth2/authorize?${parameters}`)
    await isDressed(page)
    await page.getByLabel('E-mail address').fill(EMAIL)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('group', { name: 'Default group' }).getByLabel('Default organization').check()
    assert.ok(page.url().startsWith(`${baseUrl}/oauth2/interactions/`))
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: 'Back' }).waitFor()
    const answered = new URL(page.url()).searchParams
    assert.equal(answered.get('iss'), baseUrl)
    for (const cookie of await page.context().cookies()) {
      assert.ok(cookie.path === BASE_PATH || cookie.path.startsWith(`${BASE_PATH}/`), `${cookie.name} ${cookie.path}`)
    }

    const form = { grant_type: 'authorization_code', code: answered.get('code')!, client_id: app.client_id }
    const granted = await fetch(`${baseUrl}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({ ...form, client_secret: app.client_secret }),
    })
    const { access_token: token } = await json(granted)
    const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())
    assert.deepEqual([claims.iss, claims.aud], [baseUrl, [baseUrl]])

    await page.goto(`${baseUrl}/oauth2/authorize?${parameters}`)
    await page.getByRole('heading', { name: 'Authorize Dashboard?' }).waitFor()
    await page.goto(`${baseUrl}/oauth2/sign-out`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
    await nothingStrayed(complaints)
  }

  async function findMetadata(): Promise<void> {
    const { origin } = new URL(baseUrl)
    for (const url of [
      `${origin}/.well-known/oauth-authorization-server${BASE_PATH}`,
      `${baseUrl}/.well-known/oauth-authorization-server`,
    ]) {
      const described = await json(await fetch(url))
      assert.equal(described.issuer, baseUrl)
      assert.equal(described.token_endpoint, `${baseUrl}/oauth2/token`)
      assert.equal((await fetch(described.jwks_uri)).status, 200)
    }
  }

  // Everything else is answered alike both ways: src/foundation/http/base-path.test.ts asserts that.
  for (const [manner, forward] of Object.entries(manners)) {
    describe(`behind a proxy that ${manner}`, () => {
      before(() => {
        toServer = forward
      })
      after(() => {
        toServer = manners['takes the path off']
      })
      test('below a base path, an app signs in, gets consent and tokens, and signs out', letAppIn)
      test('below a base path, authorization server metadata is found at all three addresses', findMetadata)
    })
  }

  test('below a base path, links of the documentation and the API reference stay below it', async () => {
    const { page, complaints } = await openTab(browser, `${baseUrl}/docs/api`)
    await page.locator('#reference summary').first().click()
    await page.locator('#reference .opblock').first().waitFor()
    await isDressed(page)
    await page.getByRole('link', { name: 'Errors' }).first().click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    assert.equal(new URL(page.url()).pathname, `${BASE_PATH}/docs/errors/`)
    const { servers } = await json(await fetch(`${baseUrl}/docs/openapi.json`))
    assert.deepEqual(servers, [{ url: baseUrl }])
    const refused = await json(await fetch(`${baseUrl}/rest/self?version=2024-10-15`))
    assert.equal((await fetch(refused.errors[0].links.about)).status, 200)
    await nothingStrayed(complaints)
  })

  test('below a base path, the console loads, signs in and restores its pages', async () => {
    const { page, complaints } = await openTab(browser, `${baseUrl}/`)
    assert.equal(new URL(page.url()).pathname, `${BASE_PATH}/console/`)
    await signIn(page, KEY)
    await page.getByRole('link', { name: 'Overview' }).waitFor()
    const orgId = (await rest('/orgs')).data[0].id
    await page.goto(`${baseUrl}/console/orgs/${orgId}/service-accounts`)
    await page.getByRole('heading', { level: 1, name: 'Service accounts' }).waitFor()
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
    assert.equal(new URL(page.url()).pathname, `${BASE_PATH}/console/orgs/${orgId}/audit-log`)
    await nothingStrayed(complaints)
  })

  test('below a base path, commands that the console shows work when pasted', async () => {
    const orgId = (await rest('/orgs')).data[0].id
    const { page, complaints } = await openTab(browser, `${baseUrl}/console/orgs/${orgId}/service-accounts/new`)
    await signIn(page, KEY)
    const addressIn = async (words: string) =>
      /'(http[^']+)'/.exec((await page.locator('pre', { hasText: words }).textContent())!)![1]!
    await page.getByRole('textbox', { name: 'Name' }).fill('By key')
    await page.getByRole('combobox', { name: 'Role' }).selectOption({ label: 'Org Collaborator' })
    await page.getByRole('button', { name: 'Create' }).click()
    const key = await page.getByRole('textbox', { name: 'API key' }).inputValue()
    const self = await fetch(await addressIn('$GATEHOUSE_KEY'), { headers: { authorization: `token ${key}` } })
    assert.equal((await json(self)).data.attributes.name, 'By key')

    const attributes = { name: 'Nightly', grant_type: 'client_credentials', scopes: ['org.read'] }
    const body = JSON.stringify({ data: { type: 'app', attributes } })
    const app = (await rest(`/orgs/${orgId}/apps/creations`, { method: 'POST', body })).data
    await page.goto(`${baseUrl}/console/orgs/${orgId}/installs/new`)
    await page.getByRole('textbox', { name: 'App id' }).fill(app.id)
    await page.getByRole('button', { name: 'Install' }).click()
    const client_secret = await page.getByRole('textbox', { name: 'Client secret' }).inputValue()
    const client_id = /[0-9a-f-]{36}/.exec((await page.getByText('Client id:').textContent())!)![0]
    const granted = await fetch(await addressIn('client_credentials'), {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }),
    })
    assert.equal(granted.status, 200)
    await nothingStrayed(complaints)
  })
})

async function json(answer: Response) {
  return JSON.parse(await answer.text())
}

function pass(request: IncomingMessage, response: ServerResponse, { port, url }: { port: number; url: string }): void {
  const { method, headers } = request
  const forwarded = ask({ host: '127.0.0.1', port, path: url, method, headers }, (answer) => {
    response.writeHead(answer.statusCode!, answer.headers)
    answer.pipe(response)
  })
  forwarded.on('error', () => response.destroy())
  request.pipe(forwarded)
}
