import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { permissionNames } from '#foundation/access/permissions.ts'
import { scopeNames } from '#foundation/access/scopes.ts'
import { createIn, type FormUnderTest, formsUnderTest } from '#test/access/app-forms.ts'
import { type App, appAttributes, createApp, creationsOf, newApp, unattended } from '#test/access/apps.ts'
import { auditEventsOf } from '#test/access/audit.ts'
import { assertRefusal, type BadBody, testRefusals } from '#test/access/refusals.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

/** Attributes that a creation refuses, with the member that the answer names. */
const badCreations: [why: string, attributes: object, member: string][] = [
  ['an empty name', { name: '' }, 'name'],
  ['a blank name', { name: '  ' }, 'name'],
  ['a name of 256 characters', { name: 'x'.repeat(256) }, 'name'],
  ['a name with a line feed', { name: 'a\nb' }, 'name'],
  ['a number as the name', { name: 7 }, 'name'],
  ['a missing name', { name: undefined }, 'name'],
  ['missing redirect URIs', { redirect_uris: undefined }, 'redirect_uris'],
  ['empty redirect URIs', { redirect_uris: [] }, 'redirect_uris'],
  ['text as redirect URIs', { redirect_uris: 'https://app.example/' }, 'redirect_uris'],
  ['a redirect URI twice', { redirect_uris: ['https://a.example/', 'https://a.example/'] }, 'redirect_uris'],
  ['101 redirect URIs', { redirect_uris: many((n) => `https://app.example/${n}`) }, 'redirect_uris'],
  ['an empty redirect URI', { redirect_uris: [''] }, 'redirect_uris/0'],
  [
    'a redirect URI of 2,049 characters',
    { redirect_uris: [`https://a.example/${'x'.repeat(2031)}`] },
    'redirect_uris/0',
  ],
  ['a redirect URI over plain http', { redirect_uris: ['https://a.example/', 'http://a.example/'] }, 'redirect_uris/1'],
  ['a redirect URI with a fragment', { redirect_uris: ['https://a.example/#b'] }, 'redirect_uris/0'],
  ['a relative redirect URI', { redirect_uris: ['/callback'] }, 'redirect_uris/0'],
  ['a private-use scheme', { redirect_uris: ['com.example.app:/'] }, 'redirect_uris/0'],
  ['missing scopes', { scopes: undefined }, 'scopes'],
  ['empty scopes', { scopes: [] }, 'scopes'],
  ['scopes without org.read', { scopes: ['org.edit'] }, 'scopes'],
  ['a scope twice', { scopes: ['org.read', 'org.read'] }, 'scopes'],
  ['an unknown scope', { scopes: ['org.read', 'org.everything'] }, 'scopes/1'],
  ['a permission that is not a scope', { scopes: ['org.read', 'org.app.create'] }, 'scopes/1'],
  ['null as a scope', { scopes: [null] }, 'scopes/0'],
  ['a lifetime below an hour', { access_token_ttl_seconds: 3599 }, 'access_token_ttl_seconds'],
  ['a lifetime above a day', { access_token_ttl_seconds: 86_401 }, 'access_token_ttl_seconds'],
  ['a lifetime with a fraction of a second', { access_token_ttl_seconds: 3600.5 }, 'access_token_ttl_seconds'],
  ['a lifetime as text', { access_token_ttl_seconds: '3600' }, 'access_token_ttl_seconds'],
  ['an unknown context', { context: 'group' }, 'context'],
  ['an unknown attribute', { is_public: true }, 'is_public'],
]

/** Extensions exist only in the current form; the deprecated one refuses them as unknown. */
const badExtensions: typeof badCreations = [
  ['an unknown grant', { grant_type: 'password' }, 'grant_type'],
  ['text for is_confidential', { is_confidential: 'no' }, 'is_confidential'],
  ['an unattended app with redirect URIs', { grant_type: 'client_credentials' }, 'redirect_uris'],
  ['a public unattended app', { ...unattended, is_confidential: false }, 'is_confidential'],
  ['an unattended app in a user’s context', { ...unattended, context: 'user' }, 'context'],
]
const extensionsElsewhere: typeof badCreations = [
  ['the extension grant_type', { ...unattended, redirect_uris: appAttributes.redirect_uris }, 'grant_type'],
  ['the extension is_confidential', { is_confidential: true }, 'is_confidential'],
]

const badChanges: typeof badCreations = [
  ['an empty name', { name: '' }, 'name'],
  ['empty redirect URIs', { redirect_uris: [] }, 'redirect_uris'],
  ['a redirect URI twice', { redirect_uris: ['https://a.example/', 'https://a.example/'] }, 'redirect_uris'],
  ['a redirect URI over plain http', { redirect_uris: ['http://a.example/'] }, 'redirect_uris/0'],
  ['a private-use scheme', { redirect_uris: ['com.example.app:/'] }, 'redirect_uris/0'],
  ['a lifetime below an hour', { access_token_ttl_seconds: 0 }, 'access_token_ttl_seconds'],
  ['other scopes', { scopes: ['org.read'] }, 'scopes'],
  ['another context', { context: 'user' }, 'context'],
]

const badSecrets: typeof badCreations = [
  ['a missing mode', { mode: undefined }, 'mode'],
  ['an unknown mode', { mode: 'rotate' }, 'mode'],
  ['a deletion without a secret', { mode: 'delete' }, 'secret'],
  ['a deletion of an unknown secret', { mode: 'delete', secret: 'not it' }, 'secret'],
]

function many(make: (n: number) => string): string[] {
  return Array.from({ length: 101 }, (_, n) => make(n))
}

/** Bodies without an attributes object, with their refusals. */
function badWraps(form: FormUnderTest): BadBody[] {
  if (form.at === '') return [['a member beside the attributes', { ...appAttributes, meta: {} }, '/meta']]
  return [
    ['null as data', { data: null }, '/data'],
    ['a member beside data', { ...newApp(), meta: {} }, '/meta'],
    ['another type', { data: { type: 'apps', attributes: appAttributes } }, '/data/type'],
    ['a missing type', { data: { attributes: appAttributes } }, '/data/type'],
    ['missing attributes', { data: { type: 'app' } }, '/data/attributes'],
    ['attributes beside data', { ...newApp(), name: 'x' }, '/name'],
  ]
}

onAnyEngine('refusals of apps', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  for (const form of formsUnderTest) {
    describe(form.name, () => {
      let made: App
      before(async () => {
        made = await createIn(app, form)
      })
      const { since } = form
      const list = () => form.list(app.orgId)
      const one = () => form.one(app.orgId, made)
      const needs = (verb: 'create' | 'read' | 'edit' | 'delete') =>
        ({ permission: `org.app.${verb}`, in: 'org' }) as const
      const toBodies = (cases: typeof badCreations, base: object): BadBody[] =>
        cases.map(([why, attributes, member]) => [why, form.body({ ...base, ...attributes }), `${form.at}/${member}`])

      testRefusals(() => app, 'creating an app', {
        method: 'POST',
        path: list,
        since,
        needs: needs('create'),
        body: () => form.body(appAttributes),
        badBodies: [
          ...toBodies(badCreations, appAttributes),
          ...toBodies(form.isDeprecated ? extensionsElsewhere : badExtensions, appAttributes),
          ...badWraps(form),
        ],
      })
      testRefusals(() => app, 'listing apps', { method: 'GET', path: list, since, isList: true, needs: needs('read') })
      testRefusals(() => app, 'reading an app', { method: 'GET', path: one, since, needs: needs('read') })
      testRefusals(() => app, 'changing an app', {
        method: 'PATCH',
        path: one,
        since,
        needs: needs('edit'),
        body: () => form.body({ name: made.attributes['name'] }),
        badBodies: toBodies(badChanges, {}),
      })
      testRefusals(() => app, 'deleting an app', { method: 'DELETE', path: one, since, needs: needs('delete') })
      testRefusals(() => app, 'changing secrets of an app', {
        method: 'POST',
        path: () => `${one()}/secrets`,
        since,
        needs: needs('edit'),
        body: () => form.body({ mode: 'delete', secret: 'x' }),
        badBodies: toBodies(badSecrets, { mode: 'create' }),
      })

      test('an app after all refusals: unchanged, one audit event', async () => {
        const { client_secret: _secret, ...attributes } = made.attributes
        assert.deepEqual((await app.call('GET', one())).json().data.attributes, attributes)
        const events = await auditEventsOf(app, made.id)
        assert.equal(events.length, 1)
      })
    })
  }

  test('creating an app with an unknown scope: the answer lists the known scopes', async () => {
    const answer = await app.call('POST', creationsOf(app.orgId), { body: newApp({ scopes: ['org.everything'] }) })
    for (const scope of scopeNames) assert.ok(answer.json().errors[0].detail.includes(scope), scope)
  })

  test('creating an app without org.read: the answer names org.read', async () => {
    const answer = await app.call('POST', creationsOf(app.orgId), { body: newApp({ scopes: ['org.edit'] }) })
    assert.match(answer.json().errors[0].detail, /must contain org\.read/)
  })

  test('creating an app: 10,000 unknown scopes get 400 with 20 errors, a million get 413', async () => {
    const withScopes = (count: number) => newApp({ scopes: Array.from({ length: count }, (_, n) => `s${n}`) })
    const many = await app.call('POST', creationsOf(app.orgId), { body: withScopes(10_000) })
    assertRefusal(many, { status: 400, code: 'invalid-request' })
    assert.equal(many.json().errors.length, 20)
    const tooMany = await app.call('POST', creationsOf(app.orgId), { body: withScopes(1_000_000) })
    assertRefusal(tooMany, { status: 413, code: 'too-large' })
  })

  test('changing an app: accepts its own id in the body, refuses another one (400 at /data/id)', async () => {
    const { id } = await createApp(app)
    const change = (sent: string) =>
      app.call('PATCH', `${creationsOf(app.orgId)}/${id}`, {
        body: { data: { id: sent, type: 'app', attributes: {} } },
      })
    assert.equal((await change(id.toUpperCase())).statusCode, 200)
    const refused = await change(randomUUID())
    assertRefusal(refused, { status: 400, code: 'invalid-request' })
    assert.equal(refused.json().errors[0].source.pointer, '/data/id')
  })

  test('a group member: may do what the role allows in every organization of the group, and nowhere else', async () => {
    const orgId = await app.addOrg()
    const key = await app.keyWith(['org.app.create', 'org.app.read'], { groupId: app.groupId })
    const made = await createApp(app, {}, { orgId, key })
    const path = `${creationsOf(orgId)}/${made.id}`
    assert.equal((await app.call('GET', path, { key })).statusCode, 200)
    assertRefusal(await app.call('DELETE', path, { key }), { status: 403, code: 'forbidden' })
    const elsewhere = await app.addOrg({ groupId: await app.addGroup() })
    assertRefusal(await app.call('GET', creationsOf(elsewhere), { key }), { status: 404, code: 'not-found' })
  })

  test('a member of one organization: gets 404 for apps of another organization of the group', async () => {
    const orgId = await app.addOrg()
    const key = await app.keyWith(permissionNames.filter((name) => name.startsWith('org.')))
    assertRefusal(await app.call('GET', creationsOf(orgId), { key }), { status: 404, code: 'not-found' })
    assertRefusal(await app.call('POST', creationsOf(orgId), { key, body: newApp() }), {
      status: 404,
      code: 'not-found',
    })
  })
})
