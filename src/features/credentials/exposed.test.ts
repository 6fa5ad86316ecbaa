import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { groupAdmin } from '#foundation/access/built-in-roles.ts'
import { hintOf, newSecret } from '#foundation/secrets/typed-secret.ts'
import { createAccount, ofGroup, ofOrg } from '#test/access/accounts.ts'
import { assertRefusal } from '#test/access/refusals.ts'
import { addAccountToken, addApp, consentTo, installApp, userOf } from '#test/access/tokens.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { issueCredential } from './issue-credential.ts'

const PATH = '/rest/exposed_credentials'
const LIMIT = 20

const reportOf = (credentials: unknown, more: object = {}) => ({
  data: { type: 'exposure_report', attributes: { credentials, ...more } },
})

interface Event {
  readonly action: string
  readonly actor: object
  readonly target: { readonly kind: string; readonly id: string }
  readonly before: Record<string, unknown>
  readonly after: Record<string, unknown>
  readonly address: string
  readonly group_id: string
  readonly org_id?: string
}

onEveryEngine('reports of exposed credentials', (engine) => {
  let app: TestApp
  let lastAddress = 0
  before(async () => {
    app = await startApp(engine, { GATEHOUSE_TRUST_PROXY: '127.0.0.1/32', GATEHOUSE_LOG_LEVEL: 'trace' })
  })
  after(() => app.close())

  /** Sends a report without a credential, by default from a new IP address, because each address has a limit. */
  const report = (body: unknown, from = `10.0.${lastAddress >> 8}.${lastAddress++ & 255}`) =>
    app.call('POST', PATH, { body, key: null, headers: { 'x-forwarded-for': from } })

  async function revoke(values: readonly string[], more: object = {}): Promise<string> {
    const answer = await report(reportOf(values, more))
    assert.equal(answer.statusCode, 200, answer.body)
    const { data } = answer.json()
    assert.deepEqual(data, { id: data.id, type: 'exposure_report', attributes: { received: values.length } })
    for (const value of values.filter(({ length }) => length > 3))
      assert.ok(!answer.body.includes(value), 'the answer repeats the value')
    return data.id
  }

  const isKnown = async (key: string) => (await app.call('GET', '/rest/self', { key })).statusCode === 200

  async function eventsOf(target: string, place: { org?: string; group?: string }): Promise<Event[]> {
    const path = place.org === undefined ? `/rest/groups/${place.group}` : `/rest/orgs/${place.org}`
    const query = { target_id: target, action: 'exposed_credential.*' }
    const answer = await app.call('GET', `${path}/audit_logs`, { query })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json().data.map(({ attributes }: { attributes: Event }) => attributes)
  }

  test('exposed API key of a user: revoked at once, audited in the user’s group', async () => {
    const key = await app.keyWith(['org.read'])
    const userId = await userOf(app, key)
    assert.ok(await isKnown(key))
    const about = { reporter: 'scanner@example.test', found_at: 'https://git.example/a/b#L3' }
    const id = await revoke([key.toUpperCase()], about)
    assert.ok(!(await isKnown(key)))
    const rows = await app.parts.services.db
      .selectFrom('audit_events')
      .selectAll()
      .where('action', '=', 'exposed_credential.revoke')
      .execute()
    const keyId = rows.find(({ after }) => after?.includes(id))!.target_id
    const [event, ...others] = await eventsOf(keyId, { group: app.groupId })
    assert.deepEqual(others, [])
    assert.deepEqual(event!.target, { kind: 'api_key', id: keyId })
    assert.deepEqual(event!.actor, { kind: 'anonymous', name: 'Report of an exposure' })
    assert.match(event!.address, /^10\.0\./)
    assert.deepEqual(event!.before, { kind: 'api_key', credential_id: keyId, name: 'test', hint: key.slice(-4) })
    assert.deepEqual(event!.after, { report_id: id, ...about })
    assert.ok(userId !== keyId)
  })

  for (const owner of [ofOrg, ofGroup]) {
    const place = () => (owner === ofOrg ? { org: app.orgId } : { group: app.groupId })

    test(`exposed API key of a service account (${owner.level}): revoked and audited there`, async () => {
      const { id, attributes } = await createAccount(app, owner.path(app))
      const key = String(attributes['api_key'])
      assert.ok(await isKnown(key))
      await revoke([key])
      assert.ok(!(await isKnown(key)))
      const [event] = await eventsOf(id, place())
      const target = { kind: 'service_account', id, name: attributes['name'] }
      assert.deepEqual([event!.target, event!.before['kind']], [target, 'api_key'])
    })

    test(`exposed client secret of a service account (${owner.level}): revoked with its tokens, even the last one`, async () => {
      const { account, token } = await addAccountToken(app, { path: owner.path(app), roleId: groupRole(owner) })
      const secret = String(account.attributes['client_secret'])
      assert.ok(await isKnown(token))
      await revoke([secret])
      assert.ok(!(await isKnown(token)))
      const one = `${owner.path(app)}/${account.id}/secrets`
      assert.deepEqual((await app.call('GET', one)).json().data, [])
      const [event] = await eventsOf(account.id, place())
      assert.deepEqual([event!.before['kind'], event!.before['hint']], ['client_secret', hintOf(secret)])
      // The owner can create a new one.
      for (const mode of ['create', 'replace']) {
        const body = { data: { type: 'service_account', attributes: { mode } } }
        assert.equal((await app.call('POST', one, { body })).statusCode, 200)
      }
    })
  }

  const groupRole = (owner: typeof ofOrg) => (owner === ofOrg ? '6c0e9a52-1a55-4d0e-8f0b-6d0f3a1c0004' : groupAdmin.id)

  test('exposed access token of a service account: revoked; the secret survives', async () => {
    const { account, secretId, token } = await addAccountToken(app, { path: ofOrg.path(app), roleId: groupRole(ofOrg) })
    await revoke([token])
    assert.ok(!(await isKnown(token)))
    const { data } = (await app.call('GET', `${ofOrg.path(app)}/${account.id}/secrets`)).json()
    assert.deepEqual(
      data.map(({ id }: { id: string }) => id),
      [secretId],
    )
    const [event] = await eventsOf(account.id, { org: app.orgId })
    assert.equal(event!.before['kind'], 'access_token')
    assert.equal(event!.before['client_id'], account.attributes['client_id'])
  })

  test('exposed secret or token of an install: revoked and audited in the place of the install', async () => {
    const unattended = await addApp(app, { grantType: 'client_credentials' })
    const org = await app.addOrg()
    const install = await installApp(app, { app: unattended, place: { groupId: app.groupId, orgId: org } })
    const inGroup = await installApp(app, { app: unattended, place: { groupId: app.groupId, orgId: null } })
    assert.ok(await isKnown(install.token))
    await revoke([install.secret, inGroup.token])
    assert.ok(!(await isKnown(install.token)))
    assert.ok(!(await isKnown(inGroup.token)))
    const [event] = await eventsOf(install.id, { org })
    assert.deepEqual(event!.target, { kind: 'app_install', id: install.id })
    assert.equal((await eventsOf(inGroup.id, { group: app.groupId })).length, 1)
    assert.equal((await eventsOf(inGroup.id, { org })).length, 0)
  })

  test('exposed client secret of an app: deleted and audited', async () => {
    const { services } = app.parts
    const { id } = await addApp(app)
    const owner = { kind: 'app', id } as const
    const { row, secret } = await issueCredential(services, services.db, {
      kind: 'client_secret',
      owner,
      name: 'First',
    })
    await revoke([secret])
    const [event] = await eventsOf(id, { org: app.orgId })
    assert.deepEqual([event!.target, event!.before['credential_id']], [{ kind: 'app', id, name: 'An app' }, row.id])
    assert.equal(
      await services.db.selectFrom('credentials').where('id', '=', row.id).select('id').executeTakeFirst(),
      undefined,
    )
  })

  describe('exposed credentials of a session', () => {
    async function session() {
      const strangeGroup = await app.addGroup()
      const strangeOrg = await app.addOrg({ groupId: strangeGroup })
      const registered = await addApp(app, { groupId: strangeGroup, orgId: strangeOrg, isPublic: true })
      const userId = await userOf(app, await app.keyWith(['org.read']))
      const made = await consentTo(app, { app: registered, userId })
      return { ...made, userId, registered, strangeOrg, strangeGroup }
    }

    /** Stores a record as the authorization server does. */
    async function recordOf(sessionId: string, model: string, kind: 'refresh_token' | 'authorization_code') {
      const { db, keyring, now } = app.parts.services
      const value = newSecret(kind)
      await db
        .insertInto('oauth_records')
        .values({
          model,
          id: keyring.digest(value),
          payload: new Uint8Array(),
          uid: null,
          session_id: sessionId,
          consumed_at: null,
          expires_at: now() + 60_000,
        })
        .execute()
      return value
    }

    async function hasSession(id: string): Promise<boolean> {
      const { db } = app.parts.services
      return (await db.selectFrom('app_sessions').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
    }

    test('exposed access token of a session: revoked alone, audited in the user’s group and the app’s organization', async () => {
      const { id, token, userId, registered, strangeOrg } = await session()
      assert.ok(await isKnown(token))
      await revoke([token])
      assert.ok(!(await isKnown(token)))
      assert.ok(await hasSession(id))
      const [event] = await eventsOf(id, { group: app.groupId })
      const { kind, session_id, user_id, app_id } = event!.before
      assert.deepEqual([kind, session_id, user_id, app_id], ['access_token', id, userId, registered.id])
      const key = await app.keyWith(['org.audit.read'], { orgId: strangeOrg })
      const query = { target_id: registered.id }
      const seen = await app.call('GET', `/rest/orgs/${strangeOrg}/audit_logs`, { key, query })
      assert.equal(seen.json().data[0].attributes.action, 'exposed_credential.revoke')
    })

    for (const [model, kind] of [
      ['RefreshToken', 'refresh_token'],
      ['AuthorizationCode', 'authorization_code'],
    ] as const) {
      test(`exposed ${kind}: ends its session with all tokens, audited once`, async () => {
        const { id, token } = await session()
        const value = await recordOf(id, model, kind)
        await revoke([value])
        assert.ok(!(await hasSession(id)))
        assert.ok(!(await isKnown(token)))
        const [event] = await eventsOf(id, { group: app.groupId })
        assert.equal(event!.before['kind'], kind)
        await revoke([value])
        assert.equal((await eventsOf(id, { group: app.groupId })).length, 1)
      })
    }
  })

  test('report of unknown values: gets the same answer and changes nothing', async () => {
    const count = async () => {
      const { db } = app.parts.services
      const events = await db.selectFrom('audit_events').select('id').execute()
      const credentials = await db.selectFrom('credentials').select('id').execute()
      return [events.length, credentials.length]
    }
    const before = await count()
    await revoke([
      randomUUID(),
      newSecret('client_secret'),
      newSecret('refresh_token'),
      newSecret('authorization_code'),
      newSecret('access_token_id'),
      'eyJhbGciOiJub25lIn0.e30.',
      'password',
      "' or 1=1 --",
      '.',
    ])
    assert.deepEqual(await count(), before)
  })

  test('report of known, unknown, repeated and padded values: revokes each known one', async () => {
    const [key, other] = [await app.keyWith(['org.read']), await app.keyWith(['org.read'])]
    await revoke(['what', ` ${key}\n`, other, randomUUID(), other])
    assert.ok(!(await isKnown(key)))
    assert.ok(!(await isKnown(other)))
  })

  test('concurrent reports of one key: audited once', async () => {
    const { id, attributes } = await createAccount(app, ofOrg.path(app))
    await Promise.all(Array.from({ length: 4 }, () => revoke([String(attributes['api_key'])])))
    assert.equal((await eventsOf(id, { org: app.orgId })).length, 1)
  })

  test('report of an exposed key: its value appears neither in the log nor in the audit log', async () => {
    const key = await app.keyWith(['org.read'])
    const id = await revoke([key], { found_at: `https://paste.example/?q=${key}`, reporter: `who saw ${key} there` })
    await report(`{"data":{"type":"exposure_report","attributes":{"credentials":["${key}"],}}}`)
    await report(reportOf([key, 5]))
    assert.ok(!app.log().includes(key))
    assert.ok(!app.log().includes(key.slice(0, 8)))
    const rows = await app.parts.services.db.selectFrom('audit_events').selectAll().execute()
    assert.ok(!JSON.stringify(rows).includes(key))
    const written = rows.find(({ after }) => after?.includes(id))
    assert.equal(JSON.parse(written!.after!).found_at, 'https://paste.example/?q=…')
  })

  test('reports per IP address: limited to 20 a minute by default (429); other addresses and operations are not', async () => {
    for (let count = 0; count < LIMIT; count++) {
      const answer = await report(reportOf(['x']), '192.0.2.1')
      assert.equal(answer.statusCode, 200)
      assert.equal(answer.headers['ratelimit-remaining'], String(LIMIT - 1 - count))
    }
    const key = await app.keyWith(['org.read'])
    const refused = await report(reportOf([key]), '192.0.2.1')
    assertRefusal(refused, { status: 429, code: 'rate-limited' })
    assert.match(String(refused.headers['retry-after']), /^\d+$/)
    assert.ok(await isKnown(key))
    const headers = { 'x-forwarded-for': '192.0.2.1' }
    assert.equal((await app.call('GET', '/rest/self', { key, headers })).statusCode, 200)
    assert.equal((await report(reportOf(['x']), '192.0.2.2')).statusCode, 200)
    // An IPv6 /64 counts as one address.
    for (let count = 0; count < LIMIT; count++) await report(reportOf(['x']), `2001:db8::${count + 1}`)
    assert.equal((await report(reportOf(['x']), '2001:db8::ffff')).statusCode, 429)
  })

  test('refused reports: count toward the limit', async () => {
    for (let count = 0; count < LIMIT; count++) await report({}, '192.0.2.3')
    assert.equal((await report(reportOf(['x']), '192.0.2.3')).statusCode, 429)
  })

  describe('refusals of exposure reports', () => {
    const bad: [why: string, body: unknown, pointer: string][] = [
      ['a missing body', undefined, ''],
      ['an empty list', reportOf([]), '/data/attributes/credentials'],
      ['too many values', reportOf(Array.from({ length: 101 }, () => 'x')), '/data/attributes/credentials'],
      ['an empty value', reportOf(['']), '/data/attributes/credentials/0'],
      ['a value of 8,193 characters', reportOf(['x'.repeat(8193)]), '/data/attributes/credentials/0'],
      ['a number', reportOf([5]), '/data/attributes/credentials/0'],
      ['a string instead of a list', reportOf('x'), '/data/attributes/credentials'],
      ['an unknown member', reportOf(['x'], { secret: 'x' }), '/data/attributes/secret'],
      ['a reporter with a line feed', reportOf(['x'], { reporter: 'a\nb' }), '/data/attributes/reporter'],
      ['a found_at of 2,001 characters', reportOf(['x'], { found_at: 'x'.repeat(2001) }), '/data/attributes/found_at'],
      ['another type', { data: { type: 'report', attributes: { credentials: ['x'] } } }, '/data/type'],
    ]
    for (const [why, body, pointer] of bad) {
      test(`exposure report: refuses ${why} (400)`, async () => {
        const answer = await report(body)
        assertRefusal(answer, { status: 400, code: 'invalid-request' })
        const pointers = answer.json().errors.map(({ source }: { source?: { pointer: string } }) => source?.pointer)
        assert.ok(pointers.includes(pointer), answer.body)
      })
    }

    const others: [why: string, status: number, code: string, options: object][] = [
      ['a missing version', 400, 'version-missing', { query: { version: '-' } }],
      ['a version before the first release', 404, 'version-not-found', { query: { version: '2024-10-14' } }],
      ['an unknown parameter', 400, 'unknown-parameter', { query: { dry: '1' } }],
      ['a body of another media type', 415, 'unsupported-media-type', { headers: { 'content-type': 'text/plain' } }],
    ]
    for (const [why, status, code, options] of others) {
      test(`exposure report: refuses ${why} (${status} ${code})`, async () => {
        assertRefusal(await app.call('POST', PATH, { body: reportOf(['x']), key: null, ...options }), { status, code })
      })
    }

    test('exposure report over one mebibyte: refused (413); 100 values of 8,192 characters are accepted', async () => {
      const values = Array.from({ length: 100 }, () => 'x'.repeat(8192))
      assert.equal((await report(reportOf(values))).statusCode, 200)
      const ofBytes = (count: number) => report(JSON.stringify(reportOf(['x'])).padStart(count))
      assert.equal((await ofBytes(1_048_576)).statusCode, 200)
      assertRefusal(await ofBytes(1_048_577), { status: 413, code: 'too-large' })
    })

    test('GET of exposure reports: refused (405)', async () => {
      assert.equal((await app.call('GET', PATH)).statusCode, 405)
    })
  })
})
