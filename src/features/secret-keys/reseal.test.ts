import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { readSecretKey } from '#composition/create-services.ts'
import { sealedPlaces } from '#composition/sealed-places.ts'
import { recordsOf } from '#features/oauth/records.ts'
import { findChallengeSecret, saveChallenge } from '#features/second-factors/challenges-store.ts'
import { totpContext } from '#features/second-factors/set-up.ts'
import { startApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { openKeyring } from './keys-in-use.ts'
import { countOutdated, reseal } from './reseal.ts'
import { beginRotation, finishRotation } from './rotate.ts'

onEveryEngine('rotation of the secret key', (engine) => {
  test('secret key rotation: encrypts all stored secrets anew; an unreadable value keeps the previous keys', async () => {
    const app = await startApp(engine)
    try {
      const { services } = app.parts
      const { db, now, keyring } = services
      const user = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
      const records = recordsOf<{ n: number }>(services, 'RefreshToken')
      // More than a page of rows.
      const ids = Array.from({ length: 250 }, () => randomUUID())
      for (const [n, id] of ids.entries()) await records.insert(db, id, { n }, { lifetimeSeconds: 60 })
      const challenge = { id: randomUUID(), purpose: 'add-totp', holder: 'h' } as const
      await saveChallenge(services, db, { ...challenge, secret: 'S' })
      await saveChallenge(services, db, { ...challenge, id: randomUUID() })
      const factor = { id: randomUUID(), user_id: user.id, kind: 'totp', name: 'phone', created_at: 1 }
      const sealed = keyring.seal('T', totpContext(user.id))
      await db
        .insertInto('second_factors')
        .values({ ...factor, secret: sealed })
        .execute()

      const secretKey = readSecretKey(services.config)
      const newKey = randomBytes(32)
      const noWait = { wait: async () => {} }
      await assert.rejects(finishRotation(services, sealedPlaces, noWait), /No rotation is pending/)
      const same = beginRotation({ db, now }, { secretKey, newKey: secretKey, leadMs: 0 })
      await assert.rejects(same, /The new secret key is the current one/)
      await beginRotation({ db, now }, { secretKey, newKey, leadMs: 0 })
      const next = await openKeyring(db, newKey)
      const outdated = await countOutdated({ db, keyring: next }, sealedPlaces)
      assert.ok(outdated >= 252, `${outdated} values`)
      await db
        .updateTable('second_factors')
        .set({ secret: Buffer.alloc(60) })
        .execute()
      const later = { ...services, keyring: next }
      await assert.rejects(finishRotation(later, sealedPlaces, noWait), /1 values cannot be decrypted/)
      await db.updateTable('second_factors').set({ secret: sealed }).execute()
      assert.deepEqual(await reseal({ db, keyring: next }, sealedPlaces), { resealed: 1, unreadable: 0 })
      await finishRotation(later, sealedPlaces, noWait)

      const alone = await openKeyring(db, newKey)
      assert.equal(alone.dataKeyIds.length, 1)
      const deps = { keyring: alone, now }
      const [first, last] = [ids[0]!, ids.at(-1)!]
      for (const id of [first, last]) assert.ok(await recordsOf(deps, 'RefreshToken').find(db, id))
      assert.equal(await findChallengeSecret(deps, db, challenge), 'S')
      const stored = await db.selectFrom('second_factors').select('secret').executeTakeFirstOrThrow()
      assert.equal(alone.open(stored.secret!, totpContext(user.id)), 'T')
      const actions = await db
        .selectFrom('audit_events')
        .select('action')
        .where('target_kind', '=', 'secret_key')
        .execute()
      assert.deepEqual(actions.map(({ action }) => action).sort(), ['secret_key.finish_rotation', 'secret_key.rotate'])
    } finally {
      await app.close()
    }
  })
})
