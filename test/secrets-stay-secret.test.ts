import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { createAccount, newAccount, ofOrg } from '#test/access/accounts.ts'
import { install, installsOf } from '#test/access/apps.ts'
import { ASSERTION_TYPE, addSigningAccount, assertion, newKey } from '#test/access/client-keys.ts'
import { addClient, authorizationPath, basic, granted, inForm, pkce, refresh, sendForm } from '#test/access/oauth.ts'
import { addPerson, PASSWORD, signIn } from '#test/access/people.ts'
import { createVisitor, filledIn } from '#test/access/visitor.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { addWebhook } from '#test/servers/webhooks.ts'

/** Places where secrets could remain: the log at trace level, refusals, every row, the shown audit log. */
onEveryEngine('secrets in logs, responses and storage', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine, { GATEHOUSE_LOG_LEVEL: 'trace', GATEHOUSE_OUTGOING_ALLOW: '127.0.0.1' })
  })
  after(() => app.close())

  test('from registering apps to reusing a token, no secret appears in logs, refusals or stored plain text', async () => {
    const secrets = new Map<string, string>([
      ['API key', app.adminKey],
      ['password', PASSWORD],
    ])
    const refusals: string[] = []
    const keep = (name: string, value: unknown): string => {
      assert.ok(typeof value === 'string' && value.length >= 16, `${name} is ${value}`)
      secrets.set(`${name} ${secrets.size}`, value)
      return value
    }
    const isRefused = ({ statusCode, body }: LightMyRequestResponse) =>
      assert.ok(statusCode >= 400, `${statusCode} ${body}`)
    const wrong = (answer: LightMyRequestResponse) => {
      isRefused(answer)
      refusals.push(answer.body, JSON.stringify(answer.headers))
    }
    const get = (url: string, headers: Record<string, string> = {}) =>
      app.server.inject({ method: 'GET', url, headers })

    // Subscribed to every event, so that the dump below contains the sent messages.
    keep('signing secret', (await addWebhook(app, { url: 'https://hooks.example/' })).secret)
    await integrate(app, { token: keep('token of a source', randomUUID()), wrong })
    const client = await addClient(app, { scopes: ['org.read', 'org.project.read'] })
    keep('secret of an app', client.secret)
    const installed = await install(app, installsOf(app.orgId))
    keep('secret of an install', installed.secret)
    const account = await createAccount(app, ofOrg.path(app), { auth_type: 'oauth_client_secret' })
    keep('secret of an account', account.attributes['client_secret'])
    const repeated = { body: newAccount(), headers: { 'idempotency-key': 'k' } }
    const made = (await app.call('POST', ofOrg.path(app), repeated)).json()
    keep('key of an account', made.data.attributes.api_key)

    // A browser with all its state.
    const person = await addPerson(app, { permissions: ['org.read', 'org.project.read'], orgId: app.orgId })
    const visitor = createVisitor(app)
    const { verifier, challenge } = pkce()
    keep('verifier', verifier)
    const request = authorizationPath({
      response_type: 'code',
      client_id: client.clientId,
      redirect_uri: client.redirectUri,
      state: 'a state that only the app and the browser know',
      ...challenge,
    })
    const page = await visitor.open(request)
    keep('token of a form', filledIn(page, 'Sign in', {}).get('token'))
    const cookiesOf = (url: URL) =>
      visitor
        .cookieHeader(url)
        .split('; ')
        .map((pair) => pair.split(/=(.*)/s)[1]!)
    for (const cookie of cookiesOf(page.url)) keep('cookie before', cookie)
    await visitor.press(page, 'Sign in', { email: person.email, password: `${PASSWORD} but wrong` })
    const consent = await signIn(visitor, page, person)
    keep('token of a form', filledIn(consent, 'Allow', {}).get('token'))
    for (const cookie of cookiesOf(consent.url)) keep('cookie', cookie)
    const left = await visitor.press(consent, 'Allow', { place: `org:${app.orgId}` })
    const code = keep('code', left.url.searchParams.get('code'))
    assert.ok(secrets.size >= 14, [...secrets.keys()].join())

    const form = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri, code_verifier: verifier }
    wrong(await sendForm(app, 'token', { ...form, ...inForm(client), code_verifier: `${verifier}x` }))
    const first = granted(await sendForm(app, 'token', { ...form, ...inForm(client) }))
    const second = granted(await refresh(app, client, first.refresh_token))
    for (const { access_token, refresh_token } of [first, second]) {
      keep('access token', access_token)
      keep('refresh token', refresh_token)
      keep('signature', access_token.split('.')[2])
    }
    for (const [id, secret] of [
      [installed.clientId, installed.secret],
      [String(account.attributes['client_id']), String(account.attributes['client_secret'])],
    ] as const) {
      const { access_token } = granted(
        await sendForm(app, 'token', { grant_type: 'client_credentials' }, basic(id, secret!)),
      )
      keep('access token', access_token)
      assert.equal((await app.call('GET', '/rest/self', { key: access_token })).statusCode, 200)
    }
    await using signing = await addSigningAccount(app, await newKey())
    const signed = await assertion(signing, { audience: app.parts.services.baseUrl })
    keep('assertion', signed)
    const signedForm = { client_assertion_type: ASSERTION_TYPE, client_assertion: signed }
    keep(
      'access token',
      granted(await sendForm(app, 'token', { grant_type: 'client_credentials', ...signedForm })).access_token,
    )
    wrong(await sendForm(app, 'token', { grant_type: 'client_credentials', ...signedForm }))

    // Every secret in every wrong place.
    for (const secret of [...secrets.values()]) {
      const inUrl = encodeURIComponent(secret)
      wrong(await get(`/rest/self?version=2024-10-15&access_token=${inUrl}`))
      // These errors repeat the missing value to the caller that sent it.
      isRefused(await get(`/rest/self?version=${inUrl}`, { authorization: `Bearer ${second.access_token}` }))
      wrong(
        await get(`/rest/self?version=2024-10-15&starting_after=${inUrl}`, { authorization: `token ${app.adminKey}` }),
      )
      isRefused(await get(`/rest/orgs/${inUrl}?version=2024-10-15`))
      wrong(await get('/rest/self?version=2024-10-15', { authorization: `Digest ${secret} x` }))
      wrong(await get('/rest/self?version=2024-10-15', { authorization: `Bearer ${secret}x` }))
      wrong(await get(`/oauth2/authorize?response_type=code&client_id=${inUrl}&client_secret=${inUrl}&state=${inUrl}`))
      wrong(await get(`/oauth2/authorize?response_type=code&client_id=${client.clientId}&redirect_uri=${inUrl}`))
      await get(`${request}&scope=${inUrl}&prompt=${inUrl}&login_hint=x&client_secret=${inUrl}`)
      wrong(await get(`/oauth2/interactions/${inUrl}`))
      wrong(await get(`/oauth2/authorize/${inUrl}`))
      wrong(await sendForm(app, 'token', { grant_type: secret, ...inForm(client) }))
      wrong(
        await sendForm(app, 'token', { grant_type: 'refresh_token', refresh_token: `${secret}x`, ...inForm(client) }),
      )
      wrong(
        await sendForm(app, 'token', { grant_type: 'client_credentials', client_id: secret, client_secret: secret }),
      )
      wrong(await sendForm(app, 'token', { grant_type: 'client_credentials', scope: secret }, basic(secret, secret)))
      wrong(
        await sendForm(app, 'token', {
          client_assertion_type: secret,
          client_assertion: secret,
          grant_type: 'client_credentials',
        }),
      )
      wrong(
        await sendForm(app, 'introspect', {
          token: secret,
          client_id: client.clientId,
          client_secret: secret.slice(1),
        }),
      )
      wrong(await app.call('POST', ofOrg.path(app), { body: newAccount({ auth_type: secret }) }))
      wrong(await app.call('POST', ofOrg.path(app), { body: `{"data": ${secret}` }))
      wrong(
        await app.call('POST', ofOrg.path(app), { body: newAccount(), headers: { 'idempotency-key': `${secret} ä` } }),
      )
    }
    // Finally the reuse, which revokes the session.
    wrong(await refresh(app, client, first.refresh_token))
    assert.ok(app.log().includes('"level":20'), 'the log was as talkative as can be')

    const audit = await app.call('GET', `/rest/groups/${app.groupId}/audit_logs`, { query: { limit: '100' } })
    assert.ok(audit.body.includes('app_session.end_reused'))
    assert.ok((await dump(app))['events']!.includes('credential.reused'))
    const places = { log: app.log(), 'audit log': audit.body, ...(await dump(app)) }
    for (const [place, text] of Object.entries(places)) {
      for (const [name, secret] of secrets) {
        for (const spelled of [
          secret,
          encodeURIComponent(secret),
          Buffer.from(secret).toString('base64').slice(0, -4),
        ]) {
          assert.ok(!text.includes(spelled), `${place} holds the ${name}: …${around(text, spelled)}…`)
        }
      }
    }
    for (const [name, secret] of secrets) {
      const telling = refusals.find((text) => text.includes(secret))
      assert.equal(telling, undefined, `a refusal holds the ${name}`)
    }
  })
})

function around(text: string, match: string): string {
  const at = text.indexOf(match)
  return text.slice(Math.max(0, at - 200), at)
}

/** Every row of every table, bytes as Latin-1 so that text within them shows. */
async function dump({ parts, databaseUrl }: TestApp): Promise<Record<string, string>> {
  const { db } = parts.services
  const names =
    databaseUrl === undefined
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
      : sql<{ name: string }>`select table_name as name from information_schema.tables where table_schema = 'public'`
  const dumped: Record<string, string> = {}
  for (const { name } of (await names.execute(db)).rows) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(db)
    dumped[name] = JSON.stringify(rows, (_key, value) =>
      value?.type === 'Buffer'
        ? Buffer.from(value.data).toString('latin1')
        : value instanceof Uint8Array
          ? Buffer.from(value).toString('latin1')
          : value,
    )
  }
  assert.ok(Object.keys(dumped).length >= 20)
  return dumped
}

/** Connects a source, fails to read it, moves and copies it, and is refused in several ways. */
async function integrate(
  app: TestApp,
  { token, wrong }: { token: string; wrong: (answer: LightMyRequestResponse) => void },
): Promise<void> {
  const path = `/rest/orgs/${app.orgId}/integrations`
  const body = (attributes: object) => ({ data: { type: 'integration', attributes } })
  const credentials = { token }
  const made = { kind: 'github-enterprise', name: 'source', base_url: 'http://127.0.0.1:1', credentials }
  const headers = { 'idempotency-key': 'integration' }
  const answer = await app.call('POST', path, { body: body(made), headers })
  const { id } = answer.json().data
  wrong(await app.call('POST', path, { body: body(made) }))
  wrong(await app.call('POST', path, { body: body({ ...made, credentials: { token: `${token}\n` } }) }))
  wrong(await app.call('POST', path, { body: body({ ...made, credentials: { username: token } }) }))
  wrong(await app.call('PATCH', `${path}/${id}`, { body: body({ base_url: 'http://127.0.0.1:2' }) }))
  const target = { data: { type: 'integration_test', attributes: { target: { owner: 'o', name: 'n' } } } }
  const tested = await app.call('POST', `${path}/${id}/test`, { body: target })
  assert.equal(tested.json().data.attributes.code, 'repository-unreachable')
  const v1 = `/v1/org/${app.orgId}/integrations`
  const sent = { type: 'github', credentials: { ...credentials, url: `https://${token}@registry.example` } }
  wrong(await app.call('POST', v1, { body: sent }))
  wrong(await app.call('PUT', `${v1}/${id}`, { body: { type: 'gitlab', credentials } }))
  wrong(await app.call('POST', `${v1}/${id}/clone`, { body: { destinationOrgPublicId: app.orgId } }))
}
