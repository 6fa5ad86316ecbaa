import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { auditEventsOf } from '#test/access/audit.ts'
import { assertRefusal, testRefusals } from '#test/access/refusals.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

interface Listed {
  readonly id: string
  readonly attributes: { readonly path: string; readonly ignored_by: { readonly name: string } }
}

onEveryEngine('deletion of one ignore', (engine) => {
  let app: TestApp
  let projectId: string
  let issue: string
  let ignores: readonly Listed[]
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())
  beforeEach(async () => {
    issue = `GHSA-${randomUUID()}`
    const name = `end-${randomUUID()}`
    const graph = { project: [`${name}@1.0.0`], [`${name}@1.0.0`]: [] }
    projectId = (await recordProject(app, { graph, issues: [{ id: issue, in: `${name}@1.0.0` }] })).projectId
    await ignore('*')
    await ignore(name, await app.keyWith(['org.read', 'org.project.ignore.read', 'org.project.ignore.create']))
    ignores = await list()
  })

  async function ignore(ignorePath: string, key = app.adminKey): Promise<void> {
    const body = { reasonType: 'wont-fix', disregardIfFixable: false, ignorePath }
    const path = `/v1/org/${app.orgId}/project/${projectId}/ignore/${issue}`
    assert.equal((await app.call('POST', path, { body, key })).statusCode, 200)
  }
  async function list(): Promise<Listed[]> {
    const answer = await app.call('GET', `/rest/orgs/${app.orgId}/ignores`, { query: { project_id: projectId } })
    return answer.json().data
  }
  const path = (id = ignores[0]!.id, orgId = app.orgId) => `/rest/orgs/${orgId}/ignores/${id}`
  const ignoredIssues = async () => {
    const body = { filters: { ignored: true } }
    const answer = await app.call('POST', `/v1/org/${app.orgId}/project/${projectId}/aggregated-issues`, { body })
    return answer.json().issues.length
  }

  test('deleting one ignore: the other one stays; the issue is open after the last one', async () => {
    const [first, second] = ignores as [Listed, Listed]
    assert.equal((await app.call('DELETE', path(first.id.toUpperCase()))).statusCode, 204)
    assert.deepEqual(await list(), [second])
    assert.notEqual(second.attributes.ignored_by.name, first.attributes.ignored_by.name)
    assert.equal(await ignoredIssues(), 1)
    assert.equal((await app.call('DELETE', path(second.id))).statusCode, 204)
    assert.deepEqual([await list(), await ignoredIssues()], [[], 0])
    await assertGone(first.id)
  })

  test('audit log of a deleted ignore: has its state', async () => {
    await app.call('DELETE', path())
    const event = (await auditEventsOf(app, projectId)).at(-1)!
    assert.equal(event.action, 'ignore.delete')
    const before = JSON.parse(event.before!)
    assert.equal(before.issue_id, issue)
    assert.deepEqual(Object.keys(before.ignores[0]), ['*'])
    assert.equal(event.after, null)
  })

  test('deleting an ignore of another organization, or an unknown one: returns 404', async () => {
    await assertRefusal(await app.call('DELETE', path(ignores[0]!.id, await app.addOrg())), {
      status: 404,
      code: 'not-found',
    })
    assert.equal((await list()).length, 2)
    await assertGone(randomUUID())
  })

  async function assertGone(id: string): Promise<void> {
    const answer = await app.call('DELETE', path(id))
    await assertRefusal(answer, { status: 404, code: 'not-found' })
    assert.ok(answer.body.includes(`Ignore ${id}`), answer.body)
  }

  for (const missing of ['org.project.read', 'org.project.ignore.read', 'org.project.ignore.delete'] as const) {
    test(`deleting an ignore without ${missing}: refused (403)`, async () => {
      const permissions = [
        'org.read',
        'org.project.read',
        'org.project.ignore.read',
        'org.project.ignore.delete',
      ] as const
      const key = await app.keyWith(permissions.filter((permission) => permission !== missing))
      await assertRefusal(await app.call('DELETE', path(), { key }), { status: 403, code: 'forbidden' })
      assert.equal((await list()).length, 2)
    })
  }

  testRefusals(() => app, 'deleting an ignore', {
    method: 'DELETE',
    path,
    since: '2024-10-15',
    needs: { permission: 'org.project.ignore.delete', in: 'org' },
  })
})
