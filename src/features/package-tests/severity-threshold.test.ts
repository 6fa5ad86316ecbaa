import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertRefusal } from '#test/access/refusals.ts'
import { filesBody } from '#test/manifests/test-bodies.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'

/** A lockfile with vulnerabilities of three severities, none of them low. */
const lockfile = JSON.stringify({
  lockfileVersion: 3,
  packages: { '': { dependencies: { lodash: '4.17.4' } }, 'node_modules/lodash': { version: '4.17.4' } },
})
const depGraph = {
  schemaVersion: '1.2.0',
  pkgManager: { name: 'npm' },
  pkgs: [
    { id: 'p@1', info: { name: 'p', version: '1' } },
    { id: 'lodash@4.17.4', info: { name: 'lodash', version: '4.17.4' } },
  ],
  graph: {
    rootNodeId: 'root',
    nodes: [
      { nodeId: 'root', pkgId: 'p@1', deps: [{ nodeId: 'lodash' }] },
      { nodeId: 'lodash', pkgId: 'lodash@4.17.4', deps: [] },
    ],
  },
}
const order = ['low', 'medium', 'high', 'critical']

describe('severity thresholds', () => {
  let app: TestApp
  before(async () => {
    app = await startApp('sqlite', { GATEHOUSE_TEST_WORKERS: '1' })
  })
  after(() => app.close())

  const tests: Record<string, { path: string; body: object; severitiesOf: (answer: never) => string[] }> = {
    files: {
      path: '/v1/test/npm',
      body: filesBody(lockfile),
      severitiesOf: ({ issues }: { issues: { vulnerabilities: { severity: string }[] } }) =>
        issues.vulnerabilities.map(({ severity }) => severity),
    },
    'a graph of a command-line client': {
      path: '/v1/test-dep-graph',
      body: { depGraph },
      severitiesOf: ({ result }: { result: { issuesData: Record<string, { severity: string }> } }) =>
        Object.values(result.issuesData).map(({ severity }) => severity),
    },
  }
  for (const [name, { path, body, severitiesOf }] of Object.entries(tests)) {
    const run = async (query: Record<string, string>) => {
      const answer = await app.call('POST', path, { body, query })
      assert.equal(answer.statusCode, 200, answer.body)
      return answer.json()
    }

    test(`severityThreshold for ${name}: omits less severe issues, and the coverage names it`, async () => {
      const whole = await run({})
      assert.equal(whole.coverage.severityThreshold, undefined)
      for (const [at, severityThreshold] of order.entries()) {
        const result = await run({ severityThreshold })
        const expected = severitiesOf(whole as never).filter((severity) => order.indexOf(severity) >= at)
        assert.ok(expected.length > 0)
        assert.deepEqual(severitiesOf(result as never), expected)
        assert.equal(result.coverage.severityThreshold, severityThreshold)
      }
    })

    test(`severityThreshold for ${name}: refuses an unknown severity (400)`, async () => {
      const answer = await app.call('POST', path, { body, query: { severityThreshold: 'severe' } })
      assertRefusal(answer, { status: 400, code: 'invalid-request' })
    })
  }

  test('severityThreshold: the result is ok if all issues are less severe', async () => {
    const ms = lockfile.replaceAll('lodash', 'ms').replaceAll('4.17.4', '0.7.0')
    const call = async (query: Record<string, string>) =>
      (await app.call('POST', '/v1/test/npm', { body: filesBody(ms), query })).json()
    const whole = await call({})
    const [worst] = whole.issues.vulnerabilities
    assert.equal(whole.ok, false)
    const above = order[order.indexOf(worst.severity) + 1]!
    assert.equal((await call({ severityThreshold: worst.severity })).ok, false)
    assert.equal((await call({ severityThreshold: above })).ok, true)
  })
})
