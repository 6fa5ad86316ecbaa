import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { LightMyRequestResponse } from 'fastify'
import { authorize, basic, claimsOf, granted, isAccepted, refused, sendForm, type Tokens } from '#test/access/oauth.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'
import { program, programEnvironment } from '#test/servers/program.ts'

/** The client id built into existing clients. */
const CLI_CLIENT = 'b56d4c2e-b9e1-4d27-8773-ad47eafb0956'
const CLI_PORTS = [8080, 18081, 28082, 38083, 48084]
const BROKER_APP = 'cb43d761-bd17-4b44-9b6c-e5b8ad077d33'
const BROKER_VERSION = '2024-05-31'

const jsonApi = { 'content-type': 'application/vnd.api+json' }

/** Requests of published clients, in their order. */
onAnyEngine('existing OAuth clients', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  /** Creates the app by the administrator's command. */
  async function createApp(...args: string[]): Promise<void> {
    await promisify(execFile)(process.execPath, [program.main, 'admin', 'create-app', ...args], {
      env: {
        ...programEnvironment,
        GATEHOUSE_DATA_DIR: app.parts.services.config.dataDir,
        ...(app.databaseUrl !== undefined && { DATABASE_URL: app.databaseUrl }),
      },
    })
  }

  const send = (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    { authorization = `token ${app.adminKey}`, headers = {}, body }: Sent = {},
  ): Promise<LightMyRequestResponse> =>
    app.server.inject({
      method,
      url,
      headers: { authorization, ...headers },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    })

  interface Sent {
    readonly authorization?: string
    readonly headers?: Record<string, string>
    readonly body?: object
  }

  describe('the command-line client with a built-in client id and no secret', () => {
    before(() =>
      createApp(
        ...['--name', 'CLI', '--public-client', '--public', '--client-id', CLI_CLIENT],
        ...['--scope', 'org.read', '--scope', 'org.project.read'],
        ...CLI_PORTS.flatMap((port) => ['--redirect-uri', `http://127.0.0.1:${port}/authorization-code/callback`]),
      ),
    )

    /** Requests as the client does: HTTP Basic with an empty secret, then the form if that is refused. */
    const ask = async (form: Record<string, string>) => {
      const first = await sendForm(app, 'token', form, basic(CLI_CLIENT, ''))
      return first.statusCode < 300 ? first : sendForm(app, 'token', { ...form, client_id: CLI_CLIENT })
    }

    async function logIn(port: number): Promise<Tokens> {
      const verifier = randomBytes(96).toString('base64url')
      assert.equal(verifier.length, 128)
      const redirect_uri = `http://127.0.0.1:${port}/authorization-code/callback`
      const state = randomBytes(15).toString('hex')
      const answered = await authorize(
        app,
        { appId: '', clientId: CLI_CLIENT, secret: undefined, redirectUri: '' },
        {
          parameters: {
            access_type: 'offline',
            code_challenge: createHash('sha256').update(verifier).digest('base64url'),
            code_challenge_method: 'S256',
            redirect_uri,
            scope: 'offline_access',
            state,
            version: '2021-08-11~experimental',
            utm_medium: 'cli',
            utm_source: 'cli',
            cross_region_routing: 'true',
          },
        },
      )
      assert.equal(`${answered.origin}${answered.pathname}`, redirect_uri)
      assert.equal(answered.searchParams.get('state'), state)
      const code = answered.searchParams.get('code')!
      return granted(await ask({ grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri }))
    }

    for (const port of CLI_PORTS) {
      test(`command-line client: logs in through port ${port}`, async () => {
        const tokens = await logIn(port)
        assert.equal(tokens.token_type, 'bearer')
        assert.equal(tokens.scope, 'org.read org.project.read')
        // It takes the address of the API from the token.
        assert.deepEqual(claimsOf(tokens.access_token)['aud'], [app.parts.services.baseUrl])
      })
    }

    test('command-line client: reads its user and organizations, refreshes, and gets 401 for a wrong token', async () => {
      const first = await logIn(CLI_PORTS[0]!)
      const as = ({ access_token }: Tokens) => ({
        authorization: `Bearer ${access_token}`,
        headers: { 'session-token': `Bearer ${access_token}`, 'snyk-request-id': 'cli-1', 'snyk-interaction-id': 'x' },
      })
      const self = await send('GET', '/rest/self?version=2022-08-12~experimental', as(first))
      assert.equal(self.statusCode, 200, self.body)
      assert.equal(self.headers['snyk-request-id'], 'cli-1')
      assert.equal(self.json().data.attributes.default_org_context, app.orgId)
      const orgs = await send('GET', '/rest/orgs?version=2024-04-22', as(first))
      assert.deepEqual(
        orgs.json().data.map(({ id }: { id: string }) => id),
        [app.orgId],
      )
      const second = granted(await ask({ grant_type: 'refresh_token', refresh_token: first.refresh_token }))
      assert.ok(await isAccepted(app, second.access_token))
      refused(await ask({ grant_type: 'refresh_token', refresh_token: 'x' }), 400, 'invalid_grant')
      const wrong = await send('GET', '/rest/self?version=2024-04-22', { authorization: 'Bearer x.y.z' })
      assert.deepEqual([wrong.statusCode, wrong.json().errors[0].status], [401, '401'])
      const closing = await app.server.inject({ method: 'GET', url: '/authenticated?type=oauth' })
      assert.equal(closing.statusCode, 200)
    })

    test('command-line client: registers an app with a flat body', async () => {
      const answer = await send('POST', `/rest/orgs/${app.orgId}/apps?version=2022-03-11~experimental`, {
        headers: jsonApi,
        body: { name: 'From the CLI', redirect_uris: ['https://app.example/callback'], scopes: ['org.read'] },
      })
      assert.equal(answer.statusCode, 201, answer.body)
      const { id, attributes } = answer.json().data
      assert.ok(id)
      assert.deepEqual(
        { ...attributes, client_id: '', client_secret: '' },
        {
          ...attributes,
          name: 'From the CLI',
          client_id: '',
          redirect_uris: ['https://app.example/callback'],
          scopes: ['org.read'],
          is_public: false,
          client_secret: '',
          access_token_ttl_seconds: 3600,
        },
      )
    })
  })

  /** A service account created like administrators' tools do: with a role that they looked up. */
  async function serviceAccount(attributes: Record<string, unknown> = {}): Promise<Record<string, string>> {
    const roles = await send('GET', `/v1/group/${app.groupId}/roles`, { authorization: `Token ${app.adminKey}` })
    const { publicId } = roles.json().find(({ name }: { name: string }) => name === 'Group Viewer')
    const answer = await send('POST', `/rest/groups/${app.groupId}/service_accounts?version=2023-09-07`, {
      headers: jsonApi,
      body: {
        data: {
          type: 'service_account',
          attributes: { name: randomUUID(), auth_type: 'oauth_client_secret', role_id: publicId, ...attributes },
        },
      },
    })
    assert.equal(answer.statusCode, 201, answer.body)
    const { id, attributes: shown } = answer.json().data
    return { id, ...shown }
  }

  describe('clients with client credentials', () => {
    test('client credentials: HTTP Basic with form-encoded parts works', async () => {
      const { client_id, client_secret } = await serviceAccount({ access_token_ttl_seconds: 3600 })
      const headers = basic(client_id!, client_secret!)
      const answer = await sendForm(app, 'token', { grant_type: 'client_credentials' }, headers)
      const tokens = granted(answer)
      assert.ok(await isAccepted(app, tokens.access_token))
      assert.deepEqual([tokens.refresh_token, tokens.refresh_expires_in], [undefined, undefined])
    })

    test('client credentials: failed attempts with HTTP Basic do not lock out a valid one', async () => {
      const { client_id, client_secret } = await serviceAccount()
      const form = { grant_type: 'client_credentials' }
      for (let tries = 0; tries < 20; tries++) {
        refused(await sendForm(app, 'token', form, basic(client_id!, `not ${client_secret}`)), 401, 'invalid_client')
      }
      granted(await sendForm(app, 'token', { ...form, client_id: client_id!, client_secret: client_secret! }))
    })

    test('client credentials in the form, as the broker sends them after checking the API, work', async () => {
      assert.equal((await app.server.inject({ method: 'GET', url: '/rest/openapi' })).statusCode, 200)
      const { client_id, client_secret } = await serviceAccount()
      const form = { grant_type: 'client_credentials', client_id: client_id!, client_secret: client_secret! }
      const { access_token, token_type, expires_in } = granted(await sendForm(app, 'token', form))
      assert.ok(expires_in > 0)
      const self = await send('GET', '/rest/self?version=2024-10-15', {
        authorization: `${token_type} ${access_token}`,
      })
      assert.equal(self.json().data.type, 'service_account')
    })
  })

  describe("the broker's configuration tool, which installs an app by its id", () => {
    before(() =>
      createApp('--name', 'Broker', '--unattended', '--public', '--scope', 'org.read', '--app-id', BROKER_APP),
    )

    const installs = () => `/rest/orgs/${app.orgId}/apps/installs`
    const at = `?version=${BROKER_VERSION}`
    const headers = { ...jsonApi, 'snyk-request-id': 'broker-1', 'snyk-interaction-id': 'x' }
    const body = (id: string) => ({
      data: { type: 'app_install' },
      relationships: { app: { data: { id, type: 'app' } } },
    })

    const installsOfBroker = async () => {
      const { data }: { data: Listed[] } = (await send('GET', `${installs()}${at}`, { headers })).json()
      return data.filter(({ relationships }) => relationships.app.data.id === BROKER_APP).map(({ id }) => id)
    }

    interface Listed {
      readonly id: string
      readonly relationships: { readonly app: { readonly data: { readonly id: string } } }
    }

    test('broker tool: finds its app not installed, installs it, rotates its secret, and acts with it', async () => {
      assert.equal((await send('GET', `/rest/self${at}`, { headers })).statusCode, 200)
      assert.deepEqual(await installsOfBroker(), [])
      const made = await send('POST', `${installs()}${at}`, { headers, body: body(BROKER_APP) })
      assert.equal(made.statusCode, 201, made.body)
      const { id, attributes } = made.json().data
      assert.ok(attributes.client_id && attributes.client_secret)
      assert.deepEqual(await installsOfBroker(), [id])

      const renewed = await send('POST', `${installs()}/${id}/secrets${at}`, {
        headers,
        body: { data: { type: 'app', attributes: { mode: 'replace' } } },
      })
      assert.equal(renewed.statusCode, 200, renewed.body)
      const { client_id, client_secret } = renewed.json().data.attributes
      assert.equal(client_id, attributes.client_id)
      const form = { grant_type: 'client_credentials', client_id }
      refused(await sendForm(app, 'token', { ...form, client_secret: attributes.client_secret }), 401, 'invalid_client')
      const tokens = granted(await sendForm(app, 'token', { ...form, client_secret }))
      assert.equal(tokens.bot_id, id)
      assert.ok(await isAccepted(app, tokens.access_token))
      const again = await send('POST', `${installs()}${at}`, { headers, body: body(BROKER_APP) })
      assert.equal(again.statusCode, 409)
      assert.equal((await send('DELETE', `${installs()}/${id}${at}`, { headers })).statusCode, 204)
      assert.equal(await isAccepted(app, tokens.access_token), false)
    })

    test('broker tool: an unknown app gives the message that the tool looks for', async () => {
      const answer = await send('POST', `${installs()}${at}`, { headers, body: body(randomUUID()) })
      assert.equal(answer.statusCode, 404)
      assert.match(answer.json().errors[0].detail, /app not found/)
    })

    test('broker tool: relationships within data, a content type on every request, and expand work', async () => {
      const nested = { data: { type: 'app_install', relationships: body(BROKER_APP).relationships } }
      const made = await send('POST', `/rest/groups/${app.groupId}/apps/installs?version=2024-10-15`, {
        authorization: `Token ${app.adminKey}`,
        headers: jsonApi,
        body: nested,
      })
      assert.equal(made.statusCode, 201, made.body)
      const list = await send('GET', `/rest/groups/${app.groupId}/apps/installs?version=2024-10-15&expand=app`, {
        authorization: app.adminKey,
        headers: jsonApi,
      })
      const [{ relationships, attributes }] = list.json().data
      assert.equal(relationships.app.data.attributes.name, 'Broker')
      assert.match(attributes.installed_at, /^\d{4}-\d\d-\d\dT/)
    })
  })

  describe('an app on a server with a web sign-in library', () => {
    const nonce = randomUUID()
    let client: { clientId: string; secret: string }
    const redirect_uri = 'http://localhost:3000/callback'
    before(async () => {
      const answer = await send('POST', `/rest/orgs/${app.orgId}/apps/creations?version=2023-11-03`, {
        headers: jsonApi,
        body: {
          data: {
            type: 'app',
            attributes: {
              name: 'My App',
              redirect_uris: [redirect_uri],
              scopes: ['org.read', 'org.project.read'],
              context: 'tenant',
            },
          },
        },
      })
      assert.equal(answer.statusCode, 201, answer.body)
      const { client_id, client_secret } = answer.json().data.attributes
      client = { clientId: client_id, secret: client_secret }
    })

    const inForm = () => ({ client_id: client.clientId, client_secret: client.secret })

    async function signUp(): Promise<Tokens> {
      const verifier = randomBytes(32).toString('base64url')
      const state = randomBytes(18).toString('base64url')
      const answered = await authorize(
        app,
        { ...client, appId: '', redirectUri: redirect_uri },
        {
          parameters: {
            version: '2023-11-03',
            nonce,
            code_challenge: createHash('sha256').update(verifier).digest('base64url'),
            code_challenge_method: 'S256',
            redirect_uri,
            scope: 'org.read org.project.read',
            state,
          },
        },
      )
      assert.equal(answered.searchParams.get('state'), state)
      const code = answered.searchParams.get('code')!
      const form = { grant_type: 'authorization_code', redirect_uri, nonce, code_verifier: verifier, code }
      return granted(await sendForm(app, 'token', { ...form, ...inForm() }))
    }

    test('app on a server: finds its nonce in the token, reads user and organizations, and refreshes', async () => {
      const first = await signUp()
      assert.equal(claimsOf(first.access_token)['nonce'], nonce)
      const authorization = `${first.token_type} ${first.access_token}`
      const me = await send('GET', '/v1/user/me', { authorization, headers: { 'content-type': 'application/json' } })
      assert.equal(me.statusCode, 200, me.body)
      assert.ok(me.json().id)
      const { orgs } = (await send('GET', '/v1/orgs?version=2023-11-03', { authorization })).json()
      assert.deepEqual(
        orgs.map(({ id, name }: { id: string; name: string }) => [id, name]),
        [[app.orgId, 'Default organization']],
      )
      const form = { grant_type: 'refresh_token', refresh_token: first.refresh_token, ...inForm() }
      const second = granted(await sendForm(app, 'token', form))
      assert.notEqual(second.refresh_token, first.refresh_token)
      assert.ok(await isAccepted(app, second.access_token))
    })

    test('app on a server: revokes tokens, and unknown ones give 200 too', async () => {
      const { access_token, refresh_token } = await signUp()
      for (const token of [access_token, refresh_token, 'unknown']) {
        const answer = await sendForm(app, 'revoke', { token, ...inForm() })
        assert.deepEqual([answer.statusCode, answer.body], [200, ''])
      }
      assert.equal(await isAccepted(app, access_token), false)
      const form = { grant_type: 'refresh_token', refresh_token, ...inForm() }
      refused(await sendForm(app, 'token', form), 400, 'invalid_grant')
    })

    test('app on a server: lists the projects of the organization that installed it', async () => {
      const { projectId } = await recordProject(app, { name: 'shop', graph: { project: [] } })
      const { access_token } = await signUp()
      const path = `/rest/orgs/${app.orgId}/projects?version=2023-05-29&limit=100`
      const answer = await send('GET', path, { authorization: `bearer ${access_token}` })
      assert.equal(answer.statusCode, 200, answer.body)
      assert.deepEqual(
        answer.json().data.map(({ id }: { id: string }) => id),
        [projectId],
      )
    })
  })

  test('tools for service accounts read, rename, rotate and delete one', async () => {
    const { id, client_secret } = await serviceAccount()
    const path = `/rest/groups/${app.groupId}/service_accounts/${id}`
    const authorization = `Token ${app.adminKey}`
    const read = await send('GET', `${path}?version=2024-10-15`, { authorization, headers: jsonApi })
    assert.equal(read.json().data.attributes.client_secret, undefined)
    const name = randomUUID()
    const renamed = await send('PATCH', `${path}?version=2023-09-07`, {
      authorization,
      headers: jsonApi,
      body: { data: { id: id!, type: 'service_account', attributes: { name } } },
    })
    assert.equal(renamed.json().data.attributes.name, name)
    const renewed = await send('POST', `${path}/secrets?version=2023-09-07`, {
      authorization,
      headers: jsonApi,
      body: { data: { type: 'service_account', attributes: { mode: 'replace' } } },
    })
    assert.equal(renewed.statusCode, 200, renewed.body)
    assert.notEqual(renewed.json().data.attributes.client_secret, client_secret)
    const gone = await send('DELETE', `${path}?version=2023-09-07`, { authorization, headers: jsonApi })
    assert.deepEqual([gone.statusCode, gone.body], [204, ''])
  })
})
