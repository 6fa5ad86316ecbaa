import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '#foundation/config.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { basePathOf, toOriginForm, withoutBasePath } from './base-path.ts'

test('base path: the path of the public address', () => {
  const paths = ['https://gate.example', 'https://gate.example/inner', 'http://127.0.0.1:7331/a/b'].map(basePathOf)
  assert.deepEqual(paths, ['', '/inner', '/a/b'])
})

describe('paths with and without the base path /inner', () => {
  const read: [url: string, read: string][] = [
    ['/inner/rest/self?x=/inner', '/rest/self?x=/inner'],
    ['/rest/self', '/rest/self'],
    ['/inner', '/'],
    ['/inner?x', '/?x'],
    ['/inner/', '/'],
    ['/innermost/x', '/innermost/x'],
    ['/inner/inner/x', '/inner/x'],
    ['//inner/x', '//inner/x'],
  ]
  for (const [url, expected] of read) {
    test(`${url} is read as ${expected}`, () => assert.equal(withoutBasePath(url, '/inner'), expected))
  }
  test('without a base path, a path stays unchanged', () => assert.equal(withoutBasePath('/inner', ''), '/inner'))
})

describe('request targets', () => {
  const targets: [target: string, path: string][] = [
    ['/rest/self?x=http://a.example/b', '/rest/self?x=http://a.example/b'],
    ['http://a.example/rest/self?x=1', '/rest/self?x=1'],
    ['HTTPS://a.example:8443/inner/x', '/inner/x'],
    ['http://a.example', '/'],
    ['http://a.example?x', '/?x'],
    ['//a.example/x', '//a.example/x'],
    ['*', '*'],
  ]
  for (const [target, path] of targets) {
    test(`request target ${target}: is read as ${path}`, () => assert.equal(toOriginForm(target), path))
  }
})

describe('paths of GATEHOUSE_BASE_URL', () => {
  const read = (url: string) => readConfig({ GATEHOUSE_BASE_URL: url }).baseUrl
  for (const path of ['', '/gatehouse', '/a/b-c_d.e~f', '/restful', '/consoles/x']) {
    test(`GATEHOUSE_BASE_URL accepts the path "${path}"`, () =>
      assert.equal(read(`https://gate.example${path}/`), `https://gate.example${path}`))
  }
  for (const path of ['/rest', '/console/x', '/oauth2', '/.well-known', '/docs/', '/v1/x']) {
    test(`GATEHOUSE_BASE_URL refuses a path that begins with the server's own ${path}`, () =>
      assert.throws(
        () => read(`https://gate.example${path}`),
        /GATEHOUSE_BASE_URL must not have a path that begins like/,
      ))
  }
  for (const path of ['/a b', '/a"b', '/%61', '/a//b', '/a;b']) {
    test(`GATEHOUSE_BASE_URL refuses the malformed path ${path}`, () =>
      assert.throws(() => read(`https://gate.example${path}`), /must have a path of/))
  }
})

describe('a server with a base path', () => {
  let app: TestApp
  before(async () => {
    app = await startApp('sqlite', { GATEHOUSE_BASE_URL: 'https://gate.example/inner' })
  })
  after(() => app.close())

  const pages = [
    '/docs',
    '/docs/errors',
    '/docs/oauth',
    '/docs/webhooks',
    '/docs/nothing',
    '/authenticated',
    '/oauth2/sign-out',
    '/oauth2/authorize',
    '/console/',
    '/oauth2/interactions/x',
  ]
  for (const path of pages) {
    test(`every link of ${path} starts with the base path`, async () => {
      for (const url of [path, `/inner${path}`]) {
        const { body, headers } = await app.server.inject({ url, headers: { accept: 'text/html' } })
        assert.match(String(headers['content-type']), /^text\/html/)
        const links = [...body.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)].map(([, link]) => link!)
        assert.ok(links.length > 0)
        assert.deepEqual(
          links.filter((link) => !/^\/inner\/(?!inner)/.test(link)),
          [],
        )
      }
    })
  }

  test('redirects start with the base path', async () => {
    assert.equal((await app.server.inject('/')).headers.location, '/inner/console/')
    assert.equal((await app.server.inject('/inner')).headers.location, '/inner/console/')
    assert.equal((await app.server.inject('/inner/console?x=1')).headers.location, '/inner/console/?x=1')
  })

  test('cookies have the base path as their path', async () => {
    const query = new URLSearchParams({ response_type: 'code', client_id: 'x' })
    const { headers } = await app.server.inject(`/oauth2/authorize?${query}`)
    for (const line of [headers['set-cookie'] ?? []].flat()) assert.match(line, /path=\/inner/i)
  })

  test('links of v1 pages are absolute URLs with the base path', async () => {
    const answer = await app.call('POST', `/v1/org/${app.orgId}/dependencies`, { body: {} })
    assert.equal(answer.statusCode, 200, answer.body)
    const links = String(answer.headers['link'] ?? '')
    for (const [, url] of links.matchAll(/<([^>]*)>/g))
      assert.ok(url!.startsWith('https://gate.example/inner/v1/'), url)
  })
})
