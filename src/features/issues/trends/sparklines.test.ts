import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { DAY_MS } from '#features/issue-index/trends/changes-store.ts'
import { assertRefusal, testRefusals } from '#test/access/refusals.ts'
import { type IssueInput, recordProject } from '#test/projects/recorded-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

const graph = { project: ['a@1.0.0'], 'a@1.0.0': [] }

onEveryEngine('sparklines', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  const noon = (daysAgo: number) => (Math.floor(Date.now() / DAY_MS) - daysAgo) * DAY_MS + DAY_MS / 2
  const issuesOf = (prefix: string, count: number): IssueInput[] =>
    Array.from({ length: count }, (_, at) => ({ id: `${prefix}-${at}`, in: 'a@1.0.0', severity: 'low' as const }))
  const read = async (orgId: string, query: Record<string, string>) => {
    const answer = await app.call('GET', `/console/orgs/${orgId}/sparklines`, { query })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }
  const targetOf = async (id: string) => {
    const { db } = app.parts.services
    const row = await db.selectFrom('projects').select('target_id').where('id', '=', id).executeTakeFirstOrThrow()
    return row.target_id
  }

  test('sparklines: levels of every third day from the first test on, of projects and of their repository', async () => {
    const orgId = await app.addOrg()
    const of = { orgId, name: `S ${randomUUID()}` }
    const cleaned = { project: ['b@1.0.0'], 'b@1.0.0': [] }
    await recordProject(app, { ...of, graph, issues: issuesOf('S', 4), at: noon(9) })
    const { projectId } = await recordProject(app, { ...of, graph: cleaned, at: noon(5) })
    const levels = [4, 4, 0, 0]
    const ofProject = await read(orgId, { by: 'project', ids: projectId.toUpperCase() })
    assert.deepEqual(ofProject, { days: 90, step_days: 3, open: { [projectId]: levels } })
    const targetId = await targetOf(projectId)
    const unknown = randomUUID()
    assert.deepEqual((await read(orgId, { by: 'repository', ids: `${targetId},${unknown}` })).open, {
      [targetId]: levels,
    })
  })

  test('sparklines: issues older than the range are in its first point', async () => {
    const orgId = await app.addOrg()
    const of = { orgId, name: `O ${randomUUID()}`, graph: { project: ['o@1.0.0'], 'o@1.0.0': [] } }
    const old: IssueInput[] = [{ id: 'O-0', in: 'o@1.0.0', severity: 'high' }]
    const { projectId } = await recordProject(app, { ...of, issues: old, at: noon(300) })
    const { open } = await read(orgId, { by: 'project', ids: projectId })
    assert.deepEqual(open[projectId], Array(31).fill(1))
  })

  test('sparklines: projects of another organization are left out', async () => {
    const { projectId } = await recordProject(app, { orgId: await app.addOrg(), graph, at: noon(1) })
    assert.deepEqual((await read(app.orgId, { by: 'project', ids: projectId })).open, {})
  })

  for (const [why, query] of [
    ['nothing to read', {}],
    ['an unknown kind', { by: 'severity', ids: randomUUID() }],
    ['what is no id', { by: 'project', ids: 'x' }],
    ['more than a hundred ids', { by: 'project', ids: Array.from({ length: 101 }, () => randomUUID()).join() }],
  ] as const) {
    test(`sparklines: refuses ${why} (400)`, async () => {
      const answer = await app.call('GET', `/console/orgs/${app.orgId}/sparklines`, { query })
      await assertRefusal(answer, { status: 400, code: 'invalid-request' })
    })
  }

  testRefusals(() => app, 'reading sparklines', {
    method: 'GET',
    path: () => `/console/orgs/${app.orgId}/sparklines?by=project&ids=${randomUUID()}`,
    needs: { permission: 'org.project.read', in: 'org' },
  })
})
