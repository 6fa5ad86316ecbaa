import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { deleteEndedSecrets } from '#features/credentials/secrets-store.ts'
import { permissionNames } from '#foundation/access/permissions.ts'
import { hintOf } from '#foundation/secrets/typed-secret.ts'
import { createAccount, ofGroup, ofOrg, secretsBody } from '#test/access/accounts.ts'
import { assertRefusal, testRefusals } from '#test/access/refusals.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

const DAY_SECONDS = 86_400

interface Shown {
  readonly id: string
  readonly attributes: Record<string, unknown> & { hint: string; state: string }
}

onEveryEngine('rotation of secrets', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  for (const owner of [ofOrg, ofGroup]) {
    describe(`rotation of secrets at level ${owner.level}`, () => {
      const one = (id: string) => `${owner.path(app)}/${id}`
      const change = (id: string, attributes: Record<string, unknown>) =>
        app.call('POST', `${one(id)}/secrets`, { body: { data: { type: 'service_account', attributes } } })

      async function made(id: string, attributes: Record<string, unknown>): Promise<string> {
        const answer = await change(id, attributes)
        assert.equal(answer.statusCode, 200, answer.body)
        return answer.json().data.attributes.client_secret
      }

      async function account(attributes: Record<string, unknown> = {}): Promise<{ id: string; secret: string }> {
        const { id, attributes: shown } = await createAccount(app, owner.path(app), {
          auth_type: 'oauth_client_secret',
          ...attributes,
        })
        const secret = String(shown['client_secret'] ?? shown['api_key'])
        // Ages it, so that lists have one order.
        await age(secret, 1)
        return { id, secret }
      }

      async function listed(id: string): Promise<Shown[]> {
        const answer = await app.call('GET', `${one(id)}/secrets`)
        assert.equal(answer.statusCode, 200, answer.body)
        return answer.json().data
      }

      const statesOf = async (id: string) => (await listed(id)).map(({ attributes }) => attributes.state)

      async function refuses(id: string, attributes: Record<string, unknown>, pointer: string): Promise<void> {
        const answer = await change(id, attributes)
        assertRefusal(answer, { status: 400, code: 'invalid-request' })
        assert.equal(answer.json().errors[0].source.pointer, `/data/attributes/${pointer}`)
      }

      /** Ages a secret by moving its timestamps into the past. */
      async function age(secret: string, seconds: number): Promise<void> {
        const { db, keyring } = app.parts.services
        await db
          .updateTable('credentials')
          .set((eb) => ({
            created_at: eb('created_at', '-', seconds * 1000),
            replaced_at: eb('replaced_at', '-', seconds * 1000),
            retires_at: eb('retires_at', '-', seconds * 1000),
          }))
          .where('digest', '=', keyring.digest(secret))
          .execute()
      }

      async function use(secret: string): Promise<void> {
        const { db, keyring, now } = app.parts.services
        const row = await db
          .selectFrom('credentials')
          .select('id')
          .where('digest', '=', keyring.digest(secret))
          .executeTakeFirstOrThrow()
        app.parts.lastUses.note(row.id, now())
        await app.parts.lastUses.flush()
      }

      test('replaced secret: works during its grace period, then expires', async () => {
        const { id, secret } = await account()
        const before = Date.now()
        const replacement = await made(id, { mode: 'replace', grace_seconds: DAY_SECONDS })
        const [old, young, ...others] = await listed(id)
        assert.ok(old && young && others.length === 0)
        assert.equal(old.attributes.hint, hintOf(secret))
        assert.equal(old.attributes.state, 'retiring')
        assert.equal(old.attributes['used_since_replaced'], false)
        const until = Date.parse(String(old.attributes['retires_at']))
        assert.equal(until - Date.parse(String(old.attributes['replaced_at'])), DAY_SECONDS * 1000)
        assert.ok(until >= before + DAY_SECONDS * 1000 && until <= Date.now() + DAY_SECONDS * 1000)
        const { created_at, ...rest } = young.attributes
        assert.ok(Date.parse(String(created_at)) >= before)
        assert.deepEqual(rest, { kind: 'client_secret', hint: hintOf(replacement), state: 'active' })

        await age(secret, DAY_SECONDS)
        assert.deepEqual(await statesOf(id), ['ended', 'active'])
        await made(id, { mode: 'create' })
        assert.deepEqual(await statesOf(id), ['ended', 'active', 'active'])
      })

      test('retiring secret: shows whether it was used since its replacement', async () => {
        const { id, secret } = await account()
        await use(secret)
        const replacement = await made(id, { mode: 'replace', grace_seconds: 3600 })
        const usedBefore = (await listed(id))[0]!.attributes
        await age(secret, 10)
        await use(secret)
        await use(replacement)
        const [old, young] = await listed(id)
        assert.equal(typeof usedBefore['last_used_at'], 'string')
        assert.equal(usedBefore['used_since_replaced'], false)
        assert.equal(old!.attributes['used_since_replaced'], true)
        assert.ok(String(old!.attributes['last_used_at']) > String(old!.attributes['replaced_at']))
        assert.equal(young!.attributes['used_since_replaced'], undefined)
        assert.equal(typeof young!.attributes['last_used_at'], 'string')
        const answer = await app.call('GET', `${one(id)}/secrets/${old!.id.toUpperCase()}`)
        assert.deepEqual(answer.json().data, old)
      })

      test('secrets: at most two work, counting the retiring one', async () => {
        const { id, secret } = await account()
        await made(id, { mode: 'replace', grace_seconds: 3600 })
        await refuses(id, { mode: 'create' }, 'mode')
        const again = await change(id, { mode: 'replace', grace_seconds: 60 })
        const { retires_at } = (await listed(id))[0]!.attributes
        assert.ok(again.json().errors[0].detail.includes(String(retires_at)), again.body)
        await refuses(id, { mode: 'replace', grace_seconds: 60 }, 'grace_seconds')
        assert.deepEqual(await statesOf(id), ['retiring', 'active'])
        // Without a grace period all are revoked, the retiring one too.
        await made(id, { mode: 'replace' })
        assert.deepEqual(await statesOf(id), ['active'])
        await made(id, { mode: 'create' })
        await refuses(id, { mode: 'replace', grace_seconds: 60 }, 'grace_seconds')
        assert.deepEqual(await statesOf(id), ['active', 'active'])
        await refuses(id, { mode: 'delete', secret }, 'secret')
      })

      test('second rotation: a longer grace period does not extend the first one', async () => {
        const { id, secret } = await account()
        const expires_at = new Date(Date.now() + 3_600_000).toISOString()
        const second = await made(id, { mode: 'replace', grace_seconds: 3600, expires_at })
        await age(secret, 60)
        const [retiring] = await listed(id)
        // The replacement expires first, so the retiring secret is the only one left to replace.
        const { db, keyring } = app.parts.services
        const where = keyring.digest(second)
        await db.updateTable('credentials').set({ expires_at: Date.now() }).where('digest', '=', where).execute()
        await made(id, { mode: 'replace', grace_seconds: DAY_SECONDS })
        assert.deepEqual(await listed(id).then(([first]) => first), retiring)
        assert.deepEqual(await statesOf(id), ['retiring', 'ended', 'active'])
      })

      test('replacement with grace_seconds 0: revokes the former secrets at once', async () => {
        const { id } = await account()
        await made(id, { mode: 'replace', grace_seconds: 0 })
        assert.deepEqual(await statesOf(id), ['active'])
      })

      test('retiring secret: can be deleted early; the remaining one cannot', async () => {
        const { id, secret } = await account()
        const replacement = await made(id, { mode: 'replace', grace_seconds: 3600 })
        await refuses(id, { mode: 'delete', secret: replacement }, 'mode')
        assert.equal((await change(id, { mode: 'delete', secret })).statusCode, 200)
        assert.deepEqual(await statesOf(id), ['active'])
      })

      test('secret deletion by id: refuses the last working secret (409) and is audited', async () => {
        const { id, secret } = await account()
        const replacement = await made(id, { mode: 'replace', grace_seconds: 3600 })
        const [old, young] = await listed(id)
        const remove = (secretId: string) => app.call('DELETE', `${one(id)}/secrets/${secretId}`)
        assertRefusal(await remove(young!.id), { status: 409, code: 'conflict' })
        assert.equal((await remove(old!.id)).statusCode, 204)
        assertRefusal(await remove(old!.id), { status: 404, code: 'not-found' })
        assertRefusal(await remove(young!.id), { status: 409, code: 'conflict' })
        assert.deepEqual(
          (await listed(id)).map(({ attributes }) => attributes.hint),
          [hintOf(replacement)],
        )
        await made(id, { mode: 'replace', grace_seconds: 60 })
        await age(replacement, 60)
        assert.deepEqual(await statesOf(id), ['ended', 'active'])
        assert.equal((await remove(young!.id)).statusCode, 204)
        const log = owner.path(app).replace('service_accounts', 'audit_logs')
        const { data } = (await app.call('GET', log, { query: { target_id: id } })).json()
        const [, replaced, deleted] = data.map(({ attributes }: Shown) => attributes)
        assert.equal(deleted.action, 'service_account.secret.delete')
        assert.deepEqual(deleted.before.credential_ids, [old!.id, young!.id])
        assert.deepEqual(deleted.after, { credential_ids: [young!.id] })
        assert.equal(replaced.action, 'service_account.secret.replace')
        assert.equal(replaced.after.retiring[0].id, young!.id)
        assert.ok(!JSON.stringify(data).includes(secret))
      })

      test('expired secrets: deleted a week after their expiry', async () => {
        const { id, secret } = await account()
        const { db, now } = app.parts.services
        await made(id, { mode: 'replace', grace_seconds: 60 })
        await age(secret, 7 * DAY_SECONDS)
        await deleteEndedSecrets(db, now() - 7 * DAY_SECONDS * 1000)
        assert.deepEqual(await statesOf(id), ['ended', 'active'])
        await age(secret, 61)
        await deleteEndedSecrets(db, now() - 7 * DAY_SECONDS * 1000)
        assert.deepEqual(await statesOf(id), ['active'])
      })

      test('api_key account: lists its key and refuses to delete it (409)', async () => {
        const { id, secret } = await account({ auth_type: 'api_key' })
        const [key, ...others] = await listed(id)
        assert.deepEqual(others, [])
        assert.deepEqual([key!.attributes['kind'], key!.attributes.hint], ['api_key', hintOf(secret)])
        assertRefusal(await app.call('DELETE', `${one(id)}/secrets/${key!.id}`), { status: 409, code: 'conflict' })
        assert.equal((await app.call('GET', '/rest/self', { key: secret })).statusCode, 200)
      })

      test('secrets of another account: 404', async () => {
        const [mine, other] = [await account(), await account()]
        await made(other.id, { mode: 'create' })
        const foreign = (await listed(other.id))[0]!.id
        for (const method of ['GET', 'DELETE'] as const) {
          assertRefusal(await app.call(method, `${one(mine.id)}/secrets/${foreign}`), {
            status: 404,
            code: 'not-found',
          })
        }
        assert.equal((await listed(other.id)).length, 2)
        assertRefusal(await app.call('GET', `${one(randomUUID())}/secrets`), { status: 404, code: 'not-found' })
      })

      test('new secret: has the requested expiry and networks', async () => {
        const expires_at = new Date(Date.now() + 3_600_000).toISOString()
        const { id } = await account({ expires_at, allowed_networks: ['192.0.2.0/24'] })
        await made(id, { mode: 'create', allowed_networks: ['2001:db8::/32'] })
        const shown = (await listed(id)).map(({ attributes }) => attributes)
        assert.deepEqual(
          shown.map(({ expires_at, allowed_networks }) => [expires_at, allowed_networks]),
          [
            [expires_at, ['192.0.2.0/24']],
            [undefined, ['2001:db8::/32']],
          ],
        )
      })

      test('api_key of an account: refused from other networks and after its expiry (401)', async () => {
        const { secret: bound } = await account({ auth_type: 'api_key', allowed_networks: ['192.0.2.0/24'] })
        assert.equal((await app.call('GET', '/rest/self', { key: bound })).statusCode, 401)
        const { secret: ending } = await account({
          auth_type: 'api_key',
          allowed_networks: ['127.0.0.0/8'],
          expires_at: new Date(Date.now() + 3_600_000).toISOString(),
        })
        assert.equal((await app.call('GET', '/rest/self', { key: ending })).statusCode, 200)
        const { db, keyring } = app.parts.services
        const where = keyring.digest(ending)
        await db.updateTable('credentials').set({ expires_at: Date.now() }).where('digest', '=', where).execute()
        assert.equal((await app.call('GET', '/rest/self', { key: ending })).statusCode, 401)
      })

      const refused: [why: string, attributes: Record<string, unknown>, pointer: string][] = [
        ['a negative grace period', { mode: 'replace', grace_seconds: -1 }, 'grace_seconds'],
        ['a grace period above a week', { mode: 'replace', grace_seconds: 7 * DAY_SECONDS + 1 }, 'grace_seconds'],
        ['a fractional grace period', { mode: 'replace', grace_seconds: 0.5 }, 'grace_seconds'],
        ['a grace period as text', { mode: 'replace', grace_seconds: '60' }, 'grace_seconds'],
        ['a grace period of a creation', { mode: 'create', grace_seconds: 60 }, 'grace_seconds'],
        ['a grace period of a deletion', { mode: 'delete', secret: 'x', grace_seconds: 60 }, 'grace_seconds'],
        ['an expiry of a deletion', { mode: 'delete', secret: 'x', expires_at: '2999-01-01T00:00:00Z' }, 'expires_at'],
        ['networks of a deletion', { mode: 'delete', secret: 'x', allowed_networks: ['::/0'] }, 'allowed_networks'],
        ['an expiry in the past', { mode: 'create', expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
        ['an expiry that is not a time', { mode: 'replace', expires_at: 'never' }, 'expires_at'],
        ['an empty list of networks', { mode: 'create', allowed_networks: [] }, 'allowed_networks'],
        ['an invalid network', { mode: 'create', allowed_networks: ['10.0.0.0/33'] }, 'allowed_networks/0'],
      ]
      for (const [why, attributes, pointer] of refused) {
        test(`change of secrets: refuses ${why} with 400`, async () => {
          const { id, secret } = await account()
          await refuses(id, attributes, pointer)
          const [first, ...others] = await listed(id)
          assert.deepEqual([first!.attributes.hint, others], [hintOf(secret), []])
        })
      }

      test('simultaneous replacements with a grace period: only one succeeds', async () => {
        const { id } = await account()
        const answers = await Promise.all(
          Array.from({ length: 4 }, () => change(id, { mode: 'replace', grace_seconds: 60 })),
        )
        assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 400, 400, 400])
        assert.deepEqual(await statesOf(id), ['retiring', 'active'])
      })

      describe('operations on secrets', () => {
        const needs = { in: owner === ofOrg ? 'org' : 'group' } as const
        let id: string
        let secretId: string
        before(async () => {
          ;({ id } = await account())
          await made(id, { mode: 'create' })
          secretId = (await listed(id))[0]!.id
        })

        const same = { since: '2024-10-15' }
        testRefusals(() => app, 'list of secrets', {
          ...same,
          method: 'GET',
          path: () => `${one(id)}/secrets`,
          needs: { ...needs, permission: owner.permission('read') },
          isList: true,
        })
        testRefusals(() => app, 'single secret', {
          ...same,
          method: 'GET',
          path: () => `${one(id)}/secrets/${secretId}`,
          needs: { ...needs, permission: owner.permission('read') },
        })
        testRefusals(() => app, 'deletion of a secret', {
          ...same,
          method: 'DELETE',
          path: () => `${one(id)}/secrets/${secretId}`,
          needs: { ...needs, permission: owner.permission('edit') },
        })
        test('single secret: a malformed id gets 400', async () => {
          for (const method of ['GET', 'DELETE'] as const) {
            assertRefusal(await app.call(method, `${one(id)}/secrets/last`), { status: 400, code: 'invalid-request' })
          }
        })
        test('secrets: return 404 through another organization or group', async () => {
          const elsewhere = owner === ofOrg ? await app.addOrg() : await app.addGroup()
          const path = one(id).replace(owner === ofOrg ? app.orgId : app.groupId, elsewhere)
          const at = owner === ofOrg ? { orgId: elsewhere } : { groupId: elsewhere }
          const key = await app.keyWith(permissionNames, at)
          assert.equal((await app.call('GET', `${path}/secrets`, { key })).statusCode, 404)
          assert.equal((await app.call('DELETE', `${path}/secrets/${secretId}`, { key })).statusCode, 404)
        })
      })
    })
  }

  test('list of secrets: never contains a secret', async () => {
    const { id, attributes } = await createAccount(app, ofOrg.path(app), { auth_type: 'oauth_client_secret' })
    const path = `${ofOrg.path(app)}/${id}/secrets`
    const made = (await app.call('POST', path, { body: secretsBody('create') })).json().data.attributes.client_secret
    const { body } = await app.call('GET', path)
    for (const secret of [made, attributes['client_secret']]) assert.ok(!body.includes(String(secret)))
  })
})
