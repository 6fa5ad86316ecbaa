import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { toDay, writeDay } from '#features/issue-index/triage/due-days.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { addWebhook, eventsOf } from '#test/servers/webhooks.ts'
import { announcePassed } from './announce-overdue.job.ts'

const DAY_MS = 86_400_000

interface Scene {
  readonly orgId: string
  /** Ids of projects, old and new. */
  readonly old: string
  readonly fresh: string
  readonly issues: readonly [high: string, exploited: string, low: string]
}

onEveryEngine('overdue vulnerabilities', (engine) => {
  let app: TestApp
  let adminId: string
  before(async () => {
    app = await startApp(engine)
    adminId = (await app.call('GET', '/rest/self')).json().data.id
  })
  after(() => app.close())

  const daysAgo = (days: number) => Date.now() - days * DAY_MS
  const dayFromNow = (days: number) => writeDay(toDay(Date.now()) + days)
  const get = async (path: string, query: Record<string, string> = {}) => {
    const answer = await app.call('GET', path, { query })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }
  async function patch(path: string, type: string, attributes: object): Promise<void> {
    const answer = await app.call('PATCH', path, { body: { data: { type, attributes } } })
    assert.equal(answer.statusCode, 200, answer.body)
  }

  /** Two projects with the same issues: one since 40 days, one since 12. High ones are due after 30 days. */
  async function setScene(): Promise<Scene> {
    const orgId = await app.addOrg()
    const name = randomUUID().slice(0, 8)
    const packages = ['a', 'b', 'c'].map((letter) => `${name}-${letter}@1.0.0`)
    const ids = packages.map(() => `GHSA-${randomUUID()}`) as [string, string, string]
    const input = {
      orgId,
      graph: { project: packages, ...Object.fromEntries(packages.map((label) => [label, []])) },
      issues: [
        { id: ids[0], in: packages[0]!, severity: 'high' as const },
        { id: ids[1], in: packages[1]!, severity: 'medium' as const, isExploited: true },
        { id: ids[2], in: packages[2]!, severity: 'low' as const },
      ],
    }
    const { projectId: old } = await recordProject(app, { ...input, name: `${name} old`, at: daysAgo(40) })
    const { projectId: fresh } = await recordProject(app, { ...input, name: `${name} fresh`, at: daysAgo(12) })
    await patch(`/rest/orgs/${orgId}/sla_policy`, 'sla_policy', { high_days: 30, exploited_days: 10 })
    return { orgId, old, fresh, issues: ids }
  }
  const triage = ({ orgId }: Scene, place: string, issue: string, attributes: object) =>
    patch(`/rest/orgs/${orgId}/triage/${place}/${issue}`, 'issue_triage', attributes)

  async function issuesOf({ orgId, old, issues }: Scene, query: Record<string, string>): Promise<string[]> {
    const { data } = await get(`/rest/orgs/${orgId}/issues`, query)
    return data
      .map(({ attributes: { key }, relationships }: Shown) => {
        const project = relationships.scan_item.data.id === old ? 'old' : 'fresh'
        return `${['high', 'exploited', 'low'][issues.indexOf(key)]} ${project}`
      })
      .sort()
  }
  interface Shown {
    attributes: { key: string; due_on?: string; assignee?: { id: string } }
    relationships: { scan_item: { data: { id: string } } }
  }
  async function groupsOf({ orgId, issues }: Scene, query: Record<string, string>): Promise<string[]> {
    const { data, meta } = await get(`/rest/orgs/${orgId}/issue_groups`, { 'meta.totals': 'true', ...query })
    assert.equal(meta.groups, data.length)
    return data.map(({ id }: { id: string }) => ['high', 'exploited', 'low'][issues.indexOf(id)]).sort()
  }
  const dueOf = async ({ orgId }: Scene) => (await get(`/console/orgs/${orgId}/overview`)).due

  test('overdue=true: lists the open issues after their due date, exact per project', async () => {
    const scene = await setScene()
    const { orgId, old, fresh, issues } = scene
    const overdue = { overdue: 'true' }
    assert.deepEqual(await issuesOf(scene, overdue), ['exploited fresh', 'exploited old', 'high old'])
    assert.deepEqual(await issuesOf(scene, { ...overdue, 'scan_item.id': fresh }), ['exploited fresh'])
    assert.deepEqual(await groupsOf(scene, overdue), ['exploited', 'high'])
    assert.deepEqual(await dueOf(scene), { overdue: 2, soon: 0 })
    // Days set by users win, in every view.
    await triage(scene, old, issues[0], { due_on: dayFromNow(3) })
    await triage(scene, fresh, issues[2], { due_on: dayFromNow(-1) })
    assert.deepEqual(await issuesOf(scene, overdue), ['exploited fresh', 'exploited old', 'low fresh'])
    assert.deepEqual(await issuesOf(scene, { ...overdue, 'scan_item.id': old }), ['exploited old'])
    assert.deepEqual(await groupsOf(scene, overdue), ['exploited', 'low'])
    assert.deepEqual(await dueOf(scene), { overdue: 2, soon: 1 })
    // Ignored issues are not overdue.
    const ignore = { reasonType: 'wont-fix', disregardIfFixable: false }
    for (const id of [old, fresh]) {
      await app.call('POST', `/v1/org/${orgId}/project/${id}/ignore/${issues[1]}`, { body: ignore })
    }
    assert.deepEqual(await issuesOf(scene, overdue), ['low fresh'])
    assert.deepEqual(await issuesOf(scene, { ...overdue, ignored: 'true' }), [])
    assert.deepEqual(await groupsOf(scene, overdue), ['low'])
    assert.deepEqual(await dueOf(scene), { overdue: 1, soon: 1 })
  })

  test('issue list: shows assignee and due day of each issue, as its own resource does', async () => {
    const scene = await setScene()
    const { orgId, old, issues } = scene
    await triage(scene, old, issues[2], { assignee_id: adminId, due_on: '2031-01-01' })
    const { data } = await get(`/rest/orgs/${orgId}/issues`, { 'scan_item.id': old })
    const shown = (data as (Shown & { id: string })[]).map(({ attributes: { key, due_on, assignee } }) => [
      issues.indexOf(key),
      due_on,
      assignee?.id,
    ])
    assert.deepEqual(shown.sort(), [
      [0, writeDay(toDay(daysAgo(40)) + 30), undefined],
      [1, writeDay(toDay(daysAgo(40)) + 10), undefined],
      [2, '2031-01-01', adminId],
    ])
    for (const { id, attributes } of data) {
      const one = (await get(`/rest/orgs/${orgId}/issues/${id}`)).data.attributes
      assert.deepEqual([one.due_on, one.assignee], [attributes.due_on, attributes.assignee])
    }
  })

  test('export and bulk ignore: rows have owner and due day; a selection of overdue vulnerabilities has only those', async () => {
    const scene = await setScene()
    const { orgId, old, issues } = scene
    await triage(scene, old, issues[0], { assignee_id: adminId })
    const headers = { accept: '*/*' }
    const csv = await app.call('GET', `/rest/orgs/${orgId}/export`, { query: { format: 'csv' }, headers })
    const [head, ...lines] = csv.body
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','))
    const cell = (line: string[], name: string) => line[head!.indexOf(name)]
    const row = lines.find((line) => cell(line, 'Id') === issues[0] && cell(line, 'Project')!.endsWith('old'))!
    assert.deepEqual([cell(row, 'Owner'), cell(row, 'Due')], ['Administrator', writeDay(toDay(daysAgo(40)) + 30)])
    const attributes = {
      name: 'late',
      action_type: 'ignore',
      action: { data: { ignore_type: 'wont-fix', reason: 'x' } },
      selection: { query: { overdue: true } },
    }
    const path = `/rest/orgs/${orgId}/policies`
    const body = { data: { type: 'policy', attributes } }
    const { meta } = (await app.call('POST', path, { body, query: { dry_run: 'true' } })).json()
    assert.deepEqual(meta.preview.first.map(({ id }: { id: string }) => id).sort(), [issues[0], issues[1]].sort())
  })

  test('assignee: lists the issues assigned in a project or its repository, in lists of issues and groups', async () => {
    const scene = await setScene()
    const { orgId, old, fresh, issues } = scene
    const query = { assignee: adminId }
    assert.deepEqual([await issuesOf(scene, query), await groupsOf(scene, query)], [[], []])
    const { data } = await get(`/rest/orgs/${orgId}/projects/${fresh}`)
    await triage(scene, data.relationships.target.data.id, issues[0], { assignee_id: adminId })
    await triage(scene, old, issues[1], { assignee_id: adminId })
    assert.deepEqual(await issuesOf(scene, query), ['exploited old', 'high fresh'])
    assert.deepEqual(await issuesOf(scene, { ...query, 'scan_item.id': fresh }), ['high fresh'])
    assert.deepEqual(await groupsOf(scene, query), ['exploited', 'high'])
    assert.deepEqual(await issuesOf(scene, { assignee: randomUUID() }), [])
    assert.deepEqual((await get(`/rest/orgs/${orgId}/issues`, { ...query, type: 'license' })).data, [])
    for (const group_by of ['package', 'project']) {
      const refused = await app.call('GET', `/rest/orgs/${orgId}/issue_groups`, { query: { ...query, group_by } })
      assert.equal(refused.statusCode, 400, refused.body)
    }
  })

  test('overview: due dates are null without a policy and without days set by users', async () => {
    const scene = await setScene()
    const none = { high_days: null, exploited_days: null }
    await patch(`/rest/orgs/${scene.orgId}/sla_policy`, 'sla_policy', none)
    assert.equal(await dueOf(scene), null)
    assert.deepEqual(await groupsOf(scene, { overdue: 'true' }), [])
    await triage(scene, scene.old, scene.issues[2], { due_on: dayFromNow(-1) })
    assert.deepEqual(await dueOf(scene), { overdue: 1, soon: 0 })
    assert.deepEqual(await groupsOf(scene, { overdue: 'true' }), ['low'])
  })

  test('issue.overdue: sent once per due date that passed in the last week, also by runs at the same time', async () => {
    const scene = await setScene()
    const { orgId, old, fresh, issues } = scene
    // A vulnerability of high severity is due 35 days after it was found 40 days ago: 5 days ago.
    await patch(`/rest/orgs/${orgId}/sla_policy`, 'sla_policy', { high_days: 35, exploited_days: null })
    const events = async () => (await eventsOf(app, orgId)) as unknown as { data: Record<string, unknown> }[]
    await announcePassed(app.parts.services)
    await addWebhook(app, { orgId, url: 'https://hooks.example/', events: ['issue.overdue'] })
    await triage(scene, old, issues[0], { assignee_id: adminId })
    await Promise.all([announcePassed(app.parts.services), announcePassed(app.parts.services)])
    await announcePassed(app.parts.services)
    const [first, ...others] = (await events()).map(({ data }) => data)
    assert.deepEqual(others, [])
    assert.deepEqual([first!['due_on'], first!['due_by'], first!['project_count']], [dayFromNow(-5), 'policy', 2])
    const assignees = (first!['projects'] as { id: string; assignee: { id: string } | null }[]).map(
      ({ id, assignee }) => [id, assignee?.id],
    )
    assert.deepEqual(assignees, [
      [old, adminId],
      [fresh, undefined],
    ])
    await triage(scene, fresh, issues[2], { due_on: dayFromNow(-2) })
    await triage(scene, old, issues[2], { due_on: dayFromNow(-9) })
    await announcePassed(app.parts.services)
    await announcePassed(app.parts.services)
    const [, second, ...more] = (await events()).map(({ data }) => data)
    assert.deepEqual(more, [])
    assert.deepEqual([second!['due_on'], second!['due_by'], second!['project_count']], [dayFromNow(-2), 'user', 1])
  })
})
