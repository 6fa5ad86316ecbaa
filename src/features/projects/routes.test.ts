import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { permissionNames } from '#foundation/access/permissions.ts'
import { assertRefusal, testRefusals } from '#test/access/refusals.ts'
import { testPages } from '#test/projects/pages.ts'
import { addProjectRow, addTargetRow } from '#test/projects/project-rows.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

interface Listed {
  id: string
  attributes: Record<string, unknown>
  meta: Record<string, unknown>
  relationships: Record<string, { data: { id: string; attributes?: object } }>
}

onEveryEngine('projects', (engine) => {
  let app: TestApp
  let projectId: string
  before(async () => {
    app = await startApp(engine)
    projectId = (await addProjectRow(app)).id
  })
  after(() => app.close())

  const path = (orgId = app.orgId) => `/rest/orgs/${orgId}/projects`
  const listed = async (query: Record<string, string> = {}, orgId = app.orgId): Promise<Listed[]> => {
    const answer = await app.call('GET', path(orgId), { query: { limit: '100', ...query } })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json().data
  }
  const change = (attributes: object, more: object = {}) => ({ data: { type: 'project', attributes, ...more } })

  test('projects: show attributes, meta and relationships', async () => {
    const orgId = await app.addOrg()
    const target = await addTargetRow(app, { org_id: orgId, url: 'https://git.example/owner/name' })
    const importer = randomUUID()
    const row = await addProjectRow(app, {
      org_id: orgId,
      target_id: target.id,
      importer_id: importer,
      target_reference: 'main',
      tags: '[{"key":"team","value":"red"}]',
      total_dependencies: 7,
    })
    const [shown, ...others] = await listed({ expand: 'target', 'meta.latest_dependency_total': 'true' }, orgId)
    assert.deepEqual(others, [])
    assert.deepEqual(shown, {
      id: row.id,
      type: 'project',
      attributes: {
        name: row.name,
        type: 'npm',
        target_file: 'package-lock.json',
        target_reference: 'main',
        origin: 'cli',
        created: new Date(row.created_at).toISOString(),
        status: 'active',
        read_only: false,
        business_criticality: [],
        environment: [],
        lifecycle: [],
        tags: [{ key: 'team', value: 'red' }],
        settings: { recurring_tests: { frequency: 'daily' }, pull_requests: { is_enabled: false } },
        last_tested_at: null,
        next_test_at: null,
        failure: null,
        is_complete: false,
        stale_source: null,
      },
      meta: {
        cli_monitored_at: null,
        latest_dependency_total: { total: 7, updated_at: new Date(row.created_at).toISOString() },
      },
      relationships: {
        organization: { data: { id: orgId, type: 'org' }, links: { related: `/orgs/${orgId}` } },
        target: {
          data: {
            id: target.id,
            type: 'target',
            attributes: { display_name: target.display_name, url: 'https://git.example/owner/name' },
          },
          links: { related: `/orgs/${orgId}/targets/${target.id}` },
        },
        importer: {
          data: { id: importer, type: 'user' },
          links: { related: `/orgs/${orgId}/users/${importer}` },
        },
      },
    })
    const one = await app.call('GET', `${path(orgId)}/${row.id.toUpperCase()}`, { query: { expand: 'target' } })
    assert.deepEqual(one.json().data.attributes, shown?.attributes)
    const [plain] = await listed({}, orgId)
    assert.deepEqual(plain?.relationships['target']?.data, { id: target.id, type: 'target' })
    assert.deepEqual(plain?.meta, { cli_monitored_at: null })
  })

  describe('project filters', () => {
    let orgId: string
    let rows: Record<'a' | 'b' | 'c', Awaited<ReturnType<typeof addProjectRow>>>
    before(async () => {
      orgId = await app.addOrg()
      const of = { org_id: orgId }
      const at = 1_700_000_000_000
      rows = {
        a: await addProjectRow(app, {
          ...of,
          created_at: at,
          name: 'alpha/one',
          tags: '[{"key":"team","value":"red"},{"key":"tier","value":"1"}]',
          business_criticality: '["critical","high"]',
          importer_id: randomUUID(),
          monitored_at: at + 1000,
        }),
        b: await addProjectRow(app, {
          ...of,
          created_at: at + 1,
          name: 'Alpha_two%',
          type: 'pip',
          origin: 'github',
          target_file: 'requirements.txt',
          target_reference: 'main',
          tags: '[{"key":"team","value":"Red"}]',
          environment: '["backend"]',
        }),
        c: await addProjectRow(app, {
          ...of,
          created_at: at + 2,
          name: 'beta',
          status: 'inactive',
          lifecycle: '["production","sandbox"]',
        }),
      }
    })

    const cases: [query: () => Record<string, string>, names: string][] = [
      [() => ({}), 'a b c'],
      [() => ({ ids: `${rows.a.id},${rows.c.id.toUpperCase()}` }), 'a c'],
      [() => ({ target_id: rows.b.target_id }), 'b'],
      [() => ({ target_reference: 'main' }), 'b'],
      [() => ({ target_file: 'requirements.txt' }), 'b'],
      [() => ({ target_runtime: 'netstandard1.0' }), ''],
      [() => ({ names: 'beta,alpha/one' }), 'a c'],
      [() => ({ names: 'BETA' }), ''],
      [() => ({ names_start_with: 'alpha' }), 'a'],
      [() => ({ names_start_with: 'Alpha_,b' }), 'b c'],
      [() => ({ name: 'ALPHA' }), 'a b'],
      [() => ({ name: 'a_' }), 'b'],
      [() => ({ origins: 'github' }), 'b'],
      [() => ({ types: 'npm,pip' }), 'a b c'],
      [() => ({ types: 'pip' }), 'b'],
      [() => ({ status: 'inactive' }), 'c'],
      [() => ({ importing_user_public_id: rows.a.importer_id! }), 'a'],
      [() => ({ tags: 'team:red' }), 'a'],
      [() => ({ tags: 'team:red,tier:1' }), 'a'],
      [() => ({ tags: 'team:red,tier:2' }), ''],
      [() => ({ business_criticality: 'high' }), 'a'],
      [() => ({ business_criticality: 'high,low' }), ''],
      [() => ({ business_criticality: Array(1500).fill('high').join() }), 'a'],
      [() => ({ environment: 'backend' }), 'b'],
      [() => ({ lifecycle: 'sandbox' }), 'c'],
      [() => ({ cli_monitored_after: new Date(1_700_000_000_999).toISOString() }), 'a'],
      [() => ({ cli_monitored_after: new Date(1_700_000_001_000).toISOString() }), ''],
      [() => ({ cli_monitored_before: new Date(1_700_000_001_001).toISOString() }), 'a'],
      [() => ({ types: 'npm', status: 'active' }), 'a'],
      [() => ({ sort: '-created' }), 'c b a'],
      [() => ({ sort: 'name' }), 'b a c'],
      [() => ({ sort: '-name', types: 'npm' }), 'c a'],
    ]
    for (const [query, names] of cases) {
      test(`projects: ${String(query).slice(6)} lists ${names === '' ? 'none' : names}`, async () => {
        const letters = new Map(Object.entries(rows).map(([letter, { id }]) => [id, letter]))
        const shown = await listed(query(), orgId)
        assert.equal(shown.map(({ id }) => letters.get(id)).join(' '), names)
        const counted = await app.call('GET', path(orgId), { query: { ...query(), meta_count: 'only' } })
        assert.deepEqual([counted.json().meta, counted.json().data], [{ count: shown.length }, []])
      })
    }

    test('projects: cli_monitored_at shows the last monitoring by a client', async () => {
      const [shown] = await listed({ ids: rows.a.id }, orgId)
      assert.equal(shown?.meta['cli_monitored_at'], new Date(1_700_000_001_000).toISOString())
    })

    const bad: Record<string, string>[] = [
      { sort: 'size' },
      { ids: 'no-id' },
      { tags: 'team' },
      { business_criticality: 'very' },
      { status: 'gone' },
      { expand: 'owner' },
      { meta_count: 'yes' },
      { cli_monitored_before: 'yesterday' },
      { 'meta.latest_issue_counts': 'yes' },
    ]
    for (const query of bad) {
      test(`projects: refuse ${JSON.stringify(query)} with 400`, async () => {
        const answer = await app.call('GET', path(orgId), { query })
        assertRefusal(answer, { status: 400, code: 'invalid-request' })
        assert.deepEqual(answer.json().errors[0].source, { parameter: Object.keys(query)[0] })
      })
    }
  })

  describe('projects of the first release', () => {
    const version = '2022-09-15~beta'

    test('projects of the first release: use its parameter and attribute names', async () => {
      const orgId = await app.addOrg()
      const row = await addProjectRow(app, { org_id: orgId, target_reference: 'main' })
      await addProjectRow(app, { org_id: orgId, origin: 'github' })
      const query = { version, targetId: row.target_id, origin: 'cli', status: 'active', limit: '10' }
      const answer = await app.call('GET', path(orgId), { query })
      assert.equal(answer.statusCode, 200, answer.body)
      assert.equal(answer.headers['snyk-version-served'], '2021-06-04~beta')
      const { data, links } = answer.json()
      assert.deepEqual(
        data.map(({ id }: Listed) => id),
        [row.id],
      )
      assert.equal(data[0].attributes.targetReference, 'main')
      assert.equal(data[0].attributes.targetFile, 'package-lock.json')
      assert.deepEqual(data[0].attributes.settings.recurringTests, { frequency: 'daily' })
      assert.ok(!('target_reference' in data[0].attributes))
      // The links use the current names, which the first release accepts too.
      const again = await app.call('GET', `/rest${links.self}`)
      assert.deepEqual(again.json().data, data)
    })

    test("projects: later releases refuse the first release's parameter names with 400", async () => {
      const answer = await app.call('GET', path(), { query: { targetId: randomUUID() } })
      assertRefusal(answer, { status: 400, code: 'unknown-parameter' })
    })
  })

  describe('changes of a project', () => {
    test('project update: changes the given attributes and logs before and after', async () => {
      const row = await addProjectRow(app, { environment: '["backend"]' })
      const attributes = {
        business_criticality: ['high'],
        lifecycle: ['production'],
        tags: [{ key: 'team', value: 'a:b/c' }],
        test_frequency: 'weekly',
      }
      const { data: self } = (await app.call('GET', '/rest/self')).json()
      const owner = { data: { type: 'user', id: self.id } }
      const body = change(attributes, { id: row.id, relationships: { owner } })
      const answer = await app.call('PATCH', `${path()}/${row.id}`, { body })
      assert.equal(answer.statusCode, 200, answer.body)
      const { data } = answer.json()
      const { test_frequency, ...labels } = attributes
      assert.deepEqual({ ...data.attributes, ...labels, environment: ['backend'] }, data.attributes)
      assert.equal(data.attributes.settings.recurring_tests.frequency, test_frequency)
      assert.equal(data.relationships.owner.data.id, self.id)
      const { data: events } = (
        await app.call('GET', `/rest/orgs/${app.orgId}/audit_logs`, { query: { target_id: row.id } })
      ).json()
      assert.equal(events.length, 1)
      assert.equal(events[0].attributes.action, 'project.update')
      assert.deepEqual(events[0].attributes.before.business_criticality, [])
      assert.equal(events[0].attributes.after.owner_id, self.id)

      const nobody = change({}, { relationships: { owner: { data: { type: 'user', id: null } } } })
      const without = await app.call('PATCH', `${path()}/${row.id}`, { body: nobody })
      assert.equal(without.json().data.relationships.owner, undefined)
    })

    test('project update: an equal value writes nothing', async () => {
      const row = await addProjectRow(app)
      const answer = await app.call('PATCH', `${path()}/${row.id}`, { body: change({ test_frequency: 'daily' }) })
      assert.equal(answer.statusCode, 200)
      const log = await app.call('GET', `/rest/orgs/${app.orgId}/audit_logs`, { query: { target_id: row.id } })
      assert.deepEqual(log.json().data, [])
    })

    test('project update: the owner must be a member (422)', async () => {
      const key = await app.keyWith(permissionNames, { groupId: await app.addGroup() })
      const stranger = (await app.call('GET', '/rest/self', { key })).json().data.id
      for (const id of [stranger, randomUUID()]) {
        const body = change({}, { relationships: { owner: { data: { type: 'user', id } } } })
        const answer = await app.call('PATCH', `${path()}/${projectId}`, { body })
        assertRefusal(answer, { status: 422, code: 'unprocessable' })
      }
    })

    const guarded = [
      ['org.project.tag.edit', { tags: [] }],
      ['org.project.attributes.edit', { lifecycle: [] }],
      ['org.project.attributes.edit', { environment: ['saas'] }],
      ['org.project.attributes.edit', { business_criticality: [] }],
    ] as const
    for (const [permission, attributes] of guarded) {
      test(`project update: ${Object.keys(attributes).join()} require ${permission}`, async () => {
        const key = await app.keyWith(permissionNames.filter((name) => name !== permission))
        const answer = await app.call('PATCH', `${path()}/${projectId}`, { key, body: change(attributes) })
        assertRefusal(answer, { status: 403, code: 'forbidden' })
        assert.ok(answer.body.includes(permission))
        const other = await app.call('PATCH', `${path()}/${projectId}`, {
          key,
          body: change({ test_frequency: 'daily' }),
        })
        assert.equal(other.statusCode, 200, other.body)
      })
    }
  })

  test('project deletion: logs the former values; the project gets 404', async () => {
    const row = await addProjectRow(app)
    assert.equal((await app.call('DELETE', `${path()}/${row.id}`)).statusCode, 204)
    for (const method of ['GET', 'DELETE'] as const) {
      assertRefusal(await app.call(method, `${path()}/${row.id}`), { status: 404, code: 'not-found' })
    }
    const log = await app.call('GET', `/rest/orgs/${app.orgId}/audit_logs`, { query: { target_id: row.id } })
    const [event] = log.json().data
    assert.equal(event.attributes.action, 'project.delete')
    assert.equal(event.attributes.before.name, row.name)
  })

  test('projects: are not found through another organization', async () => {
    const orgId = await app.addOrg()
    const { id } = await addProjectRow(app, { org_id: orgId })
    assert.equal((await app.call('GET', `${path(orgId)}/${id}`)).statusCode, 200)
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const answer = await app.call(method, `${path()}/${id}`, {
        ...(method === 'PATCH' && { body: change({ test_frequency: 'never' }) }),
      })
      assertRefusal(answer, { status: 404, code: 'not-found' })
    }
    assert.ok(!(await listed()).some((project) => project.id === id))
    assert.equal(
      (await app.call('GET', `${path(orgId)}/${id}`)).json().data.attributes.settings.recurring_tests.frequency,
      'daily',
    )
  })

  for (const sort of ['created', 'name']) {
    let count = 0
    testPages(() => app, `project list by ${sort}`, {
      path: () => `${path()}?sort=${sort}`,
      add: async () => {
        await new Promise((resolve) => setTimeout(resolve, 2))
        return (await addProjectRow(app, { name: `z${sort} ${String(count++).padStart(3, '0')}` })).id
      },
      remove: (id) => app.call('DELETE', `${path()}/${id}`),
    })
  }

  const needs = (permission: 'org.project.read' | 'org.project.edit' | 'org.project.delete') => ({
    permission,
    in: 'org' as const,
  })
  testRefusals(() => app, 'project list', {
    method: 'GET',
    path,
    since: '2021-06-04~beta',
    isList: true,
    needs: needs('org.project.read'),
  })
  testRefusals(() => app, 'single project', {
    method: 'GET',
    path: () => `${path()}/${projectId}`,
    since: '2022-02-01~experimental',
    needs: needs('org.project.read'),
  })
  testRefusals(() => app, 'project update', {
    method: 'PATCH',
    path: () => `${path()}/${projectId}`,
    body: () => change({ test_frequency: 'daily' }),
    since: '2022-12-21~experimental',
    needs: needs('org.project.edit'),
    badBodies: [
      ['another id', change({}, { id: randomUUID() }), '/data/id'],
      ['an unknown frequency', change({ test_frequency: 'hourly' }), '/data/attributes/test_frequency'],
      ['a tag without a value', change({ tags: [{ key: 'a' }] }), '/data/attributes/tags/0/value'],
      ['a tag of spaces', change({ tags: [{ key: 'a b', value: 'c' }] }), '/data/attributes/tags/0/key'],
      ['an environment twice', change({ environment: ['saas', 'saas'] }), '/data/attributes/environment'],
      ['a name', change({ name: 'mine' }), '/data/attributes/name'],
    ],
  })
  testRefusals(() => app, 'project deletion', {
    method: 'DELETE',
    path: () => `${path()}/${projectId}`,
    since: '2023-11-06',
    needs: needs('org.project.delete'),
  })
})
