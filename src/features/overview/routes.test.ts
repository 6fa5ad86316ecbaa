import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { foldChanges } from '#features/issue-index/trends/fold-store.ts'
import { testRefusals } from '#test/access/refusals.ts'
import { publishRecords } from '#test/manifests/published-advisories.ts'
import { addProjectRow } from '#test/projects/project-rows.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

const graph = { project: ['a@1.0.0', 'b@1.0.0'], 'a@1.0.0': [], 'b@1.0.0': [] }
const critical = { id: 'O-1', in: 'a@1.0.0', severity: 'critical' } as const
const low = { id: 'O-2', in: 'b@1.0.0', severity: 'low' } as const
const zero = { critical: 0, high: 0, medium: 0, low: 0 }

onEveryEngine('overview', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  const read = async (orgId: string) => {
    const answer = await app.call('GET', `/console/orgs/${orgId}/overview`)
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }

  test('overview of an organization without projects: has zeros and the state of advisories', async () => {
    const { advisories, ...totals } = await read(await app.addOrg())
    assert.deepEqual(totals, {
      projects: { complete: 0, incomplete: 0, untested: 0 },
      repositories: 0,
      open: zero,
      is_counting: false,
      due: null,
      worst_repositories: [],
      newly_exploited: [],
      upgrades: [],
    })
    assert.equal(advisories.is_starter_set, true)
    assert.equal(advisories.has_exploited_catalog, false)
    assert.ok(Date.parse(advisories.checked_at) > 0)
    assert.ok(advisories.registries.some(({ registry }: { registry: string }) => registry === 'npm'))
  })

  test('overview: counts each project once, and open issues without ignored ones', async () => {
    const orgId = await app.addOrg()
    const { projectId } = await recordProject(app, { orgId, name: 'one', graph, issues: [critical, low] })
    await recordProject(app, { orgId, name: 'two', graph, issues: [critical, low], isComplete: false })
    const body = { reason: 'x', reasonType: 'wont-fix', disregardIfFixable: false }
    await app.call('POST', `/v1/org/${orgId}/project/${projectId}/ignore/O-1`, { body })
    const { id: stale } = await addProjectRow(app, { org_id: orgId, is_complete: 1, tested_at: 1 })
    await addProjectRow(app, { org_id: orgId })
    const { db } = app.parts.services
    await db
      .updateTable('projects')
      .set({ source_failure: 'gone', source_failed_at: 1 })
      .where('id', '=', stale)
      .execute()
    const { projects, repositories, open } = await read(orgId)
    assert.deepEqual(projects, { complete: 1, incomplete: 2, untested: 1 })
    assert.equal(repositories, 4)
    assert.deepEqual(open, { ...zero, critical: 1, low: 2 })
  })

  test('overview: names the repositories with the worst issues, none without issues', async () => {
    const orgId = await app.addOrg()
    await recordProject(app, { orgId, name: 'low', graph: { project: ['b@1.0.0'], 'b@1.0.0': [] }, issues: [low] })
    await recordProject(app, { orgId, name: 'critical', graph, issues: [critical, low], isComplete: false })
    await recordProject(app, { orgId, name: 'clean', graph: { project: ['d@1.0.0'], 'd@1.0.0': [] } })
    while ((await foldChanges(app.parts.services.db, 100)) > 0);
    const { worst_repositories: worst } = await read(orgId)
    assert.deepEqual(
      worst.map(({ id: _, ...repository }: { id: string }) => repository),
      [
        { name: 'critical', projects: 1, incomplete: 1, open: { ...zero, critical: 1, low: 1 } },
        { name: 'low', projects: 1, incomplete: 0, open: { ...zero, low: 1 } },
      ],
    )
  })

  test('overview: lists all repositories, worst first, with sums over their projects', async () => {
    const orgId = await app.addOrg()
    const list = async (query: Record<string, string> = {}) => {
      const answer = await app.call('GET', `/console/orgs/${orgId}/repositories`, { query })
      assert.equal(answer.statusCode, 200, answer.body)
      return answer.json()
    }
    assert.deepEqual((await list()).data, [])
    const one = await recordProject(app, { orgId, name: 'shop', graph, issues: [critical, low] })
    const other = await recordProject(app, { orgId, name: 'web', graph, issues: [critical, low], isComplete: false })
    const { db } = app.parts.services
    const { target_id } = await db
      .selectFrom('projects')
      .select('target_id')
      .where('id', '=', one.projectId)
      .executeTakeFirstOrThrow()
    // The target without projects is not listed.
    await db.updateTable('projects').set({ target_id, place_key: 'web' }).where('id', '=', other.projectId).execute()
    await recordProject(app, { orgId, name: 'clean', graph: { project: ['d@1.0.0'], 'd@1.0.0': [] } })
    while ((await foldChanges(db, 100)) > 0);
    const { data } = await list()
    const npm = { untested: 0, types: ['npm'], is_clean: false }
    assert.deepEqual(
      data.map(({ tested_at: _, id: __, ...repository }: { tested_at: string; id: string }) => repository),
      [
        { name: 'shop', ...npm, projects: 2, incomplete: 1, open: { ...zero, critical: 2, low: 2 } },
        { name: 'clean', ...npm, projects: 1, incomplete: 0, open: zero },
      ],
    )
    assert.equal(data[0].id, target_id)
    for (let n = 0; n < 10; n++) await recordProject(app, { orgId, name: `more-${n}`, graph })
    const first = await list({ limit: '10' })
    const after = new URL(first.links.next, 'http://127.0.0.1').searchParams.get('starting_after')!
    const second = await list({ limit: '10', starting_after: after })
    const names = [...first.data, ...second.data].map(({ name }: { name: string }) => name)
    assert.deepEqual([first.data.length, new Set(names).size], [10, 12])
  })

  test('overview: names recently exploited vulnerabilities of current projects', async () => {
    const orgId = await app.addOrg()
    const { db, now } = app.parts.services
    const exploited = { ...critical, id: 'O-3', isExploited: true }
    const old = { ...low, id: 'O-4', isExploited: true }
    const { projectId } = await recordProject(app, { orgId, graph, issues: [exploited, low, old] })
    await recordProject(app, { orgId, graph, issues: [exploited] })
    await db
      .updateTable('issue_groups')
      .set({ exploited_since: now() - 31 * 86_400_000 })
      .where('group_key', '=', 'O-4')
      .execute()
    const [issue, ...others] = (await read(orgId)).newly_exploited
    assert.deepEqual(others, [])
    assert.deepEqual(
      { ...issue, since: undefined },
      { id: 'O-3', title: 'Title of O-3', projects: 2, since: undefined },
    )
    assert.ok(Math.abs(Date.parse(issue.since) - now()) < 60_000 * 10)
    const body = { reason: 'x', reasonType: 'wont-fix', disregardIfFixable: false }
    await app.call('POST', `/v1/org/${orgId}/project/${projectId}/ignore/O-3`, { body })
    assert.deepEqual((await read(orgId)).newly_exploited[0]?.projects, 1)
  })

  test('overview: is_counting is true while new advisories are not counted yet', async () => {
    const orgId = await app.addOrg()
    const { projectNumber } = await recordProject(app, { orgId, graph, issues: [low] })
    const end = (valid_until: number) =>
      app.parts.services.db
        .updateTable('project_issue_counts')
        .set({ valid_until })
        .where('project_number', '=', projectNumber)
        .execute()
    await end(0)
    assert.equal((await read(orgId)).is_counting, true)
    await end(Number.MAX_SAFE_INTEGER)
    assert.equal((await read(orgId)).is_counting, false)
  })

  testRefusals(() => app, 'reading the overview', {
    method: 'GET',
    path: () => `/console/orgs/${app.orgId}/overview`,
    needs: { permission: 'org.project.read', in: 'org' },
  })
  testRefusals(() => app, 'listing repositories', {
    method: 'GET',
    path: () => `/console/orgs/${app.orgId}/repositories`,
    needs: { permission: 'org.project.read', in: 'org' },
  })

  test('overview: a repository is clean if nothing is left open and more than the starter set is in use', async () => {
    const orgId = await app.addOrg()
    await recordProject(app, { orgId, name: 'clean', graph: { project: ['d@1.0.0'], 'd@1.0.0': [] } })
    await recordProject(app, { orgId, name: 'gaps', graph, isComplete: false })
    await recordProject(app, { orgId, name: 'low', graph, issues: [low] })
    const { db } = app.parts.services
    while ((await foldChanges(db, 100)) > 0);
    const clean = async () => {
      const { data } = (await app.call('GET', `/console/orgs/${orgId}/repositories`)).json()
      return data.flatMap(({ name, is_clean }: { name: string; is_clean: boolean }) => (is_clean ? [name] : []))
    }
    assert.deepEqual(await clean(), [])
    await publishRecords(app.parts, [])
    assert.deepEqual(await clean(), ['clean'])
  })
})
