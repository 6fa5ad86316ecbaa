import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { publishRecords, recordAgainst } from '#test/manifests/published-advisories.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { recountProjects } from '../counts/recount-projects.ts'
import { evaluatePolicies } from './evaluation-rounds.ts'

type Word = 'low' | 'medium' | 'high' | 'critical'

onEveryEngine('policies that change severities', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine, { advisoriesPollSeconds: 3600 })
    await publishRecords(app.parts, [])
    await app.parts.matcher.run()
  })
  after(() => app.close())

  const evaluate = () => evaluatePolicies(app.parts.services, undefined)
  const condition = (field: string, ...value: string[]) => ({ field, operator: 'includes', value })

  interface Options {
    readonly orgId?: string
    readonly isOfGroup?: boolean
    readonly isDryRun?: boolean
  }

  async function create(
    severity: Word,
    conditions: object[],
    { orgId = app.orgId, isOfGroup, isDryRun }: Options = {},
  ) {
    const path = isOfGroup ? `/rest/groups/${app.groupId}/policies` : `/rest/orgs/${orgId}/policies`
    const action = { data: { severity, reason: 'Exposed' } }
    const conditions_group = { logical_operator: 'and', conditions }
    const attributes = { name: 'a', action_type: 'severity', action, conditions_group }
    const query = isDryRun ? { dry_run: 'true' } : undefined
    const answer = await app.call('POST', path, {
      body: { data: { type: 'policy', attributes } },
      ...(query && { query }),
    })
    if (isDryRun) return answer.json().meta.preview
    assert.equal(answer.statusCode, 201, answer.body)
    return `${path}/${answer.json().data.id}`
  }

  interface Project {
    readonly projectId: string
    readonly orgId: string
    readonly issue: string
    readonly name: string
  }

  /** Records a project with one package, `name@1.0.0`, that has one issue. */
  async function project(input: { issue?: string; name?: string; orgId?: string; severity?: Word } = {}) {
    const name = input.name ?? `p${randomUUID().slice(0, 8)}`
    const { issue = `GHSA-${randomUUID()}`, orgId = app.orgId, severity = 'low' } = input
    const label = `${name}@1.0.0`
    const graph = { project: [label], [label]: [] }
    const recorded = await recordProject(app, { orgId, graph, issues: [{ id: issue, in: label, severity }] })
    return { ...recorded, issue, orgId, name }
  }

  async function read(path: string, query: Record<string, string> = {}) {
    const answer = await app.call('GET', path, { query })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json().data
  }

  /** Returns the severity of a project's issue in each place that shows it. They must agree. */
  async function severityOf({ projectId, orgId, issue, name }: Project): Promise<string> {
    const of = { 'scan_item.id': projectId, 'scan_item.type': 'project' }
    const [listed] = await read(`/rest/orgs/${orgId}/issues`, of)
    const single = await read(`/rest/orgs/${orgId}/issues/${listed.id}`)
    const v1 = `/v1/org/${orgId}/project/${projectId}`
    const aggregated = (await app.call('POST', `${v1}/aggregated-issues`, { body: {} })).json().issues[0].issueData
    const { issueCountsBySeverity } = (await app.call('GET', v1)).json()
    const counted = Object.entries(issueCountsBySeverity).flatMap(([word, count]) => (count === 1 ? [word] : []))
    const groups = await Promise.all(
      ['vulnerability', 'package'].map(async (group_by) => {
        const query = { group_by, query: group_by === 'vulnerability' ? issue.toLowerCase() : name }
        const [group] = await read(`/rest/orgs/${orgId}/issue_groups`, query)
        return group.attributes.severity
      }),
    )
    const dependencies = (
      await app.call('POST', `/v1/org/${orgId}/dependencies`, { body: { filters: { projects: [projectId] } } })
    ).json()
    const ofPackage = Object.entries(dependencies.results[0]).flatMap(([member, count]) => {
      const word = /^issues(Low|Medium|High|Critical)$/.exec(member)?.[1]
      return word && count === 1 ? [word.toLowerCase()] : []
    })
    const severity = aggregated.severity as string
    const listedLevel = listed.attributes.effective_severity_level
    const all = [listedLevel, single.attributes.effective_severity_level, ...groups, counted.join(), ofPackage.join()]
    assert.deepEqual(
      all,
      all.map(() => severity),
    )
    return severity
  }

  test('policy: raises an issue in every list and count of existing projects, and in one recorded later at once', async () => {
    const first = await project()
    const byId = [condition('vulnerability-id', first.issue)]
    const preview = await create('critical', byId, { isDryRun: true })
    assert.deepEqual([preview.issues, preview.projects, preview.severities.low], [1, 1, 1])
    const path = await create('critical', byId)
    assert.equal(await severityOf(first), 'low')
    await evaluate()
    assert.equal(await severityOf(first), 'critical')
    const later = await project(first)
    assert.equal(await severityOf(later), 'critical')
    await recountProjects(app.parts.services, undefined)
    assert.equal(await severityOf(first), 'critical')
    const { changes, evaluation } = (await read(path)).attributes
    assert.deepEqual([changes, evaluation.state], [{ issues: 2, projects: 2 }, 'done'])
    const [listed] = await read(`/rest/orgs/${app.orgId}/issues`, {
      'scan_item.id': later.projectId,
      'scan_item.type': 'project',
    })
    assert.deepEqual(listed.attributes.severity_change, {
      original_severity_level: 'low',
      policy_id: path.split('/').at(-1),
    })
    const v1 = `/v1/org/${app.orgId}/project/${later.projectId}/aggregated-issues`
    const { issues } = (await app.call('POST', v1, { body: { filters: { severities: ['critical'] } } })).json()
    assert.equal(issues[0].issueData.originalSeverity, 'low')
  })

  test('several policies: the newest of the organization decides, then the newest of the group, then the advisory', async () => {
    const one = await project()
    const byId = [condition('vulnerability-id', one.issue)]
    const older = await create('medium', byId)
    const newer = await create('high', byId)
    const ofGroup = await create('critical', byId, { isOfGroup: true })
    await evaluate()
    const seen = [await severityOf(one)]
    for (const path of [newer, older, ofGroup]) {
      await app.call('DELETE', path)
      await evaluate()
      seen.push(await severityOf(one))
    }
    assert.deepEqual(seen, ['high', 'medium', 'critical', 'low'])
    await app.call('POST', `${newer}/restore`)
    await evaluate()
    assert.equal(await severityOf(one), 'high')
  })

  test('changed policy: sets its new severity, and resets what its new conditions do not match', async () => {
    const [one, other] = [await project(), await project()]
    const path = await create('critical', [condition('vulnerability-id', one.issue)])
    await evaluate()
    const conditions = [condition('vulnerability-id', other.issue)]
    const action = { data: { severity: 'high', reason: 'Less exposed' } }
    const attributes = { action, conditions_group: { logical_operator: 'and', conditions } }
    await app.call('PATCH', path, { body: { data: { type: 'policy', attributes } } })
    await evaluate()
    assert.deepEqual([await severityOf(one), await severityOf(other)], ['low', 'high'])
  })

  test('project moved to another organization: its policies decide instead', async () => {
    const [moved, orgId] = [await project(), await app.addOrg()]
    const byId = [condition('vulnerability-id', moved.issue)]
    await create('critical', byId)
    await create('medium', byId, { orgId })
    await evaluate()
    const path = `/v1/org/${app.orgId}/project/${moved.projectId}/move`
    assert.equal((await app.call('PUT', path, { body: { targetOrgId: orgId } })).statusCode, 200)
    assert.equal(await severityOf({ ...moved, orgId }), 'medium')
  })

  test('conditions on severity: test that by the advisory, so no policy depends on another', async () => {
    const one = await project()
    await create('critical', [condition('vulnerability-id', one.issue)])
    await create('medium', [condition('package', `npm/${one.name}`), condition('severity', 'critical')])
    await create('high', [condition('package', `npm/${one.name}`), condition('severity', 'low')])
    await evaluate()
    assert.equal(await severityOf(one), 'high')
  })

  test('new advisories: neither undo a policy nor escape one, and are followed again without it', async () => {
    const name = `n${randomUUID().slice(0, 8)}`
    const [issue, fresh] = [`GHSA-${randomUUID()}`, `GHSA-${randomUUID()}`]
    const one = await project({ name, issue })
    const path = await create('critical', [condition('package', `npm/${name}`)])
    await evaluate()
    const publish = async (...ids: string[]) => {
      await publishRecords(
        app.parts,
        ids.map((id) => recordAgainst(id, 'npm', name, { fixed: '2.0.0', severity: 'HIGH' })),
      )
      await app.parts.matcher.run()
    }
    const levels = async () => {
      const query = { 'scan_item.id': one.projectId, 'scan_item.type': 'project' }
      const data = await read(`/rest/orgs/${app.orgId}/issues`, query)
      const entries = data.map(({ attributes }: { attributes: Record<string, string> }) => [
        attributes['key'],
        attributes['effective_severity_level'],
      ])
      return Object.fromEntries(entries)
    }
    await publish(issue)
    assert.deepEqual(await levels(), { [issue]: 'critical' })
    await publish(issue, fresh)
    assert.deepEqual(await levels(), { [issue]: 'critical', [fresh]: 'critical' })
    await app.call('DELETE', path)
    await evaluate()
    assert.deepEqual(await levels(), { [issue]: 'high', [fresh]: 'high' })
  })
})
