import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { followRenames } from '#features/issue-index/triage/triage-store.ts'
import { permissionNames } from '#foundation/access/permissions.ts'
import { auditEventsOf } from '#test/access/audit.ts'
import { assertRefusal, testRefusals } from '#test/access/refusals.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { edit, read } from './vulnerability-path.ts'

const DAY_MS = 86_400_000
const dayAfter = (at: number, days: number) => new Date(at + days * DAY_MS).toISOString().slice(0, 10)

onEveryEngine('triage of vulnerabilities', (engine) => {
  let app: TestApp
  let admin: { id: string; name: string }
  let projectId: string
  let targetId: string
  const since = Date.parse('2026-01-10T12:00:00Z')
  const [issue, alias, other] = ['GHSA', 'CVE', 'GHSA'].map((kind) => `${kind}-${randomUUID()}`) as [
    string,
    string,
    string,
  ]
  before(async () => {
    app = await startApp(engine)
    const { id, attributes } = (await app.call('GET', '/rest/self')).json().data
    admin = { id, name: attributes.name }
    ;({ projectId } = await recordProject(app, {
      name: 'shop',
      at: since,
      graph: { project: ['t-a@1.0.0', 't-b@1.0.0'], 't-a@1.0.0': [], 't-b@1.0.0': [] },
      issues: [
        { id: issue, in: 't-a@1.0.0', severity: 'high', aliases: [alias] },
        { id: other, in: 't-b@1.0.0', severity: 'critical', isExploited: true },
      ],
    }))
    targetId = await targetOf(projectId)
  })
  after(() => app.close())

  async function targetOf(id: string): Promise<string> {
    const { data } = (await app.call('GET', `/rest/orgs/${app.orgId}/projects/${id}`)).json()
    return data.relationships.target.data.id
  }
  const at = (of = projectId, id = issue) => `/rest/orgs/${app.orgId}/triage/${of}/${id}`
  const ofTarget = () => targetId
  const triageBody = (attributes: object) => ({ data: { type: 'issue_triage', attributes } })
  const commentBody = (body: string) => ({ data: { type: 'issue_comment', attributes: { body } } })
  const slaBody = (attributes: object) => ({ data: { type: 'sla_policy', attributes } })
  const attributesOf = async (path: string) => (await app.call('GET', path)).json().data.attributes
  async function set(attributes: object, path = at()) {
    const answer = await app.call('PATCH', path, { body: triageBody(attributes) })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json().data.attributes
  }
  async function setSla(attributes: object): Promise<void> {
    const answer = await app.call('PATCH', `/rest/orgs/${app.orgId}/sla_policy`, { body: slaBody(attributes) })
    assert.equal(answer.statusCode, 200, answer.body)
  }
  const clear = { assignee_id: null, due_on: null }

  test('triage: a member is assigned by any id of the vulnerability; the change is audited once', async () => {
    assert.deepEqual(await attributesOf(at(undefined, alias)), {
      issue_id: issue,
      assignee: null,
      due_on: null,
      policy_due_on: null,
      is_overdue: false,
      own: { assignee_id: null, due_on: null },
      comments: 0,
      repository: { id: targetId, name: 'shop' },
      is_editable: true,
    })
    const reader = await app.keyWith([...read])
    assert.equal((await app.call('GET', at(), { key: reader })).json().data.attributes.is_editable, false)
    for (let n = 0; n < 2; n++) await set({ assignee_id: admin.id, due_on: '2026-02-01' }, at(undefined, alias))
    const { assignee, due_on, is_overdue } = await attributesOf(at())
    assert.deepEqual([assignee, due_on, is_overdue], [{ ...admin, is_member: true }, '2026-02-01', true])
    const events = (await auditEventsOf(app, projectId)).filter(({ action }) => action === 'issue_triage.update')
    assert.equal(events.length, 1)
    assert.deepEqual(JSON.parse(events[0]!.after!), {
      issue_id: issue,
      assignee_id: admin.id,
      assignee_name: admin.name,
      due_on: '2026-02-01',
    })
    await set(clear)
    assert.equal((await attributesOf(at())).assignee, null)
  })

  test('triage of a repository: holds in its projects unless they set their own', async () => {
    await set({ assignee_id: admin.id, due_on: '2026-03-01' }, at(ofTarget()))
    const inherited = await attributesOf(at())
    assert.deepEqual([inherited.assignee.id, inherited.due_on], [admin.id, '2026-03-01'])
    assert.deepEqual(inherited.own, { assignee_id: null, due_on: null })
    await set({ due_on: '2026-04-01' })
    const own = await attributesOf(at())
    assert.deepEqual([own.assignee.id, own.due_on], [admin.id, '2026-04-01'])
    assert.equal((await attributesOf(at(ofTarget()))).due_on, '2026-03-01')
    await set(clear)
    await set(clear, at(ofTarget()))
  })

  test('SLA policy: gives due dates by severity, sooner if exploited; a date set by a user wins', async () => {
    assert.deepEqual((await app.call('GET', `/rest/orgs/${app.orgId}/sla_policy`)).json().data.attributes, {
      critical_days: null,
      high_days: null,
      medium_days: null,
      low_days: null,
      exploited_days: null,
      updated_at: null,
    })
    await setSla({ critical_days: 14, high_days: 30, exploited_days: 3 })
    assert.deepEqual(
      [(await attributesOf(at())).due_on, (await attributesOf(at(undefined, other))).due_on],
      [dayAfter(since, 30), dayAfter(since, 3)],
    )
    assert.equal((await attributesOf(at(ofTarget()))).due_on, dayAfter(since, 30))
    await setSla({ exploited_days: null })
    assert.equal((await attributesOf(at(undefined, other))).due_on, dayAfter(since, 14))
    const changed = await set({ due_on: '2031-01-01' })
    assert.deepEqual([changed.due_on, changed.policy_due_on], ['2031-01-01', dayAfter(since, 30)])
    await set({ assignee_id: admin.id, due_on: null })
    const ofProject = async (query: string) => {
      const path = `/v1/org/${app.orgId}/project/${projectId}/aggregated-issues${query}`
      const { issues } = (await app.call('POST', path, { body: {} })).json()
      return issues.map(({ id, assignee, dueOn }: Record<string, unknown>) => ({ id, assignee, dueOn }))
    }
    assert.deepEqual(await ofProject('?perPage=10'), [
      { id: other, assignee: undefined, dueOn: dayAfter(since, 14) },
      { id: issue, assignee: { ...admin, is_member: true }, dueOn: dayAfter(since, 30) },
    ])
    assert.deepEqual((await ofProject(''))[1], { id: issue, assignee: undefined, dueOn: undefined })
    const listed = (await app.call('GET', `/rest/orgs/${app.orgId}/issues?key=${issue}`)).json().data[0]
    const single = await attributesOf(`/rest/orgs/${app.orgId}/issues/${listed.id}`)
    for (const name of ['assignee', 'due_on', 'created_at']) assert.deepEqual(single[name], listed.attributes[name])
    await set(clear)
    const events = (await auditEventsOf(app, app.orgId)).filter(({ action }) => action === 'sla_policy.update')
    await setSla({ critical_days: 14 })
    assert.equal(events.length, 2)
    assert.equal((await auditEventsOf(app, app.orgId)).filter(({ action }) => action === 'sla_policy.update').length, 2)
    await setSla({ critical_days: null, high_days: null })
  })

  test('an assignee who leaves the organization: shown as such, stays, and cannot be assigned anew', async () => {
    const user = await addMember()
    await set({ assignee_id: user.id })
    await app.call('DELETE', `/rest/orgs/${app.orgId}/memberships/${user.membershipId}`)
    assert.deepEqual((await attributesOf(at())).assignee, { id: user.id, name: user.name, is_member: false })
    assert.equal((await set({ due_on: '2026-05-01' })).assignee.id, user.id)
    const again = await app.call('PATCH', at(ofTarget()), { body: triageBody({ assignee_id: user.id }) })
    assertRefusal(again, { status: 422, code: 'unprocessable' })
    await app.parts.services.db.deleteFrom('users').where('id', '=', user.id).execute()
    assert.deepEqual((await attributesOf(at())).assignee, { id: user.id, name: user.name, is_member: false })
    await set({ assignee_id: admin.id, due_on: null })
    await set(clear)
  })

  async function addMember() {
    const name = `Member ${randomUUID()}`
    const user = { id: randomUUID(), group_id: app.groupId, email: `${randomUUID()}@shop.example`, name }
    const { db } = app.parts.services
    await db
      .insertInto('users')
      .values({ ...user, username: user.email, created_at: 1, updated_at: 1 })
      .execute()
    const role = { type: 'org_role', id: '6c0e9a52-1a55-4d0e-8f0b-6d0f3a1c0004' }
    const relationships = { user: { data: { type: 'user', id: user.id } }, role: { data: role } }
    const body = { data: { type: 'org_membership', relationships } }
    const answer = await app.call('POST', `/rest/orgs/${app.orgId}/memberships`, { body })
    assert.equal(answer.statusCode, 201, answer.body)
    return { id: user.id, name, membershipId: answer.json().id as string }
  }

  test('triage: follows the vulnerability to the id of another record, and to another organization', async () => {
    const [name, from, to] = [`m-${randomUUID()}@1.0.0`, `GHSA-${randomUUID()}`, `GHSA-${randomUUID()}`]
    const input = { name, graph: { project: [name], [name]: [] } }
    const { projectId: id } = await recordProject(app, { ...input, issues: [{ id: from, in: name }] })
    await set({ assignee_id: admin.id }, at(id, from))
    await app.call('POST', `${at(id, from)}/comments`, { body: commentBody('ours') })
    await app.parts.services.db.transaction().execute((tx) => followRenames(tx, new Map([[from, to]])))
    await recordProject(app, { ...input, issues: [{ id: to, in: name, aliases: [from] }] })
    const moved = await attributesOf(at(id, to))
    assert.deepEqual([moved.assignee.id, moved.comments], [admin.id, 1])
    const orgId = await app.addOrg()
    const answer = await app.call('PUT', `/v1/org/${app.orgId}/project/${id}/move`, { body: { targetOrgId: orgId } })
    assert.equal(answer.statusCode, 200, answer.body)
    const there = await app.call('GET', `/rest/orgs/${orgId}/triage/${id}/${to}`)
    assert.equal(there.json().data.attributes.assignee.id, admin.id)
  })

  test('comments: a project shows those of its repository; authors edit and delete their own', async () => {
    const post = async (path: string, text: string, key?: string) => {
      const answer = await app.call('POST', `${path}/comments`, { body: commentBody(text), ...(key && { key }) })
      assert.equal(answer.statusCode, 201, answer.body)
      return answer.json().data
    }
    const colleague = await app.keyWith([...edit])
    const mine = await post(at(), ' first ')
    const theirs = await post(at(ofTarget()), 'second', colleague)
    const list = async (path: string) =>
      (await app.call('GET', `${path}/comments`))
        .json()
        .data.map(({ attributes }: { attributes: { body: string; scope: string } }) => [
          attributes.scope,
          attributes.body,
        ])
    assert.deepEqual(await list(at()), [
      ['project', 'first'],
      ['repository', 'second'],
    ])
    assert.deepEqual(await list(at(ofTarget())), [['repository', 'second']])
    assert.equal((await attributesOf(at())).comments, 2)
    const one = (id: string) => `/rest/orgs/${app.orgId}/issue_comments/${id}`
    const edited = await app.call('PATCH', one(mine.id), { body: commentBody('better') })
    assert.equal(edited.json().data.attributes.body, 'better')
    assertRefusal(await app.call('PATCH', one(theirs.id), { body: commentBody('x') }), {
      status: 403,
      code: 'forbidden',
    })
    assertRefusal(await app.call('DELETE', one(theirs.id)), { status: 403, code: 'forbidden' })
    assert.equal((await app.call('DELETE', one(theirs.id), { key: colleague })).statusCode, 204)
    assert.equal((await app.call('DELETE', one(mine.id))).statusCode, 204)
    assertRefusal(await app.call('DELETE', one(mine.id)), { status: 404, code: 'not-found' })
    const actions = [...(await auditEventsOf(app, projectId)), ...(await auditEventsOf(app, targetId))]
      .map(({ action }) => action)
      .filter((action) => action.startsWith('issue_comment.'))
    assert.deepEqual(
      actions.sort(),
      ['create', 'create', 'delete', 'delete', 'update'].map((verb) => `issue_comment.${verb}`),
    )
  })

  test('comments: at most 200 on an issue, and an Idempotency-Key adds one', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const path = `${at(undefined, other)}/comments`
    const send = () => app.call('POST', path, { body: commentBody('once'), headers })
    assert.equal((await send()).body, (await send()).body)
    const { db } = app.parts.services
    const row = await db
      .selectFrom('issue_comments')
      .selectAll()
      .where('issue_id', '=', other)
      .executeTakeFirstOrThrow()
    await db
      .insertInto('issue_comments')
      .values(Array.from({ length: 199 }, () => ({ ...row, id: randomUUID() })))
      .execute()
    assertRefusal(await app.call('POST', path, { body: commentBody('more') }), { status: 422, code: 'unprocessable' })
  })

  test('triage: refuses unknown places and vulnerabilities, strangers as assignees and days that do not exist', async () => {
    const missing = [at(randomUUID()), at(undefined, 'CVE-0')]
    for (const path of missing) {
      for (const part of ['', '/comments']) {
        assertRefusal(await app.call('GET', `${path}${part}`), { status: 404, code: 'not-found' })
      }
      const answer = await app.call('PATCH', path, { body: triageBody(clear) })
      assertRefusal(answer, { status: 404, code: 'not-found' })
    }
    const refused = async (attributes: object, status: number) => {
      const answer = await app.call('PATCH', at(), { body: triageBody(attributes) })
      assert.equal(answer.statusCode, status, answer.body)
    }
    await refused({ assignee_id: randomUUID() }, 422)
    await refused({ due_on: '2026-02-30' }, 400)
    await refused({}, 400)
    const blank = await app.call('POST', `${at()}/comments`, { body: commentBody(' \n') })
    assert.equal(blank.statusCode, 400)
  })

  for (const permission of read) {
    const needs = { permission, in: 'org' } as const
    testRefusals(() => app, `reading triage, needing ${permission}`, {
      ...{ method: 'GET', path: () => at(), since: '2024-10-15', needs },
    })
    testRefusals(() => app, `listing comments, needing ${permission}`, {
      ...{ method: 'GET', path: () => `${at()}/comments`, since: '2024-10-15', isList: true, needs },
    })
  }
  const edits = { permission: 'org.project.edit', in: 'org' } as const
  testRefusals(() => app, 'changing triage', {
    ...{ method: 'PATCH', path: () => at(), since: '2024-10-15', needs: edits, body: () => triageBody(clear) },
    badBodies: [['a due date that is no text', triageBody({ due_on: 5 }), '/data/attributes/due_on']],
  })
  testRefusals(() => app, 'commenting', {
    ...{ method: 'POST', path: () => `${at()}/comments`, since: '2024-10-15', needs: edits },
    body: () => commentBody('text'),
    badBodies: [['a long comment', commentBody('x'.repeat(5001)), '/data/attributes/body']],
  })

  for (const method of ['PATCH', 'DELETE'] as const) {
    testRefusals(() => app, `${method} of a comment`, {
      ...{ method, path: () => `/rest/orgs/${app.orgId}/issue_comments/${randomUUID()}`, since: '2024-10-15' },
      ...(method === 'PATCH' && { body: () => commentBody('text') }),
      needs: edits,
    })
  }
  const slaPath = () => `/rest/orgs/${app.orgId}/sla_policy`
  testRefusals(() => app, 'reading the SLA policy', {
    ...{ method: 'GET', path: slaPath, since: '2024-10-15', needs: { permission: 'org.read', in: 'org' } },
  })
  testRefusals(() => app, 'changing the SLA policy', {
    ...{ method: 'PATCH', path: slaPath, since: '2024-10-15', needs: { permission: 'org.edit', in: 'org' } },
    body: () => slaBody({ low_days: null }),
    badBodies: [['no days', slaBody({ low_days: 0 }), '/data/attributes/low_days']],
  })

  test('triage: callers see only places of their organization', async () => {
    const orgId = await app.addOrg()
    const path = at().replace(app.orgId, orgId)
    const key = await app.keyWith(permissionNames, { groupId: app.groupId })
    assertRefusal(await app.call('GET', path, { key }), { status: 404, code: 'not-found' })
  })
})
