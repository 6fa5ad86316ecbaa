import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { Problem } from '#foundation/problem.ts'
import { createKeyring } from '#foundation/secrets/keyring.ts'
import { eventsIn, ORG, rowsIn } from '#test/access/stored-rows.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { freshDatabase } from '#test/servers/fresh-database.ts'
import { changeClientSecrets, deleteClientSecret, type SecretsChange } from './client-secrets.ts'
import { issueCredential } from './issue-credential.ts'
import type { SecretsAttributes } from './secrets-request.ts'
import { type CredentialRow, listCredentials } from './store.ts'

const AT = Date.UTC(2030, 0, 1)
const HOUR_MS = 3_600_000
const keyring = createKeyring(Buffer.alloc(32, 1))

type Ends = Partial<Pick<CredentialRow, 'expires_at' | 'retires_at' | 'replaced_at'>>
const retiring = (retires_at: number): Ends => ({ retires_at, replaced_at: AT - 5 })

onEveryEngine('client secrets', (engine) => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  before(async () => {
    database = await freshDatabase(engine)
    const add = rowsIn(database.db)
    await add.place()
    await add.webhook(['*'])
  })
  after(() => database[Symbol.asyncDispose]())
  beforeEach(() => database.db.deleteFrom('events').execute())

  /** Returns the type and the data of the only event, without the owner. */
  async function announced() {
    const events = await eventsIn(database.db)
    return events.map(({ type, data }) => [type, { ...(data as object), owner: undefined }])
  }
  const shown = (id: string, endsAt: number | null) => ({
    id,
    kind: 'client_secret',
    ends_at: endsAt === null ? null : new Date(endsAt).toISOString(),
  })

  /** An app of an organization with secrets that end like this, oldest first. */
  async function ownerWith(...ends: Ends[]) {
    const { db } = database
    const owner = { kind: 'app', id: randomUUID(), name: 'App', orgId: ORG } as const
    const secrets: { id: string; secret: string }[] = []
    for (const [n, dates] of ends.entries()) {
      const created = { kind: 'client_secret', owner, name: `secret ${n}` } as const
      const { row, secret } = await issueCredential({ keyring, now: () => AT - 1000 + n }, db, created)
      await db
        .updateTable('credentials')
        .set({ hint: row.hint, ...dates })
        .where('id', '=', row.id)
        .execute()
      secrets.push({ id: row.id, secret })
    }
    const change: SecretsChange = { tx: db, at: AT, owner, noun: 'app' }
    return {
      change,
      secrets,
      ids: secrets.map(({ id }) => id),
      rows: () => listCredentials(db, owner.id),
      make: (attributes: SecretsAttributes, more: Partial<SecretsChange> = {}) =>
        changeClientSecrets({ keyring, now: () => AT }, { ...change, ...more }, attributes),
    }
  }

  async function refuses(making: Promise<unknown>, pointer: string, message: RegExp): Promise<void> {
    await assert.rejects(making, (error) => {
      assert.ok(error instanceof Problem && error.code === 'invalid-request')
      assert.deepEqual(error.faults[0]!.source, { pointer })
      assert.match(error.faults[0]!.detail, message)
      return true
    })
  }

  test('client secrets, mode create: adds a second secret with its own limits', async () => {
    const { ids, rows, make } = await ownerWith({})
    const { secret, before, after } = await make({ mode: 'create', expires_at: new Date(AT + 5).toISOString() })
    const [first, second] = await rows()
    assert.deepEqual([first!.id, first!.retires_at, second!.name, second!.expires_at], [ids[0], null, 'Second', AT + 5])
    assert.equal(second!.digest, keyring.digest(secret!))
    assert.deepEqual([before, after], [{ credential_ids: ids }, { credential_ids: [...ids, second!.id] }])
    const data = { owner: undefined, credential: shown(second!.id, AT + 5) }
    assert.deepEqual(await announced(), [['credential.created', data]])
  })

  test('client secrets, mode replace: deletes all others at once', async () => {
    const { ids, rows, make } = await ownerWith({}, {})
    const { secret, before, after } = await make({ mode: 'replace' })
    const [only, ...others] = await rows()
    assert.deepEqual([only!.name, only!.digest, others], ['Replacement', keyring.digest(secret!), []])
    assert.deepEqual([before, after], [{ credential_ids: ids }, { credential_ids: [only!.id] }])
    const replaced = ids.map((id) => shown(id, AT))
    const data = { owner: undefined, credential: shown(only!.id, null), replaced }
    assert.deepEqual(await announced(), [['credential.rotated', data]])
  })

  test('client secrets, replace with a grace period: the old one retires at its end', async () => {
    const { ids, rows, make } = await ownerWith({})
    const { after } = await make({ mode: 'replace', grace_seconds: 3600 })
    const [old, young] = await rows()
    assert.deepEqual([old!.id, old!.replaced_at, old!.retires_at], [ids[0], AT, AT + HOUR_MS])
    assert.deepEqual([young!.replaced_at, young!.retires_at], [null, null])
    const data = { owner: undefined, credential: shown(young!.id, null), replaced: [shown(old!.id, AT + HOUR_MS)] }
    assert.deepEqual(await announced(), [['credential.rotated', data]])
    assert.deepEqual(after, {
      credential_ids: [old!.id, young!.id],
      retiring: [{ id: old!.id, retires_at: new Date(AT + HOUR_MS).toISOString() }],
    })
  })

  for (const [retires, expected] of [
    [AT + 10, AT + 10],
    [AT + 2 * HOUR_MS, AT + HOUR_MS],
  ] as const) {
    test(`client secret that retires in ${retires - AT} ms: a replacement’s grace period cannot extend it`, async () => {
      const { rows, make } = await ownerWith(retiring(retires))
      await make({ mode: 'replace', grace_seconds: 3600 })
      const [old] = await rows()
      assert.deepEqual([old!.replaced_at, old!.retires_at], [AT - 5, expected])
    })
  }

  const full: [why: string, ends: Ends[], wanted: SecretsAttributes, pointer: string, message: RegExp][] = [
    [
      'create',
      [{}, {}],
      { mode: 'create' },
      'mode',
      /^The app has 2 secrets, the maximum; delete one first, or replace$/,
    ],
    [
      'create, one retires',
      [retiring(AT + HOUR_MS), {}],
      { mode: 'create' },
      'mode',
      /wait until the replaced one expires at 2030-01-01T01:00:00\.000Z, or delete it, or replace$/,
    ],
    [
      'replace with a grace period',
      [{}, {}],
      { mode: 'replace', grace_seconds: 1 },
      'grace_seconds',
      /delete one first, or replace without a grace period$|the replaced one expires at/,
    ],
  ]
  for (const [why, ends, attributes, pointer, message] of full) {
    test(`client secrets, ${why}: a third secret is refused`, async () => {
      const { rows, make } = await ownerWith(...ends)
      const previous = await rows()
      await refuses(make(attributes), `/data/attributes/${pointer}`, message)
      await refuses(make(attributes, { attributesAt: '' }), `/${pointer}`, message)
      assert.deepEqual(await rows(), previous)
    })
  }

  for (const member of ['expires_at', 'retires_at'] as const) {
    test(`client secret whose ${member} is now: does not count toward the limit of two; a millisecond later it does`, async () => {
      const ended = await ownerWith({ [member]: AT }, {})
      await ended.make({ mode: 'create' })
      assert.equal((await ended.rows()).length, 3)
      const alone = await ownerWith({ [member]: AT })
      await alone.make({ mode: 'create' })
      assert.equal((await alone.rows()).length, 2)
      const working = await ownerWith({ [member]: AT + 1 }, {})
      await refuses(working.make({ mode: 'create' }), '/data/attributes/mode', /has 2 secrets, the maximum/)
    })
  }

  const idle: [wanted: SecretsAttributes, member: string][] = [
    [{ mode: 'create', grace_seconds: 0 }, 'grace_seconds'],
    [{ mode: 'delete', secret: 'x', grace_seconds: 1 }, 'grace_seconds'],
    [{ mode: 'delete', secret: 'x', expires_at: '2031-01-01T00:00:00Z' }, 'expires_at'],
    [{ mode: 'delete', secret: 'x', allowed_networks: ['10.0.0.0/8'] }, 'allowed_networks'],
  ]
  for (const [attributes, member] of idle) {
    test(`client secrets, mode ${attributes.mode}: refuses ${member}, which would have no effect`, async () => {
      const { make } = await ownerWith({}, {})
      await refuses(make(attributes), `/data/attributes/${member}`, /has no effect with mode/)
    })
  }

  test('client secret deleted by value: one of two; an unknown or the last one is refused', async () => {
    const { ids, secrets, rows, make } = await ownerWith({}, {})
    await refuses(make({ mode: 'delete' }), '/data/attributes/secret', /^\/data\/attributes\/secret is missing/)
    await refuses(make({ mode: 'delete', secret: 'unknown' }), '/data/attributes/secret', /The app has no such secret/)
    const done = await make({ mode: 'delete', secret: secrets[0]!.secret })
    assert.deepEqual(done, { before: { credential_ids: ids }, after: { credential_ids: [ids[1]] } })
    const data = { owner: undefined, credentials: [shown(ids[0]!, null)] }
    assert.deepEqual(await announced(), [['credential.deleted', data]])
    await refuses(make({ mode: 'delete', secret: secrets[1]!.secret }), '/data/attributes/mode', /at least one secret/)
    assert.deepEqual(
      (await rows()).map(({ id }) => id),
      [ids[1]],
    )
  })

  test('client secret deleted by value: refused for the only one that does not retire', async () => {
    const { secrets, make } = await ownerWith(retiring(AT + HOUR_MS), {})
    await refuses(make({ mode: 'delete', secret: secrets[1]!.secret }), '/data/attributes/mode', /that is not retiring/)
    const { after } = await make({ mode: 'delete', secret: secrets[0]!.secret })
    assert.deepEqual(after, { credential_ids: [secrets[1]!.id] })
  })

  test('client secret deleted by id: allowed if ended; refused for the last active or a foreign one', async () => {
    const { change, ids, rows } = await ownerWith({ expires_at: AT }, {})
    const other = await ownerWith({}, {})
    await assert.rejects(deleteClientSecret(change, other.ids[0]!), { code: 'not-found' })
    await assert.rejects(deleteClientSecret(change, ids[1]!), { code: 'conflict' })
    assert.deepEqual(await deleteClientSecret(change, ids[0]!), {
      before: { credential_ids: [ids[1]] },
      after: { credential_ids: [ids[1]] },
    })
    await assert.rejects(deleteClientSecret(change, ids[1]!), { code: 'conflict' })
    assert.deepEqual(
      (await rows()).map(({ id }) => id),
      [ids[1]],
    )
    const data = { owner: undefined, credentials: [shown(ids[0]!, AT)] }
    assert.deepEqual(await announced(), [['credential.deleted', data]])
    assert.deepEqual(await deleteClientSecret(other.change, other.ids[0]!), {
      before: { credential_ids: other.ids },
      after: { credential_ids: [other.ids[1]] },
    })
  })

  test('client secret deleted by id: allowed for an ended one, even if no working secret is left', async () => {
    const { change, ids, rows } = await ownerWith({ expires_at: AT })
    await deleteClientSecret(change, ids[0]!)
    assert.deepEqual(await rows(), [])
  })
})
