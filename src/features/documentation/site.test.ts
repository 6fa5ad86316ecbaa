import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { problemCodes } from '#foundation/problem-codes.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { statusMeanings } from './error-pages.ts'
import { guides } from './guides.ts'
import { operationsOf } from './openapi-document.ts'

describe('the documentation site', () => {
  let app: TestApp
  before(async () => {
    app = await startApp('sqlite', {
      GATEHOUSE_BASE_URL: 'https://gate.example',
      GATEHOUSE_RATE_LIMIT_PER_MINUTE: '5000',
    })
  })
  after(() => app.close())

  const ask = (path: string) => app.call('GET', path, { key: null, query: { version: '-' } })

  const pages = [
    '/docs',
    '/docs/errors',
    ...guides.map(({ slug }) => `/docs/${slug}`),
    ...Object.keys(problemCodes).map((code) => `/docs/errors/${code}`),
  ]
  for (const path of pages) {
    test(`${path} is a page that loads nothing from elsewhere and whose links lead somewhere`, async () => {
      const { statusCode, headers, body } = await ask(path)
      assert.equal(statusCode, 200)
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      assert.match(String(headers['content-security-policy']), /^default-src 'none';.*frame-ancestors 'none'/)
      assert.doesNotMatch(String(headers['content-security-policy']), /unsafe|https?:|\*/)
      assert.match(body, /<html lang="en">/)
      assert.equal(body.match(/<h1>/g)?.length, 1)
      assert.doesNotMatch(body, / (style|on[a-z]+)="|<style|<script(?! (defer|type="module") src="\/docs)/)
      const targets = [...body.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, target]) => target!)
      for (const target of new Set(targets.filter((one) => !one.startsWith('#')))) {
        assert.match(target, /^\/(docs|assets|rest\/openapi|oauth2\/jwks)/)
        assert.equal((await ask(target)).statusCode, 200, `${target} of ${path}`)
      }
    })
  }

  test('every guide is in the navigation, and is marked there while it is shown', async () => {
    for (const { slug } of guides) {
      const { body } = await ask(`/docs/${slug}`)
      assert.ok(body.includes(`<a href="/docs/${slug}" aria-current="page">`), slug)
    }
  })

  test('only the page with the operations runs scripts', async () => {
    for (const path of pages.slice(1)) {
      const { headers, body } = await ask(path)
      assert.doesNotMatch(String(headers['content-security-policy']), /script-src/)
      assert.doesNotMatch(body, /<script/)
    }
    const { headers, body } = await ask('/docs')
    assert.match(String(headers['content-security-policy']), /script-src 'self'; connect-src 'self'$/)
    assert.match(body, /assets\/reference\.js/)
  })

  test('an error page says what the code means and what to do', async () => {
    const { body } = await ask('/docs/errors/version-missing')
    assert.match(body, /<h1>The version parameter is missing<\/h1>/)
    assert.match(body, /400 Bad Request/)
    assert.match(body, /Add <code>\?version=YYYY-MM-DD<\/code>/)
  })

  test('the link of a refusal leads to the page of its code', async () => {
    const refusal = await app.call('GET', '/rest/self', { key: null })
    const about = new URL(refusal.json().errors[0].links.about)
    assert.equal(about.origin, 'https://gate.example')
    assert.match((await ask(about.pathname)).body, /<code>unauthenticated<\/code>/)
  })

  test('every status that a code has is explained', () => {
    const statuses = new Set(Object.values(problemCodes).map(({ status }) => status))
    assert.deepEqual(
      [...statuses].filter((status) => statusMeanings[status] === undefined),
      [],
    )
  })

  test('guides quote the settings of this server', async () => {
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
  ]
  for (const path of missing) {
    test(`${path} is no page`, async () => {
      const { statusCode, headers, body } = await ask(path)
      assert.equal(statusCode, 404)
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      assert.match(body, /Page not found/)
    })
  }

  test('a path is shown as text', async () => {
    const { body } = await ask('/docs/errors/%3Cscript%3E')
    assert.doesNotMatch(body, /<script/)
    const raw = await ask(`/docs/"><img src=x>`)
    assert.doesNotMatch(raw.body, /<img/)
  })

  test('the list of operations has each of them closed, and loads no renderer before one is opened', async () => {
    const { body } = await ask('/docs')
    const document = (await ask('/docs/openapi.json')).json()
    const ids = operationsOf(document).map(({ operation }) => operation.operationId)
    for (const id of ids) assert.ok(body.includes(`<details class="operation" id="${id}">`), id)
    assert.equal(body.match(/<details/g)?.length, ids.length)
    assert.doesNotMatch(body, /swagger-ui/)
  })

  test('the document of one operation has what it refers to and nothing else', async () => {
    const document = (await ask('/docs/operations/getSelf.json')).json()
    assert.deepEqual(Object.keys(document.paths), ['/rest/self'])
    assert.ok(document.components.schemas.SelfDocument)
    assert.equal(document.components.schemas.App, undefined)
    const { valid, errors } = await new Validator().validate(document)
    assert.ok(valid, JSON.stringify(errors))
  })

  test('openapi.json is the whole interface at the public address', async () => {
    const document = (await ask('/docs/openapi.json')).json()
    assert.deepEqual(document.servers, [{ url: 'https://gate.example' }])
    assert.ok(document.paths['/healthz'])
    assert.ok(document.paths['/rest/self'])
  })

  const files: [name: string, type: string][] = [
    ['/assets/pages.css', 'text/css; charset=utf-8'],
    ['/assets/icon.svg', 'image/svg+xml'],
    ['/docs/assets/docs.css', 'text/css; charset=utf-8'],
    ['/docs/assets/reference.css', 'text/css; charset=utf-8'],
    ['/docs/assets/reference.js', 'text/javascript; charset=utf-8'],
    ['/docs/assets/swagger-ui.css', 'text/css; charset=utf-8'],
    ['/docs/assets/swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ]
  for (const [path, type] of files) {
    test(`${path} is served with its type and can be revalidated`, async () => {
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
