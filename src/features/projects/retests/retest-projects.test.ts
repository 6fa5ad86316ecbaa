import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { createProjectTester, type ProjectTester } from '#features/issue-index/recording/run-project-test.ts'
import { DatabaseUnreachable } from '#foundation/db/storage-faults.ts'
import { Problem } from '#foundation/problem.ts'
import type { ReadSubject } from '#scanning/reading/task.ts'
import { publishRecords, recordAgainst } from '#test/manifests/published-advisories.ts'
import { record } from '#test/projects/stored-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import {
  type RetestedTarget,
  type Retesting,
  type RetestSources,
  retestDue,
  TESTED_AT_ONCE,
  type UnreadSource,
} from './retest-projects.ts'

const signal = new AbortController().signal

function lockOf(version: string): ReadSubject {
  const manifest = { name: 'project', version: '1.0.0', dependencies: { left: '1' } }
  const packages = { '': manifest, 'node_modules/left': { version, license: 'MIT' } }
  const additional = [JSON.stringify({ lockfileVersion: 3, packages })]
  return { kind: 'files', target: JSON.stringify(manifest), additional, encoding: 'plain' }
}

onEveryEngine('retests of projects', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine, { GATEHOUSE_TEST_WORKERS: '1', searchSeconds: 0 })
    await publishRecords(app.parts, [recordAgainst('A-1', 'npm', 'left', { fixed: '2.0.0' })])
  })
  after(() => app.close())

  const db = () => app.parts.services.db
  const tester = () => createProjectTester(app.parts.services, app.parts.tests)
  const retesting = (rest: Partial<Retesting> = {}): Retesting => ({
    ...app.parts.services,
    log: pino({ level: 'silent' }),
    tester: tester(),
    sources: undefined,
    ...rest,
  })
  const row = (id: string) => db().selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const historyOf = async (number: number) => {
    const query = db().selectFrom('project_tests').select(['cause', 'revision']).where('project_number', '=', number)
    return (await query.orderBy('tested_at').orderBy('id').execute()).map(
      ({ cause, revision }) => `${cause} ${revision}`,
    )
  }
  async function stored(version: string, orgId = app.orgId) {
    const source = lockOf(version)
    const outcome = await tester().test(orgId, { ecosystem: 'npm', subject: source })
    assert.ok('test' in outcome)
    return record(db(), { orgId, test: outcome.test, source, revision: 'r1', at: Date.now() - 1000 })
  }
  const makeDue = (ids: readonly string[]) =>
    db()
      .updateTable('projects')
      .set({ next_test_at: Date.now() - 1 })
      .where('id', 'in', ids)
      .execute()

  test('retest: tests a due project from its stored source and schedules the next test', async () => {
    const { projectId, projectNumber } = await stored('1.0.0')
    await makeDue([projectId])
    assert.equal(await retestDue(retesting(), signal), 1)
    assert.deepEqual(await historyOf(projectNumber), ['import r1', 'retest r1'])
    assert.ok((await row(projectId)).next_test_at! > Date.now() + 0.8 * 86_400_000)
    assert.equal(await retestDue(retesting(), signal), 0)
  })

  test('retest: honors the weekly frequency; skips inactive projects and those with frequency never', async () => {
    const [weekly, never, inactive] = [await stored('1.0.0'), await stored('1.0.0'), await stored('1.0.0')]
    const change = (id: string, columns: object) =>
      db().updateTable('projects').set(columns).where('id', '=', id).execute()
    await change(weekly.projectId, { test_frequency: 'weekly' })
    await change(never.projectId, { test_frequency: 'never' })
    await change(inactive.projectId, { status: 'inactive' })
    await makeDue([weekly.projectId, never.projectId, inactive.projectId])
    await retestDue(retesting(), signal)
    assert.ok((await row(weekly.projectId)).next_test_at! > Date.now() + 6 * 86_400_000)
    assert.equal((await row(never.projectId)).next_test_at, null)
    assert.equal((await row(inactive.projectId)).next_test_at, null)
  })

  test('retest: alternates between organizations', async () => {
    const other = await app.addOrg()
    const ids = []
    for (let n = 0; n < 6; n++) ids.push((await stored('1.0.0')).projectId)
    const late = await stored('1.0.0', other)
    await makeDue([...ids, late.projectId])
    const order: string[] = []
    const firstTests = Promise.withResolvers<void>()
    const watched: ProjectTester = {
      // Claimed one after the other, but several are tested at once: the first ones wait until all of these began.
      async test(orgId, input) {
        order.push(orgId)
        if (order.length === TESTED_AT_ONCE) firstTests.resolve()
        await firstTests.promise
        return tester().test(orgId, input)
      },
    }
    assert.equal(await retestDue(retesting({ tester: watched }), signal), 7)
    assert.deepEqual(order.slice(0, TESTED_AT_ONCE).toSorted(), [other, app.orgId, app.orgId, app.orgId].toSorted())
  })

  test('retest: a problem is shown and the previous test stays', async () => {
    const { projectId, projectNumber } = await stored('1.0.0')
    await makeDue([projectId])
    const problem = new Problem('manifest-unreadable', 'The target file: is not JSON')
    await retestDue(retesting({ tester: { test: async () => ({ problem }) } }), signal)
    const { failure, next_test_at } = await row(projectId)
    assert.equal(failure, 'The target file: is not JSON')
    assert.ok(next_test_at! > Date.now() + 0.8 * 86_400_000)
    assert.deepEqual(await historyOf(projectNumber), ['import r1'])
  })

  test('retest: postponed a day after an internal error, retried soon without advisories or storage', async () => {
    const broken = await stored('1.0.0')
    const failing = (error: Error) => retesting({ tester: { test: async () => Promise.reject(error) } })
    await makeDue([broken.projectId])
    await retestDue(failing(new Error('out of luck')), signal)
    assert.ok((await row(broken.projectId)).next_test_at! > Date.now() + 0.8 * 86_400_000)
    for (const outage of [new Problem('unavailable', 'No advisories'), new DatabaseUnreachable(new Error('gone'))]) {
      const { projectId } = await stored('1.0.0')
      await makeDue([projectId])
      await retestDue(failing(outage), signal)
      const { next_test_at } = await row(projectId)
      assert.ok(next_test_at! > Date.now() && next_test_at! < Date.now() + 3_600_000, outage.message)
    }
  })

  test('retest: changes nothing when a newer test was recorded meanwhile', async () => {
    const { projectId, projectNumber, targetId } = await stored('1.0.0')
    await makeDue([projectId])
    const { source_key } = await db()
      .selectFrom('targets')
      .select('source_key')
      .where('id', '=', targetId)
      .executeTakeFirstOrThrow()
    const overtaken: ProjectTester = {
      async test(orgId, input) {
        const newer = await tester().test(orgId, { ecosystem: 'npm', subject: lockOf('3.0.0') })
        assert.ok('test' in newer)
        await record(db(), { orgId, target: source_key, test: newer.test, revision: 'r2' })
        return tester().test(orgId, input)
      },
    }
    await retestDue(retesting({ tester: overtaken }), signal)
    assert.deepEqual(await historyOf(projectNumber), ['import r1', 'import r2'])
  })

  test('retest: asks the integration; sources it cannot read are tested from storage with the reason', async () => {
    const { projectId, projectNumber, targetId } = await stored('1.0.0')
    const at = Date.now()
    const integration = { id: crypto.randomUUID(), org_id: app.orgId, kind: 'git', name: crypto.randomUUID() }
    await db()
      .insertInto('integrations')
      .values({ ...integration, settings: '{}', created_at: at, updated_at: at } as never)
      .execute()
    await db().updateTable('targets').set({ integration_id: integration.id }).where('id', '=', targetId).execute()
    await db().updateTable('projects').set({ origin: 'git' }).where('id', '=', projectId).execute()
    const targets: RetestedTarget[] = []
    const sources = (answer: 'asked' | UnreadSource): RetestSources => ({
      async retest(_tx, target) {
        targets.push(target)
        return answer
      },
    })
    await makeDue([projectId])
    await retestDue(retesting({ sources: sources('asked') }), signal)
    assert.deepEqual(targets, [{ orgId: app.orgId, targetId, integrationId: integration.id, reference: null }])
    assert.deepEqual(await historyOf(projectNumber), ['import r1'])
    assert.ok((await row(projectId)).next_test_at! > Date.now() + 0.8 * 86_400_000)
    await makeDue([projectId])
    const unreadOf = async () => {
      const { source_failure, source_failed_at } = await row(projectId)
      return [source_failure, source_failed_at]
    }
    assert.deepEqual(await unreadOf(), [null, null])
    await retestDue(retesting({ sources: sources({ message: 'It is gone', since: at }) }), signal)
    assert.deepEqual(await historyOf(projectNumber), ['import r1', 'retest r1'])
    assert.deepEqual(await unreadOf(), ['It is gone', at])
    await makeDue([projectId])
    await retestDue(retesting({ sources: sources({ message: 'It is closed', since: at + 5 }) }), signal)
    assert.deepEqual(await unreadOf(), ['It is closed', at], 'since the first time')
    await db().updateTable('targets').set({ integration_id: null }).where('id', '=', targetId).execute()
    await makeDue([projectId])
    await retestDue(retesting({ sources: sources('asked') }), signal)
    assert.match(String((await unreadOf())[0]), /^The integration of the project no longer exists/)
  })

  test("retest: a new license policy brings the organization's projects forward once", async () => {
    const orgId = await app.addOrg()
    const [own, foreign] = [await stored('1.0.0', orgId), await stored('1.0.0')]
    await retestDue(retesting(), signal)
    const body = { data: { type: 'license_policy', attributes: { rules: [{ license: 'GPL-3.0', severity: 'high' }] } } }
    const answer = await app.call('PATCH', `/rest/orgs/${orgId}/license_policy`, { body })
    assert.equal(answer.statusCode, 200, answer.body)
    const aborted = AbortSignal.abort()
    await retestDue(retesting(), aborted)
    assert.ok((await row(own.projectId)).next_test_at! < Date.now() + 60_000)
    assert.ok((await row(foreign.projectId)).next_test_at! > Date.now() + 0.8 * 86_400_000)
    const before = (await row(own.projectId)).next_test_at
    await retestDue(retesting(), aborted)
    assert.equal((await row(own.projectId)).next_test_at, before, 'once')
  })
})
