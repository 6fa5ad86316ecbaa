import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { signInMark } from '#features/user-sessions/sign-in-mark.ts'
import { insertSession } from '#features/user-sessions/store.ts'
import { createAttempts } from '#foundation/access/attempts.ts'
import type { AccessStore, Principal } from '#foundation/access/caller.ts'
import type { Permission } from '#foundation/access/permissions.ts'
import type { Config } from '#foundation/config.ts'
import { createKeyring } from '#foundation/secrets/keyring.ts'
import { GROUP, ORG, rowsIn } from '#test/access/stored-rows.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { type FreshDatabase, freshDatabase } from '#test/servers/fresh-database.ts'
import { canonicalSecret, createAccessStore } from './access-store.ts'
import { createLastUses, type LastUses } from './last-uses.ts'

const AT = 1_000_000
const HERE = '192.0.2.7'
const KEY = 'ABCDEF00-0000-4000-8000-00000000000'
/** The number of failed keys after which an address has to wait. */
const MOST_FAILURES = 3
const keyring = createKeyring(Buffer.alloc(32, 1))
const config = { sessionIdleMinutes: 60, sessionHours: 24 } as Config

onEveryEngine('callers in storage', (engine) => {
  let database: FreshDatabase
  let add: ReturnType<typeof rowsIn>
  let lastUses: LastUses
  let attempts: ReturnType<typeof createAttempts>
  let store: AccessStore
  before(async () => {
    database = await freshDatabase(engine)
    add = rowsIn(database.db)
    await add.place()
  })
  after(() => database[Symbol.asyncDispose]())
  beforeEach(() => {
    const { db } = database
    lastUses = createLastUses(db, assert.ifError)
    attempts = createAttempts({ perMinute: MOST_FAILURES, now: () => AT, onLimit: () => {} })
    store = createAccessStore({ config, db, keyring, lastUses, attempts, now: () => AT })
  })
  afterEach(() => lastUses.close())

  /** Returns the last use of a row, in milliseconds since `AT`. */
  async function usedAt(table: 'credentials' | 'app_sessions' | 'user_sessions', id: string): Promise<number | null> {
    await lastUses.flush()
    const row = await database.db.selectFrom(table).select('last_used_at').where('id', '=', id).executeTakeFirst()
    return row!.last_used_at
  }
  let keys = 0
  const newKey = () => `${KEY}${(keys++).toString(16).padStart(2, '0')}`.slice(-36)
  const keyOf = async (row: Parameters<typeof add.credential>[0]) => {
    const key = newKey()
    const { id } = await add.credential({ digest: keyring.digest(key.toLowerCase()), ...row })
    return { id, key }
  }

  test('API key of a user, in upper or lower case: authenticates the user and records the use of the key', async () => {
    const user = await add.user()
    const { id, key } = await keyOf({ owner_id: user.id })
    for (const spelling of [key.toUpperCase(), key.toLowerCase()]) {
      assert.deepEqual(await store.authenticate(spelling, HERE), {
        kind: 'user',
        id: user.id,
        name: user.name,
        email: user.email,
        username: user.username,
        credentialId: id,
      })
    }
    assert.equal(await usedAt('credentials', id), AT)
    assert.deepEqual(attempts.totals(), [])
  })

  test('API key of a service account: authenticates the account', async () => {
    const account = await add.account()
    const { id, key } = await keyOf({ owner_kind: 'service_account', owner_id: account.id })
    const expected = { kind: 'service_account', id: account.id, name: account.name, credentialId: id }
    assert.deepEqual(await store.authenticate(key, HERE), expected)
  })

  const refused: [why: string, row: Partial<Parameters<typeof add.credential>[0]>][] = [
    ['a client secret', { kind: 'client_secret' }],
    ['an expired one', { expires_at: AT }],
    ['a retired one', { retires_at: AT }],
    ['one for another network', { allowed_networks: '["198.51.100.0/24"]' }],
    ['one of a user who is gone', { owner_id: 'gone' }],
    ['one of a service account that is gone', { owner_kind: 'service_account', owner_id: 'gone' }],
    ['one of another kind of owner', { owner_kind: 'app' }],
  ]
  for (const [why, row] of refused) {
    test(`API key: ${why} is refused and counted, and its use is not noted`, async () => {
      const user = await add.user()
      const { id, key } = await keyOf({ owner_id: user.id, ...row })
      assert.equal(await store.authenticate(key, HERE), undefined)
      assert.equal(await usedAt('credentials', id), null)
      assert.deepEqual(attempts.totals(), [{ kind: 'api_key', end: 'failed', attempts: 1 }])
    })
  }

  test('API key: refused for a disabled user; accepted just before its expiry', async () => {
    const disabled = await keyOf({ owner_id: (await add.user({ disabled_at: 1 })).id })
    assert.equal(await store.authenticate(disabled.key, HERE), undefined)
    const later = await keyOf({ owner_id: (await add.user()).id, expires_at: AT + 1 })
    assert.ok(await store.authenticate(later.key, HERE))
  })

  test('API keys that fail delay other keys from the same address, except those that have worked from it', async () => {
    const { key } = await keyOf({ owner_id: (await add.user()).id })
    assert.ok(await store.authenticate(key, HERE))
    const other = await keyOf({ owner_id: (await add.user()).id })
    for (let n = 0; n < MOST_FAILURES; n++) assert.equal(await store.authenticate(newKey(), HERE), undefined)
    assert.throws(() => store.authenticate(other.key, HERE), { code: 'rate-limited' })
    assert.ok(await store.authenticate(key, HERE))
    assert.ok(await store.authenticate(other.key, '198.51.100.1'))
    const counted = [
      { kind: 'api_key', end: 'failed', attempts: MOST_FAILURES },
      { kind: 'api_key', end: 'not_checked', attempts: 1 },
    ]
    assert.deepEqual(attempts.totals(), counted)
  })

  const tokenOf = async (row: Parameters<typeof add.token>[0]) => {
    const token = `header.payload.${newKey()}`
    await add.token({ digest: keyring.digest(token), ...row })
    return token
  }

  test('access token of a service account: authenticates the account and records the use of its secret', async () => {
    const account = await add.account()
    const owner = { owner_kind: 'service_account', owner_id: account.id }
    const secret = await add.credential({ kind: 'client_secret', ...owner })
    const other = await add.credential({ kind: 'client_secret', ...owner })
    const basis = { service_account_id: account.id, credential_id: secret.id }
    const expected = { kind: 'service_account', id: account.id, name: account.name, credentialId: secret.id }
    assert.deepEqual(await store.authenticate(await tokenOf(basis), HERE), expected)
    assert.deepEqual([await usedAt('credentials', secret.id), await usedAt('credentials', other.id)], [AT, null])
  })

  test('access token of a session: authenticates the app with its scopes and records the use of the session', async () => {
    const [user, app] = [await add.user(), await add.app()]
    const session = await add.session({ app_id: app.id, user_id: user.id })
    const token = await tokenOf({ session_id: session.id, scopes: '["org.read"]' })
    const principal = await store.authenticate(token, HERE)
    assert.deepEqual([principal?.kind, principal?.id], ['app', session.bot_id])
    assert.deepEqual([...principal!.scopes!], ['org.read'])
    assert.equal(await usedAt('app_sessions', session.id), AT)
  })

  test('access token: refused if expired, unknown or of a disabled user, without counting a failure or a use', async () => {
    const [user, app] = [await add.user({ disabled_at: 1 }), await add.app()]
    const account = await add.account()
    const secret = await add.credential({ owner_kind: 'service_account', owner_id: account.id })
    const session = await add.session({ app_id: app.id, user_id: user.id })
    const ofAccount = { service_account_id: account.id, credential_id: secret.id }
    const tokens = [
      await tokenOf({ ...ofAccount, expires_at: AT }),
      await tokenOf({ session_id: session.id, scopes: '[]' }),
      'header.payload.unknown',
      'a.b',
    ]
    for (const token of tokens) assert.equal(await store.authenticate(token, HERE), undefined)
    assert.deepEqual([await usedAt('credentials', secret.id), await usedAt('app_sessions', session.id)], [null, null])
    assert.deepEqual(attempts.totals(), [])
    assert.ok(await store.authenticate(await tokenOf({ ...ofAccount, expires_at: AT + 1 }), HERE))
  })

  test('browser session: authenticates its user and records the address; an unknown cookie is refused', async () => {
    const user = await add.user()
    const account = { id: user.id, password_hash: null, factors_changed_at: null }
    const times = { created_at: 1, signed_in_at: AT - 5, last_used_at: AT - 5 }
    const browser = { mark: signInMark({ keyring }, account), user_agent: 'a browser', address: '198.51.100.9' }
    const session = { id: 'a session', user_id: user.id, digest: keyring.digest('a cookie') }
    await insertSession(database.db, { ...session, ...browser, ...times, identity_id: null })
    assert.equal(await store.authenticateSession('another cookie', HERE), undefined)
    assert.equal(await usedAt('user_sessions', 'a session'), AT - 5)
    const principal = await store.authenticateSession('a cookie', HERE)
    assert.deepEqual([principal?.id, principal?.credentialId], [user.id, 'a session'])
    assert.equal(await usedAt('user_sessions', 'a session'), AT)
    const { address } = await database.db.selectFrom('user_sessions').select('address').executeTakeFirstOrThrow()
    assert.equal(address, HERE)
  })

  const callerOf = (id: string, more: Partial<Principal> = {}): Principal => ({
    kind: 'user',
    id,
    name: 'Somebody',
    credentialId: 'a key',
    ...more,
  })
  const scopesOf = (...names: Permission[]) => new Set<Permission>(names)
  const ORG_PLACE = { id: ORG, name: `Org ${ORG}`, slug: `slug-${ORG}`, groupId: GROUP }
  const GROUP_PLACE = { id: GROUP, name: `Group ${GROUP}`, slug: `slug-${GROUP}` }

  test('permissions in an organization given by id, by slug or as the default: those of all roles there', async () => {
    const user = await add.user()
    // A text that no earlier test has stored: parsed ones are cached.
    await add.member(user.id, ['org.read', `of.a.later.version.${user.id}`])
    await add.member(user.id, ['org.edit', 'org.read'], { org_id: ORG })
    for (const org of [{ id: ORG }, { slug: `slug-${ORG}` }, 'default'] as const) {
      const access = await store.permissionsInOrg(callerOf(user.id), org)
      assert.deepEqual(access, { permissions: scopesOf('org.read', 'org.edit'), group: GROUP_PLACE, org: ORG_PLACE })
    }
    assert.equal(await store.permissionsInOrg(callerOf(user.id), { id: 'unknown' }), undefined)
    for (const org of [{ id: ORG }, 'default'] as const)
      assert.equal(await store.permissionsInOrg(callerOf('a stranger'), org), undefined)
  })

  test('permissions of a scoped token: those that both the scopes and the roles grant', async () => {
    const user = await add.user()
    await add.member(user.id, ['org.read', 'org.edit'])
    const app = await add.app()
    const install = await add.install({ app_id: app.id })
    const scopes = scopesOf('org.read', 'group.read')
    const delegation = { appId: app.id, appName: app.name, botId: install.id!, userId: user.id }
    for (const caller of [callerOf(user.id, { scopes }), callerOf(user.id, { scopes, delegation })]) {
      const access = await store.permissionsInOrg(caller, { id: ORG })
      assert.deepEqual(access?.permissions, scopesOf('org.read'))
    }
    const unlimited = await store.permissionsInOrg(callerOf(user.id, { delegation }), { id: ORG })
    assert.deepEqual(unlimited?.permissions, scopesOf('org.read', 'org.edit'))
  })

  test('permissions of an unattended app: its scopes; without scopes none', async () => {
    const app = await add.app()
    const install = await add.install({ app_id: app.id })
    const caller = callerOf(install.id!, {
      kind: 'app',
      delegation: { appId: app.id, appName: app.name, botId: install.id! },
    })
    const of = async (more: Partial<Principal>) =>
      (await store.permissionsInOrg({ ...caller, ...more }, { id: ORG }))?.permissions
    assert.deepEqual(await of({ scopes: scopesOf('org.edit') }), scopesOf('org.edit'))
    assert.deepEqual(await of({}), scopesOf())
  })

  test('permissions in a group: those of the role there that the scopes allow', async () => {
    const user = await add.user()
    await add.member(user.id, ['group.read', 'org.read'])
    const whole = await store.permissionsInGroup(callerOf(user.id), GROUP)
    assert.deepEqual(whole, { permissions: scopesOf('group.read', 'org.read'), group: GROUP_PLACE })
    const limited = await store.permissionsInGroup(callerOf(user.id, { scopes: scopesOf('group.read') }), GROUP)
    assert.deepEqual(limited?.permissions, scopesOf('group.read'))
    assert.equal(await store.permissionsInGroup(callerOf('a stranger'), GROUP), undefined)
  })
})

test('normalizing secrets: text of 36 characters, a UUID, becomes lower case; other text is unchanged', () => {
  for (const length of [35, 37]) assert.equal(canonicalSecret('A'.repeat(length)), 'A'.repeat(length))
  assert.equal(canonicalSecret('A'.repeat(36)), 'a'.repeat(36))
})
