import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { install, installsOf } from '#test/access/apps.ts'
import {
  addClient,
  basic,
  type Client,
  codeFor,
  inForm,
  publicApp,
  refresh,
  refused,
  sendForm,
  tokensFor,
} from '#test/access/oauth.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

const FORM = 'application/x-www-form-urlencoded'

onAnyEngine('refusals of the token endpoint', (engine) => {
  let app: TestApp
  let client: Client
  let native: Client
  let installed: Client
  before(async () => {
    app = await startApp(engine)
    client = await addClient(app)
    native = await addClient(app, publicApp)
    installed = { ...(await install(app, installsOf(app.orgId))), redirectUri: '' }
  })
  after(() => app.close())

  const cases: [title: string, answer: [status: number, error: string], form: () => Record<string, string>][] = [
    ['a missing grant type', [400, 'invalid_request'], () => inForm(client)],
    ['an empty grant type', [400, 'invalid_request'], () => ({ grant_type: '', ...inForm(client) })],
    [
      'passwords of users',
      [400, 'unsupported_grant_type'],
      () => ({ grant_type: 'password', username: 'a', password: 'b', ...inForm(client) }),
    ],
    ['an unknown grant type', [400, 'unsupported_grant_type'], () => ({ grant_type: 'urn:x', ...inForm(client) })],
    [
      'a code grant without a code',
      [400, 'invalid_request'],
      () => ({ grant_type: 'authorization_code', ...inForm(client) }),
    ],
    [
      'an unknown code',
      [400, 'invalid_grant'],
      () => ({ grant_type: 'authorization_code', code: 'x', redirect_uri: client.redirectUri, ...inForm(client) }),
    ],
    [
      'an unknown code without a redirect URI',
      [400, 'invalid_grant'],
      () => ({ grant_type: 'authorization_code', code: 'x', ...inForm(client) }),
    ],
    [
      'a refresh without a refresh token',
      [400, 'invalid_request'],
      () => ({ grant_type: 'refresh_token', ...inForm(client) }),
    ],
    [
      'an unknown refresh token',
      [400, 'invalid_grant'],
      () => ({ grant_type: 'refresh_token', refresh_token: 'x', ...inForm(client) }),
    ],
    [
      'client credentials of an app that users authorize',
      [400, 'unauthorized_client'],
      () => ({ grant_type: 'client_credentials', ...inForm(client) }),
    ],
    [
      'client credentials of a public app',
      [400, 'unauthorized_client'],
      () => ({ grant_type: 'client_credentials', ...inForm(native) }),
    ],
    [
      'a code from an install',
      [400, 'unauthorized_client'],
      () => ({ grant_type: 'authorization_code', code: 'x', ...inForm(installed) }),
    ],
    [
      'a refresh token from an install',
      [400, 'unauthorized_client'],
      () => ({ grant_type: 'refresh_token', refresh_token: 'x', ...inForm(installed) }),
    ],
    [
      'scopes that an install does not have',
      [400, 'invalid_scope'],
      () => ({ grant_type: 'client_credentials', scope: 'org.edit', ...inForm(installed) }),
    ],
    [
      'malformed scopes',
      [400, 'invalid_scope'],
      () => ({ grant_type: 'client_credentials', scope: 'org.read "', ...inForm(installed) }),
    ],
  ]
  for (const [title, [status, error], form] of cases) {
    test(`token endpoint: refuses ${title} (${error})`, async () =>
      refused(await sendForm(app, 'token', form()), status, error))
  }

  test('error_uri of each refusal: leads to a page of this server', async () => {
    const answers = await Promise.all(cases.map(([, , form]) => sendForm(app, 'token', form())))
    answers.push(await sendForm(app, 'token', { grant_type: 'client_credentials', client_id: 'x', client_secret: 'y' }))
    const uris = new Set(answers.map((answer): string => answer.json().error_uri))
    assert.equal(uris.size, 6)
    for (const uri of uris) {
      assert.ok(uri.startsWith(`${app.parts.services.baseUrl}/docs/errors/`), uri)
      const page = await app.server.inject({ method: 'GET', url: new URL(uri).pathname })
      assert.deepEqual([page.statusCode, page.headers['content-type']], [200, 'text/html; charset=utf-8'], uri)
    }
  })

  describe('grants of another client', () => {
    test('code of another client: refused exactly like an unknown one (invalid_grant)', async () => {
      const { form } = await codeFor(app, client)
      const other = await addClient(app, { redirect_uris: [client.redirectUri] })
      const { redirect_uri, ...bare } = { ...form, ...inForm(other) }
      for (const stolen of [bare, { ...bare, redirect_uri: redirect_uri! }]) {
        const foreign = await sendForm(app, 'token', stolen)
        refused(foreign, 400, 'invalid_grant')
        assert.equal(foreign.body, (await sendForm(app, 'token', { ...stolen, code: 'x' })).body)
      }
    })

    test('refresh token of another client: refused exactly like an unknown one (invalid_grant)', async () => {
      const { refresh_token } = await tokensFor(app, client)
      const other = await addClient(app)
      const foreign = await refresh(app, other, refresh_token)
      refused(foreign, 400, 'invalid_grant')
      assert.equal(foreign.body, (await refresh(app, other, 'x')).body)
    })
  })

  test('parameter sent twice to the token endpoint: refused by name (invalid_request)', async () => {
    for (const name of ['grant_type', 'client_id', 'client_secret', 'scope']) {
      const form: [string, string][] = Object.entries({
        grant_type: 'client_credentials',
        scope: 'org.read',
        ...inForm(installed),
      })
      const twice = form.filter(([one]) => one === name)
      const answer = await sendForm(app, 'token', [...form, ...twice])
      refused(answer, 400, 'invalid_request')
      assert.equal(answer.json().error_description, `${name} was sent more than once`)
    }
  })

  describe('bodies that are not forms', () => {
    const form = 'grant_type=client_credentials'
    const others: [title: string, status: number, request: InjectOptions][] = [
      [
        'JSON',
        415,
        { headers: { 'content-type': 'application/json' }, payload: '{"grant_type":"client_credentials"}' },
      ],
      ['a multipart form', 415, { headers: { 'content-type': 'multipart/form-data; boundary=x' }, payload: '--x--' }],
      ['an empty body', 400, {}],
      ['an empty form', 400, { headers: { 'content-type': FORM }, payload: '' }],
      ['text that is not UTF-8', 400, { headers: { 'content-type': FORM }, payload: Buffer.from([0x61, 0x3d, 0xff]) }],
      ['a compressed form', 415, { headers: { 'content-type': FORM, 'content-encoding': 'gzip' }, payload: form }],
      ['a form of 100,000 characters', 413, { headers: { 'content-type': FORM }, payload: `x=${'a'.repeat(100_000)}` }],
    ]
    for (const [title, status, request] of others) {
      test(`token endpoint: refuses ${title} (${status})`, async () => {
        const answer = await app.server.inject({ method: 'POST', url: '/oauth2/token', ...request })
        refused(answer, status, 'invalid_request')
      })
    }

    test('token endpoint: ignores parameters in the URL (400) and refuses GET (405)', async () => {
      const url = `/oauth2/token?${new URLSearchParams({ grant_type: 'client_credentials', ...inForm(installed) })}`
      refused(await app.server.inject({ method: 'POST', url }), 400, 'invalid_request')
      const get = await app.server.inject({ method: 'GET', url })
      refused(get, 405, 'invalid_request')
      assert.equal(get.headers['allow'], 'POST')
    })
  })

  test('refusals of the token endpoint: contain and log no secret', async () => {
    const { clientId, secret } = installed
    const answer = await sendForm(
      app,
      'token',
      { grant_type: 'refresh_token', refresh_token: 'gate_rt_x' },
      basic(clientId, secret!),
    )
    assert.ok(!answer.body.includes('gate_rt_x'))
    assert.ok(!app.log().includes(secret!) && !app.log().includes('gate_rt_x'))
  })
})
