import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { permissionNames } from '#foundation/access/permissions.ts'
import { auditEventsOf } from '#test/access/audit.ts'
import { assertRefusal, type BadBody, testRefusals, testRepetition } from '#test/access/refusals.ts'
import { testPages } from '#test/projects/pages.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { evaluatePolicies } from '../issue-index/policies/evaluation-rounds.ts'

const data = { ignore_type: 'wont-fix', reason: 'Runs only in the build' }
const condition = (field: string, ...value: unknown[]) => ({ field, operator: 'includes', value })
const of = (...conditions: object[]) => ({ conditions_group: { logical_operator: 'and', conditions } })
const policy = (attributes: object = of(condition('vulnerability-id', 'CVE-2021-23337')), more: object = {}) => ({
  data: {
    type: 'policy',
    attributes: { name: 'build', action_type: 'ignore', action: { data }, ...attributes, ...more },
  },
})

const group = '/data/attributes/conditions_group'
const first = `${group}/conditions/0`
const value = `${first}/value/0`
const act = '/data/attributes/action/data'
const end = `${act}/expires`
const change = (more: object, attributes?: object) =>
  policy(attributes, {
    action_type: 'severity',
    action: { data: { severity: 'critical', reason: 'Exposed', ...more } },
  })
const expiring = (expires: unknown) => policy(undefined, { action: { data: { ...data, expires } } })

const badBodies: BadBody[] = [
  ['neither conditions nor a selection', policy({}), group],
  ['conditions and a selection', policy(of(condition('severity', 'low')), { selection: { query: {} } }), group],
  ['an empty list of conditions', policy(of()), `${group}/conditions`],
  ['a condition without values', policy(of(condition('severity'))), `${first}/value`],
  ['an empty value', policy(of(condition('package', ''))), value],
  ['an unknown field', policy(of(condition('color', 'red'))), `${first}/field`],
  ['an unknown operator', policy(of({ ...condition('severity', 'low'), operator: 'is' })), `${first}/operator`],
  ['an unknown attribute', policy(undefined, { scope: 'all' }), '/data/attributes/scope'],
  ['an unknown action', policy(undefined, { action_type: 'delete' }), '/data/attributes/action_type'],
  [
    'a change of severity without one',
    policy(undefined, { action_type: 'severity', action: { data: { reason: 'x' } } }),
    `${act}/severity`,
  ],
  ['a change to an unknown severity', change({ severity: 'severe' }), `${act}/severity`],
  ['a change of severity with an end', change({ expires: '2099-12-24' }), end],
  ['a change of severity with a kind of decision', change({ ignore_type: 'wont-fix' }), `${act}/ignore_type`],
  [
    'an ignore with a severity',
    policy(undefined, { action: { data: { ...data, severity: 'low' } } }),
    `${act}/severity`,
  ],
  [
    'an ignore without a kind of decision',
    policy(undefined, { action: { data: { reason: 'x' } } }),
    `${act}/ignore_type`,
  ],
  ...[
    ['project', randomUUID()],
    ['target', randomUUID()],
    ['project-tag', 'team:shop'],
    ['path', 'a > b'],
  ].map(
    ([field, text]): BadBody => [
      `a change of severity with a condition on ${field}`,
      change({}, of(condition('severity', 'low'), condition(field!, text))),
      `${group}/conditions/1/field`,
    ],
  ),
  ['a missing action', policy(undefined, { action: undefined }), '/data/attributes/action'],
  [
    'an unknown kind of decision',
    policy(undefined, { action: { data: { ...data, ignore_type: 'x' } } }),
    '/data/attributes/action/data/ignore_type',
  ],
  ['an end that is not a time', expiring('tomorrow'), end],
  ['an end in the past', expiring('2022-08-29'), end],
  ['an empty name', policy(undefined, { name: ' ' }), '/data/attributes/name'],
  [
    'one field twice',
    policy(of(condition('severity', 'low'), condition('severity', 'high'))),
    `${group}/conditions/1/field`,
  ],
  ['a license issue', policy(of(condition('vulnerability-id', 'lic:npm:a:MIT'))), value],
  ['an id with a space', policy(of(condition('vulnerability-id', 'CVE 2021'))), value],
  ['a package without a registry', policy(of(condition('package', 'lodash'))), value],
  ['a package with an unreadable range', policy(of(condition('package', 'npm/lodash@<<2'))), value],
  ['an unreadable range', policy(of(condition('package-version', '<<2'))), value],
  ['a path with an empty part', policy(of(condition('path', 'a >  > b'))), value],
  ['a path for everything', policy(of(condition('path', '*'))), value],
  ['an unknown ecosystem', policy(of(condition('ecosystem', 'yum'))), value],
  ['a project that is not an id', policy(of(condition('project', 'shop'))), value],
  ['a target that is not an id', policy(of(condition('target', 'shop'))), value],
  ['a tag without a value', policy(of(condition('project-tag', 'team'))), value],
  ['an unknown severity', policy(of(condition('severity', 'severe'))), value],
  ['an unknown answer on fixes', policy(of(condition('fix-available', 'maybe'))), value],
]

onEveryEngine('policies', (engine) => {
  let app: TestApp
  const issue = `GHSA-${randomUUID()}`
  before(async () => {
    app = await startApp(engine)
    const [a, b] = ['po-a@1.0.0', 'po-b@1.0.0']
    const issues = [
      { id: issue, in: a, severity: 'critical' as const, aliases: ['CVE-2099-0001'] },
      { id: `${issue}-low`, in: b, severity: 'low' as const },
    ]
    for (const name of ['one', 'two'])
      await recordProject(app, { name, graph: { project: [a, b], [a]: [], [b]: [] }, issues })
  })
  after(() => app.close())

  const places = {
    org: () => `/rest/orgs/${app.orgId}/policies`,
    group: () => `/rest/groups/${app.groupId}/policies`,
  }
  const create = async (body: object, path = places.org()) => {
    const answer = await app.call('POST', path, { body })
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json().data as { id: string; attributes: Record<string, unknown> }
  }
  const evaluate = () => evaluatePolicies(app.parts.services, undefined)

  for (const place of ['org', 'group'] as const) {
    const path = places[place]
    describe(`policies of the ${place}`, () => {
      test('policy: created, read, changed, deleted and restored', async () => {
        const answer = await app.call('POST', path(), { body: expiring('2099-12-24') })
        assert.equal(answer.statusCode, 201, answer.body)
        const { id, attributes } = answer.json().data
        const one = `${path()}/${id}`
        assert.equal(new URL(String(answer.headers['location'])).pathname, one)
        const { created_at, updated_at, created_by, ...rest } = attributes
        assert.equal(created_at, updated_at)
        assert.equal(typeof created_by.name, 'string')
        assert.deepEqual(rest, {
          name: 'build',
          action_type: 'ignore',
          action: { data: { ...data, expires: '2099-12-24T00:00:00.000Z' } },
          ...of(condition('vulnerability-id', 'CVE-2021-23337')),
          source: 'user',
          scope: place,
          evaluation: { state: 'running', done: 0, total: 0 },
          hides: { issues: 0, projects: 0 },
        })
        const read = await app.call('GET', `${path()}/${id.toUpperCase()}`)
        assert.deepEqual(read.json().data.attributes, attributes)
        const body = { data: { type: 'policy', id, attributes: { name: 'tools', action: { data } } } }
        const changed = await app.call('PATCH', one, { body })
        assert.equal(changed.statusCode, 200, changed.body)
        assert.equal(changed.json().data.attributes.name, 'tools')
        assert.deepEqual(changed.json().data.attributes.action, { data })
        assert.equal((await app.call('DELETE', one)).statusCode, 204)
        assertRefusal(await app.call('DELETE', one), { status: 404, code: 'not-found' })
        assertRefusal(await app.call('PATCH', one, { body }), { status: 404, code: 'not-found' })
        const gone = (await app.call('GET', one)).json().data.attributes
        assert.equal(gone.evaluation.state, 'canceled')
        assert.equal(Date.parse(gone.restorable_until) - Date.parse(gone.deleted_at), 30 * 86_400_000)
        const ids = async (query: Record<string, string>) =>
          (await app.call('GET', path(), { query: { limit: '100', ...query } }))
            .json()
            .data.map((entry: { id: string }) => entry.id)
        assert.ok(!(await ids({})).includes(id))
        assert.ok((await ids({ deleted: 'true' })).includes(id))
        assert.equal((await app.call('POST', `${one}/restore`)).statusCode, 200)
        assertRefusal(await app.call('POST', `${one}/restore`), { status: 409, code: 'conflict' })
        assert.ok((await ids({})).includes(id))
        const actions = (await auditEventsOf(app, id)).map(({ action }) => action)
        assert.deepEqual(actions, ['policy.create', 'policy.update', 'policy.delete', 'policy.restore'])
      })

      test('deleted policy: not restorable after 30 days', async () => {
        const { id } = await create(policy(), path())
        await app.call('DELETE', `${path()}/${id}`)
        const deleted_at = Date.now() - 31 * 86_400_000
        await app.parts.services.db.updateTable('policies').set({ deleted_at }).where('id', '=', id).execute()
        assertRefusal(await app.call('POST', `${path()}/${id}/restore`), { status: 404, code: 'not-found' })
      })

      test('preview: counts what would be hidden and creates nothing', async () => {
        await evaluate()
        const body = policy(of(condition('vulnerability-id', 'cve-2099-0001', `${issue}-low`)))
        const count = async () => (await app.call('GET', path())).json().data.length
        const before = await count()
        const answer = await app.call('POST', path(), { body, query: { dry_run: 'true' } })
        assert.equal(answer.statusCode, 200, answer.body)
        assert.deepEqual(answer.json().meta.preview, {
          vulnerabilities: 2,
          issues: 4,
          projects: 2,
          severities: { critical: 1, high: 0, medium: 0, low: 1 },
          first: [
            { id: issue, name: `Title of ${issue}`, severity: 'critical', projects: 2 },
            { id: `${issue}-low`, name: `Title of ${issue}-low`, severity: 'low', projects: 2 },
          ],
          is_complete: true,
        })
        assert.equal(await count(), before)
      })

      const operation = { since: '2024-10-15' } as const
      const needs = (permission: 'read' | 'create' | 'edit' | 'delete') =>
        place === 'group'
          ? ({ permission: permission === 'read' ? 'group.read' : 'group.edit', in: 'group' } as const)
          : ({ permission: `org.project.ignore.${permission}`, in: 'org' } as const)
      const missing = () => `${path()}/${randomUUID()}`
      const changed = () => ({ data: { type: 'policy', attributes: { name: 'x' } } })
      testRefusals(() => app, 'listing policies', {
        ...operation,
        method: 'GET',
        path,
        isList: true,
        needs: needs('read'),
      })
      testRefusals(() => app, 'reading a policy', { ...operation, method: 'GET', path: missing, needs: needs('read') })
      testRefusals(() => app, 'creating a policy', {
        ...operation,
        method: 'POST',
        path,
        body: policy,
        badBodies,
        needs: needs('create'),
      })
      testRefusals(() => app, 'changing a policy', {
        ...operation,
        method: 'PATCH',
        path: missing,
        body: changed,
        needs: needs('edit'),
        badBodies: [
          ['an empty change', { data: { type: 'policy', attributes: {} } }, '/data/attributes'],
          [
            'an id that is not the path’s',
            { data: { type: 'policy', id: randomUUID(), attributes: { name: 'x' } } },
            '/data/id',
          ],
          [
            'an end in the past',
            { data: { type: 'policy', attributes: { action: { data: { ...data, expires: '2022-08-29' } } } } },
            end,
          ],
          ['bad conditions', { data: { type: 'policy', attributes: of(condition('severity', 'x')) } }, value],
        ],
      })
      testRefusals(() => app, 'deleting a policy', {
        ...operation,
        method: 'DELETE',
        path: missing,
        needs: needs('delete'),
      })
      testRefusals(() => app, 'restoring a policy', {
        ...operation,
        method: 'POST',
        path: () => `${missing()}/restore`,
        needs: needs('create'),
      })
      testRepetition(() => app, 'creating a policy', {
        path,
        body: policy,
        other: () => policy(undefined, { name: 'other' }),
      })
    })
  }

  test('policy that changes severities: created, read and changed; its action type stays', async () => {
    const body = change({}, of(condition('vulnerability-id', issue)))
    const { id, attributes } = await create(body)
    const { action_type, action, hides, changes } = attributes
    assert.deepEqual(
      { action_type, action, hides, changes },
      {
        action_type: 'severity',
        action: { data: { severity: 'critical', reason: 'Exposed' } },
        hides: { issues: 0, projects: 0 },
        changes: { issues: 0, projects: 0 },
      },
    )
    const path = `${places.org()}/${id}`
    const patch = (own: object) => app.call('PATCH', path, { body: { data: { type: 'policy', attributes: own } } })
    const edited = await patch({ action: { data: { severity: 'low', reason: 'Hardened' } } })
    assert.deepEqual(edited.json().data.attributes.action.data, { severity: 'low', reason: 'Hardened' })
    const refused = await patch(of(condition('project-tag', 'team:shop')))
    assertRefusal(refused, { status: 400, code: 'invalid-request' })
    assert.equal(refused.json().errors[0].source.pointer, `${first}/field`)
    for (const own of [{ action_type: 'ignore' }, { action: { data } }]) {
      assertRefusal(await patch(own), { status: 409, code: 'conflict' })
    }
    await app.call('DELETE', path)
  })

  test('policies: those of another organization or the group are not found', async () => {
    const { id } = await create(policy())
    const orgId = await app.addOrg()
    for (const path of [`/rest/orgs/${orgId}/policies/${id}`, `${places.group()}/${id}`]) {
      assertRefusal(await app.call('GET', path), { status: 404, code: 'not-found' })
      assertRefusal(await app.call('DELETE', path), { status: 404, code: 'not-found' })
      assertRefusal(await app.call('POST', `${path}/restore`), { status: 404, code: 'not-found' })
    }
    const stranger = await app.keyWith(permissionNames, { orgId })
    assertRefusal(await app.call('GET', places.org(), { key: stranger }), { status: 404, code: 'not-found' })
  })

  test('list of policies with those of the group: each with its scope, and what it hides in the organization', async () => {
    const orgId = await app.addOrg()
    const [id, label] = [`GHSA-${randomUUID()}`, 'po-c@1.0.0']
    const project = { graph: { project: [label], [label]: [] }, issues: [{ id, in: label }] }
    await recordProject(app, { ...project, orgId })
    await recordProject(app, project)
    const conditions = of(condition('vulnerability-id', id))
    const ofGroup = (await create(policy(conditions), places.group())).id
    const own = (await create(policy(conditions), `/rest/orgs/${orgId}/policies`)).id
    await evaluate()
    const query = { inherited: 'true', limit: '100' }
    const { data } = (await app.call('GET', `/rest/orgs/${orgId}/policies`, { query })).json()
    const shown = data.filter((entry: { id: string }) => [ofGroup, own].includes(entry.id))
    assert.deepEqual(
      shown.map(
        ({ id, attributes: { scope, hides } }: { id: string; attributes: { scope: string; hides: object } }) => [
          id,
          scope,
          hides,
        ],
      ),
      [
        [ofGroup, 'group', { issues: 1, projects: 1 }],
        [own, 'org', { issues: 1, projects: 1 }],
      ],
    )
  })

  test('selection: stored as the ids that match at that moment; audited once with count and first members', async () => {
    const { id, attributes } = await create(
      policy({ selection: { query: { effective_severity_level: ['critical'] } } }),
    )
    assert.deepEqual(attributes['conditions_group'], of(condition('vulnerability-id', issue)).conditions_group)
    const [event, ...others] = await auditEventsOf(app, id)
    assert.deepEqual(others, [])
    assert.deepEqual(JSON.parse(event!.after!).conditions, [{ field: 'vulnerability-id', count: 1, value: [issue] }])
  })

  test('selection: refused if nothing matches (422), and in a group (400)', async () => {
    const body = policy({ selection: { query: { query: 'nothing at all' } } })
    assertRefusal(await app.call('POST', places.org(), { body }), { status: 422, code: 'unprocessable' })
    assertRefusal(await app.call('POST', places.group(), { body }), { status: 400, code: 'invalid-request' })
  })

  testPages(() => app, 'list of policies', {
    path: places.org,
    add: async () => (await create(policy())).id,
    remove: (id) => app.call('DELETE', `${places.org()}/${id}`),
  })
})
