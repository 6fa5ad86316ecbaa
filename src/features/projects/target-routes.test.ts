import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { assertRefusal, testRefusals } from '#test/access/refusals.ts'
import { testPages } from '#test/projects/pages.ts'
import { addProjectRow, addTargetRow } from '#test/projects/project-rows.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

onEveryEngine('targets', (engine) => {
  let app: TestApp
  let targetId: string
  before(async () => {
    app = await startApp(engine)
    targetId = (await addTargetRow(app)).id
  })
  after(() => app.close())

  const path = (orgId = app.orgId) => `/rest/orgs/${orgId}/targets`

  test('targets: show attributes and relationships, also with the names of the first release', async () => {
    const orgId = await app.addOrg()
    const integrationId = randomUUID()
    await app.parts.services.db
      .insertInto('integrations')
      .values({
        id: integrationId,
        org_id: orgId,
        kind: 'github',
        name: 'ours',
        settings: '{}',
        created_at: 1,
        updated_at: 1,
      })
      .execute()
    const url = 'https://git.example/a/b'
    const row = await addTargetRow(app, { org_id: orgId, integration_id: integrationId, origin: 'github', url })
    const shown = {
      id: row.id,
      type: 'target',
      attributes: {
        display_name: row.display_name,
        url,
        is_private: true,
        origin: 'github',
        created_at: new Date(row.created_at).toISOString(),
      },
      relationships: {
        organization: { data: { id: orgId, type: 'organization' } },
        integration: {
          data: { id: integrationId, type: 'integration', attributes: { integration_type: 'github' } },
        },
      },
    }
    const answer = await app.call('GET', `${path(orgId)}/${row.id.toUpperCase()}`)
    assert.deepEqual(answer.json().data, shown)
    assert.equal(answer.headers['snyk-version-served'], '2024-02-21')
    const { data, meta } = (await app.call('GET', path(orgId), { query: { exclude_empty: 'false' } })).json()
    assert.deepEqual([data, meta], [[shown], undefined])

    const { origin, created_at: createdAt } = shown.attributes
    const former = { displayName: row.display_name, remoteUrl: url, isPrivate: true, origin, createdAt }
    const query = { version: '2022-09-15~beta', excludeEmpty: 'false', origin: 'github', limit: '20' }
    const first = (await app.call('GET', path(orgId), { query })).json().data
    assert.deepEqual(first, [{ ...shown, attributes: former }])
    const one = await app.call('GET', `${path(orgId)}/${row.id}`, { query: { version: '2022-09-15~beta' } })
    assert.deepEqual(one.json().data.attributes, former)
  })

  describe('target filters', () => {
    let orgId: string
    const at = 1_700_000_000_000
    before(async () => {
      orgId = await app.addOrg()
      const of = { org_id: orgId }
      const a = await addTargetRow(app, { ...of, display_name: 'Alpha/one', created_at: at, is_private: 0 })
      const b = await addTargetRow(app, { ...of, display_name: 'beta', created_at: at + 1, origin: 'github', url: 'x' })
      await addTargetRow(app, { ...of, display_name: 'alphabet', created_at: at + 2 })
      for (const { id } of [a, b]) await addProjectRow(app, { ...of, target_id: id })
    })

    test('targets: ids list these, whatever their case, and none of another organization', async () => {
      const { id: elsewhere } = await addTargetRow(app, { org_id: await app.addOrg(), display_name: 'elsewhere' })
      const all = (await app.call('GET', path(orgId), { query: { exclude_empty: 'false' } })).json().data
      const ids = `${all[1].id.toUpperCase()},${elsewhere}`
      const { data } = (await app.call('GET', path(orgId), { query: { ids } })).json()
      assert.deepEqual(data, [all[1]])
    })

    const cases: [query: Record<string, string>, names: string[]][] = [
      [{}, ['Alpha/one', 'beta']],
      [{ exclude_empty: 'false' }, ['Alpha/one', 'beta', 'alphabet']],
      [{ exclude_empty: 'false', display_name: 'ALPHA' }, ['Alpha/one', 'alphabet']],
      [{ is_private: 'false' }, ['Alpha/one']],
      [{ url: 'x' }, ['beta']],
      [{ source_types: 'cli' }, ['Alpha/one']],
      [{ source_types: 'cli,github' }, ['Alpha/one', 'beta']],
      [{ origins: 'github' }, ['beta']],
      [{ exclude_empty: 'false', created_gte: new Date(at + 1).toISOString() }, ['beta', 'alphabet']],
    ]
    for (const [query, names] of cases) {
      test(`targets: ${JSON.stringify(query)} lists ${names.join(', ')}`, async () => {
        const answer = await app.call('GET', path(orgId), { query: { ...query, count: 'true' } })
        assert.equal(answer.statusCode, 200, answer.body)
        const { data, meta } = answer.json()
        assert.deepEqual(
          data.map(({ attributes }: { attributes: { display_name: string } }) => attributes.display_name),
          names,
        )
        assert.deepEqual(meta, { count: names.length })
      })
    }

    for (const query of [{ exclude_empty: 'no' }, { created_gte: 'today' }, { is_private: '1' }, { limit: '0' }]) {
      test(`targets: refuse ${JSON.stringify(query)} with 400`, async () => {
        const answer = await app.call('GET', path(orgId), { query: query as Record<string, string> })
        assertRefusal(answer, { status: 400, code: 'invalid-request' })
      })
    }

    test('targets: limit=1 gives a page of one and a next link', async () => {
      const { data, links } = (await app.call('GET', path(orgId), { query: { limit: '1' } })).json()
      assert.equal(data.length, 1)
      assert.ok(links.next)
    })
  })

  test('target deletion: deletes its projects and logs their number', async () => {
    const target = await addTargetRow(app)
    const [first] = [
      await addProjectRow(app, { target_id: target.id }),
      await addProjectRow(app, { target_id: target.id, target_file: 'other/package-lock.json' }),
    ]
    const other = await addProjectRow(app)
    assert.equal((await app.call('DELETE', `${path()}/${target.id}`)).statusCode, 204)
    assert.equal((await app.call('GET', `/rest/orgs/${app.orgId}/projects/${first.id}`)).statusCode, 404)
    assert.equal((await app.call('GET', `/rest/orgs/${app.orgId}/projects/${other.id}`)).statusCode, 200)
    for (const method of ['GET', 'DELETE'] as const) {
      assertRefusal(await app.call(method, `${path()}/${target.id}`), { status: 404, code: 'not-found' })
    }
    const log = await app.call('GET', `/rest/orgs/${app.orgId}/audit_logs`, { query: { target_id: target.id } })
    const [{ attributes }] = log.json().data
    assert.equal(attributes.action, 'target.delete')
    assert.equal(attributes.before.projects, 2)
  })

  test('targets: are not found through another organization', async () => {
    const orgId = await app.addOrg()
    const { id } = await addTargetRow(app, { org_id: orgId })
    for (const method of ['GET', 'DELETE'] as const) {
      assertRefusal(await app.call(method, `${path()}/${id}`), { status: 404, code: 'not-found' })
    }
    assert.equal((await app.call('GET', `${path(orgId)}/${id}`)).statusCode, 200)
  })

  testPages(() => app, 'target list', {
    path: () => `${path()}?exclude_empty=false`,
    add: async () => {
      await setTimeout(2)
      return (await addTargetRow(app)).id
    },
    remove: (id) => app.call('DELETE', `${path()}/${id}`),
  })

  const read = { permission: 'org.project.read', in: 'org' } as const
  testRefusals(() => app, 'target list', { method: 'GET', path, since: '2021-08-20~beta', needs: read })
  testRefusals(() => app, 'single target', {
    method: 'GET',
    path: () => `${path()}/${targetId}`,
    since: '2021-08-20~beta',
    needs: read,
  })
  testRefusals(() => app, 'target deletion', {
    method: 'DELETE',
    path: () => `${path()}/${targetId}`,
    since: '2021-09-29~beta',
    needs: { permission: 'org.project.delete', in: 'org' },
  })
})
