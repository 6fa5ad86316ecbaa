import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { insertGroup } from '#features/organizations/groups-store.ts'
import { type Config, readConfig } from '#foundation/config.ts'
import type { Database } from '#foundation/db/open-database.ts'
import { createKeyring } from '#foundation/secrets/keyring.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { freshDatabase } from '#test/servers/fresh-database.ts'
import { algorithms } from './algorithms.ts'
import {
  currentSigningKey,
  ensureSigningKey,
  publishedKeys,
  replaceSigningKey,
  rotateSigningKeys,
} from './signing-keys.ts'

const DAY_MS = 86_400_000
const secretKey = randomBytes(32)

/** A server with its own clock and an empty key cache; a second one may share the database. */
function serverOn({ db }: Database, changed: Partial<Config> = {}) {
  let time = Date.UTC(2026, 0, 1)
  const server = {
    db,
    keyring: createKeyring(secretKey),
    config: { ...readConfig({}), ...changed },
    now: () => time,
    wait: (ms: number) => {
      time += ms
    },
  }
  return server
}

const idsOf = async (server: Parameters<typeof publishedKeys>[0]) =>
  (await publishedKeys(server)).map((key) => (key as { kid: string }).kid)

onEveryEngine('signing keys', (engine) => {
  test('ensureSigningKey: creates one key, which is used at once', async () => {
    await using database = await freshDatabase(engine)
    const server = serverOn(database)
    await assert.rejects(currentSigningKey(server), /no signing key/)
    await ensureSigningKey(server)
    await ensureSigningKey(server)
    const key = await currentSigningKey(server)
    assert.deepEqual(await idsOf(server), [key.id])
    assert.equal(key.algorithm, 'ES256')
  })

  test('a clock set back: the current signing key stays in use', async () => {
    await using database = await freshDatabase(engine)
    const server = serverOn(database)
    await ensureSigningKey(server)
    const first = await currentSigningKey(server)
    server.wait(-2 * DAY_MS)
    assert.equal((await currentSigningKey(serverOn(database))).id, first.id)
    assert.equal((await currentSigningKey(server)).id, first.id)
    await rotateSigningKeys(server)
    assert.deepEqual(await idsOf(server), [first.id])
  })

  test('scheduled rotation: publishes the next key a day before its use, drops the last after its tokens expire', async () => {
    await using database = await freshDatabase(engine)
    const server = serverOn(database, { signingKeyDays: 10 })
    await ensureSigningKey(server)
    const first = await currentSigningKey(server)
    server.wait(9 * DAY_MS - 1)
    await rotateSigningKeys(server)
    assert.deepEqual(await idsOf(server), [first.id])
    server.wait(1)
    await rotateSigningKeys(server)
    await rotateSigningKeys(server)
    const [, second] = await idsOf(server)
    assert.deepEqual(await idsOf(server), [first.id, second])
    server.wait(DAY_MS - 1)
    assert.equal((await currentSigningKey(server)).id, first.id)
    server.wait(1)
    assert.equal((await currentSigningKey(server)).id, second, 'also when the key was kept just before')
    server.wait(DAY_MS)
    await rotateSigningKeys(server)
    assert.deepEqual(await idsOf(server), [first.id, second])
    server.wait(60_000)
    await rotateSigningKeys(server)
    assert.deepEqual(await idsOf(server), [second])
  })

  test('a changed algorithm: its key is published a day before use', async () => {
    await using database = await freshDatabase(engine)
    const before = serverOn(database)
    await ensureSigningKey(before)
    const server = serverOn(database, { tokenAlgorithm: 'EdDSA' })
    await rotateSigningKeys(server)
    assert.equal((await currentSigningKey(server)).algorithm, 'ES256')
    server.wait(DAY_MS)
    assert.equal((await currentSigningKey(server)).algorithm, 'EdDSA')
  })

  test('planned rotation by an operator: keeps the current key in use for a day', async () => {
    await using database = await freshDatabase(engine)
    const server = serverOn(database)
    await ensureSigningKey(server)
    const first = await currentSigningKey(server)
    const dropped = await replaceSigningKey(server, server.db, 'planned')
    const next = await replaceSigningKey(server, server.db, 'planned')
    assert.deepEqual(next.withdrawn, [dropped.id])
    assert.deepEqual(await idsOf(server), [first.id, next.id])
    assert.equal((await currentSigningKey(server)).id, first.id)
    server.wait(DAY_MS)
    assert.equal((await currentSigningKey(server)).id, next.id)
  })

  test('rotation after a compromise: withdraws all other keys; the new key is in use within seconds', async () => {
    await using database = await freshDatabase(engine)
    const server = serverOn(database)
    await ensureSigningKey(server)
    const first = await currentSigningKey(server)
    const { id, withdrawn } = await replaceSigningKey(server, server.db, 'compromised')
    assert.deepEqual(withdrawn, [first.id])
    assert.deepEqual(await idsOf(server), [id])
    server.wait(10_001)
    assert.equal((await currentSigningKey(server)).id, id)
  })

  test('key rotation: appears in the audit log of every group', async () => {
    await using database = await freshDatabase(engine)
    const server = serverOn(database, { signingKeyDays: 10 })
    const groups = [randomUUID(), randomUUID()].sort()
    for (const id of groups) await insertGroup(server.db, { id, name: 'A group', slug: id, at: server.now() })
    await ensureSigningKey(server)
    const first = await currentSigningKey(server)
    server.wait(9 * DAY_MS)
    await rotateSigningKeys(server)
    await rotateSigningKeys(server)
    const second = (await idsOf(server))[1]
    server.wait(2 * DAY_MS)
    const third = await server.db.transaction().execute((tx) => replaceSigningKey(server, tx, 'compromised'))
    const { db } = server
    const events = await db.selectFrom('audit_events').selectAll().orderBy('at').orderBy('group_id').execute()
    const expected = [
      ['server', second, { reason: 'scheduled', used_from: '2026-01-11T00:00:00.000Z', withdrawn: [] }],
      [
        'operator',
        third.id,
        { reason: 'compromised', used_from: '2026-01-12T00:00:00.000Z', withdrawn: [first.id, second] },
      ],
    ].flatMap(([kind, id, after]) => groups.map((group) => ['signing_key.rotate', group, kind, id, after]))
    assert.deepEqual(
      events.map((row) => [row.action, row.group_id, row.actor_kind, row.target_id, JSON.parse(row.after!)]),
      expected,
    )
  })

  test('private signing keys: cannot be read without the secret key', async () => {
    await using database = await freshDatabase(engine)
    const server = serverOn(database)
    await ensureSigningKey(server)
    const [row] = await database.db.selectFrom('signing_keys').selectAll().execute()
    assert.doesNotMatch(Buffer.from(row!.private_key).toString('latin1'), /PRIVATE KEY/)
    assert.ok(!('d' in JSON.parse(row!.public_key)))
    const thief = { ...server, keyring: createKeyring(randomBytes(32)), now: () => server.now() + 20_000 }
    await assert.rejects(currentSigningKey(thief), /cannot be decrypted/)
  })
})

describe('signatures with published keys', () => {
  for (const algorithm of algorithms) {
    test(`${algorithm}: another library verifies the signature with the published key`, async () => {
      await using database = await freshDatabase('sqlite')
      const server = serverOn(database, { tokenAlgorithm: algorithm })
      await ensureSigningKey(server)
      const key = await currentSigningKey(server)
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const text = `${encode({ alg: algorithm, kid: key.id })}.${encode({ jti: randomUUID() })}`
      const token = `${text}.${key.sign(text).toString('base64url')}`
      const keys = createLocalJWKSet({ keys: (await publishedKeys(server)) as never })
      const { protectedHeader } = await jwtVerify(token, keys)
      assert.equal(protectedHeader.alg, algorithm)
      await assert.rejects(jwtVerify(`${token.slice(0, -4)}AAAA`, keys))
    })
  }
})
