import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { KyselyPlugin } from 'kysely'
import { publishRecords, recordAgainst } from '#test/manifests/published-advisories.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { findOrgNumber } from '../storage/packages-store.ts'
import { announceKnown } from './announce-known.ts'
import { createForwarding } from './forward-tests.ts'

const FAR = Number.MAX_SAFE_INTEGER

onEveryEngine('retests after new advisories', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine, { advisoriesPollSeconds: 3600 })
  })
  after(() => app.close())

  const db = () => app.parts.services.db
  const putOff = (orgId: string) => db().updateTable('projects').set({ next_test_at: FAR }).where('org_id', '=', orgId)
  const timesOf = async (orgId: string) => {
    const rows = await db()
      .selectFrom('projects')
      .select('next_test_at')
      .where('org_id', '=', orgId)
      .orderBy('number')
      .execute()
    return rows.map(({ next_test_at }) => Number(next_test_at))
  }
  const addProjects = async (orgId: string, count: number, name: string) => {
    const graph = { project: [`${name}-a@1.0.0`, `${name}-b@1.0.0`], [`${name}-a@1.0.0`]: [], [`${name}-b@1.0.0`]: [] }
    const numbers = []
    for (let n = 0; n < count; n++) numbers.push((await recordProject(app, { orgId, graph })).projectNumber)
    await putOff(orgId).execute()
    return numbers
  }

  test('retests: come forward once for issues that became known at the same time', async () => {
    const orgId = await app.addOrg()
    const numbers = await addProjects(orgId, 3, 'once')
    const { bringForward } = createForwarding(() => 1_000_000)
    const first = { org_number: 1, known_since: 1 }
    await db()
      .transaction()
      .execute((tx) => bringForward(tx, first, numbers))
    const [a, b, c] = await timesOf(orgId)
    assert.ok(a! < b! && b! < c! && c! < 1_000_400, 'one after the other')
    await putOff(orgId).execute()
    await db()
      .transaction()
      .execute((tx) => bringForward(tx, first, numbers))
    assert.deepEqual(await timesOf(orgId), [FAR, FAR, FAR])
    await db()
      .transaction()
      .execute((tx) => bringForward(tx, { ...first, known_since: 2 }, numbers))
    assert.ok((await timesOf(orgId)).every((time) => time < FAR))
  })

  test('retests: resume with a package after an interruption, and finish', async () => {
    const orgId = await app.addOrg()
    await addProjects(orgId, 1, 'long')
    const orgNumber = (await findOrgNumber(db(), orgId))!
    const { number } = await db()
      .selectFrom('packages')
      .select('number')
      .where('name', '=', 'long-a')
      .executeTakeFirstOrThrow()
    const row = {
      org_number: orgNumber,
      issue_id: 'A-1',
      packages: JSON.stringify([Number(number)]),
      after_project: 0,
      known_since: 1,
    }
    const { bringForwardWith } = createForwarding(() => 1)
    const tx = db()
    assert.equal(await bringForwardWith(tx, row, () => true), false)
    assert.deepEqual(await timesOf(orgId), [FAR])
    assert.equal(await bringForwardWith(tx, row, () => false), true)
    assert.ok((await timesOf(orgId))[0]! < FAR)
    assert.equal(await bringForwardWith(tx, row, () => true), true, 'nothing is left to do')
  })

  test('retests: come forward without subscribers; no announcement remains', async () => {
    const orgId = await app.addOrg()
    await addProjects(orgId, 5, 'silent')
    await publishRecords(app.parts, [
      recordAgainst('S-1', 'npm', 'silent-a', { fixed: '2.0.0' }),
      recordAgainst('S-2', 'npm', 'silent-b', { fixed: '2.0.0' }),
    ])
    await app.parts.matcher.run()
    await announceKnown(app.parts.services, undefined)
    const times = await timesOf(orgId)
    assert.ok(Math.max(...times) < Date.now() + 60_000)
    assert.equal(new Set(times).size, 5, 'and not all at once')
    assert.deepEqual(await db().selectFrom('unannounced_issues').selectAll().execute(), [])
    const events = await db().selectFrom('events').select('id').where('org_id', '=', orgId).execute()
    assert.deepEqual(events, [])
  })

  for (const listens of [false, true]) {
    test(`retests: come forward though storage is slow, ${listens ? 'with' : 'without'} a webhook`, async () => {
      const orgId = await app.addOrg()
      const name = `slow-${listens}`
      await addProjects(orgId, 2, name)
      if (listens) {
        const body = {
          data: { type: 'webhook', attributes: { url: 'https://hooks.example/', events: ['issues.new'] } },
        }
        const answer = await app.call('POST', `/rest/orgs/${orgId}/webhooks`, { body })
        assert.equal(answer.statusCode, 201, answer.body)
      }
      await publishRecords(app.parts, [recordAgainst(`SLOW-${listens}`, 'npm', `${name}-a`, { fixed: '2.0.0' })])
      await app.parts.matcher.run()
      const slow: KyselyPlugin = {
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          await sleep(50)
          return result
        },
      }
      const { now } = app.parts.services
      await announceKnown({ db: db().withPlugin(slow), now }, AbortSignal.timeout(120_000))
      assert.ok((await timesOf(orgId)).every((time) => time < FAR))
    })
  }
})
