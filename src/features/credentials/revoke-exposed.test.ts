import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { createKeyring } from '#foundation/secrets/keyring.ts'
import { newSecret } from '#foundation/secrets/typed-secret.ts'
import { eventsIn, GROUP, ORG, rowsIn } from '#test/access/stored-rows.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { type FreshDatabase, freshDatabase } from '#test/servers/fresh-database.ts'
import { locateExposed } from './locate-exposed.ts'
import { revokeExposed } from './revoke-exposed.ts'

const AT = 1_000_000
const keyring = createKeyring(Buffer.alloc(32, 1))
const actor = { kind: 'anonymous', name: 'Report of an exposure' } as const

onEveryEngine('exposed credentials', (engine) => {
  let database: FreshDatabase
  let add: ReturnType<typeof rowsIn>
  before(async () => {
    database = await freshDatabase(engine)
    add = rowsIn(database.db)
    await add.place()
    await add.webhook(['*'])
    await add.group({ id: 'far' })
    await add.org({ id: 'far org', group_id: 'far' })
  })
  after(() => database[Symbol.asyncDispose]())
  beforeEach(async () => {
    await database.db.deleteFrom('events').execute()
    await database.db.deleteFrom('audit_events').execute()
  })
  const locate = (value: string) => locateExposed({ db: database.db, keyring }, value)
  const revoke = (values: readonly string[], about: { reporter?: string; location?: string } = {}) =>
    revokeExposed({ db: database.db, keyring, now: () => AT }, { id: 'a report', values, ...about, actor })
  const audited = () => database.db.selectFrom('audit_events').selectAll().orderBy('id').execute()
  const addCredential = async (value: string, row: Parameters<typeof add.credential>[0]) =>
    add.credential({ digest: keyring.digest(value), ...row })
  const concernOf = (kind: string, id: string, { name, orgId }: { name: string; orgId: string | null }) => ({
    place: { groupId: GROUP, orgId },
    target: { kind, id },
    program: { kind, id, name, orgId },
  })

  /** Adds a user of the group who authorized an app of the far organization. */
  async function addSession() {
    const [user, app] = [await add.user(), await add.app({ group_id: 'far', org_id: 'far org' })]
    const session = await add.session({ app_id: app.id!, user_id: user.id! })
    const place = { groupId: 'far', orgId: 'far org' }
    const concerns = [
      { place: { groupId: GROUP, orgId: null }, target: { kind: 'app_session', id: session.id } },
      {
        place,
        target: { kind: 'app', id: app.id },
        program: { kind: 'app', id: app.id, name: app.name, orgId: 'far org' },
      },
    ]
    const facts = { session_id: session.id, app_id: app.id, app_name: app.name, user_id: user.id }
    return { user, app, session, concerns, facts }
  }

  async function addRecord(model: string, sessionId: string, ends: { consumed_at?: number; expires_at?: number } = {}) {
    const value = newSecret(model === 'RefreshToken' ? 'refresh_token' : 'authorization_code')
    const payload = Buffer.alloc(0)
    const row = { model, id: keyring.digest(value), payload, uid: null, session_id: sessionId }
    await database.db
      .insertInto('oauth_records')
      .values({ ...row, consumed_at: null, expires_at: null, ...ends })
      .execute()
    return value
  }

  describe('locating exposed secrets by value', () => {
    test('exposed API key of a user, in capitals: located, in the group that manages the user', async () => {
      const [user, key] = [await add.user(), randomUUID()]
      const { id, name, hint } = await addCredential(key, { owner_id: user.id! })
      assert.deepEqual(await locate(key.toUpperCase()), {
        kind: 'api_key',
        row: { table: 'credentials', id },
        endsAt: Infinity,
        facts: { credential_id: id, name, hint },
        concerns: [{ place: { groupId: GROUP, orgId: null }, target: { kind: 'api_key', id } }],
      })
    })

    test('exposed client secret of a program: located, in the organization or group of the program', async () => {
      const [account, ofGroup] = [await add.account(), await add.account({ org_id: null })]
      const app = await add.app()
      const install = await add.install({ app_id: app.id!, org_id: null })
      const owners = [
        ['service_account', account.id!, { name: account.name, orgId: ORG }],
        ['service_account', ofGroup.id!, { name: ofGroup.name, orgId: null }],
        ['app', app.id!, { name: app.name, orgId: ORG }],
        ['app_install', install.id!, { name: app.name, orgId: null }],
      ] as const
      for (const [kind, id, place] of owners) {
        const secret = newSecret('client_secret')
        await addCredential(secret, { kind: 'client_secret', owner_kind: kind, owner_id: id, retires_at: 7 })
        const located = await locate(secret)
        assert.deepEqual([located?.kind, located?.endsAt], ['client_secret', 7])
        assert.deepEqual(located?.concerns, [concernOf(kind, id, place)])
      }
    })

    test('exposed secrets of deleted apps, of their installs and of other deleted owners are not located', async () => {
      const app = await add.app({ ended_at: 1 })
      const install = await add.install({ app_id: app.id! })
      const session = await add.session({ app_id: app.id!, user_id: (await add.user()).id! })
      const owners = [
        ['app', app.id!],
        ['app_install', install.id!],
        ['app', 'gone'],
        ['app_install', 'gone'],
        ['service_account', 'gone'],
        ['user', 'gone'],
      ] as const
      for (const [kind, id] of owners) {
        const secret = newSecret('client_secret')
        await addCredential(secret, { kind: 'client_secret', owner_kind: kind, owner_id: id })
        assert.equal(await locate(secret), undefined, `${kind} ${id}`)
      }
      assert.equal(await locate(await addRecord('RefreshToken', session.id)), undefined)
      await add.token({ digest: keyring.digest('of.a.session'), session_id: session.id })
      assert.equal(await locate('of.a.session'), undefined)
    })

    for (const [model, kind] of [
      ['RefreshToken', 'refresh_token'],
      ['AuthorizationCode', 'authorization_code'],
    ] as const) {
      test(`exposed ${kind}: located, with the user and the app of its session; it ended when it was used`, async () => {
        const { session, concerns, facts } = await addSession()
        const row = { table: 'app_sessions', id: session.id }
        const ends = [
          [{ consumed_at: 5, expires_at: 9 }, 5],
          [{ expires_at: 9 }, 9],
          [{}, Infinity],
        ] as const
        for (const [stored, endsAt] of ends) {
          const value = await addRecord(model, session.id, stored)
          assert.deepEqual(await locate(value), { kind, row, endsAt, facts, concerns })
        }
      })
    }

    test('exposed access token: located, with the user and app of its session, or with its program', async () => {
      const { session, concerns, facts } = await addSession()
      const add2 = (value: string, row: Parameters<typeof add.token>[0]) =>
        add.token({ digest: keyring.digest(value), expires_at: 9, ...row })
      const ofSession = await add2('of.the.session', { session_id: session.id })
      const same = { kind: 'access_token', endsAt: 9 }
      assert.deepEqual(await locate('of.the.session'), {
        ...same,
        row: { table: 'access_tokens', id: ofSession.id },
        facts: { token_id: ofSession.id, client_id: 'a client', ...facts },
        concerns,
      })
      const account = await add.account()
      const app = await add.app()
      const install = await add.install({ app_id: app.id! })
      const ofAccount = await add2('of.an.account', { service_account_id: account.id! })
      const ofInstall = await add2('of.an.install', { install_id: install.id! })
      assert.deepEqual(await locate('of.an.account'), {
        ...same,
        row: { table: 'access_tokens', id: ofAccount.id },
        facts: { token_id: ofAccount.id, client_id: 'a client' },
        concerns: [concernOf('service_account', account.id!, { name: account.name, orgId: ORG })],
      })
      assert.deepEqual(await locate('of.an.install'), {
        ...same,
        row: { table: 'access_tokens', id: ofInstall.id },
        facts: { token_id: ofInstall.id, client_id: 'a client' },
        concerns: [concernOf('app_install', install.id!, { name: app.name, orgId: ORG })],
      })
    })

    test('unknown values are not located, even if they have the format of our secrets', async () => {
      const kinds = ['client_secret', 'refresh_token', 'authorization_code', 'access_token_id'] as const
      for (const value of [randomUUID(), 'a.b.c', 'password', '', ...kinds.map(newSecret)])
        assert.equal(await locate(value), undefined, value)
    })

    test('an exposed secret is located only as the type that its format indicates', async () => {
      const { session } = await addSession()
      const user = await add.user()
      const refreshToken = newSecret('refresh_token')
      await addCredential(refreshToken, { owner_id: user.id! })
      await addCredential('password', { owner_id: user.id! })
      for (const value of [refreshToken, 'password']) assert.equal(await locate(value), undefined)
      const code = await addRecord('AuthorizationCode', session.id)
      await database.db
        .updateTable('oauth_records')
        .set({ model: 'RefreshToken' })
        .where('id', '=', keyring.digest(code))
        .execute()
      assert.equal(await locate(code), undefined)
    })
  })

  test('revoking an exposed secret is audited in each place concerned, and the program’s organization is notified', async () => {
    const { session, app, user, facts } = await addSession()
    await add.webhook(['*'], 'far org')
    const value = await addRecord('RefreshToken', session.id)
    const about = { reporter: `who saw ${value}`, location: `https://paste.example/?q=${value}` }
    await revoke(['unknown', value, value], about)
    assert.deepEqual(
      await database.db.selectFrom('app_sessions').selectAll().where('id', '=', session.id).execute(),
      [],
    )
    const clean = { reporter: 'who saw …', found_at: 'https://paste.example/?q=…' }
    const [ofUser, ofApp, ...others] = await audited()
    assert.deepEqual(others, [])
    const kept = [ofUser!, ofApp!].map(({ id: _, before, after, ...row }) => ({
      ...row,
      before: JSON.parse(before!),
      after: JSON.parse(after!),
    }))
    const same = {
      at: AT,
      action: 'exposed_credential.revoke',
      actor_kind: 'anonymous',
      actor_id: null,
      actor_name: 'Report of an exposure',
      credential_id: null,
      request_id: null,
      address: null,
      before: { kind: 'refresh_token', ...facts },
      after: { report_id: 'a report', ...clean },
    }
    assert.deepEqual(kept, [
      { ...same, group_id: GROUP, org_id: null, target_kind: 'app_session', target_id: session.id },
      { ...same, group_id: 'far', org_id: 'far org', target_kind: 'app', target_id: app.id },
    ])
    const owner = { kind: 'app', id: app.id, name: app.name }
    const data = { owner, credential: { id: null, kind: 'refresh_token' }, report_id: 'a report', ...clean }
    assert.deepEqual(await eventsIn(database.db, 'far org'), [{ type: 'credential.exposed', data }])
    assert.deepEqual(await eventsIn(database.db), [])
    assert.ok(user.id)
  })

  test('revoking the last secret of a program works, also for a report without details', async () => {
    const account = await add.account()
    const secret = newSecret('client_secret')
    const owner = { owner_kind: 'service_account', owner_id: account.id! }
    const { id } = await addCredential(secret, { kind: 'client_secret', ...owner })
    const others = () =>
      database.db.selectFrom('credentials').select('id').where('id', '!=', id).orderBy('id').execute()
    await add.credential(owner)
    const before = await others()
    await revoke([secret])
    assert.deepEqual(await others(), before)
    const [row] = await audited()
    assert.deepEqual(JSON.parse(row!.after!), { report_id: 'a report' })
    const ownerData = { kind: 'service_account', id: account.id, name: account.name }
    const data = { owner: ownerData, credential: { id, kind: 'client_secret' }, report_id: 'a report' }
    assert.deepEqual(await eventsIn(database.db), [
      { type: 'credential.exposed', data: { ...data, reporter: null, found_at: null } },
    ])
    await revoke([secret])
    assert.equal((await audited()).length, 1)
  })

  test('two simultaneous reports of one secret are audited once', async () => {
    const [user, key] = [await add.user(), randomUUID()]
    await addCredential(key, { owner_id: user.id! })
    await Promise.all([revoke([key]), revoke([key])])
    assert.equal((await audited()).length, 1)
    assert.deepEqual(await eventsIn(database.db), [])
  })

  test('remarks of reports: short words are kept, values of 16 characters or more are removed', async () => {
    const [user, key] = [await add.user(), randomUUID()]
    await addCredential(key, { owner_id: user.id! })
    const [short, long] = ['x'.repeat(15), 'y'.repeat(16)]
    await revoke([key, short, long], { reporter: `${short} ${long} ${long}` })
    assert.deepEqual(JSON.parse((await audited())[0]!.after!), { report_id: 'a report', reporter: `${short} … …` })
  })
})
