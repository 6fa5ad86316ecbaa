import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { newAccount, ofOrg } from '#test/access/accounts.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

const LIMIT_BYTES = 4096
const jsonApi = 'application/vnd.api+json'
type Headers = Record<string, string>

onAnyEngine('API styles of the REST interface', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine, { GATEHOUSE_BODY_LIMIT_BYTES: String(LIMIT_BYTES) })
  })
  after(() => app.close())

  const send = (payload: string | Buffer | Readable, headers: Headers = {}) =>
    app.server.inject({
      method: 'POST',
      url: `${ofOrg.path(app)}?version=2024-10-15`,
      headers: { authorization: `token ${app.adminKey}`, 'content-type': jsonApi, ...headers },
      payload,
    })
  const text = () => JSON.stringify(newAccount())
  const padded = (bytes: number) => text().padEnd(bytes)

  async function refuses(answer: Awaited<ReturnType<typeof send>>, status: number, code: string) {
    assert.equal(answer.statusCode, status, answer.body)
    assert.equal(answer.headers['content-type'], jsonApi)
    assert.equal(answer.json().errors[0].code, code)
  }

  describe('request bodies', () => {
    const taken: [why: string, payload: () => string | Buffer, headers?: Headers][] = [
      ['as JSON:API', text],
      ['as JSON:API with a charset', text, { 'content-type': 'Application/vnd.API+json; charset=UTF-8' }],
      ['as plain JSON', text, { 'content-type': 'application/json' }],
      ['with a byte order mark', () => `\ufeff${text()}`],
      ['in gzip', () => gzipSync(text()), { 'content-encoding': 'gzip' }],
      ['in gzip by its old name', () => gzipSync(text()), { 'content-encoding': 'X-GZIP' }],
      ['in identity', text, { 'content-encoding': 'identity' }],
      ['of exactly the limit', () => padded(LIMIT_BYTES)],
      ['of exactly the limit in gzip', () => gzipSync(padded(LIMIT_BYTES)), { 'content-encoding': 'gzip' }],
    ]
    for (const [why, payload, headers] of taken) {
      test(`a body is accepted ${why}`, async () => {
        const answer = await send(payload(), headers)
        assert.equal(answer.statusCode, 201, answer.body)
      })
    }

    test('a chunked body, cut within characters, is read completely', async () => {
      const bytes = Buffer.from(JSON.stringify(newAccount({ name: `grüße ${Date.now()} 日本` })))
      const pieces = Array.from(bytes, (_, index) => bytes.subarray(index, index + 1))
      const answer = await send(Readable.from(pieces), { 'transfer-encoding': 'chunked' })
      assert.equal(answer.statusCode, 201, answer.body)
      assert.match(answer.json().data.attributes.name, /^grüße \d+ 日本$/)
    })

    const refused: [why: string, status: number, code: string, payload: () => string | Buffer | Readable, Headers?][] =
      [
        ['one byte over the limit', 413, 'too-large', () => padded(LIMIT_BYTES + 1)],
        [
          'over the limit without a length',
          413,
          'too-large',
          () => Readable.from([padded(LIMIT_BYTES), 'x'].map((s) => Buffer.from(s))),
        ],
        [
          'over the limit once decompressed',
          413,
          'too-large',
          () => gzipSync(padded(LIMIT_BYTES + 1)),
          { 'content-encoding': 'gzip' },
        ],
        [
          '3 MB once decompressed, tiny in gzip',
          413,
          'too-large',
          () => gzipSync(Buffer.alloc(3_000_000, 0x20)),
          { 'content-encoding': 'gzip' },
        ],
        ['no gzip despite its Content-Encoding', 400, 'body-unreadable', text, { 'content-encoding': 'gzip' }],
        [
          'truncated gzip',
          400,
          'body-unreadable',
          () => gzipSync(text()).subarray(0, -9),
          { 'content-encoding': 'gzip' },
        ],
        ['in brotli', 415, 'unsupported-media-type', text, { 'content-encoding': 'br' }],
        ['in gzip twice', 415, 'unsupported-media-type', text, { 'content-encoding': 'gzip, gzip' }],
        ['as text', 415, 'unsupported-media-type', text, { 'content-type': 'text/plain' }],
        ['as XML', 415, 'unsupported-media-type', text, { 'content-type': 'application/xml' }],
        [
          'as a form',
          415,
          'unsupported-media-type',
          () => 'a=b',
          { 'content-type': 'application/x-www-form-urlencoded' },
        ],
        ['without a media type', 415, 'unsupported-media-type', text, { 'content-type': '' }],
        ['with a malformed media type', 415, 'unsupported-media-type', text, { 'content-type': 'json' }],
        ['truncated JSON', 400, 'body-unreadable', () => text().slice(0, -1)],
        ['with text after the JSON value', 400, 'body-unreadable', () => `${text()}]`],
        ['with comments', 400, 'body-unreadable', () => `/* ci */${text()}`],
        ['only spaces', 400, 'body-unreadable', () => '   '],
        ['in Latin-1', 400, 'body-unreadable', () => Buffer.from(JSON.stringify(newAccount({ name: 'ä' })), 'latin1')],
        ['in UTF-16', 400, 'body-unreadable', () => Buffer.from(text(), 'utf16le')],
        ['with a member __proto__', 400, 'body-unreadable', () => '{"__proto__":{"data":{}}}'],
        ['with a member constructor', 400, 'body-unreadable', () => '{"constructor":{"prototype":{}}}'],
        ['nested 2,000 levels deep', 400, 'invalid-request', () => `${'['.repeat(2000)}${']'.repeat(2000)}`],
      ]
    for (const [why, status, code, payload, headers] of refused) {
      test(`a body is refused with ${status}: ${why}`, async () =>
        refuses(await send(payload(), headers), status, code))
    }

    test('refused bodies leave no property on Object.prototype; the next request succeeds', async () => {
      const answer = await send(text())
      assert.equal(answer.statusCode, 201)
      assert.equal(({} as { data?: unknown }).data, undefined)
    })
  })

  describe('empty bodies with a content type, as existing clients send them', () => {
    for (const type of [jsonApi, 'application/json', 'text/plain']) {
      test(`an empty body of type ${type} counts as no body`, async () => {
        const created = (await send(text())).json().data
        const path = `${ofOrg.path(app)}/${created.id}`
        const headers = { 'content-type': type, 'content-length': '0' }
        assert.equal((await app.call('GET', path, { headers })).statusCode, 200)
        await refuses(await app.call('PATCH', path, { headers }), 400, 'invalid-request')
        await refuses(await app.call('POST', ofOrg.path(app), { headers }), 400, 'invalid-request')
        assert.equal((await app.call('DELETE', path, { headers })).statusCode, 204)
      })
    }
  })

  describe('the Accept header', () => {
    const self = (accept: string) => app.call('GET', '/rest/self', { headers: { accept } })
    for (const accept of [
      '',
      '*/*',
      'application/*',
      jsonApi,
      'application/json',
      'Application/JSON; charset=utf-8',
      'text/html, application/json;q=0.1',
      'text/html,*/*;q=0.8',
    ]) {
      test(`Accept "${accept}": the response is JSON:API`, async () => {
        const answer = await self(accept)
        assert.deepEqual([answer.statusCode, answer.headers['content-type']], [200, jsonApi])
      })
    }
    for (const accept of [
      'text/html',
      'application/xml, text/*',
      `${jsonApi};q=0`,
      'application/json; q=0.000',
      'json',
    ]) {
      test(`Accept "${accept}": refused with 406`, async () => refuses(await self(accept), 406, 'not-acceptable'))
    }
  })

  describe('request ids', () => {
    const idFor = async (sent?: string) => {
      const headers = sent === undefined ? {} : { 'snyk-request-id': sent }
      return String((await app.call('GET', '/rest/self', { key: null, headers })).headers['snyk-request-id'])
    }
    test('a plain Snyk-Request-Id of the caller is kept', async () => {
      for (const id of ['4a18d42f-0706-4ad0-b127-24078731fbed', 'build:17.3_x', 'x'.repeat(128)]) {
        assert.equal(await idFor(id), id)
      }
    })
    test('a missing, long or malformed Snyk-Request-Id is replaced by a new UUID', async () => {
      const ids = [await idFor(), await idFor(), await idFor('x'.repeat(129)), await idFor('a b'), await idFor('<i>')]
      for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f-]{27}$/)
      assert.equal(new Set(ids).size, ids.length)
    })
  })
})
