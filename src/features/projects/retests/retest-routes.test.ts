import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { auditEventsOf } from '#test/access/audit.ts'
import { assertRefusal, testRefusals } from '#test/access/refusals.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { RETEST_PROJECTS } from './request-test.ts'

const graph = { project: ['a@1.0.0'], 'a@1.0.0': [] }

onEveryEngine('tests of projects on request', (engine) => {
  let app: TestApp
  let projectId: string
  before(async () => {
    app = await startApp(engine)
    projectId = (await recordProject(app, { graph, at: Date.now() - 1_000 })).projectId
  })
  after(() => app.close())

  const db = () => app.parts.services.db
  const path = (id = projectId, orgId = app.orgId) => `/rest/orgs/${orgId}/projects/${id}/tests`
  const dueAt = async (id: string) => {
    const row = await db().selectFrom('projects').select('next_test_at').where('id', '=', id).executeTakeFirstOrThrow()
    return row.next_test_at === null ? null : Number(row.next_test_at)
  }
  const change = (id: string, columns: { status?: string; test_frequency?: string; next_test_at?: null }) =>
    db().updateTable('projects').set(columns).where('id', '=', id).execute()

  test('test of a project: makes it and the job due, and is in the audit log', async () => {
    const id = randomUUID()
    const job = { id, kind: RETEST_PROJECTS, state: 'waiting', payload: '{}', attempts: 0 }
    const later = Date.now() + 60_000
    await db()
      .insertInto('jobs')
      .values({ ...job, due_at: later, created_at: 1, updated_at: 1 })
      .execute()
    assert.ok((await dueAt(projectId))! > Date.now())
    const answer = await app.call('POST', path(projectId.toUpperCase()))
    assert.equal(answer.statusCode, 204, answer.body)
    const at = await dueAt(projectId)
    assert.ok(at! <= Date.now())
    const shown = await app.call('GET', `/rest/orgs/${app.orgId}/projects/${projectId}`)
    assert.equal(Date.parse(shown.json().data.attributes.next_test_at), at)
    const { due_at } = await db().selectFrom('jobs').select('due_at').where('id', '=', id).executeTakeFirstOrThrow()
    assert.ok(Number(due_at) <= Date.now())
    const [event] = await auditEventsOf(app, projectId)
    assert.equal(event?.action, 'project.test')
  })

  test('test of a project: a project that is never tested by schedule becomes due too', async () => {
    const { projectId: id } = await recordProject(app, { graph })
    await change(id, { test_frequency: 'never', next_test_at: null })
    assert.equal((await app.call('POST', path(id))).statusCode, 204)
    assert.ok((await dueAt(id))! <= Date.now())
  })

  test('test of a project: refuses an inactive one (409); it stays without a next test', async () => {
    const { projectId: id } = await recordProject(app, { graph })
    await change(id, { status: 'inactive', next_test_at: null })
    await assertRefusal(await app.call('POST', path(id)), { status: 409, code: 'conflict' })
    assert.equal(await dueAt(id), null)
  })

  test('test of a project: unknown projects and those of another organization get 404', async () => {
    for (const where of [path(randomUUID()), path(projectId, await app.addOrg())]) {
      await assertRefusal(await app.call('POST', where), { status: 404, code: 'not-found' })
    }
  })

  testRefusals(() => app, 'testing a project', {
    method: 'POST',
    path: () => path(),
    since: '2024-10-15',
    needs: { permission: 'org.project.test', in: 'org' },
  })
})
