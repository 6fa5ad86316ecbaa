import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createProjectTester } from '#features/issue-index/recording/run-project-test.ts'
import { LODASH_ISSUE, startShopApp } from '#test/projects/projects.ts'
import type { TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { retestDue } from '../retests/retest-projects.ts'

const depGraph = {
  schemaVersion: '1.2.0',
  pkgManager: { name: 'npm' },
  pkgs: [
    { id: 'a@1', info: { name: 'a', version: '1' } },
    { id: 'lodash', info: { name: 'lodash', version: '4.17.4' } },
  ],
  graph: {
    rootNodeId: 'root',
    nodes: [
      { nodeId: 'root', pkgId: 'a@1', deps: [{ nodeId: 'l' }] },
      { nodeId: 'l', pkgId: 'lodash', deps: [] },
    ],
  },
}
const policy = `version: v1.25.0\nignore:\n  ${LODASH_ISSUE}:\n    - '*':\n        reason: guarded\n`

onEveryEngine('policy files of monitored projects', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startShopApp(engine)
  })
  after(() => app.close())

  async function monitor(name: string, text: string | null): Promise<string> {
    const body = { meta: { projectName: name }, depGraphJSON: depGraph, policy: text }
    const answer = await app.call('PUT', '/v1/monitor/npm/graph', { body })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json().id
  }
  async function isIgnored(projectId: string): Promise<boolean> {
    const path = `/v1/org/${app.orgId}/project/${projectId}/aggregated-issues`
    const { issues } = (await app.call('POST', path, { body: {} })).json()
    return issues.find(({ id }: { id: string }) => id === LODASH_ISSUE).isIgnored
  }

  test('policy file: applies to retests until a client monitors without it', async () => {
    const name = randomUUID()
    const id = await monitor(name, policy)
    assert.equal(await isIgnored(id), true)
    const { services, tests } = app.parts
    const due = { next_test_at: Date.now() - 1 }
    await services.db.updateTable('projects').set(due).where('id', '=', id).execute()
    const retesting = { ...services, tester: createProjectTester(services, tests), sources: undefined }
    assert.equal(await retestDue(retesting, new AbortController().signal), 1)
    assert.equal(await isIgnored(id), true)
    assert.equal(await monitor(name, null), id)
    assert.equal(await isIgnored(id), false)
  })

  test('policy file: an unreadable one ignores nothing; the coverage says why', async () => {
    const id = await monitor(randomUUID(), 'ignore: [')
    assert.equal(await isIgnored(id), false)
    const { data } = (await app.call('GET', `/rest/orgs/${app.orgId}/projects/${id}/coverage`)).json()
    assert.match(data.attributes.policyFile.notes[0], /Not applied/)
  })

  test('policy file: a policy of 300,000 characters gets 400', async () => {
    const body = { depGraphJSON: depGraph, policy: 'x'.repeat(300_000) }
    const answer = await app.call('PUT', '/v1/monitor/npm/graph', { body })
    assert.equal(answer.statusCode, 400)
    assert.match(answer.body, /policy/)
  })
})
