import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { orgCollaborator } from '#foundation/access/built-in-roles.ts'
import { type AccountOwner, createAccount, newAccount, ofGroup, ofOrg, secretsBody } from '#test/access/accounts.ts'
import { type CallOptions, startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

interface Operation {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly verb: 'create' | 'read' | 'edit' | 'delete'
  /** The path after that of the list; `id` is an account's. */
  suffix(id: string): string
  body?(id: string): object
}

const rename = (id: string, name: unknown = `name ${id}`) => ({
  data: { id, type: 'service_account', attributes: { name } },
})

const operations: Operation[] = [
  { name: 'account creation', method: 'POST', verb: 'create', suffix: () => '', body: () => newAccount() },
  { name: 'account list', method: 'GET', verb: 'read', suffix: () => '' },
  { name: 'single account', method: 'GET', verb: 'read', suffix: (id) => `/${id}` },
  { name: 'account rename', method: 'PATCH', verb: 'edit', suffix: (id) => `/${id}`, body: (id) => rename(id) },
  { name: 'account deletion', method: 'DELETE', verb: 'delete', suffix: (id) => `/${id}` },
  {
    name: 'change of secrets',
    method: 'POST',
    verb: 'edit',
    suffix: (id) => `/${id}/secrets`,
    body: () => secretsBody('create'),
  },
]

/** Refusals of every operation: the request, the status, the code. */
const everywhere: [why: string, status: number, code: string, options: CallOptions][] = [
  ['a missing credential', 401, 'unauthenticated', { key: null }],
  ['an unknown key', 401, 'unauthenticated', { key: randomUUID() }],
  ['a missing version', 400, 'version-missing', { query: { version: '-' } }],
  ['an unreadable version', 400, 'version-invalid', { query: { version: '2023-13-01' } }],
  ['a future version', 400, 'version-in-future', { query: { version: '2999-01-01' } }],
  ['a version before the first release', 404, 'version-not-found', { query: { version: '2023-09-06' } }],
  ['an unknown parameter', 400, 'unknown-parameter', { query: { expand: 'role' } }],
  ['an Accept header that excludes JSON', 406, 'not-acceptable', { headers: { accept: 'text/html' } }],
]

const attributes = { name: 'ci', auth_type: 'api_key', role_id: orgCollaborator.id }
const of = (changed: object) => ({ data: { type: 'service_account', attributes: { ...attributes, ...changed } } })

const surrogate = ['/data/attributes/name', '/data/attributes/auth_type', '/data/attributes/role_id']

/** Bodies that a creation refuses, with the pointers of the answer. */
const badCreations: [why: string, body: unknown, pointers: string[]][] = [
  ['a missing body', undefined, ['']],
  ['null', 'null', ['']],
  ['a list', [], ['']],
  ['missing data', {}, ['/data']],
  ['a member beside data', { ...of({}), meta: {} }, ['/meta']],
  ['another type', { data: { type: 'app', attributes } }, ['/data/type']],
  ['an id of the client', { data: { ...of({}).data, id: randomUUID() } }, ['/data/id']],
  ['missing attributes', { data: { type: 'service_account' } }, ['/data/attributes']],
  [
    'empty attributes',
    { data: { type: 'service_account', attributes: {} } },
    ['/data/attributes/name', '/data/attributes/auth_type', '/data/attributes/role_id'],
  ],
  ['an unknown attribute', of({ 'a/b~c': 1 }), ['/data/attributes/a~1b~0c']],
  ['an empty name', of({ name: '' }), ['/data/attributes/name']],
  ['a blank name', of({ name: '  ' }), ['/data/attributes/name']],
  ['a name of characters that are not shown', of({ name: ' \u200b\u202e\ufe0f' }), ['/data/attributes/name']],
  ['a name of 256 characters', of({ name: 'x'.repeat(256) }), ['/data/attributes/name']],
  ['a number as the name', of({ name: 7 }), ['/data/attributes/name']],
  [
    'half a surrogate pair in the name',
    '{"data":{"type":"service_account","attributes":{"name":"\\ud800"}}}',
    surrogate,
  ],
  ['a line feed in the name', of({ name: 'a\nb' }), ['/data/attributes/name']],
  ['a control character in the name', of({ name: 'a\u0000b' }), ['/data/attributes/name']],
  ['an unknown auth_type', of({ auth_type: 'password' }), ['/data/attributes/auth_type']],
  ['a role_id that is not a UUID', of({ role_id: 'admin' }), ['/data/attributes/role_id']],
  ['an unknown role', of({ role_id: randomUUID() }), ['/data/attributes/role_id']],
  [
    'a token lifetime below an hour',
    of({ auth_type: 'oauth_client_secret', access_token_ttl_seconds: 3599 }),
    ['/data/attributes/access_token_ttl_seconds'],
  ],
  [
    'a token lifetime above a day',
    of({ auth_type: 'oauth_client_secret', access_token_ttl_seconds: 86_401 }),
    ['/data/attributes/access_token_ttl_seconds'],
  ],
  [
    'a token lifetime with a fraction',
    of({ auth_type: 'oauth_client_secret', access_token_ttl_seconds: 3600.5 }),
    ['/data/attributes/access_token_ttl_seconds'],
  ],
  [
    'a token lifetime as text',
    of({ auth_type: 'oauth_client_secret', access_token_ttl_seconds: '3600' }),
    ['/data/attributes/access_token_ttl_seconds'],
  ],
  [
    'a token lifetime of an api_key account',
    of({ access_token_ttl_seconds: 3600 }),
    ['/data/attributes/access_token_ttl_seconds'],
  ],
  ['a jwks_url of an api_key account', of({ jwks_url: 'https://k.test/' }), ['/data/attributes/jwks_url']],
  [
    'oauth_private_key_jwt without a jwks_url',
    of({ auth_type: 'oauth_private_key_jwt' }),
    ['/data/attributes/jwks_url'],
  ],
  [
    'a jwks_url without TLS',
    of({ auth_type: 'oauth_private_key_jwt', jwks_url: 'http://k.test/' }),
    ['/data/attributes/jwks_url'],
  ],
  [
    'a jwks_url in a private network',
    of({ auth_type: 'oauth_private_key_jwt', jwks_url: 'https://10.0.0.8/jwks' }),
    ['/data/attributes/jwks_url'],
  ],
]

onEveryEngine('refusals of service account operations', (engine) => {
  let app: TestApp
  /** An administrator of another group with an organization. */
  let stranger: string
  let otherOrg: string
  before(async () => {
    app = await startApp(engine)
    const groupId = await app.addGroup()
    stranger = await app.keyWith(allPermissions, { groupId })
    otherOrg = await app.addOrg()
  })
  after(() => app.close())

  const allPermissions = [ofOrg, ofGroup].flatMap(({ permission }) =>
    (['create', 'read', 'edit', 'delete'] as const).map(permission),
  )

  async function refused(operation: Operation, path: string, options: CallOptions & { id: string }) {
    const { id, ...rest } = options
    const body = operation.body && !('body' in rest) ? { body: operation.body(id) } : {}
    const answer = await app.call(operation.method, `${path}${operation.suffix(id)}`, { ...body, ...rest })
    const error = answer.json().errors?.[0]
    return { status: answer.statusCode, code: error?.code, error, errors: answer.json().errors ?? [] }
  }

  for (const owner of [ofOrg, ofGroup]) {
    describe(`refusals at level ${owner.level}`, () => {
      let path: string
      let id: string
      before(async () => {
        path = owner.path(app)
        id = (await createAccount(app, path, { auth_type: 'oauth_client_secret' })).id
      })

      /** Asserts after each table that the refused requests changed nothing. */
      async function unchanged() {
        const { data } = (await app.call('GET', path)).json()
        assert.deepEqual(
          data.map((account: { id: string }) => account.id),
          [id],
        )
        const secrets = await app.parts.services.db
          .selectFrom('credentials')
          .select('id')
          .where('owner_id', '=', id)
          .execute()
        assert.equal(secrets.length, 1)
      }
      after(unchanged)

      for (const operation of operations) {
        for (const [why, status, code, options] of everywhere) {
          test(`${operation.name}: refuses ${why} (${status} ${code})`, async () => {
            const answer = await refused(operation, path, { id, ...options })
            assert.deepEqual([answer.status, answer.code], [status, code])
          })
        }

        test(`${operation.name}: refuses a member without the permission and names it (403)`, async () => {
          const needed = owner.permission(operation.verb)
          const others = allPermissions.filter((permission) => permission !== needed)
          const answer = await refused(operation, path, { id, key: await owner.keyWith(app, others) })
          assert.deepEqual([answer.status, answer.code], [403, 'forbidden'])
          assert.match(answer.error.detail, new RegExp(needed.replaceAll('.', '\\.')))
        })

        test(`${operation.name}: returns 404 to a user of another group`, async () => {
          const answer = await refused(operation, path, { id, key: stranger })
          assert.deepEqual([answer.status, answer.code], [404, 'not-found'])
          const absent = await refused(operation, path.replace(/[0-9a-f-]{36}/, randomUUID()), { id, key: stranger })
          assert.equal(absent.status, 404)
        })

        test(`${operation.name}: an owner that is not a UUID gets 404`, async () => {
          const answer = await refused(operation, path.replace(/[0-9a-f-]{36}/, 'default-org'), { id })
          assert.deepEqual([answer.status, answer.code], [404, 'not-found'])
        })

        if (operation.body) {
          test(`${operation.name}: another media type gets 415, invalid JSON gets body-unreadable`, async () => {
            const headers = { 'content-type': 'text/plain' }
            assert.equal((await refused(operation, path, { id, headers })).status, 415)
            assert.equal((await refused(operation, path, { id, body: '{"data":' })).code, 'body-unreadable')
          })
        }
        if (operation.suffix('') === '') continue

        test(`${operation.name}: an id that is not a UUID gets 400`, async () => {
          const wrong = { ...operation, suffix: () => operation.suffix('ci') }
          const answer = await refused(wrong, path, { id })
          assert.deepEqual([answer.status, answer.error.source], [400, { parameter: 'serviceaccount_id' }])
        })

        test(`${operation.name}: an unknown id gets 404`, async () => {
          assert.equal((await refused(operation, path, { id: randomUUID() })).status, 404)
        })

        test(`${operation.name}: the account of another owner gets 404`, async () => {
          for (const other of [owner === ofOrg ? ofGroup.path(app) : ofOrg.path(app), accountsOf(otherOrg)]) {
            const account = await createAccount(app, other, { auth_type: 'oauth_client_secret' })
            assert.equal((await refused(operation, path, { id: account.id })).status, 404)
            assert.equal((await app.call('GET', `${other}/${account.id}`)).statusCode, 200)
            assert.equal((await app.call('DELETE', `${other}/${account.id}`)).statusCode, 204)
          }
        })
      }

      for (const [why, body, pointers] of badCreations) {
        test(`account creation: refuses ${why} with 400`, () => refusesBody(owner, ['POST', ''], { body, pointers }))
      }

      test('account creation: refuses auth_type access_token and names the alternatives', async () => {
        const { error } = await refused(operations[0]!, path, { id, body: of({ auth_type: 'access_token' }) })
        assert.deepEqual(error.source, { pointer: '/data/attributes/auth_type' })
        assert.match(error.detail, /api_key, oauth_client_secret, oauth_private_key_jwt/)
      })

      const badRenamings: [why: string, body: (id: string) => unknown, pointers: string[]][] = [
        ['a missing body', () => undefined, ['']],
        ['a missing id', () => ({ data: { type: 'service_account', attributes: { name: 'x' } } }), ['/data/id']],
        ['another id', () => rename(randomUUID()), ['/data/id']],
        ['a missing type', (one) => ({ data: { id: one, attributes: { name: 'x' } } }), ['/data/type']],
        [
          'a missing name',
          (one) => ({ data: { id: one, type: 'service_account', attributes: {} } }),
          ['/data/attributes/name'],
        ],
        ['an empty name', (one) => rename(one, ''), ['/data/attributes/name']],
        ['a blank name', (one) => rename(one, ' '), ['/data/attributes/name']],
        ['null as the name', (one) => rename(one, null), ['/data/attributes/name']],
        [
          'another role',
          (one) => ({
            data: { id: one, type: 'service_account', attributes: { name: 'x', role_id: orgCollaborator.id } },
          }),
          ['/data/attributes/role_id'],
        ],
      ]
      for (const [why, body, pointers] of badRenamings) {
        test(`account rename: refuses ${why} with 400`, () =>
          refusesBody(owner, ['PATCH', `/${id}`], { body: body(id), pointers }))
      }

      const badSecrets: [why: string, body: unknown, pointers: string[]][] = [
        ['a missing body', undefined, ['']],
        ['a missing type', { data: { attributes: { mode: 'create' } } }, ['/data/type']],
        ['a missing mode', { data: { type: 'service_account', attributes: {} } }, ['/data/attributes/mode']],
        ['an unknown mode', secretsBody('rotate'), ['/data/attributes/mode']],
        ['a deletion without a secret', secretsBody('delete'), ['/data/attributes/secret']],
        ['a deletion of another secret', secretsBody('delete', 'not it'), ['/data/attributes/secret']],
      ]
      for (const [why, body, pointers] of badSecrets) {
        test(`change of secrets: refuses ${why} with 400`, () =>
          refusesBody(owner, ['POST', `/${id}/secrets`], { body, pointers }))
      }
    })
  }

  async function refusesBody(
    owner: AccountOwner,
    [method, suffix]: ['POST' | 'PATCH', string],
    { body, pointers }: { body: unknown; pointers: string[] },
  ) {
    const answer = await app.call(method, `${owner.path(app)}${suffix}`, {
      body,
      headers: { 'content-type': 'application/vnd.api+json' },
    })
    assert.equal(answer.statusCode, 400, answer.body)
    const { errors } = answer.json()
    assert.deepEqual(
      new Set(errors.map(({ source }: { source: { pointer: string } }) => source.pointer)),
      new Set(pointers),
    )
    for (const { code, status } of errors) assert.deepEqual([code, status], ['invalid-request', '400'])
  }
})

function accountsOf(orgId: string): string {
  return `/rest/orgs/${orgId}/service_accounts`
}
