import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from './api/client.ts'
import { chooseConnection, requireServerUrl } from './connection.ts'
import { toFailure } from './to-failure.ts'

const secret = 'not-a-real-key'

test('connection: the environment gives server, key and organization; --org overrides it', () => {
  const environment = { GATEHOUSE_URL: 'https://gate.example/base/', GATEHOUSE_KEY: secret, GATEHOUSE_ORG: 'shop' }
  assert.deepEqual(chooseConnection(environment, { isInsecure: false }), {
    url: 'https://gate.example/base',
    key: secret,
    org: 'shop',
  })
  assert.equal(chooseConnection(environment, { org: 'other', isInsecure: false }).org, 'other')
})

test('connection: the environment overrides the profile; its key is not sent to another server', () => {
  const profile = { url: 'https://gate.example', key: secret, profile: 'default', org: 'shop' }
  assert.deepEqual(chooseConnection({}, { profile, isInsecure: false }), profile)
  assert.throws(
    () => chooseConnection({ GATEHOUSE_URL: 'https://other.example' }, { profile, isInsecure: false }),
    /No key for https:\/\/other\.example/,
  )
})

test('connection: without a server, the error names GATEHOUSE_URL, and --local where the command has it', () => {
  assert.throws(
    () => chooseConnection({}, { isInsecure: false, hasLocal: true }),
    /GATEHOUSE_URL and GATEHOUSE_KEY, run "gatehouse login", or test with --local\.$/,
  )
  assert.throws(
    () => chooseConnection({}, { isInsecure: false }),
    /GATEHOUSE_URL and GATEHOUSE_KEY, or run "gatehouse login"\.$/,
  )
})

test('connection: plain HTTP is allowed to loopback only, unless --insecure-http is set', () => {
  for (const url of ['http://127.0.0.1:7331', 'http://localhost:7331', 'http://[::1]:7331']) {
    assert.equal(requireServerUrl(url, { isInsecure: false }), url)
  }
  for (const url of ['http://gate.example', 'http://127.0.0.1.example', 'http://10.0.0.1']) {
    assert.throws(() => requireServerUrl(url, { isInsecure: false }), /--insecure-http/)
    assert.equal(requireServerUrl(url, { isInsecure: true }), url)
  }
})

test('connection: errors do not repeat secrets of a refused URL or key', () => {
  const urls = [`https://user:${secret}@gate.example`, `https://gate.example/?key=${secret}`, secret]
  for (const url of urls) {
    assert.throws(
      () => requireServerUrl(url, { isInsecure: false }),
      ({ message }: Error) => !message.includes(secret) && /GATEHOUSE_URL/.test(message),
    )
  }
  assert.throws(
    () => chooseConnection({ GATEHOUSE_URL: 'https://a.example', GATEHOUSE_KEY: `${secret}\n` }, { isInsecure: false }),
    ({ message }: Error) => !message.includes(secret) && /GATEHOUSE_KEY/.test(message),
  )
})

const refusals: [status: number, message: RegExp][] = [
  [401, /does not accept the key.*GATEHOUSE_KEY/],
  [403, /permission.*org\.package\.test/],
  [404, /GATEHOUSE_ORG.*update the server/],
  [413, /too large.*GATEHOUSE_BODY_LIMIT_BYTES/],
  [302, /redirects.*GATEHOUSE_URL/],
  [503, /busy.*later/],
  [500, /HTTP 500/],
]
for (const [status, message] of refusals) {
  test(`status ${status}: the error says what to do and names the request`, () => {
    const error = new ApiError(status, 'code', [{ detail: 'org.package.test is missing' }], 'request-1')
    assert.match(toFailure(error, 'https://gate.example').message, message)
    assert.match(
      toFailure(error, 'https://gate.example').message,
      /org\.package\.test is missing\. Request id: request-1\./,
    )
    assert.match(toFailure(new ApiError(status, 'code', []), 'https://gate.example').message, /\(?\d{3}/)
  })
}

test('name in use: the error asks for another name', () => {
  const error = new ApiError(409, 'name-taken', [{ detail: 'There is already an app named "a" here' }], 'request-1')
  assert.match(
    toFailure(error, 'https://gate.example').message,
    /^The name is in use \(409\)\. Choose another one\. The server says: .*Request id: request-1\.$/,
  )
})

test('unknown operation: the error names the URL, not an id or a permission', () => {
  const error = new ApiError(
    404,
    'route-not-found',
    [{ detail: 'Unknown operation: GET /base/rest/self' }],
    'request-1',
  )
  const { message } = toFailure(error, 'https://gate.example/base')
  assert.match(
    message,
    /^https:\/\/gate\.example\/base has no such operation \(404\)\. Set GATEHOUSE_URL .*update the server/,
  )
  assert.doesNotMatch(message, /visible|GATEHOUSE_ORG/)
})
