import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { Validator } from '@seriousme/openapi-schema-validator'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { operationsOf } from './openapi-document.ts'

describe('the OpenAPI documents of the REST interface', () => {
  let app: TestApp
  before(async () => {
    app = await startApp('sqlite', { GATEHOUSE_BASE_URL: 'https://gate.example' })
  })
  after(() => app.close())

  const ask = (path: string, headers: Record<string, string> = {}) =>
    app.call('GET', path, { key: null, query: { version: '-' }, headers })

  test('GET /rest/openapi: lists every release, without credential and version', async () => {
    const answer = await ask('/rest/openapi')
    assert.equal(answer.statusCode, 200)
    assert.match(String(answer.headers['content-type']), /^application\/json/)
    const versions: string[] = answer.json()
    assert.deepEqual(versions, [...new Set(versions)].sort())
    for (const release of ['2022-03-01~experimental', '2023-09-07', '2024-04-22']) assert.ok(versions.includes(release))
  })

  test('GET /rest/openapi: accepts an Accept header with JSON:API, and a version parameter', async () => {
    assert.equal((await ask('/rest/openapi', { accept: 'application/vnd.api+json' })).statusCode, 200)
    assert.equal((await ask('/rest/openapi?version=2024-10-15')).statusCode, 200)
  })

  const versions: [requested: string, served: string][] = [
    ['2024-10-15', '2024-10-15'],
    ['2024-05-01', '2024-04-22'],
    ['beta', '2025-11-05'],
  ]
  for (const [requested, served] of versions) {
    test(`GET /rest/openapi/${requested}: returns valid OpenAPI 3.1 with the operations of that version`, async () => {
      const answer = await ask(`/rest/openapi/${requested}`)
      assert.equal(answer.statusCode, 200)
      assert.match(String(answer.headers['content-type']), /^application\/json/)
      assert.equal(answer.headers['snyk-version-requested'], requested)
      assert.equal(answer.headers['snyk-version-served'], served)
      const document = answer.json()
      assert.equal(document.info.version, served)
      assert.deepEqual(document.servers, [{ url: 'https://gate.example' }])
      assert.equal(document.paths['/rest/self'].get['x-release'], '2024-04-22')
      assert.ok(operationsOf(document).every(({ path }) => path.startsWith('/rest/')))
      const { valid, errors } = await new Validator().validate(document)
      assert.ok(valid, JSON.stringify(errors))
    })
  }

  test('GET /rest/openapi of an old version: omits operations and releases that came later', async () => {
    const document = (await ask('/rest/openapi/2022-09-14~experimental')).json()
    assert.equal(document.paths['/rest/self'].get['x-release'], '2022-09-14~experimental')
    assert.equal(document.paths['/rest/orgs/{org_id}/service_accounts'], undefined)
  })

  const refusals: [why: string, version: string, status: number, code: string, detail: RegExp][] = [
    ['a text that is not a version', 'soon', 400, 'version-invalid', /^Invalid version/],
    ['an unknown stability', '2024-10-15~stable', 400, 'version-invalid', /^Invalid version/],
    ['a version after today', '9999-01-01', 400, 'version-in-future', /^Invalid version/],
    ['a version before the first release', '2001-01-01', 404, 'version-not-found', /^Version not found/],
    ['a version that serves nothing', '2022-03-02', 404, 'version-not-found', /^Version not found/],
  ]
  for (const [why, version, status, code, detail] of refusals) {
    test(`GET /rest/openapi/{version}: refuses ${why}`, async () => {
      const answer = await ask(`/rest/openapi/${version}`)
      assert.equal(answer.statusCode, status, answer.body)
      assert.equal(answer.headers['content-type'], 'application/vnd.api+json')
      const [error] = answer.json().errors
      assert.equal(error.code, code)
      assert.match(error.detail, detail)
      assert.deepEqual(error.source, { parameter: 'version' })
    })
  }

  test('GET /rest/openapi: refuses an Accept header that excludes JSON (406)', async () => {
    assert.equal((await ask('/rest/openapi', { accept: 'text/html' })).statusCode, 406)
  })

  test('GET /rest/openapi/{version}: compressed on request; a matching If-None-Match gets 304', async () => {
    const plain = await ask('/rest/openapi/2024-10-15')
    const zipped = await ask('/rest/openapi/2024-10-15', { 'accept-encoding': 'br, gzip' })
    assert.equal(zipped.headers['content-encoding'], 'gzip')
    assert.equal(gunzipSync(zipped.rawPayload).toString(), plain.body)
    const refused = await ask('/rest/openapi/2024-10-15', { 'accept-encoding': 'gzip;q=0' })
    assert.equal(refused.headers['content-encoding'], undefined)
    const notModified = await ask('/rest/openapi/2024-10-15', { 'if-none-match': String(plain.headers['etag']) })
    assert.equal(notModified.statusCode, 304)
    assert.equal(notModified.body, '')
  })
})
