import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testRefusals } from '#test/access/refusals.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

const graph = { project: ['a@1.0.0'], 'a@1.0.0': [] }
const issues = [{ id: 'C-1', in: 'a@1.0.0', severity: 'high' }] as const

onEveryEngine('counts of an organization', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  const read = async (orgId: string, key?: string) => {
    const answer = await app.call('GET', `/console/orgs/${orgId}/counts`, key === undefined ? {} : { key })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }
  const db = () => app.parts.services.db

  test('counts of a new organization: are zeros', async () => {
    const none = { projects: 0, issues: 0, ignores: 0, failed_imports: 0, service_accounts: 0, apps: 0, installs: 0 }
    assert.deepEqual(await read(await app.addOrg()), { ...none, members: 0 })
  })

  test('counts: a project counts once however often it is tested, and leaves with its issues and ignores', async () => {
    const orgId = await app.addOrg()
    const { projectId } = await recordProject(app, { orgId, name: 'one', graph, issues })
    await recordProject(app, { orgId, name: 'one', graph, issues })
    await recordProject(app, { orgId, name: 'two', graph, issues })
    const body = { reason: 'x', reasonType: 'wont-fix', disregardIfFixable: false }
    await app.call('POST', `/v1/org/${orgId}/project/${projectId}/ignore/C-1`, { body })
    const all = await read(orgId)
    assert.deepEqual([all.projects, all.issues, all.ignores], [2, 1, 1])
    assert.equal((await app.call('DELETE', `/rest/orgs/${orgId}/projects/${projectId}`)).statusCode, 204)
    const left = await read(orgId)
    assert.deepEqual([left.projects, left.issues, left.ignores], [1, 1, 0])
  })

  test('counts: rules of the organization and of its group count as ignores until they are deleted', async () => {
    const orgId = await app.addOrg()
    const attributes = {
      name: 'Rule',
      action_type: 'ignore',
      action: { data: { ignore_type: 'wont-fix', reason: 'x' } },
      conditions_group: {
        logical_operator: 'and',
        conditions: [{ field: 'vulnerability-id', operator: 'includes', value: ['C-9'] }],
      },
    }
    const rules = [`/rest/orgs/${orgId}/policies`, `/rest/groups/${app.groupId}/policies`]
    const created: string[] = []
    for (const path of rules) {
      const answer = await app.call('POST', path, { body: { data: { type: 'policy', attributes } } })
      assert.equal(answer.statusCode, 201, answer.body)
      created.push(`${path}/${(answer.json() as { data: { id: string } }).data.id}`)
    }
    assert.equal((await read(orgId)).ignores, 2)
    for (const path of created) await app.call('DELETE', path)
    assert.equal((await read(orgId)).ignores, 0)
  })

  test('counts: a project that moves counts in its new organization only', async () => {
    const [from, to] = [await app.addOrg(), await app.addOrg()]
    const { projectId } = await recordProject(app, { orgId: from, graph })
    const moved = await app.call('PUT', `/v1/org/${from}/project/${projectId}/move`, { body: { targetOrgId: to } })
    assert.equal(moved.statusCode, 200, moved.body)
    assert.deepEqual([(await read(from)).projects, (await read(to)).projects], [0, 1])
  })

  test('counts: projects of a deleted target are taken off', async () => {
    const orgId = await app.addOrg()
    await recordProject(app, { orgId, name: 'kept', graph })
    const { projectNumber } = await recordProject(app, { orgId, name: 'gone', graph })
    const { target_id } = await db()
      .selectFrom('projects')
      .select('target_id')
      .where('number', '=', projectNumber)
      .executeTakeFirstOrThrow()
    assert.equal((await app.call('DELETE', `/rest/orgs/${orgId}/targets/${target_id}`)).statusCode, 204)
    assert.equal((await read(orgId)).projects, 1)
  })

  test('counts: callers get those of the lists that they may read', async () => {
    assert.deepEqual(await read(app.orgId, await app.keyWith(['org.read'])), {})
    const key = await app.keyWith(['org.read', 'org.project.read', 'org.user.read'])
    assert.deepEqual(Object.keys(await read(app.orgId, key)), ['projects', 'issues', 'members'])
  })

  testRefusals(() => app, 'reading the counts', {
    method: 'GET',
    path: () => `/console/orgs/${app.orgId}/counts`,
    needs: { permission: 'org.read', in: 'org' },
  })
})
