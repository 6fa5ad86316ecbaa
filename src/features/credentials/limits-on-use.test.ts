import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createAccount, ofOrg } from '#test/access/accounts.ts'
import { appSecrets, createApp, creationsOf, installsOf, newInstall, unattended } from '#test/access/apps.ts'
import {
  addClient,
  basic,
  claimsOf,
  granted,
  inForm,
  refresh,
  refused,
  sendForm,
  tokensFor,
} from '#test/access/oauth.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

const OFFICE = '192.0.2.7'
const ELSEWHERE = '198.51.100.1'
const office = ['192.0.2.0/24', '2001:db8::/32']

/** A client with a secret. */
interface Program {
  readonly clientId: string
  readonly secret: string
  /** Path of the client's secrets. */
  readonly path: string
  readonly type: 'app' | 'service_account'
}

interface Kind {
  readonly name: string
  /** True for machine-to-machine clients. */
  readonly isUnattended: boolean
  add(app: TestApp, limits?: object): Promise<Program>
}

const kinds: Kind[] = [
  {
    name: 'service account',
    isUnattended: true,
    async add(app, limits) {
      const { id, attributes } = await createAccount(app, ofOrg.path(app), {
        auth_type: 'oauth_client_secret',
        ...limits,
      })
      const path = `${ofOrg.path(app)}/${id}/secrets`
      return toProgram(attributes, { path, type: 'service_account' })
    },
  },
  {
    name: 'unattended install',
    isUnattended: true,
    async add(app, limits) {
      const { id: appId } = await createApp(app, unattended)
      const body = { ...newInstall(appId), data: { type: 'app_install', attributes: limits } }
      const answer = await app.call('POST', installsOf(app.orgId), { body })
      assert.equal(answer.statusCode, 201, answer.body)
      const { id, attributes } = answer.json().data
      return toProgram(attributes, { path: `${installsOf(app.orgId)}/${id}/secrets`, type: 'app' })
    },
  },
  {
    name: 'app',
    isUnattended: false,
    async add(app, limits) {
      const { id, attributes } = await createApp(app, limits as Record<string, unknown>)
      return toProgram(attributes, { path: `${creationsOf(app.orgId)}/${id}/secrets`, type: 'app' })
    },
  },
]

function toProgram(attributes: Record<string, unknown>, rest: Pick<Program, 'path' | 'type'>): Program {
  return { clientId: String(attributes['client_id']), secret: String(attributes['client_secret']), ...rest }
}

onEveryEngine('limits of client secrets', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine, { GATEHOUSE_TRUST_PROXY: '127.0.0.1/32' })
  })
  after(() => app.close())

  const from = (address: string) => ({ 'x-forwarded-for': address })
  const clientCredentials = (program: Program) => ({ grant_type: 'client_credentials', ...inForm(program) })

  async function replaced(program: Program, attributes: object): Promise<Program> {
    const body = { data: { type: program.type, attributes: { mode: 'replace', ...attributes } } }
    const answer = await app.call('POST', program.path, { body })
    assert.equal(answer.statusCode, 200, answer.body)
    return { ...program, secret: answer.json().data.attributes.client_secret }
  }

  /** Sets the end of a secret to now. */
  async function end(program: Program, column: 'expires_at' | 'retires_at'): Promise<void> {
    const { db, keyring, now } = app.parts.services
    const digest = keyring.digest(program.secret)
    await db
      .updateTable('credentials')
      .set({ [column]: now() })
      .where('digest', '=', digest)
      .execute()
  }

  const self = async (token: string, address: string) =>
    (await app.call('GET', '/rest/self', { key: token, headers: from(address) })).statusCode

  for (const { name, isUnattended, add } of kinds) {
    describe(`limits of secrets: ${name}`, () => {
      for (const path of ['token', 'introspect', 'revoke'] as const) {
        if (path === 'token' && !isUnattended) continue

        const ask = (program: Program, address = ELSEWHERE) =>
          sendForm(
            app,
            path,
            path === 'token' ? clientCredentials(program) : { token: 'x', ...inForm(program) },
            from(address),
          )

        test(`${path} with the first secret of a client: accepted only from its allowed_networks`, async () => {
          const program = await add(app, { allowed_networks: office })
          assert.equal((await ask(program, OFFICE)).statusCode, 200)
          assert.equal((await ask(program, `::ffff:${OFFICE}`)).statusCode, 200)
          assert.equal((await ask(program, '2001:db8::9')).statusCode, 200)
          refused(await ask(program), 401, 'invalid_client')
          const { clientId, secret } = program
          const form = path === 'token' ? { grant_type: 'client_credentials' } : { token: 'x' }
          const sent = await sendForm(app, path, form, { ...from(ELSEWHERE), ...basic(clientId, secret) })
          refused(sent, 401, 'invalid_client')
        })

        test(`${path} with a later secret: accepted only from its own allowed_networks, which do not limit the earlier one`, async () => {
          const first = await add(app)
          const second = await replaced(first, { allowed_networks: office, grace_seconds: 60 })
          refused(await ask(second), 401, 'invalid_client')
          assert.equal((await ask(second, OFFICE)).statusCode, 200)
          assert.equal((await ask(first)).statusCode, 200)
        })

        test(`${path} with a replaced secret: accepted until its grace period ends`, async () => {
          const first = await add(app)
          const second = await replaced(first, { grace_seconds: 60 })
          for (const program of [first, second]) assert.equal((await ask(program)).statusCode, 200)
          await end(first, 'retires_at')
          refused(await ask(first), 401, 'invalid_client')
          assert.equal((await ask(second)).statusCode, 200)
        })

        test(`${path} with an expired secret: refused (401 invalid_client)`, async () => {
          const program = await add(app, { expires_at: new Date(Date.now() + 3_600_000).toISOString() })
          assert.equal((await ask(program)).statusCode, 200)
          await end(program, 'expires_at')
          refused(await ask(program), 401, 'invalid_client')
        })

        test(`${path} with a replaced secret: its use is shown by last_used_at and used_since_replaced`, async () => {
          const first = await add(app)
          await replaced(first, { grace_seconds: 60 })
          await new Promise((resolve) => setTimeout(resolve, 2))
          await ask(first)
          await app.parts.lastUses.flush()
          const { data } = (await app.call('GET', first.path)).json()
          const used = data.map(({ attributes }: { attributes: Record<string, unknown> }) => [
            attributes['state'],
            typeof attributes['last_used_at'],
            attributes['used_since_replaced'],
          ])
          assert.deepEqual(new Set(used.map(String)), new Set(['retiring,string,true', 'active,undefined,']))
        })
      }

      if (!isUnattended) return

      test('token of a secret with allowed_networks: refused elsewhere (401)', async () => {
        const program = await add(app, { allowed_networks: office })
        const { access_token } = granted(await sendForm(app, 'token', clientCredentials(program), from(OFFICE)))
        assert.equal(await self(access_token, OFFICE), 200)
        assert.equal(await self(access_token, ELSEWHERE), 401)
      })

      test('token of a replaced secret: ends with the grace period', async () => {
        const first = await add(app)
        const { access_token } = granted(await sendForm(app, 'token', clientCredentials(first)))
        const second = await replaced(first, { grace_seconds: 60 })
        assert.equal(await self(access_token, ELSEWHERE), 200)
        const later = granted(await sendForm(app, 'token', clientCredentials(first)))
        assert.ok(later.expires_in <= 60, `it says ${later.expires_in} s`)
        assert.ok(Number(claimsOf(later.access_token)['exp']) * 1000 <= Date.now() + 60_000)
        await end(first, 'retires_at')
        for (const token of [access_token, later.access_token]) assert.equal(await self(token, ELSEWHERE), 401)
        const answer = await sendForm(app, 'introspect', { token: access_token, ...inForm(second) })
        assert.deepEqual(answer.json(), { active: false })
      })

      test('token of an expiring secret: expires no later than the secret', async () => {
        const program = await add(app, { expires_at: new Date(Date.now() + 100_000).toISOString() })
        const { access_token, expires_in } = granted(await sendForm(app, 'token', clientCredentials(program)))
        assert.ok(expires_in > 0 && expires_in <= 100, `it says ${expires_in} s`)
        await end(program, 'expires_at')
        assert.equal(await self(access_token, ELSEWHERE), 401)
      })
    })
  }

  const bad: [why: string, attributes: object, pointer: string][] = [
    ['an expires_at in the past', { expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    ['an invalid network', { allowed_networks: ['office'] }, 'allowed_networks/0'],
    ['an empty list of networks', { allowed_networks: [] }, 'allowed_networks'],
    ['too many networks', { allowed_networks: Array.from({ length: 51 }, () => '::/0') }, 'allowed_networks'],
  ]
  for (const [why, attributes, pointer] of bad) {
    test(`new app or install: refuses ${why} (400)`, async () => {
      const { id } = await createApp(app, unattended)
      const answers = [
        await app.call('POST', creationsOf(app.orgId), {
          body: { data: { type: 'app', attributes: { ...sameApp, ...attributes } } },
        }),
        await app.call('POST', installsOf(app.orgId), {
          body: { ...newInstall(id), data: { type: 'app_install', attributes } },
        }),
      ]
      for (const answer of answers) {
        assert.equal(answer.statusCode, 400, answer.body)
        assert.equal(answer.json().errors[0].source.pointer, `/data/attributes/${pointer}`)
      }
    })
  }
  const sameApp = { name: 'An app', redirect_uris: ['https://app.example/callback'], scopes: ['org.read'] }

  test('new app without a secret: refuses allowed_networks (400)', async () => {
    const apps = [
      { ...sameApp, redirect_uris: undefined, grant_type: 'client_credentials' },
      { ...sameApp, redirect_uris: ['http://127.0.0.1:8080/'], is_confidential: false },
    ]
    for (const attributes of apps) {
      const body = { data: { type: 'app', attributes: { ...attributes, allowed_networks: ['::/0'] } } }
      const answer = await app.call('POST', creationsOf(app.orgId), { body })
      assert.equal(answer.statusCode, 400, answer.body)
      assert.equal(answer.json().errors[0].source.pointer, '/data/attributes/allowed_networks')
    }
  })

  describe('tokens that an app obtained for a user', () => {
    test('refresh with an app’s secret: accepted only from the secret’s networks', async () => {
      const client = await addClient(app)
      const { refresh_token } = await tokensFor(app, client)
      const path = `${creationsOf(app.orgId)}/${client.appId}/secrets`
      const body = appSecrets('replace', { allowed_networks: ['127.0.0.0/8'] })
      const secret = (await app.call('POST', path, { body })).json().data.attributes.client_secret
      const form = { grant_type: 'refresh_token', refresh_token, ...inForm({ ...client, secret }) }
      refused(await sendForm(app, 'token', form, from(ELSEWHERE)), 401, 'invalid_client')
      granted(await sendForm(app, 'token', form))
    })

    for (const exposed of ['refresh_token', 'access_token', 'client_secret'] as const) {
      test(`tokens of a user’s session, after its ${exposed} was reported: the affected ones end`, async () => {
        const client = await addClient(app)
        const tokens = await tokensFor(app, client)
        assert.equal(await self(tokens.access_token, ELSEWHERE), 200)
        const value = exposed === 'client_secret' ? client.secret! : tokens[exposed]
        const body = { data: { type: 'exposure_report', attributes: { credentials: [value] } } }
        assert.equal((await app.call('POST', '/rest/exposed_credentials', { body, key: null })).statusCode, 200)
        // An app's secret grants new tokens; the sessions' tokens belong to the users.
        assert.equal(await self(tokens.access_token, ELSEWHERE), exposed === 'client_secret' ? 200 : 401)
        const again = await refresh(app, client, tokens.refresh_token)
        if (exposed === 'access_token') granted(again)
        else if (exposed === 'refresh_token') refused(again, 400, 'invalid_grant')
        else refused(again, 401, 'invalid_client')
      })
    }
  })
})
