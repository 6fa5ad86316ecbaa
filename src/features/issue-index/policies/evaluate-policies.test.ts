import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, mock, test } from 'node:test'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { evaluatePolicies } from './evaluation-rounds.ts'

onEveryEngine('evaluation of policies', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  const db = () => app.parts.services.db
  const anyId = () => `GHSA-${randomUUID()}`
  const anyName = () => `p${randomUUID().slice(0, 8)}`
  const evaluate = () => evaluatePolicies(app.parts.services, undefined)
  const condition = (field: string, ...value: string[]) => ({ field, operator: 'includes', value })

  interface Options {
    readonly orgId?: string
    readonly expires?: string
    readonly isOfGroup?: boolean
  }

  function bodyOf(conditions: object[], expires?: string) {
    const data = { ignore_type: 'wont-fix', reason: 'a rule', ...(expires !== undefined && { expires }) }
    const conditions_group = { logical_operator: 'and', conditions }
    return {
      data: { type: 'policy', attributes: { name: 'a', action_type: 'ignore', action: { data }, conditions_group } },
    }
  }

  function placeOf({ orgId = app.orgId, isOfGroup = false }: Options) {
    return isOfGroup ? `/rest/groups/${app.groupId}/policies` : `/rest/orgs/${orgId}/policies`
  }

  async function create(conditions: object[], options: Options = {}): Promise<string> {
    const answer = await app.call('POST', placeOf(options), { body: bodyOf(conditions, options.expires) })
    assert.equal(answer.statusCode, 201, answer.body)
    return `${placeOf(options)}/${answer.json().data.id}`
  }

  async function attributesOf(path: string) {
    return (await app.call('GET', path)).json().data.attributes
  }

  /** Records a project with one package, `name@1.0.0`, that has one issue. */
  async function project(
    input: { issue?: string; name?: string; orgId?: string; package?: string; fixedIn?: string[] } = {},
  ) {
    const { issue = anyId(), name = anyName(), orgId = app.orgId, fixedIn = [] } = input
    const label = input.package ?? `${anyName()}@1.0.0`
    const recorded = await recordProject(app, {
      orgId,
      name,
      graph: { project: [label], [label]: [] },
      issues: [{ id: issue, in: label, fixedIn }],
    })
    return { ...recorded, issue, name, label, orgId }
  }

  async function isHidden({ projectId, orgId, issue }: { projectId: string; orgId: string; issue: string }) {
    const query = { 'scan_item.id': projectId, 'scan_item.type': 'project', limit: '100' }
    const answer = await app.call('GET', `/rest/orgs/${orgId}/issues`, { query })
    assert.equal(answer.statusCode, 200, answer.body)
    const { data } = answer.json()
    const entry = data.find(({ attributes }: { attributes: { key: string } }) => attributes.key === issue)
    assert.ok(entry, JSON.stringify(data))
    return entry.attributes.ignored as boolean
  }

  test('policy: hides an issue in existing projects, and in a project recorded later at once', async () => {
    const first = await project()
    const path = await create([condition('vulnerability-id', first.issue)])
    assert.equal(await isHidden(first), false)
    await evaluate()
    assert.equal(await isHidden(first), true)
    assert.deepEqual((await attributesOf(path)).evaluation, { state: 'done', done: 1, total: 1 })
    const later = await project({ issue: first.issue, package: first.label })
    assert.equal(await isHidden(later), true)
    assert.deepEqual((await attributesOf(path)).hides, { issues: 2, projects: 2 })
  })

  test('issue hidden by a policy: shown with its reason, author and end, in REST and v1', async () => {
    const hidden = await project()
    const path = await create([condition('vulnerability-id', hidden.issue)], { expires: '2099-12-24' })
    await evaluate()
    const query = { 'scan_item.id': hidden.projectId, 'scan_item.type': 'project' }
    const { data } = (await app.call('GET', `/rest/orgs/${app.orgId}/issues`, { query })).json()
    const [id, author] = [path.split('/').at(-1), (await attributesOf(path)).created_by]
    const expires = '2099-12-24T00:00:00.000Z'
    assert.deepEqual(data[0].attributes.ignores, [
      { path: '*', reason: 'a rule', reason_type: 'wont-fix', expires, ignored_by: author, policy_id: id },
    ])
    const v1 = `/v1/org/${app.orgId}/project/${hidden.projectId}/aggregated-issues`
    const { issues } = (await app.call('POST', v1, { body: { filters: { ignored: true } } })).json()
    assert.deepEqual(issues[0].ignoreReasons, [
      { reason: 'a rule', expires, source: 'api', path: '*', reasonType: 'wont-fix', ignoredBy: author, policyId: id },
    ])
    await app.call('DELETE', path)
  })

  test('deleted policy: its issues are open again; restored: hidden again', async () => {
    const hidden = await project()
    const path = await create([condition('vulnerability-id', hidden.issue)])
    await evaluate()
    await app.call('DELETE', path)
    await evaluate()
    assert.equal(await isHidden(hidden), false)
    await app.call('POST', `${path}/restore`)
    await evaluate()
    assert.equal(await isHidden(hidden), true)
    assert.deepEqual((await attributesOf(path)).hides, { issues: 1, projects: 1 })
  })

  test('changed policy: hides what its new conditions match, no longer what the former matched', async () => {
    const [one, other] = [await project(), await project()]
    const path = await create([condition('vulnerability-id', one.issue)])
    await evaluate()
    const { attributes } = bodyOf([condition('vulnerability-id', other.issue)]).data
    const { conditions_group } = attributes
    assert.equal(
      (await app.call('PATCH', path, { body: { data: { type: 'policy', attributes: { conditions_group } } } }))
        .statusCode,
      200,
    )
    await evaluate()
    assert.deepEqual([await isHidden(one), await isHidden(other)], [false, true])
  })

  test('policy deleted before its evaluation: hides nothing', async () => {
    const open = await project()
    const path = await create([condition('vulnerability-id', open.issue)])
    await app.call('DELETE', path)
    await evaluate()
    assert.equal(await isHidden(open), false)
    assert.equal((await attributesOf(path)).evaluation.state, 'canceled')
  })

  test('expired policy: its issues are open again', async (t) => {
    const now = Date.now()
    mock.timers.enable({ apis: ['Date'], now })
    t.after(() => mock.timers.reset())
    const hidden = await project()
    const path = await create([condition('vulnerability-id', hidden.issue)], {
      expires: new Date(now + 60_000).toISOString(),
    })
    await evaluate()
    assert.equal(await isHidden(hidden), true)
    mock.timers.setTime(now + 60_000)
    assert.equal(await isHidden(hidden), false)
    assert.deepEqual((await attributesOf(path)).hides, { issues: 0, projects: 0 })
  })

  test('policy of a group: applies to all its organizations, also to one created later', async () => {
    const first = await project()
    await create([condition('vulnerability-id', first.issue)], { isOfGroup: true })
    await evaluate()
    const orgId = await app.addOrg()
    const other = await project({ orgId, issue: first.issue, package: first.label })
    assert.deepEqual([await isHidden(first), await isHidden(other)], [true, true])
  })

  test('project moved to another organization: its policies apply instead', async () => {
    const [moved, orgId] = [await project(), await app.addOrg()]
    await create([condition('vulnerability-id', moved.issue)])
    await evaluate()
    const path = `/v1/org/${app.orgId}/project/${moved.projectId}/move`
    assert.equal((await app.call('PUT', path, { body: { targetOrgId: orgId } })).statusCode, 200)
    assert.equal(await isHidden({ ...moved, orgId }), false)
    await create([condition('vulnerability-id', moved.issue)], { orgId })
    await evaluate()
    assert.equal(await isHidden({ ...moved, orgId }), true)
  })

  test('own ignore and policy of one issue: each hides it without the other', async () => {
    const hidden = await project()
    const ignore = `/v1/org/${app.orgId}/project/${hidden.projectId}/ignore/${hidden.issue}`
    const body = { reasonType: 'wont-fix', disregardIfFixable: false }
    const path = await create([condition('vulnerability-id', hidden.issue)])
    await evaluate()
    await app.call('POST', ignore, { body })
    await app.call('DELETE', path)
    await evaluate()
    assert.equal(await isHidden(hidden), true)
    await app.call('POST', `${path}/restore`)
    await evaluate()
    await app.call('DELETE', ignore)
    assert.equal(await isHidden(hidden), true)
    await app.call('DELETE', path)
    await evaluate()
    assert.equal(await isHidden(hidden), false)
    const left = db().selectFrom('ignored_issues').selectAll().where('project_number', '=', hidden.projectNumber)
    assert.deepEqual(await left.execute(), [])
  })

  test('policy by version: hides an issue only if every affected version in the project is in the range', async () => {
    const [name, issue] = [anyName(), anyId()]
    const record = (versions: string[]) => {
      const labels = versions.map((version) => `${name}@${version}`)
      return recordProject(app, {
        graph: { project: labels, ...Object.fromEntries(labels.map((label) => [label, []])) },
        issues: labels.map((label) => ({ id: issue, in: label })),
      })
    }
    const [both, old] = [await record(['1.9.0', '1.10.0']), await record(['1.9.0'])]
    await create([condition('package', `npm/${name}@<1.10.0`)])
    await evaluate()
    const hidden = (recorded: { projectId: string }) => isHidden({ ...recorded, orgId: app.orgId, issue })
    assert.deepEqual([await hidden(both), await hidden(old)], [false, true])
    await create([condition('package', `npm/${name}`), condition('package-version', '1.x')])
    await evaluate()
    assert.deepEqual([await hidden(both), await hidden(old)], [true, true])
  })

  test('policy by path: hides an issue if every path to it matches', async () => {
    const [a, b, c, issue] = [`${anyName()}@1.0.0`, `${anyName()}@1.0.0`, `${anyName()}@1.0.0`, anyId()]
    const issues = [{ id: issue, in: c }]
    const two = await recordProject(app, { graph: { project: [a, b], [a]: [c], [b]: [c], [c]: [] }, issues })
    const one = await recordProject(app, { graph: { project: [a], [a]: [c], [c]: [] }, issues })
    await create([condition('path', a.split('@')[0]!)])
    await evaluate()
    const hidden = (recorded: { projectId: string }) => isHidden({ ...recorded, orgId: app.orgId, issue })
    assert.deepEqual([await hidden(two), await hidden(one)], [false, true])
  })

  test('policy by tag: applies when the project gets the tag, and no longer without it', async () => {
    const tagged = await project()
    await create([condition('vulnerability-id', tagged.issue), condition('project-tag', 'exposed:no')])
    await evaluate()
    assert.equal(await isHidden(tagged), false)
    const path = `/v1/org/${app.orgId}/project/${tagged.projectId}/tags`
    const body = { key: 'exposed', value: 'no' }
    assert.equal((await app.call('POST', path, { body })).statusCode, 200)
    assert.equal(await isHidden(tagged), true)
    await app.call('POST', `${path}/remove`, { body })
    assert.equal(await isHidden(tagged), false)
  })

  test('policy by project, target, ecosystem and severity: all conditions must hold', async () => {
    const [one, other] = [await project(), await project()]
    const row = await db().selectFrom('projects').select('target_id').where('id', '=', one.projectId).executeTakeFirst()
    await create([
      condition('project', one.projectId, other.projectId),
      condition('target', row!.target_id),
      condition('ecosystem', 'npm'),
      condition('severity', 'high'),
    ])
    await create([condition('project', other.projectId), condition('severity', 'low')])
    await evaluate()
    assert.deepEqual([await isHidden(one), await isHidden(other)], [true, false])
  })

  test('policy on issues without a fix: hides only these', async () => {
    const [orgId, fixedIn] = [await app.addOrg(), ['2.0.0']]
    const [fixable, other] = [await project({ orgId, fixedIn }), await project({ orgId })]
    await create([condition('fix-available', 'false')], { orgId })
    await evaluate()
    assert.deepEqual([await isHidden(fixable), await isHidden(other)], [false, true])
  })

  test('policy with a CVE: hides the issue whose alias it is, in any case', async () => {
    const [label, issue, cve] = [`${anyName()}@1.0.0`, anyId(), `CVE-2099-${Math.floor(Math.random() * 1e6)}`]
    const graph = { project: [label], [label]: [] }
    const recorded = await recordProject(app, { graph, issues: [{ id: issue, in: label, aliases: [cve] }] })
    await create([condition('vulnerability-id', cve.toLowerCase())])
    await evaluate()
    assert.equal(await isHidden({ ...recorded, orgId: app.orgId, issue }), true)
  })

  test('evaluation interrupted in the middle: resumes after the last evaluated project', async () => {
    const orgId = await app.addOrg()
    const first = await project({ orgId })
    const more: { projectId: string; orgId: string; issue: string }[] = []
    for (let n = 0; n < 3; n++) more.push(await project({ orgId, issue: first.issue, package: first.label }))
    const path = await create([condition('vulnerability-id', first.issue)], { orgId })
    // Larger than a step, so that each project is one.
    await db().updateTable('projects').set({ total_dependencies: 5_000 }).where('org_id', '=', orgId).execute()
    const abort = new AbortController()
    const { services } = app.parts
    let steps = 0
    const now = () => {
      if (++steps === 2) abort.abort()
      return services.now()
    }
    await assert.rejects(evaluatePolicies({ db: db(), now }, abort.signal))
    const states = async () => {
      const hidden = []
      for (const recorded of [first, ...more]) hidden.push(await isHidden(recorded))
      return hidden
    }
    assert.deepEqual(await states(), [true, true, false, false])
    assert.deepEqual((await attributesOf(path)).evaluation, { state: 'running', done: 2, total: 4 })
    await evaluate()
    assert.deepEqual(await states(), [true, true, true, true])
    assert.deepEqual((await attributesOf(path)).evaluation, { state: 'done', done: 4, total: 4 })
  })

  test('tests concurrent with policies and their evaluation: every project ends as its policies say', async () => {
    const [orgId, label] = [await app.addOrg(), `${anyName()}@1.0.0`]
    const issues = Array.from({ length: 4 }, anyId)
    const record = (name: string) =>
      recordProject(app, {
        orgId,
        name,
        graph: { project: [label], [label]: [] },
        issues: issues.map((id) => ({ id, in: label })),
      })
    const names = Array.from({ length: 12 }, anyName)
    await Promise.all(names.slice(0, 4).map(record))
    const paths: string[] = []
    const work = [
      ...names.map((name) => () => record(name)),
      ...issues.map((id) => async () => {
        paths.push(await create([condition('vulnerability-id', id)], { orgId }))
        await evaluate()
      }),
      ...names.slice(0, 4).map((name) => () => record(name)),
    ]
    await Promise.all(work.map((run) => run()))
    await app.call('DELETE', paths[0]!)
    await Promise.all([evaluate(), evaluate(), ...names.map(record)])
    const removed = paths[0]!.split('/').at(-1)
    const rows = await db()
      .selectFrom('policy_effects as e')
      .innerJoin('policies as p', 'p.number', 'e.policy_number')
      .select(['p.id', 'e.project_number'])
      .where('p.org_id', '=', orgId)
      .execute()
    assert.equal(rows.length, names.length * (issues.length - 1))
    assert.ok(rows.every(({ id }) => id !== removed))
    const query = { ignored: 'false', limit: '100' }
    const { data } = (await app.call('GET', `/rest/orgs/${orgId}/issues`, { query })).json()
    assert.equal(data.length, names.length)
  })
})
