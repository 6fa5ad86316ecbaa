import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { permissionNames } from '#foundation/access/permissions.ts'
import { newAccount } from '#test/access/accounts.ts'
import { auditEventsOf } from '#test/access/audit.ts'
import { assertRefusal, type BadBody, testRefusals, testRepetition } from '#test/access/refusals.ts'
import { testPages } from '#test/projects/pages.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

const toBody = (attributes: object = {}) => ({ data: { type: 'api_key', attributes } })
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

const badBodies: BadBody[] = [
  ['missing data', {}, '/data'],
  ['missing attributes', { data: { type: 'api_key' } }, '/data/attributes'],
  ['another type', { data: { type: 'key', attributes: {} } }, '/data/type'],
  ['a caller-chosen key', toBody({ api_key: randomUUID() }), '/data/attributes/api_key'],
  ['an empty name', toBody({ name: '' }), '/data/attributes/name'],
  ['a name with a NUL', toBody({ name: '\0' }), '/data/attributes/name'],
  ['an expires_at that is not a time', toBody({ expires_at: 'tomorrow' }), '/data/attributes/expires_at'],
  ['an expires_at without an offset', toBody({ expires_at: '2999-01-01T00:00:00' }), '/data/attributes/expires_at'],
  ['an expires_at in the past', toBody({ expires_at: '2020-01-01T00:00:00Z' }), '/data/attributes/expires_at'],
  ['an empty list of networks', toBody({ allowed_networks: [] }), '/data/attributes/allowed_networks'],
  ['an invalid network', toBody({ allowed_networks: ['10.0.0.0/8', 'office'] }), '/data/attributes/allowed_networks/1'],
]

onEveryEngine('API keys', (engine) => {
  let app: TestApp
  let kept: string
  let person: { key: string; id: string }
  before(async () => {
    app = await startApp(engine)
    kept = (await create()).json().data.id
    person = await somebody()
  })
  after(() => app.close())

  const keys = '/rest/self/api_keys'
  const create = (attributes: object = {}, key = app.adminKey) =>
    app.call('POST', keys, { key, body: toBody(attributes) })
  const made = async (attributes: object = {}, key = app.adminKey): Promise<{ id: string; secret: string }> => {
    const answer = await create(attributes, key)
    assert.equal(answer.statusCode, 201, answer.body)
    const { data } = answer.json()
    return { id: data.id, secret: data.attributes.api_key }
  }
  const statusOf = async (key: string) => (await app.call('GET', '/rest/self', { key })).statusCode
  const keysOf = (userId: string) => `/rest/groups/${app.groupId}/users/${userId}/api_keys`
  async function somebody(): Promise<{ key: string; id: string }> {
    const key = await app.keyWith(['org.read'])
    return { key, id: (await app.call('GET', '/rest/self', { key })).json().data.id }
  }

  test('API key creation: returns a UUID once; it authenticates as its owner and is not stored', async () => {
    const { key } = await somebody()
    const answer = await create({ name: 'laptop' }, key)
    assert.equal(answer.statusCode, 201, answer.body)
    const { data, links } = answer.json()
    const { api_key: secret, created_at: _created, ...attributes } = data.attributes
    assert.match(secret, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.deepEqual(attributes, { name: 'laptop', hint: secret.slice(-4) })
    assert.equal(answer.headers['location'], `${app.parts.services.baseUrl}/rest${links.self}`)
    const [mine, again] = [
      await app.call('GET', '/rest/self', { key }),
      await app.call('GET', '/rest/self', { key: secret }),
    ]
    assert.equal(again.json().data.id, mine.json().data.id)

    const read = await app.call('GET', links.self, { key })
    assert.equal(read.json().data.attributes.api_key, undefined)
    const listed = await app.call('GET', keys, { key })
    assert.equal(listed.json().data.length, 2)
    const stored = JSON.stringify(await app.parts.services.db.selectFrom('credentials').selectAll().execute())
    const audited = JSON.stringify(await app.parts.services.db.selectFrom('audit_events').selectAll().execute())
    for (const text of [read.body, listed.body, stored, audited, app.log()]) assert.ok(!text.includes(secret))
  })

  test('API key: last_used_at appears once a use is written', async () => {
    const { id, secret } = await made()
    const read = async () => (await app.call('GET', `${keys}/${id}`)).json().data.attributes.last_used_at
    assert.equal(await read(), undefined)
    assert.equal(await statusOf(secret), 200)
    await app.parts.lastUses.flush()
    assert.ok(Math.abs(Date.parse(await read()) - Date.now()) < 60_000)
  })

  test('API key deletion: takes effect at once, also with the key itself, and is audited', async () => {
    const { key } = await somebody()
    const { id, secret } = await made({}, key)
    assert.equal(await statusOf(secret), 200)
    const answer = await app.call('DELETE', `${keys}/${id.toUpperCase()}`, { key: secret })
    assert.equal(answer.statusCode, 204, answer.body)
    assert.equal(await statusOf(secret), 401)
    assert.equal(await statusOf(key), 200)
    const events = await auditEventsOf(app, id)
    assert.deepEqual(
      events.map(({ action, group_id }) => [action, group_id]),
      [
        ['api_key.create', app.groupId],
        ['api_key.delete', app.groupId],
      ],
    )
    assert.equal(events[1]!.credential_id, id)
    assert.deepEqual(JSON.parse(events[1]!.before!).hint, secret.slice(-4))
  })

  test('API key: refused after its expiry (401)', async () => {
    const { id, secret } = await made({ expires_at: inAnHour() })
    assert.equal(await statusOf(secret), 200)
    await app.parts.services.db
      .updateTable('credentials')
      .set({ expires_at: Date.now() - 1 })
      .where('id', '=', id)
      .execute()
    assert.equal(await statusOf(secret), 401)
  })

  test('API key: accepted only from its networks', async () => {
    const networks = ['192.0.2.0/24', '2001:db8::/32']
    const { id, secret } = await made({ allowed_networks: networks })
    assert.deepEqual((await app.call('GET', `${keys}/${id}`)).json().data.attributes.allowed_networks, networks)
    assert.equal(await statusOf(secret), 401)
    const from = async (remoteAddress: string) =>
      (
        await app.server.inject({
          url: '/rest/self?version=2024-10-15',
          headers: { authorization: `token ${secret}` },
          remoteAddress,
        })
      ).statusCode
    assert.equal(await from('192.0.2.9'), 200)
    assert.equal(await from('::ffff:192.0.2.9'), 200)
    assert.equal(await from('2001:db8::1'), 200)
    assert.equal(await from('192.0.3.9'), 401)
  })

  test('limited API key: creates only keys with the same or tighter limits', async () => {
    const end = inAnHour()
    const { secret } = await made({ expires_at: end, allowed_networks: ['127.0.0.0/8'] })
    const inherited = (await create({}, secret)).json().data.attributes
    assert.equal(inherited.expires_at, end)
    assert.deepEqual(inherited.allowed_networks, ['127.0.0.0/8'])
    const later = await create({ expires_at: new Date(Date.parse(end) + 1000).toISOString() }, secret)
    assertRefusal(later, { status: 403, code: 'forbidden' })
    assert.equal(later.json().errors[0].source.pointer, '/data/attributes/expires_at')
    const wider = await create({ allowed_networks: ['0.0.0.0/0'] }, secret)
    assertRefusal(wider, { status: 403, code: 'forbidden' })
    assert.equal(wider.json().errors[0].source.pointer, '/data/attributes/allowed_networks')
  })

  test('API keys: refused to service accounts (403 in-person-only)', async () => {
    const answer = await app.call('POST', `/rest/orgs/${app.orgId}/service_accounts`, { body: newAccount() })
    const key = answer.json().data.attributes.api_key
    assertRefusal(await create({}, key), { status: 403, code: 'in-person-only' })
    assertRefusal(await app.call('GET', keys, { key }), { status: 403, code: 'in-person-only' })
    assertRefusal(await app.call('GET', `${keys}/${kept}`, { key }), { status: 403, code: 'in-person-only' })
    assertRefusal(await app.call('DELETE', `${keys}/${kept}`, { key }), { status: 403, code: 'in-person-only' })
  })

  test('API keys of other users: return 404 to reading and deleting', async () => {
    for (const id of [kept, randomUUID()]) {
      for (const method of ['GET', 'DELETE'] as const) {
        assertRefusal(await app.call(method, `${keys}/${id}`, { key: person.key }), { status: 404, code: 'not-found' })
      }
    }
    assert.equal((await app.call('GET', `${keys}/${kept}`)).statusCode, 200)
    assertRefusal(await app.call('GET', `${keys}/mine`), { status: 400, code: 'invalid-request' })
  })

  test('administrator: lists and deletes API keys of the group’s users', async () => {
    const { key, id } = await somebody()
    const { id: keyId, secret } = await made({ name: 'lost' }, key)
    const { data } = (await app.call('GET', keysOf(id.toUpperCase()))).json()
    assert.ok(
      data.some(
        (one: { id: string; attributes: { name: string } }) => one.id === keyId && one.attributes.name === 'lost',
      ),
    )
    assert.equal((await app.call('DELETE', `${keysOf(id)}/${keyId}`)).statusCode, 204)
    assert.equal(await statusOf(secret), 401)
    assert.equal(await statusOf(key), 200)
    assertRefusal(await app.call('DELETE', `${keysOf(id)}/${keyId}`), { status: 404, code: 'not-found' })
  })

  test('administrator: gets 404 for users of other groups and for keys of other users', async () => {
    const groupId = await app.addGroup()
    const stranger = await app.keyWith(permissionNames, { groupId })
    const strangerId = (await app.call('GET', '/rest/self', { key: stranger })).json().data.id
    assertRefusal(await app.call('GET', keysOf(strangerId)), { status: 404, code: 'not-found' })
    assertRefusal(await app.call('GET', keysOf(randomUUID())), { status: 404, code: 'not-found' })
    assertRefusal(await app.call('DELETE', `${keysOf(person.id)}/${kept}`), { status: 404, code: 'not-found' })
    const there = `/rest/groups/${groupId}/users/${person.id}/api_keys`
    assertRefusal(await app.call('GET', there, { key: stranger }), { status: 404, code: 'not-found' })
    assert.equal((await app.call('GET', `${keys}/${kept}`)).statusCode, 200)
  })

  const removeKey = (id: string) => app.call('DELETE', `${keys}/${id}`)
  testRepetition(() => app, 'creating an API key', {
    path: () => keys,
    body: () => toBody({ name: 'once' }),
    other: () => toBody(),
  })
  testPages(() => app, 'list of API keys', { path: () => keys, add: async () => (await made()).id, remove: removeKey })
  testPages(() => app, 'administrator’s list of API keys', {
    path: () => keysOf(person.id),
    add: async () => (await made({}, person.key)).id,
    remove: (id) => app.call('DELETE', `${keysOf(person.id)}/${id}`),
  })

  const since = '2024-10-15'
  testRefusals(() => app, 'listing API keys', { method: 'GET', path: () => keys, since, isList: true })
  testRefusals(() => app, 'creating an API key', {
    method: 'POST',
    path: () => keys,
    since,
    body: () => toBody(),
    badBodies,
  })
  testRefusals(() => app, 'reading an API key', { method: 'GET', path: () => `${keys}/${kept}`, since })
  testRefusals(() => app, 'deleting an API key', { method: 'DELETE', path: () => `${keys}/${kept}`, since })
  testRefusals(() => app, 'listing API keys as an administrator', {
    method: 'GET',
    path: () => keysOf(person.id),
    since,
    isList: true,
    needs: { permission: 'group.user.read', in: 'group' },
  })
  testRefusals(() => app, 'deleting an API key as an administrator', {
    method: 'DELETE',
    path: () => `${keysOf(person.id)}/${randomUUID()}`,
    since,
    needs: { permission: 'group.user.edit', in: 'group' },
  })
})
