import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { pino } from 'pino'
import { readConfig } from '#foundation/config.ts'
import { createBodyReader } from '#foundation/http/bodies/read-body.ts'
import { createServer } from '#foundation/http/server.ts'
import { problemCodes } from '#foundation/problem-codes.ts'
import type { Services } from '#foundation/services.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { buildDocumentationIfStale } from '../../../tools/documentation/build.ts'
import { statusMeanings } from '../../../tools/documentation/error-pages.ts'
import { pageNames } from '../../../tools/documentation/sections.ts'
import { collectRoutes } from './openapi.ts'
import { operationsOf } from './openapi-document.ts'
import { fillServerFacts } from './server-facts.ts'
import { documentationSite } from './site.ts'

describe('the documentation site', () => {
  let app: TestApp
  before(async () => {
    await buildDocumentationIfStale()
    app = await startApp('sqlite', {
      GATEHOUSE_BASE_URL: 'https://gate.example',
      GATEHOUSE_RATE_LIMIT_PER_MINUTE: '5000',
    })
  })
  after(() => app.close())

  const ask = (path: string) => app.call('GET', path, { key: null, query: { version: '-' } })

  const pages = [
    '/docs',
    ...pageNames.map((name) => `/docs/${name}`),
    ...globSync('docs/choices/[a-z]*.md').map((path) => `/${path.replace('.md', '')}`),
    ...Object.keys(problemCodes).map((code) => `/docs/errors/${code}`),
  ]
  for (const path of pages) {
    test(`documentation page ${path}: loads nothing from other origins, all its links work`, async () => {
      const { statusCode, headers, body } = await ask(path)
      assert.equal(statusCode, 200)
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      assert.match(String(headers['content-security-policy']), /^default-src 'none';.*frame-ancestors 'none'/)
      assert.doesNotMatch(String(headers['content-security-policy']), /unsafe|https?:|\*/)
      assert.match(body, /<html lang="en">/)
      assert.equal(body.match(/<h1>/g)?.length, 1)
      assert.doesNotMatch(body, / (style|on[a-z]+)="|<style|<script(?! type="module" src="\/docs)|\{\{\w+\}\}/)
      const targets = [...body.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, target]) => target!)
      for (const target of new Set(targets.filter((one) => !one.startsWith('#')))) {
        assert.match(target, /^\/(docs(\/|$)|console\/$)/)
        assert.equal((await ask(target)).statusCode, 200, `${target} of ${path}`)
      }
    })
  }

  test('documentation navigation: lists every page and marks the current one', async () => {
    for (const name of pageNames) {
      const { body } = await ask(`/docs/${name}`)
      assert.ok(body.includes(`<a href="/docs/${name}/" aria-current="page">`), name)
    }
  })

  test('documentation scripts: come from this server; only the page of operations draws operations', async () => {
    for (const path of pages) {
      const { headers, body } = await ask(path)
      assert.match(String(headers['content-security-policy']), /; script-src 'self'; connect-src 'self';/)
      const scripts = [...body.matchAll(/<script type="module" src="([^"]+)"/g)].map(([, source]) => source)
      const drawing = path === '/docs/api' ? ['/docs/assets/reference.js'] : []
      assert.deepEqual(scripts, ['/docs/assets/site.js', ...drawing], path)
    }
  })

  test('documentation index: every entry leads to an element of a page', async () => {
    const entries: { title: string; url: string; text: string }[] = (await ask('/docs/assets/search.json')).json()
    const bodies = new Map<string, string>()
    for (const { url, title } of entries) {
      const [path, id] = url.split('#')
      if (!bodies.has(path!)) bodies.set(path!, (await ask(`/docs/${path}`)).body)
      if (id !== undefined) assert.ok(bodies.get(path!)!.includes(` id="${id}"`), `${url} ${title}`)
      assert.doesNotMatch(title, /[<>]|^$/)
    }
    assert.ok(entries.some(({ url }) => url === 'api/#getSelf'))
    const titles: object[] = (await ask('/docs/assets/pages.json')).json()
    for (const title of [
      { title: 'Install', section: 'Start', url: 'install/' },
      { title: 'Containers', section: 'Install', url: 'install/#containers' },
      { title: 'The version parameter is missing', section: 'Interface', url: 'errors/version-missing/' },
    ])
      assert.ok(
        titles.some((one) => JSON.stringify(one) === JSON.stringify(title)),
        title.url,
      )
  })

  test('an error page: explains the code and what to do', async () => {
    const { body } = await ask('/docs/errors/version-missing')
    assert.match(body, /<h1>The version parameter is missing<\/h1>/)
    assert.match(body, /400 Bad Request/)
    assert.match(body, /Add <code>\?version=YYYY-MM-DD<\/code>/)
  })

  test('links.about of an error: leads to the page of its code', async () => {
    const refusal = await app.call('GET', '/rest/self', { key: null })
    const about = new URL(refusal.json().errors[0].links.about)
    assert.equal(about.origin, 'https://gate.example')
    assert.match((await ask(about.pathname)).body, /<code>unauthenticated<\/code>/)
  })

  test('error pages: explain every status that a code has', () => {
    const statuses = new Set(Object.values(problemCodes).map(({ status }) => status))
    assert.deepEqual(
      [...statuses].filter((status) => statusMeanings[status] === undefined),
      [],
    )
  })

  test('guides: quote the settings of this server', async () => {
    assert.match((await ask('/docs/limits')).body, /5000 requests per minute/)
    assert.match((await ask('/docs/authentication')).body, /https:\/\/gate\.example\/rest\/self/)
  })

  const missing = [
    '/docs/errors/nothing',
    '/docs/errors/toString',
    '/docs/nothing',
    '/docs/assets/nothing.js',
    '/docs/operations/nothing.json',
    '/docs/operations/toString',
    '/docs/a/b',
    `/docs/${'a'.repeat(256)}`,
    `/docs/${'a/'.repeat(2_100)}`,
    `/docs/assets/${'a'.repeat(256)}.js`,
    '/docs/assets/%2e%2e%2findex.html',
    '/docs/..%2f..%2fpackage.json',
    '/docs/authentication/index.html',
  ]
  for (const path of missing) {
    test(`documentation: ${path} returns the 404 page`, async () => {
      const { statusCode, headers, body } = await ask(path)
      assert.equal(statusCode, 404)
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      assert.match(body, /Page not found/)
    })
  }

  test('page of operations: lists each operation closed and does not load the renderer yet', async () => {
    const { body } = await ask('/docs/api')
    const document = (await ask('/docs/openapi.json')).json()
    const ids = operationsOf(document).map(({ operation }) => operation.operationId)
    for (const id of ids) assert.ok(body.includes(`<details class="operation" id="${id}">`), id)
    assert.equal(body.match(/<details class="operation"/g)?.length, ids.length)
    assert.doesNotMatch(body, /swagger-ui/)
  })

  test('document of one operation: contains only that operation and what it refers to', async () => {
    const document = (await ask('/docs/operations/getSelf.json')).json()
    assert.deepEqual(Object.keys(document.paths), ['/rest/self'])
    assert.ok(document.components.schemas.SelfDocument)
    assert.equal(document.components.schemas.App, undefined)
    const { valid, errors } = await new Validator().validate(document)
    assert.ok(valid, JSON.stringify(errors))
  })

  test('/docs/openapi.json: describes the whole interface at the public base URL', async () => {
    const document = (await ask('/docs/openapi.json')).json()
    assert.deepEqual(document.servers, [{ url: 'https://gate.example' }])
    assert.ok(document.paths['/healthz'])
    assert.ok(document.paths['/rest/self'])
  })

  test('fillServerFacts: escapes HTML and leaves unknown placeholders', async () => {
    const facts = {
      baseUrl: 'https://gate.example/<b>',
      rateLimitPerMinute: 0,
      failedSecretsPerMinute: 0,
      bodyLimitBytes: 512,
    }
    assert.equal(
      fillServerFacts('<p>{{baseUrl}} {{bodyLimit}} {{other}}</p>', facts),
      '<p>https://gate.example/&lt;b&gt; 0.5 KiB {{other}}</p>',
    )
  })

  const files: [name: string, type: string][] = [
    ['/assets/pages.css', 'text/css; charset=utf-8'],
    ['/assets/icon.svg', 'image/svg+xml'],
    ['/docs/authentication', 'text/html; charset=utf-8'],
    ['/docs/assets/pages.css', 'text/css; charset=utf-8'],
    ['/docs/assets/docs.css', 'text/css; charset=utf-8'],
    ['/docs/assets/reference.css', 'text/css; charset=utf-8'],
    ['/docs/assets/reference.js', 'text/javascript; charset=utf-8'],
    ['/docs/assets/site.js', 'text/javascript; charset=utf-8'],
    ['/docs/assets/pages.json', 'application/json'],
    ['/docs/assets/issues.webp', 'image/webp'],
    ['/docs/assets/swagger-ui.css', 'text/css; charset=utf-8'],
    ['/docs/assets/swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ]
  for (const [path, type] of files) {
    test(`${path}: has its media type; a matching If-None-Match gets 304`, async () => {
      const first = await ask(path)
      assert.equal(first.statusCode, 200)
      assert.equal(first.headers['content-type'], type)
      const again = await app.call('GET', path, {
        key: null,
        headers: { 'if-none-match': String(first.headers['etag']) },
      })
      assert.equal(again.statusCode, 304)
    })
  }
})

test('documentation without a build: pages return 503 and name the command, openapi.json is served', async () => {
  const services = { config: readConfig({}), log: pino({ level: 'silent' }), baseUrl: 'http://127.0.0.1' }
  const server = await createServer(services as Services, createBodyReader(services.config).memory)
  collectRoutes(server)
  documentationSite(server, services, join(tmpdir(), 'gatehouse-no-such-documentation'))
  for (const path of ['/docs', '/docs/limits']) {
    const { statusCode, body } = await server.inject(path)
    assert.equal(statusCode, 503)
    assert.match(body, /npm run build:docs/)
  }
  assert.equal((await server.inject('/docs/openapi.json')).statusCode, 200)
  await server.close()
})
