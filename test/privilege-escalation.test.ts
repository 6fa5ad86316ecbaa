import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { routesOf } from '#features/documentation/openapi.ts'
import { orgAdmin } from '#foundation/access/built-in-roles.ts'
import { type Permission, permissionNames } from '#foundation/access/permissions.ts'
import type { Attempt } from '#test/access/attempts.ts'
import { attemptsOnPeople } from '#test/access/attempts-on-people.ts'
import { attemptsOnPrograms } from '#test/access/attempts-on-programs.ts'
import { attemptsOnWebhooks } from '#test/access/attempts-on-webhooks.ts'
import { assertRefusal } from '#test/access/refusals.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'
import { ALLOWING_LOOPBACK, addWebhook, tell } from '#test/servers/webhooks.ts'

/** Operations on apps, accounts and users, and on roles and webhooks, which carry their permissions. */
const covered = /^\/rest\/(orgs|groups)\/:\w+\/(apps|app_bots|service_accounts|memberships|roles|users|webhooks)\b/

onAnyEngine('privilege escalation', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine, ALLOWING_LOOPBACK)
  })
  after(() => app.close())

  const kinds = [attemptsOnPrograms, attemptsOnPeople, attemptsOnWebhooks]
  const attempts = kinds.flatMap((attemptsOn) => attemptsOn(() => app))
  const keyFor = ({ word }: Attempt, permissions: readonly Permission[]) =>
    app.keyWith(permissions, word === 'group' ? { groupId: app.groupId } : { orgId: app.orgId })

  for (const attempt of attempts) {
    const { operation, what, permission, authority = [] } = attempt
    describe(`${operation}: ${what}`, () => {
      if (authority.length > 0) {
        test(`403 with only ${permission}, naming the missing permissions`, async () => {
          const answer = await attempt.send(await keyFor(attempt, [permission]))
          assertRefusal(answer, { status: 403, code: 'forbidden' })
          for (const missing of authority) assert.ok(answer.body.includes(missing), `${missing}: ${answer.body}`)
        })
        test('403 for a caller without one of the permissions, naming it', async () => {
          const [missing, ...others] = authority
          const answer = await attempt.send(await keyFor(attempt, [permission, ...others]))
          assertRefusal(answer, { status: 403, code: 'forbidden' })
          assert.ok(answer.body.includes(missing!), answer.body)
          for (const other of others) assert.ok(!answer.body.includes(other), answer.body)
        })
      }
      test(`allowed with ${[permission, ...authority].join(', ')}`, async () => {
        const answer = await attempt.send(await keyFor(attempt, [permission, ...authority]))
        assert.ok(answer.statusCode < 300, `${answer.statusCode} ${answer.body}`)
      })
      test('allowed for an administrator of the organization or group', async () => {
        const key = await keyFor(attempt, attempt.word === 'group' ? permissionNames : orgAdmin.permissions)
        const answer = await attempt.send(key)
        assert.ok(answer.statusCode < 300, `${answer.statusCode} ${answer.body}`)
      })
    })
  }

  test('every changing operation on apps, accounts, users, roles and webhooks has a case', () => {
    const changing = routesOf(app.server)
      .filter(({ method, url }) => method !== 'GET' && covered.test(url))
      .map(({ method, url }) => `${String(method)} ${url}`)
    assert.deepEqual([...new Set(attempts.map(({ operation }) => operation))].toSorted(), changing.toSorted())
  })

  test('a webhook delivery is shown only to a caller who may read its event', async () => {
    const { path } = await addWebhook(app, { url: 'http://127.0.0.1:1/gate' })
    await tell(app, 'issues.new')
    const [{ id }] = (await app.call('GET', `${path}/deliveries`)).json().data
    const lesser = await app.call('GET', `${path}/deliveries/${id}`, { key: await app.keyWith(['org.edit']) })
    assertRefusal(lesser, { status: 403, code: 'forbidden' })
    assert.match(lesser.body, /org\.read, org\.project\.read, org\.project\.snapshot\.read/)
    const key = await app.keyWith(['org.edit', 'org.read', 'org.project.read', 'org.project.snapshot.read'])
    assert.equal((await app.call('GET', `${path}/deliveries/${id}`, { key })).statusCode, 200)
  })

  test('an unknown app: 404 before permissions are compared', async () => {
    const key = await app.keyWith(['org.app.edit'])
    const path = `/rest/orgs/${app.orgId}/apps/creations/${randomUUID()}/secrets`
    const answer = await app.call('POST', path, {
      key,
      body: { data: { type: 'app', attributes: { mode: 'create' } } },
    })
    assertRefusal(answer, { status: 404, code: 'not-found' })
  })
})
