import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { DAY_MS, KEPT_DAYS } from '#features/issue-index/trends/changes-store.ts'
import { foldChanges } from '#features/issue-index/trends/fold-store.ts'
import { trends } from '#foundation/db/migrations/first-release/0037-trends.ts'
import { assertRefusal, testRefusals } from '#test/access/refusals.ts'
import { type IssueInput, recordProject } from '#test/projects/recorded-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import type { ShortTrend } from './trend-resource.ts'

const graph = { project: ['a@1.0.0', 'b@1.0.0'], 'a@1.0.0': [], 'b@1.0.0': [] }
const upgraded = { project: ['a@2.0.0', 'b@1.0.0'], 'a@2.0.0': [], 'b@1.0.0': [] }

onEveryEngine('issue trends', (engine) => {
  let app: TestApp
  let orgId: string
  before(async () => {
    app = await startApp(engine)
    orgId = await app.addOrg()
  })
  after(() => app.close())

  const db = () => app.parts.services.db
  const today = Math.floor(Date.now() / DAY_MS)
  const noon = (daysAgo: number) => (today - daysAgo) * DAY_MS + DAY_MS / 2
  const date = (daysAgo: number) => new Date(noon(daysAgo)).toISOString().slice(0, 10)
  const issuesOf = (prefix: string): IssueInput[] => [
    { id: `${prefix}-1`, in: 'a@1.0.0', severity: 'critical' },
    { id: `${prefix}-2`, in: 'b@1.0.0', severity: 'low' },
  ]
  const read = async (path: string, query: Record<string, string> = {}) => {
    const answer = await app.call('GET', path, { query })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }
  const trendOf = async (query: Record<string, string> = {}, id = orgId) =>
    (await read(`/rest/orgs/${id}/trends`, query)).data
  const trendOfProject = async (org: string, id: string) =>
    toAttributes(await read(`/console/orgs/${org}/projects/${id.toUpperCase()}/trends`))
  const zero = { critical: 0, high: 0, medium: 0, low: 0 }

  test('trend of an organization without projects: starts today with zero counts', async () => {
    const id = await app.addOrg()
    const data = await trendOf({}, id)
    assert.deepEqual([data.id, data.type], [id, 'trends'])
    assert.deepEqual([data.attributes.from, data.attributes.to, data.attributes.since], [date(89), date(0), date(0)])
    assert.deepEqual(data.attributes.points, [
      { date: date(0), open: zero, opened: zero, fixed: zero, ignored: zero, removed: zero },
    ])
    assert.deepEqual(data.attributes.mean_days_to_fix, { critical: null, high: null, medium: null, low: null })
  })

  test('trend: days without a test repeat the counts; a fix adds its age; folding changes nothing', async () => {
    const project = await recordProject(app, { orgId, name: 'one', graph, issues: issuesOf('T'), at: noon(10) })
    await recordProject(app, { orgId, name: 'one', graph: upgraded, at: noon(4) })
    const attributes = (await trendOf()).attributes
    assert.equal(attributes.since, date(10))
    assert.equal(attributes.points.length, 11)
    const on = (daysAgo: number) => attributes.points.find((point: { date: string }) => point.date === date(daysAgo))
    const both = { ...zero, critical: 1, low: 1 }
    assert.deepEqual(on(10), { date: date(10), open: both, opened: both, fixed: zero, ignored: zero, removed: zero })
    assert.deepEqual(on(5), { date: date(5), open: both, opened: zero, fixed: zero, ignored: zero, removed: zero })
    const left = { ...zero, low: 1 }
    const fixed = { ...zero, critical: 1 }
    assert.deepEqual(on(4), { date: date(4), open: left, opened: zero, fixed, ignored: zero, removed: zero })
    assert.deepEqual(on(0).open, left)
    assert.deepEqual(attributes.mean_days_to_fix, { critical: 6, high: null, medium: null, low: null })
    assert.deepEqual(await trendOfProject(orgId, project.projectId), attributes)

    while ((await foldChanges(db(), 1)) > 0);
    assert.deepEqual((await trendOf()).attributes, attributes)
    assert.deepEqual(await db().selectFrom('trend_changes').selectAll().execute(), [])
    const targets = await db().selectFrom('target_issue_counts').selectAll().where('org_id', '=', orgId).execute()
    const [{ critical, high, medium, low }] = targets as [(typeof targets)[number]]
    assert.deepEqual([critical, high, medium, low].map(Number), [0, 0, 0, 1])
  })

  test('trend: a range starts with the open issues before it and omits days without data', async () => {
    const { points } = (await trendOf({ from: date(4), to: date(3) })).attributes
    assert.deepEqual(
      points.map(({ date: day, open }: { date: string; open: object }) => [day, open]),
      [
        [date(4), { ...zero, low: 1 }],
        [date(3), { ...zero, low: 1 }],
      ],
    )
    assert.deepEqual((await trendOf({ from: date(20), to: date(11) })).attributes.points, [])
  })

  test('trend for the console: writes only days with changes, and the same numbers', async () => {
    const short = await read(`/console/orgs/${orgId}/trends`)
    assert.deepEqual([short.first, short.days], [date(10), 11])
    assert.deepEqual(short.changes, [
      [0, 1, 0, 0, 1, 1, 0, 0, 1, ...Array(12).fill(0)],
      [6, 0, 0, 0, 1, 0, 0, 0, 0, 1, ...Array(11).fill(0)],
    ])
    assert.deepEqual(toAttributes(short), (await trendOf()).attributes)
    const later = await read(`/console/orgs/${orgId}/trends`, { from: date(2) })
    assert.deepEqual(later.changes, [[0, 0, 0, 0, 1, ...Array(16).fill(0)]])
    const none = await read(`/console/orgs/${orgId}/trends`, { from: date(20), to: date(11) })
    assert.deepEqual([none.first, none.days, none.changes], [null, 0, []])
  })

  test('trend by week: weeks start on Monday and sum up their days', async () => {
    const days = (await trendOf({ from: date(20) })).attributes.points
    const { from, points: weeks } = (await trendOf({ from: date(20), interval: 'week' })).attributes
    assert.equal(new Date(from).getUTCDay(), 1)
    assert.ok(weeks.every(({ date: day }: { date: string }) => new Date(day).getUTCDay() === 1))
    assert.deepEqual(weeks.at(-1).open, days.at(-1).open)
    const total = (points: { opened: { low: number }; fixed: { critical: number } }[]) =>
      points.reduce((sum, { opened, fixed }) => sum + opened.low + fixed.critical, 0)
    assert.equal(total(weeks), total(days))
  })

  test('trend: days change at midnight UTC, to the millisecond', async () => {
    const id = await app.addOrg()
    const midnight = (today - 2) * DAY_MS
    await recordProject(app, { orgId: id, name: 'late', graph, issues: issuesOf('T'), at: midnight - 1 })
    await recordProject(app, { orgId: id, name: 'early', graph, issues: issuesOf('T'), at: midnight })
    const { points } = (await trendOf({}, id)).attributes
    assert.deepEqual(
      points.map(({ date: day, open }: { date: string; open: { low: number } }) => [day, open.low]),
      [
        [date(3), 1],
        [date(2), 2],
        [date(1), 2],
        [date(0), 2],
      ],
    )
  })

  test('trend: deleted projects and targets count as removed, not fixed', async () => {
    const id = await app.addOrg()
    const { projectId } = await recordProject(app, { orgId: id, name: 'x', graph, issues: issuesOf('T'), at: noon(1) })
    const other = await recordProject(app, { orgId: id, name: 'y', graph, issues: issuesOf('T'), at: noon(1) })
    const target = await db().selectFrom('projects').select('target_id').where('id', '=', other.projectId).execute()
    assert.equal((await app.call('DELETE', `/rest/orgs/${id}/projects/${projectId}`)).statusCode, 204)
    assert.equal((await app.call('DELETE', `/rest/orgs/${id}/targets/${target[0]!.target_id}`)).statusCode, 204)
    const last = (await trendOf({}, id)).attributes.points.at(-1)
    assert.deepEqual([last.open, last.fixed, last.removed], [zero, zero, { ...zero, critical: 2, low: 2 }])
  })

  test('trend: a moved project is removed from one organization and opened in the other', async () => {
    const [from, to] = [await app.addOrg(), await app.addOrg()]
    const { projectId } = await recordProject(app, { orgId: from, graph, issues: issuesOf('T'), at: noon(1) })
    const moved = await app.call('PUT', `/v1/org/${from}/project/${projectId}/move`, { body: { targetOrgId: to } })
    assert.equal(moved.statusCode, 200, moved.body)
    const [left, there] = [(await trendOf({}, from)).attributes, (await trendOf({}, to)).attributes]
    assert.deepEqual(left.points.at(-1).open, zero)
    assert.deepEqual(left.points.at(-1).removed, { ...zero, critical: 1, low: 1 })
    assert.deepEqual(there.points.at(-1).open, { ...zero, critical: 1, low: 1 })
    assert.deepEqual((await trendOf({}, to)).attributes.points.at(-1).opened, { ...zero, critical: 1, low: 1 })
  })

  test('trend of a project: old days are deleted; the issues open then remain', async () => {
    const id = await app.addOrg()
    const of = { orgId: id, name: 'old', graph }
    const { projectId, projectNumber } = await recordProject(app, {
      ...of,
      issues: issuesOf('T'),
      at: noon(KEPT_DAYS + 5),
    })
    await recordProject(app, { ...of, graph: upgraded, at: noon(0) })
    const days = await db()
      .selectFrom('project_trends')
      .select('day')
      .where('project_number', '=', projectNumber)
      .execute()
    assert.deepEqual(
      days.map(({ day }) => Number(day)),
      [today],
    )
    const { since, points } = await trendOfProject(id, projectId)
    assert.equal(since, date(KEPT_DAYS))
    assert.deepEqual(points[0]!.open, { ...zero, critical: 1, low: 1 })
    assert.deepEqual(points.at(-1)!.open, { ...zero, low: 1 })
  })

  test('trend: the migration builds the past from stored tests', async () => {
    const id = await app.addOrg()
    const of = { orgId: id, name: 'upgraded' }
    await recordProject(app, { ...of, graph, issues: issuesOf('T'), at: noon(9) })
    await recordProject(app, { ...of, graph: upgraded, at: noon(6) - 1 })
    await recordProject(app, { ...of, graph: upgraded, at: noon(6) })
    await recordProject(app, { ...of, graph, at: noon(2) })
    const before = (await trendOf({}, id)).attributes.points
    for (const table of ['project_trends', 'org_trends', 'trend_changes', 'target_issue_counts'] as const)
      await db().deleteFrom(table).execute()
    const bytes = engine === 'postgres' ? 'bytea' : 'blob'
    const all = trends.statements({ text: '', bytes, counter: '', keyed: '' })
    for (const filling of all.filter((text) => text.startsWith('insert'))) await sql.raw(filling).execute(db())
    assert.deepEqual((await trendOf({}, id)).attributes.points, before)
    const [counts] = await db().selectFrom('target_issue_counts').selectAll().where('org_id', '=', id).execute()
    assert.deepEqual([Number(counts?.critical), Number(counts?.low)], [1, 1])
  })

  for (const [title, query, sentence] of [
    [
      'a range that ends before it begins',
      { from: '2026-02-02', to: '2026-02-01' },
      /2026-02-02\) is after 2026-02-01/,
    ],
    ['a range that begins tomorrow', { from: date(-1) }, /is after/],
    ['a range of 401 days', { from: date(KEPT_DAYS) }, /401 days; ask for at most 400/],
    ['a nonexistent day', { to: '2026-02-30' }, /date/],
    ['a time', { from: '2026-02-01T00:00:00Z' }, /date/],
    ['an unknown interval', { interval: 'month' }, /interval/],
  ] as const) {
    test(`trend: refuses ${title} with 400`, async () => {
      const answer = await app.call('GET', `/rest/orgs/${orgId}/trends`, { query })
      await assertRefusal(answer, { status: 400, code: 'invalid-request' })
      assert.match(answer.body, sentence)
    })
  }

  test('trend of a project: unknown projects and those of another organization get 404', async () => {
    const { projectId } = await recordProject(app, { orgId, graph, at: noon(1) })
    for (const path of [`${app.orgId}/projects/${projectId}`, `${orgId}/projects/${randomUUID()}`]) {
      await assertRefusal(await app.call('GET', `/console/orgs/${path}/trends`), { status: 404, code: 'not-found' })
    }
  })

  test('trend of a project: refuses a range that ends before it begins (400)', async () => {
    const { projectId } = await recordProject(app, { orgId, graph, at: noon(1) })
    const query = { from: '2026-02-02', to: '2026-02-01' }
    const answer = await app.call('GET', `/console/orgs/${orgId}/projects/${projectId}/trends`, { query })
    await assertRefusal(answer, { status: 400, code: 'invalid-request' })
  })

  testRefusals(() => app, 'trend of a project', {
    method: 'GET',
    path: () => `/console/orgs/${app.orgId}/projects/${randomUUID()}/trends`,
    needs: { permission: 'org.project.read', in: 'org' },
  })

  testRefusals(() => app, 'trends of an organization for the console', {
    method: 'GET',
    path: () => `/console/orgs/${app.orgId}/trends`,
    needs: { permission: 'org.project.read', in: 'org' },
  })

  testRefusals(() => app, 'trends of an organization', {
    method: 'GET',
    path: () => `/rest/orgs/${app.orgId}/trends`,
    since: '2024-10-15',
    needs: { permission: 'org.project.read', in: 'org' },
  })
})

/** Returns the attributes of the published operation from the console's short form. */
function toAttributes({ first, days, changes, ...rest }: ShortTrend) {
  const byDay = new Map(changes.map(([day, ...row]) => [day, row]))
  let open: number[] = []
  const points = Array.from({ length: days }, (_, day) => {
    const row = byDay.get(day)
    open = row?.slice(0, 4) ?? open
    const [opened, fixed, ignored, removed] = [4, 8, 12, 16].map((at) => toCounts(row?.slice(at, at + 4) ?? []))
    const point = { open: toCounts(open), opened, fixed, ignored, removed }
    return { date: new Date(Date.parse(first!) + day * DAY_MS).toISOString().slice(0, 10), ...point }
  })
  return { ...rest, interval: 'day', points }
}

function toCounts([critical = 0, high = 0, medium = 0, low = 0]: number[]) {
  return { critical, high, medium, low }
}
