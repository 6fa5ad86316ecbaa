import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createAccount, ofOrg } from '#test/access/accounts.ts'
import {
  createApp,
  inGroup,
  inOrg,
  install,
  letIn,
  newInstall,
  ofApp,
  personWith,
  unattended,
} from '#test/access/apps.ts'
import { assertRefusal, type BadBody, testRefusals } from '#test/access/refusals.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

const anyApp = ofApp(randomUUID())
const badInstalls: BadBody[] = [
  ['missing data', { relationships: anyApp }, '/data'],
  ['missing relationships', { data: { type: 'app_install' } }, '/relationships'],
  ['another type', { data: { type: 'app' }, relationships: anyApp }, '/data/type'],
  ['a missing type', { data: {}, relationships: anyApp }, '/data/type'],
  [
    'an unknown attribute',
    { data: { type: 'app_install', attributes: { name: 'x' } }, relationships: anyApp },
    '/data/attributes/name',
  ],
  ['a caller-chosen id', { data: { type: 'app_install', id: randomUUID() }, relationships: anyApp }, '/data/id'],
  ['a missing app', { data: { type: 'app_install' }, relationships: {} }, '/relationships/app'],
  ['an app without data', { data: { type: 'app_install' }, relationships: { app: {} } }, '/relationships/app/data'],
  [
    'an app of another type',
    { data: { type: 'app_install' }, relationships: { app: { data: { id: randomUUID(), type: 'apps' } } } },
    '/relationships/app/data/type',
  ],
  [
    'an app with a malformed id',
    { data: { type: 'app_install' }, relationships: ofApp('mine') },
    '/relationships/app/data/id',
  ],
  [
    'an app with a malformed id inside data',
    { data: { type: 'app_install', relationships: ofApp('mine') } },
    '/data/relationships/app/data/id',
  ],
  [
    'another relationship',
    { data: { type: 'app_install' }, relationships: { org: 1, ...anyApp } },
    '/relationships/org',
  ],
]

const secrets = (attributes: object, type = 'app') => ({ data: { type, attributes } })
const badSecrets: BadBody[] = [
  ['the type of installs', secrets({ mode: 'create' }, 'app_install'), '/data/type'],
  ['a missing mode', secrets({}), '/data/attributes/mode'],
  ['an unknown mode', secrets({ mode: 'rotate' }), '/data/attributes/mode'],
  ['a deletion without a secret', secrets({ mode: 'delete' }), '/data/attributes/secret'],
  ['a deletion of an unknown secret', secrets({ mode: 'delete', secret: 'not it' }), '/data/attributes/secret'],
]

onEveryEngine('refusals of app installs', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  for (const at of [inOrg, inGroup]) {
    describe(`installs at ${at.level} level`, () => {
      let id: string
      let notYet: string
      before(async () => {
        id = (await install(app, at.path(app))).id
        notYet = (await createApp(app, unattended)).id
      })
      const since = '2023-06-19'
      const list = () => at.path(app)
      const one = () => `${at.path(app)}/${id}`
      const needs = (verb: 'read' | 'install' | 'edit') =>
        ({ permission: at.permission(verb), in: at === inOrg ? 'org' : 'group' }) as const

      testRefusals(() => app, 'installing an app', {
        method: 'POST',
        path: list,
        since,
        needs: needs('install'),
        body: () => newInstall(notYet),
        badBodies: badInstalls,
      })
      testRefusals(() => app, 'listing installs', {
        method: 'GET',
        path: list,
        since,
        isList: true,
        needs: needs('read'),
      })
      testRefusals(() => app, 'reading an install', { method: 'GET', path: one, since, needs: needs('read') })
      testRefusals(() => app, 'revoking an install', { method: 'DELETE', path: one, since, needs: needs('install') })
      testRefusals(() => app, 'changing secrets of an install', {
        method: 'POST',
        path: () => `${one()}/secrets`,
        since,
        needs: needs('edit'),
        body: () => secrets({ mode: 'delete', secret: 'x' }),
        badBodies: badSecrets,
      })
      test('revoking an install: refuses a malformed id (400 invalid-request)', async () => {
        assertRefusal(await app.call('DELETE', `${list()}/mine`), { status: 400, code: 'invalid-request' })
      })
    })
  }

  describe('installs as app bots', () => {
    let botId: string
    before(async () => {
      botId = (await install(app, inOrg.path(app))).id
    })
    const list = () => `/rest/orgs/${app.orgId}/app_bots`
    testRefusals(() => app, 'listing app bots', {
      method: 'GET',
      path: list,
      since: '2022-03-11',
      isList: true,
      needs: { permission: 'org.app.read', in: 'org' },
    })
    testRefusals(() => app, 'revoking an app bot', {
      method: 'DELETE',
      path: () => `${list()}/${botId}`,
      since: '2022-03-11',
      needs: { permission: 'org.app.install', in: 'org' },
    })
  })

  describe('apps, sessions and installs of the caller', () => {
    let appId: string
    let of: Awaited<ReturnType<typeof letIn>>
    let program: string
    before(async () => {
      appId = (await createApp(app)).id
      const { id: userId } = (await app.call('GET', '/rest/self')).json().data
      of = await letIn(app, { appId, userId, places: [inOrg.place(app)] })
      program = String((await createAccount(app, ofOrg.path(app))).attributes['api_key'])
    })
    const operations = [
      ['listing own apps', 'GET', () => '/rest/self/apps', '2022-03-11', 'list'],
      ['revoking an own app', 'DELETE', () => `/rest/self/apps/${appId}`, '2022-03-11', 'one'],
      ['listing own sessions', 'GET', () => `/rest/self/apps/${appId}/sessions`, '2023-03-30', 'list'],
      [
        'revoking an own session',
        'DELETE',
        () => `/rest/self/apps/${appId}/sessions/${of.sessionId}`,
        '2023-03-30',
        'one',
      ],
      ['listing own installs', 'GET', () => '/rest/self/apps/installs', '2023-06-19', 'list'],
      ['revoking an own install', 'DELETE', () => `/rest/self/apps/installs/${of.installIds[0]}`, '2023-06-19', 'one'],
    ] as const
    test('listing own sessions: returns 404 for an app that the caller did not authorize', async () => {
      const { key } = await personWith(app)
      const answer = await app.call('GET', `/rest/self/apps/${appId}/sessions`, { key })
      assertRefusal(answer, { status: 404, code: 'not-found' })
      const other = await createApp(app)
      const mine = await app.call('GET', `/rest/self/apps/${other.id}/sessions`)
      assertRefusal(mine, { status: 404, code: 'not-found' })
    })

    for (const [name, method, path, since, what] of operations) {
      testRefusals(() => app, name, { method, path, since, isList: what === 'list' })

      test(`${name}: refuses service accounts (403 in-person-only)`, async () => {
        assertRefusal(await app.call(method, path(), { key: program }), { status: 403, code: 'in-person-only' })
      })

      if (what === 'list') continue
      test(`${name}: returns 404 to another user`, async () => {
        const { key } = await personWith(app, ['org.read', 'org.app.read', 'org.app.install'])
        assertRefusal(await app.call(method, path(), { key }), { status: 404, code: 'not-found' })
      })

      test(`${name}: refuses a malformed id (400 invalid-request)`, async () => {
        const wrong = path().replace(/[^/]+$/, 'mine')
        assertRefusal(await app.call(method, wrong), { status: 400, code: 'invalid-request' })
      })
    }
  })
})
