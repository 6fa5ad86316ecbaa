import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { permissionNames } from '#foundation/access/permissions.ts'
import { assertRefusal, testRefusals } from '#test/access/refusals.ts'
import { testPages } from '#test/projects/pages.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { toResource } from './org-resource.ts'
import { listOrgIgnores } from './store.ts'

interface Listed {
  id: string
  attributes: Record<string, unknown> & { issue_id: string; path: string; stale_because: string | null }
  relationships: { project: { data: { id: string; attributes: { name: string } } } }
}

onEveryEngine('list of an organization’s ignores', (engine) => {
  let app: TestApp
  let projectId: string
  const issue = `GHSA-${randomUUID()}`
  before(async () => {
    app = await startApp(engine)
    projectId = (
      await recordProject(app, {
        name: 'listed',
        graph: { project: ['l-a@1.0.0'], 'l-a@1.0.0': ['l-b@1.0.0'], 'l-b@1.0.0': [] },
        issues: [{ id: issue, in: 'l-b@1.0.0', isPinnable: true }],
      })
    ).projectId
  })
  after(() => app.close())

  const path = (orgId = app.orgId) => `/rest/orgs/${orgId}/ignores`
  const v1 = (issueId: string, id = projectId, orgId = app.orgId) => `/v1/org/${orgId}/project/${id}/ignore/${issueId}`
  const ignore = async (issueId: string, more: object = {}, id = projectId, orgId = app.orgId) => {
    const body = { reasonType: 'wont-fix', disregardIfFixable: false, ...more }
    const answer = await app.call('POST', v1(issueId, id, orgId), { body })
    assert.equal(answer.statusCode, 200, answer.body)
  }
  const list = async (query: Record<string, string> = {}, orgId = app.orgId): Promise<Listed[]> => {
    const answer = await app.call('GET', path(orgId), { query: { limit: '100', ...query } })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json().data
  }

  test('list of ignores: shows effect and reason of each, filtered by state, issue and project', async () => {
    const gone = `GHSA-${randomUUID()}`
    await ignore(issue, { ignorePath: 'l-a', expires: '2099-01-01', reason: 'guarded' })
    await ignore(issue, { ignorePath: 'l-c > l-b' })
    await ignore(issue, { ignorePath: '* > l-b', disregardIfFixable: true })
    await ignore(issue, { ignorePath: 'l-a > l-b', expires: '2022-08-29' })
    await ignore(gone, {})
    const of = { project_id: projectId }
    const shown = (rows: Listed[]) => rows.map(({ attributes: { path: at, stale_because } }) => [at, stale_because])
    const all = await list(of)
    assert.deepEqual(shown(all), [
      ['l-a', null],
      ['l-c > l-b', 'path-gone'],
      ['* > l-b', 'fixable'],
      ['l-a > l-b', 'expired'],
      ['*', 'issue-gone'],
    ])
    assert.deepEqual(shown(await list({ ...of, state: 'active' })), [['l-a', null]])
    assert.deepEqual(shown(await list({ ...of, state: 'expired' })), [['l-a > l-b', 'expired']])
    assert.deepEqual(
      (await list({ ...of, state: 'stale' })).map(({ id }) => id),
      all.slice(1).map(({ id }) => id),
    )
    const query = { ...of, state: 'stale', limit: '10' }
    assert.equal((await app.call('GET', path(), { query })).json().meta, undefined)
    const counted = await app.call('GET', path(), { query: { ...query, count: 'true' } })
    const { data, meta } = counted.json()
    assert.deepEqual([data?.length, meta], [4, { count: 4 }], counted.body)
    assert.deepEqual(shown(await list({ ...of, issue_id: gone })), [['*', 'issue-gone']])

    assert.deepEqual(
      all.map(({ attributes }) => attributes['disregard_if_fixable']),
      [false, false, true, false, false],
    )
    assert.deepEqual(
      all.map(({ attributes }) => attributes['expires_at']),
      ['2099-01-01T00:00:00.000Z', null, null, '2022-08-29T00:00:00.000Z', null],
    )
    const [first] = all as [Listed]
    const { created_at, updated_at, ignored_by, ...rest } = first.attributes
    assert.equal(created_at, updated_at)
    assert.equal((ignored_by as { email: string }).email, 'admin@example.test')
    assert.deepEqual(rest, {
      issue_id: issue,
      current_issue_id: issue,
      path: 'l-a',
      reason: 'guarded',
      reason_type: 'wont-fix',
      disregard_if_fixable: false,
      source: 'user',
      expires_at: '2099-01-01T00:00:00.000Z',
      stale_because: null,
    })
    assert.deepEqual(first.relationships.project.data, {
      id: projectId,
      type: 'project',
      attributes: { name: 'listed' },
    })
  })

  test('list of ignores: accepts a project id in upper case', async () => {
    const id = (await recordProject(app, { graph: { project: [] } })).projectId
    await ignore(issue, {}, id)
    assert.equal((await list({ project_id: id.toUpperCase() })).length, 1)
  })

  test('ignore that expires: stale and expired from that moment on, in filters and resources', async () => {
    const [issueId, expires] = [`GHSA-${randomUUID()}`, '2031-08-29']
    await ignore(issueId, { expires })
    await app.parts.services.db
      .updateTable('ignores')
      .set({ effect: 'applies' })
      .where('issue_id', '=', issueId)
      .execute()
    const shown = async (now: number) => {
      const states = ['active', 'stale', 'expired'] as const
      const pages = states.map(async (state) => {
        const filters = { state, issueId: issueId, now }
        const window = { limit: 9, direction: 'after', position: 'start' } as const
        const { rows } = await listOrgIgnores(app.parts.services.db, { orgId: app.orgId, filters }, window)
        return rows.map((row) => `${state}: ${toResource(now)(row).attributes.stale_because}`)
      })
      return (await Promise.all(pages)).flat()
    }
    const end = Date.parse(expires)
    assert.deepEqual(await shown(end - 1), ['active: null'])
    assert.deepEqual(await shown(end), ['stale: expired', 'expired: expired'])
  })

  test('list of ignores: has none of another organization', async () => {
    const orgId = await app.addOrg()
    const other = await recordProject(app, { orgId, graph: { project: [] } })
    const issueId = `GHSA-${randomUUID()}`
    await ignore(issueId, {}, other.projectId, orgId)
    assert.equal((await list({ issue_id: issueId }, orgId)).length, 1)
    assert.deepEqual(await list({ issue_id: issueId }), [])
    assert.deepEqual(await list({ project_id: other.projectId }), [])
    const stranger = await app.keyWith(permissionNames, { orgId })
    assertRefusal(await app.call('GET', path(), { key: stranger }), { status: 404, code: 'not-found' })
  })

  for (const [name, value] of [
    ['state', 'gone'],
    ['source', 'cli'],
    ['project_id', 'listed'],
    ['issue_id', ''],
  ] as const) {
    test(`list of ignores: refuses ${name} ${JSON.stringify(value)} (400)`, async () => {
      assertRefusal(await app.call('GET', path(), { query: { [name]: value } }), {
        status: 400,
        code: 'invalid-request',
      })
    })
  }

  const operation = { method: 'GET', path: () => path(), since: '2024-10-15', isList: true } as const
  for (const permission of ['org.project.read', 'org.project.ignore.read'] as const) {
    testRefusals(() => app, `listing ignores, needing ${permission}`, {
      ...operation,
      needs: { permission, in: 'org' },
    })
  }

  test('deleting ignores one by one: returns 204, then 404; audited with its state', async () => {
    const issueId = `GHSA-${randomUUID()}`
    for (const ignorePath of ['l-a', 'l-b']) await ignore(issueId, { ignorePath })
    const [first, second] = (await list({ issue_id: issueId })) as [Listed, Listed]
    const one = (id: string, orgId = app.orgId) => `${path(orgId)}/${id}`
    const other = await app.addOrg()
    for (const missing of [one(randomUUID()), one(first.id, other)]) {
      assertRefusal(await app.call('DELETE', missing), { status: 404, code: 'not-found' })
    }
    const answer = await app.call('DELETE', one(first.id.toUpperCase()))
    assert.equal(answer.statusCode, 204, answer.body)
    assertRefusal(await app.call('DELETE', one(first.id)), { status: 404, code: 'not-found' })
    assert.deepEqual(await list({ issue_id: issueId }), [second])
    const query = { action: 'ignore.delete', target_id: projectId }
    const [event] = (await app.call('GET', `/rest/orgs/${app.orgId}/audit_logs`, { query })).json().data
    assert.deepEqual(Object.keys(event.attributes.before.ignores[0]), ['l-a'])
  })

  for (const permission of ['org.project.read', 'org.project.ignore.read', 'org.project.ignore.delete'] as const) {
    testRefusals(() => app, `deleting an ignore, needing ${permission}`, {
      method: 'DELETE',
      path: () => `${path()}/${randomUUID()}`,
      since: '2024-10-15',
      needs: { permission, in: 'org' },
    })
  }

  for (const query of ['', '?state=stale']) {
    const issues = new Map<string, string>()
    testPages(() => app, `list of ignores${query}`, {
      path: () => `${path()}${query}`,
      add: async () => {
        const issueId = `GHSA-${randomUUID()}`
        await ignore(issueId)
        const [row] = await list({ issue_id: issueId })
        issues.set(row!.id, issueId)
        return row!.id
      },
      remove: (id) => app.call('DELETE', v1(issues.get(id)!)),
    })
  }
})
