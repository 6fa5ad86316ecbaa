import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request as send } from 'node:http'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { newAccount, ofOrg } from '#test/access/accounts.ts'
import { filesBody } from '#test/manifests/test-bodies.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'
import { listenAnywhere } from '#test/servers/listening.ts'

const MB = 1024 * 1024
const JSON_TYPE = { 'content-type': 'application/json' }

function pointersOf({ faults }: { faults: readonly { source: { pointer: string } }[] }): string[] {
  return faults.map(({ source }) => source.pointer)
}

interface Opened {
  readonly request: ClientRequest
  /** The status of the answer; undefined when the connection ended without one. */
  readonly status: Promise<number | undefined>
}

onAnyEngine('hostile request bodies', (engine) => {
  let app: TestApp
  let url: string
  before(async () => {
    app = await startApp(engine, {
      bodiesMb: 4,
      bodiesPerClientMb: 2,
      bodySeconds: 2,
    })
    url = await listenAnywhere(app)
  })
  after(() => app.close())

  /** Sends the beginning of a body without its end. */
  function open(path: string, part: string | Buffer, headers: Record<string, string> = {}): Opened {
    const request = send(`${url}${path}`, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, agent: false })
    const status = new Promise<number | undefined>((resolve) => {
      request.once('response', (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
      request.once('error', () => resolve(undefined))
    })
    request.write(part)
    return { request, status }
  }
  const credential = () => ({ authorization: `token ${app.adminKey}` })
  const authorized = (path: string, part: string | Buffer, headers: Record<string, string> = {}) =>
    open(path, part, { ...credential(), ...headers })

  describe('responses before the body is complete', () => {
    const refused: [why: string, path: string, status: number, isKnown: boolean][] = [
      ['an unknown path', '/v1/nothing', 404, false],
      ['an unknown path, with a credential', '/rest/nothing', 404, true],
      ['a wrong method', '/rest/self', 405, true],
      ['no credential', '/v1/test/npm', 401, false],
      ['an unknown path of OAuth', '/oauth2/nothing', 404, false],
      ['a path outside of the interfaces', '/nothing', 404, false],
    ]
    for (const [why, path, status, isKnown] of refused) {
      test(`${why}: ${status} before the body is complete`, async () => {
        const { request, status: answered } = open(path, '[', isKnown ? credential() : {})
        assert.equal(await answered, status)
        request.destroy()
      })
    }

    const judged: [
      why: string,
      path: string,
      part: string | Buffer,
      status: number,
      headers?: Record<string, string>,
    ][] = [
      ['too deep for a test', '/v1/test/npm', '['.repeat(200), 400],
      ['too deep inside of the files', '/v1/test/npm', `{"files":${'['.repeat(200)}`, 400],
      ['too wide without a credential', '/rest/exposed_credentials?version=2024-10-15', `[${'1,'.repeat(1_500)}`, 413],
      ['too wide for a test', '/v1/test/npm', `{"files":[${'[],'.repeat(30_000)}`, 413],
      ['too wide in gzip', '/v1/test/npm', gzipSync(`[${'[],'.repeat(30_000)}`), 413, { 'content-encoding': 'gzip' }],
      ['too wide beside a graph', '/v1/test/dep-graph', `{"other":[${'1,'.repeat(30_000)}`, 413],
      ['too wide for a change', '/rest/orgs/ORG/service_accounts?version=2024-10-15', `[${'1,'.repeat(30_000)}`, 413],
      ['too large for a change', '/rest/orgs/ORG/service_accounts?version=2024-10-15', ' '.repeat(MB + 1), 413],
      [
        'with too many fields for a form',
        '/oauth2/token',
        'a=1&'.repeat(2000),
        413,
        { 'content-type': 'application/x-www-form-urlencoded' },
      ],
    ]
    for (const [why, path, part, status, headers] of judged) {
      test(`a body ${why}: ${status} before it is complete`, async () => {
        const { request, status: answered } = authorized(path.replace('ORG', app.orgId), part, headers)
        assert.equal(await answered, status)
        request.destroy()
      })
    }

    const unread: [why: string, path: string, status: number, headers: Record<string, string>][] = [
      ['without a credential', '/v1/test/npm', 401, {}],
      ['of another type', '/v1/test/npm', 415, { authorization: 'KEY', 'content-type': 'text/plain' }],
      ['too large', '/rest/orgs/ORG/service_accounts?version=2024-10-15', 413, { authorization: 'KEY' }],
      ['of another type for OAuth', '/oauth2/token', 415, { 'content-type': 'text/plain' }],
      ['with an unknown encoding', '/v1/test/npm', 415, { authorization: 'KEY', 'content-encoding': 'br' }],
    ]
    for (const [why, path, status, headers] of unread) {
      test(`a body ${why}, sent to its end by a client that closes: ${status}, and no broken pipe`, async () => {
        const { authorization } = credential()
        const all = { ...headers, ...(headers['authorization'] && { authorization }) }
        const lines = Object.entries({ ...JSON_TYPE, host: 'x', connection: 'close', 'content-length': 2 * MB, ...all })
        const socket = connect(Number(new URL(url).port), '127.0.0.1')
        const answered = once(socket, 'data')
        const write = (part: string) =>
          new Promise<void>((resolve, reject) => socket.write(part, (error) => (error ? reject(error) : resolve())))
        await write(`POST ${path.replace('ORG', app.orgId)} HTTP/1.1\r\n`)
        await write(`${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`)
        for (let part = 0; part < 16; part++) await write(' '.repeat(64 * 1024))
        const [answer] = await answered
        assert.match(String(answer), new RegExp(`^HTTP/1.1 ${status} `))
        for (let part = 0; part < 16; part++) await write(' '.repeat(64 * 1024))
        socket.destroy()
      })
    }

    test('a repeated Authorization or Host header: 400', async () => {
      const { port } = new URL(url)
      for (const repeated of ['Authorization: token a', 'Host: other.example']) {
        const socket = connect(Number(port), '127.0.0.1')
        socket.end(
          `GET /v1/orgs HTTP/1.1\r\nHost: x\r\nAuthorization: token b\r\n${repeated}\r\nConnection: close\r\n\r\n`,
        )
        const answer = (await socket.setEncoding('utf8').toArray()).join('')
        assert.match(answer, /^HTTP\/1\.1 400 /)
        assert.match(answer, /was sent twice/)
      }
    })

    test('a stalled body: 408', async () => {
      const { request, status } = authorized('/v1/test/npm', '{"files":')
      assert.equal(await status, 408)
      request.destroy()
    })
  })

  test('large files are tested, and syntax errors within them are reported at their position', async () => {
    const contents = JSON.stringify({ name: 'p', version: '1.0.0' }).padEnd(1.2 * MB)
    const post = (body: unknown) => app.call('POST', '/v1/test/npm', { body })
    const answer = await post(filesBody(contents))
    assert.equal(answer.statusCode, 200, answer.body)
    const wrong = await post({ files: { target: { contents: 5 }, additional: [{}] } })
    assert.deepEqual(pointersOf(wrong.json()).slice(0, 2), ['/files/target/contents', '/files/additional/0/contents'])
    const broken = await post('{"other":1,"files":{"target":{} oops}}')
    assert.deepEqual([broken.statusCode, broken.json().errorCode], [400, 'body-unreadable'])
    assert.match(broken.json().message, /at character 32\)/)
    const after = await post('{"files":{},"other":1 oops}')
    assert.match(after.json().message, /at character 22\)/)
    const escaped = await post(
      '{"\\u0066iles":{"target":{"contents":"{\\"name\\":\\"p\\",\\"version\\":\\"1.0.0\\"}"}}}',
    )
    assert.equal(escaped.statusCode, 200, escaped.body)
  })

  test('a form field sent thousands of times is refused like one sent twice', async () => {
    const post = (payload: string) =>
      app.server.inject({
        method: 'POST',
        url: '/oauth2/token',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload,
      })
    const answers = await Promise.all([post('grant_type=a&grant_type=b'), post('grant_type=a&'.repeat(999))])
    for (const answer of answers) {
      assert.equal(answer.json().error_description, 'grant_type was sent more than once')
    }
  })

  test('unfinished bodies of one client are limited and free their memory when they end', async () => {
    const part = gzipSync(' '.repeat(1.5 * MB))
      // Without its end the body is not complete.
      .subarray(0, -20)
    const path = '/v1/test/npm'
    const compressed = { 'content-encoding': 'gzip' }
    const first = authorized(path, part, compressed)
    const second = authorized(path, part, compressed)
    assert.equal(await Promise.race([first.status, second.status]), 429)
    const small = await app.call('POST', '/v1/test/npm', { body: filesBody('{"name":"p","version":"1.0.0"}') })
    assert.equal(small.statusCode, 200, small.body)
    first.request.destroy()
    second.request.destroy()
    const body = filesBody('{"name":"p","version":"1.0.0"}'.padEnd(1.5 * MB))
    for (;;) {
      const { statusCode } = await app.call('POST', path, { body })
      if (statusCode === 200) break
      assert.equal(statusCode, 429)
      await sleep(20)
    }
  })

  describe('clients that leave before their body is complete', () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const gzip = { 'content-encoding': 'gzip' }
    const bodies: [what: string, path: string, part: string | Buffer, headers: Record<string, string>][] = [
      ['JSON', '/v1/verify/token', '{"api":', {}],
      ['compressed JSON', '/v1/verify/token', gzipSync('{"api":"x"}').subarray(0, -9), gzip],
      ['an OAuth form', '/oauth2/token', 'grant_type=', form],
      ['the form of a page', '/oauth2/sign-out', 'token=', form],
    ]
    /** Sends a part of the body and leaves; returns what the server logs then. */
    async function leave(path: string, part: string | Buffer, headers: Record<string, string>): Promise<string> {
      const start = app.log().length
      const arrived = once(app.server.server, 'request') as Promise<[IncomingMessage]>
      const { request } = authorized(path, part, headers)
      const [received] = await arrived
      while (received.readableFlowing === null) await sleep(5)
      request.destroy()
      while (!received.destroyed) await sleep(5)
      // A whole request later, the one before is over.
      await app.call('GET', '/healthz')
      return app.log().slice(start)
    }

    for (const [what, path, part, headers] of bodies) {
      test(`a client that leaves while it sends ${what}: no failure of the server is logged`, async () => {
        assert.doesNotMatch(await leave(path, part, headers), /"level":50/)
      })
    }

    test('a client that leaves while it sends JSON: a line says so', async () => {
      assert.match(await leave('/v1/verify/token', '{"api":', {}), /"msg":"the client closed the connection/)
    })

    test('a client that leaves while it sends an archive: nothing is kept and no failure is logged', async () => {
      const attributes = { kind: 'archive', name: 'sent' }
      const body = { data: { type: 'integration', attributes } }
      const made = await app.call('POST', `/rest/orgs/${app.orgId}/integrations`, { body })
      const path = `/rest/orgs/${app.orgId}/integrations/${made.json().data.id}/archives?name=a&version=2024-10-15`
      const headers = { 'content-type': 'application/zip', 'content-length': '1000' }
      assert.doesNotMatch(await leave(path, 'PK\u0003\u0004', headers), /"level":50/)
      const left = () => app.parts.services.db.selectFrom('archives').select('id').execute()
      while ((await left()).length > 0) await sleep(5)
    })
  })

  test('a valid request succeeds after all hostile bodies', async () => {
    const created = await app.call('POST', ofOrg.path(app), { body: newAccount() })
    assert.equal(created.statusCode, 201, created.body)
  })
})
