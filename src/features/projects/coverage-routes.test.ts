import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { assertRefusal, testRefusals } from '#test/access/refusals.ts'
import { addProjectRow } from '#test/projects/project-rows.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

onEveryEngine('project coverage', (engine) => {
  let app: TestApp
  let projectId: string
  before(async () => {
    app = await startApp(engine)
    const graph = { project: ['c-a@1.0.0', 'c-b@1.0.0'], 'c-a@1.0.0': [], 'c-b@1.0.0': [] }
    projectId = (await recordProject(app, { name: 'covered', graph })).projectId
  })
  after(() => app.close())

  const path = (id = projectId, orgId = app.orgId) => `/rest/orgs/${orgId}/projects/${id}/coverage`

  test('project coverage: reports the last test', async () => {
    const answer = await app.call('GET', path(projectId.toUpperCase()))
    assert.equal(answer.statusCode, 200)
    const { id, type, attributes } = answer.json().data
    assert.deepEqual([id, type], [projectId, 'project_coverage'])
    assert.equal(attributes.complete, true)
    assert.deepEqual(attributes.dependencies, { found: 2, resolved: 2, unresolved: 0 })
    assert.equal(attributes.advisories.starterSet, true)

    await recordProject(app, { name: 'covered', graph: { project: ['c-a@1.0.0'], 'c-a@1.0.0': [] } })
    const again = (await app.call('GET', path())).json().data.attributes
    assert.deepEqual(again.dependencies, { found: 1, resolved: 1, unresolved: 0 })
  })

  test('project coverage: every view of the project shows whether the test was complete', async () => {
    const graph = { project: ['c-a@1.0.0'], 'c-a@1.0.0': [] }
    const project = await recordProject(app, { name: 'left out', graph })
    const shown = async () => {
      const one = `/orgs/${app.orgId}/projects`
      const rest = await app.call('GET', `/rest${one}/${project.projectId}`)
      const list = await app.call('GET', `/rest${one}`, { query: { names: 'left out' } })
      const v1 = await app.call('GET', `/v1/org/${app.orgId}/project/${project.projectId}`)
      const all = await app.call('POST', `/v1/org/${app.orgId}/projects`, { body: { filters: { name: 'left out' } } })
      return [
        rest.json().data.attributes.is_complete,
        list.json().data[0].attributes.is_complete,
        v1.json().isComplete,
        all.json().projects[0].isComplete,
      ]
    }
    assert.deepEqual(await shown(), [true, true, true, true])
    await recordProject(app, { name: 'left out', graph, isComplete: false })
    assert.deepEqual(await shown(), [false, false, false, false])
  })

  test('project coverage: returns 404 before the first test', async () => {
    const { id } = await addProjectRow(app)
    const answer = await app.call('GET', path(id))
    await assertRefusal(answer, { status: 404, code: 'not-found' })
    assert.match(answer.json().errors[0].detail, /test/)
  })

  test('project coverage: returns 404 for an unknown project and for one of another organization', async () => {
    for (const other of [path(projectId, await app.addOrg()), path(randomUUID())]) {
      await assertRefusal(await app.call('GET', other), { status: 404, code: 'not-found' })
    }
  })

  testRefusals(() => app, 'project coverage', {
    method: 'GET',
    path,
    since: '2024-10-15',
    needs: { permission: 'org.project.read', in: 'org' },
  })
})
