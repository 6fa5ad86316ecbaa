import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { insertSession } from '#features/user-sessions/store.ts'
import { createKeyring } from '#foundation/secrets/keyring.ts'
import { hintOf } from '#foundation/secrets/typed-secret.ts'
import { ORG, rowsIn } from '#test/access/stored-rows.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { type FreshDatabase, freshDatabase } from '#test/servers/fresh-database.ts'
import { issueCredential } from './issue-credential.ts'
import {
  deleteCredentials,
  deleteCredentialsOfOrg,
  findCredential,
  findHolder,
  listCredentials,
  saveLastUses,
} from './store.ts'

const keyring = createKeyring(Buffer.alloc(32, 1))

onEveryEngine('stored credentials', (engine) => {
  let database: FreshDatabase
  let add: ReturnType<typeof rowsIn>
  before(async () => {
    database = await freshDatabase(engine)
    add = rowsIn(database.db)
    await add.place()
  })
  after(() => database[Symbol.asyncDispose]())
  beforeEach(() => database.db.deleteFrom('credentials').execute())
  const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)
  const left = async () => ids(await database.db.selectFrom('credentials').select('id').orderBy('id').execute())

  const limits = [
    [undefined, { expires_at: null, allowed_networks: null }],
    [
      { expiresAt: null, allowedNetworks: null },
      { expires_at: null, allowed_networks: null },
    ],
    [
      { expiresAt: 9, allowedNetworks: ['::/0'] },
      { expires_at: 9, allowed_networks: '["::/0"]' },
    ],
  ] as const
  for (const [input, stored] of limits) {
    test(`a new credential is stored with all given members, limits ${JSON.stringify(input)}`, async () => {
      const owner = { kind: 'app', id: 'an app' } as const
      const secret = 'a secret that ends with abcd_v1'
      const issue = { kind: 'client_secret', owner, name: 'First', secret, limits: input } as const
      const { row } = await issueCredential({ keyring, now: () => 5 }, database.db, issue)
      const names = { name: 'First', digest: keyring.digest(secret), hint: hintOf(secret) }
      const times = { created_at: 5, last_used_at: null, retires_at: null, replaced_at: null }
      const expected = { kind: 'client_secret', owner_kind: 'app', owner_id: 'an app', ...names, ...times, ...stored }
      assert.deepEqual(row, { id: row.id, ...expected })
      assert.deepEqual(await findCredential(database.db, row.id), row)
      assert.equal(await findCredential(database.db, 'unknown'), undefined)
    })
  }

  test('credentials of an owner are listed by age, then by id, and deleted together or by id', async () => {
    for (const [id, created_at] of [
      ['c', 2],
      ['b', 2],
      ['d', 1],
      ['a', 3],
    ] as const)
      await add.credential({ id, created_at, owner_id: 'an owner' })
    await add.credential({ id: 'other', owner_id: 'another owner' })
    assert.deepEqual(ids(await listCredentials(database.db, 'an owner')), ['d', 'b', 'c', 'a'])
    assert.deepEqual(ids(await deleteCredentials(database.db, 'an owner', 'b')), ['b'])
    assert.deepEqual(await left(), ['a', 'c', 'd', 'other'])
    assert.deepEqual(ids(await deleteCredentials(database.db, 'an owner', 'other')), [])
    assert.deepEqual(ids(await deleteCredentials(database.db, 'an owner')).toSorted(), ['a', 'c', 'd'])
    assert.deepEqual(await left(), ['other'])
  })

  test('deleting the credentials of an organization’s service accounts keeps all others', async () => {
    const [own, ofGroup] = [await add.account(), await add.account({ org_id: null })]
    const ofAccount = { owner_kind: 'service_account' }
    await add.credential({ id: 'own', ...ofAccount, owner_id: own.id })
    await add.credential({ id: 'of the group', ...ofAccount, owner_id: ofGroup.id })
    // Another kind of owner with the same id, as none has in practice.
    await add.credential({ id: 'of an app', owner_kind: 'app', owner_id: own.id })
    await deleteCredentialsOfOrg(database.db, ORG)
    assert.deepEqual(await left(), ['of an app', 'of the group'])
  })

  test('a credential is found by its digest, with its owner; an unknown digest finds nothing', async () => {
    const user = await add.user({ disabled_at: 3 })
    const limited = { expires_at: 7, retires_at: 8, allowed_networks: '[]' }
    const { id, digest } = await add.credential({ owner_id: user.id, ...limited })
    const names = { name: user.name, email: user.email, username: user.username, disabled_at: 3 }
    const kinds = { kind: 'api_key', owner_kind: 'user', owner_id: user.id }
    const expected = { id, ...kinds, ...limited, ...names, service_account_name: null }
    const holderOfKey = await findHolder(database.db, digest)
    for (const [name, value] of Object.entries(expected))
      assert.equal(holderOfKey![name as keyof typeof expected], value)
    assert.equal(await findHolder(database.db, 'unknown'), undefined)
    const account = await add.account()
    const key = await add.credential({ owner_kind: 'service_account', owner_id: account.id })
    const holder = await findHolder(database.db, key.digest)
    assert.deepEqual([holder?.id, holder?.service_account_name, holder?.name], [key.id, account.name, null])
  })

  test('last uses: the newest is kept whatever the order of writing, and other credentials are unchanged', async () => {
    const { db } = database
    const [user, app] = [await add.user(), await add.app()]
    for (const id of ['used', 'unused']) {
      await add.credential({ id, owner_id: user.id })
      await add.session({ id, app_id: app.id, user_id: user.id })
      const browser = { digest: id, mark: 'a mark', user_agent: '', address: 'first', identity_id: null }
      const times = { created_at: 1, signed_in_at: 1, last_used_at: 1 }
      await insertSession(db, { id, user_id: user.id, ...browser, ...times })
    }
    const stored = async (id: string) => {
      const tables = ['credentials', 'app_sessions', 'user_sessions'] as const
      const times: (number | null)[] = []
      for (const table of tables) {
        const row = await db.selectFrom(table).select('last_used_at').where('id', '=', id).executeTakeFirstOrThrow()
        times.push(row.last_used_at)
      }
      return times
    }
    for (const [at, expected] of [
      [20, 20],
      [19, 20],
      [21, 21],
    ] as const) {
      const uses = new Map([['used', at]])
      const browsers = new Map([['used', { at, address: `from ${at}` }]])
      await saveLastUses(db, { credentials: uses, sessions: uses, browsers })
      assert.deepEqual(await stored('used'), [expected, expected, expected])
    }
    assert.deepEqual(await stored('unused'), [null, null, 1])
    const rows = await db.selectFrom('user_sessions').select(['id', 'address']).orderBy('id').execute()
    assert.deepEqual(
      rows.map(({ address }) => address),
      ['first', 'from 21'],
    )
  })
})
