import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Subject } from '#scanning/reading/task.ts'
import { publishRecords, recordAgainst } from '#test/manifests/published-advisories.ts'
import { startNpmRegistry } from '#test/registries/npm-registry.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { createProjectTester } from './run-project-test.ts'

const text = (value: unknown) => JSON.stringify(value)

function files(dependencies: Record<string, string>, locked?: Record<string, object>): Subject {
  const manifest = { name: 'project', version: '1.0.0', dependencies }
  const entries = Object.entries(locked ?? {}).map(([path, entry]) => [`node_modules/${path}`, entry])
  const lock = { lockfileVersion: 3, packages: { '': manifest, ...Object.fromEntries(entries) } }
  return { kind: 'files', target: text(manifest), additional: locked ? [text(lock)] : [], encoding: 'plain' }
}

onEveryEngine('project tests', (engine) => {
  let app: TestApp
  let registry: Awaited<ReturnType<typeof startNpmRegistry>>
  before(async () => {
    registry = await startNpmRegistry({
      top: { '1.0.0': { dependencies: { left: '1.0.0' } }, '1.1.0': { dependencies: { left: '2.0.0' } } },
      left: { '1.0.0': { license: 'MIT' }, '2.0.0': { license: 'MIT' } },
    })
    app = await startApp(engine, { GATEHOUSE_NPM_REGISTRY: registry.url, GATEHOUSE_TEST_WORKERS: '1' })
    await publishRecords(app.parts, [recordAgainst('A-1', 'npm', 'left', { fixed: '2.0.0' })])
  })
  after(async () => {
    await app.close()
    await registry.close()
  })

  async function run(subject: Subject, orgId = app.orgId, ecosystem = 'npm') {
    const tester = createProjectTester(app.parts.services, app.parts.tests)
    const outcome = await tester.test(orgId, { ecosystem, subject })
    assert.ok('test' in outcome, JSON.stringify(outcome))
    return outcome.test
  }

  test('project test: returns the graph, its issues and the upgrades that fix them', async () => {
    const result = await run(files({ top: '1.0.0' }))
    const names = result.graph.packages.map(({ name, version }) => `${name}@${version}`)
    assert.deepEqual(names, ['project@1.0.0', 'top@1.0.0', 'left@1.0.0'])
    assert.deepEqual(result.graph.nodes, [
      { package: 0, edges: [1] },
      { package: 1, edges: [2] },
      { package: 2, edges: [] },
    ])
    const [issue, ...more] = result.issues
    assert.deepEqual(more, [])
    assert.deepEqual([issue?.issueId, issue?.severity, issue?.package], ['A-1', 'high', 2])
    assert.deepEqual([issue?.facts.fixedIn, issue?.facts.advisoryName], [['2.0.0'], 'left'])
    assert.deepEqual(result.advice, [
      {
        issueId: 'A-1',
        package: 2,
        isUpgradable: true,
        isPinnable: false,
        upgradePaths: [['top@1.1.0', 'left@2.0.0']],
        upgradedPaths: [['top@1.0.0', 'left@1.0.0']],
        fixedIn: ['2.0.0'],
      },
    ])
    const { type, packageManager, language, registry: from, dependencyCount, coverage } = result
    assert.deepEqual([type, packageManager, language, from, dependencyCount], ['npm', 'npm', 'js', 'npm', 2])
    assert.deepEqual([coverage.complete, coverage.licenses.registryAsked], [true, false])
    assert.equal(coverage.advisories.digest, app.parts.advisories.current().header.digest)
  })

  test('project test: a package in several places is stored once with each of its paths', async () => {
    const locked = {
      a: { version: '1.0.0', dependencies: { left: '1.0.0' } },
      b: { version: '1.0.0', dependencies: { left: '1.0.0' } },
      'a/node_modules/left': { version: '1.0.0', license: 'MIT' },
      'b/node_modules/left': { version: '1.0.0', license: 'MIT' },
    }
    const { graph, issues } = await run(files({ a: '1', b: '1' }, locked))
    assert.equal(graph.packages.filter(({ name }) => name === 'left').length, 1)
    assert.equal(graph.nodes.length, 5)
    assert.equal(issues.length, 1)
  })

  test('project test: asks registries for licenses when the organization has a policy', async () => {
    const org = await app.addOrg()
    const attributes = { rules: [{ license: 'GPL-3.0', severity: 'high' }] }
    const body = { data: { type: 'license_policy', attributes } }
    assert.equal((await app.call('PATCH', `/rest/orgs/${org}/license_policy`, { body })).statusCode, 200)
    const result = await run(files({ left: '1.0.0' }, { left: { version: '1.0.0' } }), org)
    assert.equal(result.coverage.licenses.registryAsked, true)
    assert.equal(result.graph.packages[1]?.license, 'MIT')
  })

  test('project test: counts an unresolved dependency as incomplete, without failing', async () => {
    const { coverage, graph } = await run(files({ left: '1.0.0', unheard: '^1.0.0' }))
    assert.deepEqual([coverage.complete, coverage.dependencies.unresolved], [false, 1])
    assert.equal(graph.packages.length, 2)
  })

  test('project test: accepts a graph that a client resolved', async () => {
    const depGraph = {
      schemaVersion: '1.2.0',
      pkgManager: { name: 'pnpm' },
      pkgs: [
        { id: 'project@', info: { name: 'project' } },
        { id: 'left@1.0.0', info: { name: 'left', version: '1.0.0' } },
      ],
      graph: {
        rootNodeId: 'root',
        nodes: [
          { nodeId: 'root', pkgId: 'project@', deps: [{ nodeId: 'left' }] },
          { nodeId: 'left', pkgId: 'left@1.0.0', deps: [] },
        ],
      },
    }
    const result = await run({ kind: 'dep-graph', depGraph }, app.orgId, 'pnpm')
    assert.deepEqual([result.type, result.issues.length], ['pnpm', 1])
  })

  test('project test: returns manifest-unreadable for a broken manifest', async () => {
    const tester = createProjectTester(app.parts.services, app.parts.tests)
    const subject: Subject = { kind: 'files', target: '{', additional: [], encoding: 'plain' }
    const outcome = await tester.test(app.orgId, { ecosystem: 'npm', subject })
    assert.ok('problem' in outcome)
    assert.equal(outcome.problem.code, 'manifest-unreadable')
  })

  test('project test: rejects with the reason when its signal is aborted', async () => {
    const tester = createProjectTester(app.parts.services, app.parts.tests)
    const stop = AbortSignal.abort(new Error('stopping'))
    await assert.rejects(tester.test(app.orgId, { ecosystem: 'npm', subject: files({}) }, stop), /stopping/)
  })

  test('project test: large projects are stored one after the other', async () => {
    const tester = createProjectTester(app.parts.services, app.parts.tests)
    const names = Array.from({ length: 8_000 }, (_, n) => `${'x'.repeat(100)}-${n}`)
    const toEach = <T>(value: T) => Object.fromEntries(names.map((name) => [name, value]))
    const subject = files(toEach('1.0.0'), toEach({ version: '1.0.0' }))
    const input = { ecosystem: 'npm', subject, client: {} }
    const order: string[] = []
    const store = (name: string) => async () => {
      order.push(`${name} begins`)
      // By the end of this later test, the other project has been tested too, and waits to be stored.
      await tester.test(app.orgId, input)
      order.push(`${name} ends`)
    }
    await Promise.all(['a', 'b'].map((name) => tester.testAndStore(app.orgId, input, store(name))))
    const [first] = order[0]!
    const second = first === 'a' ? 'b' : 'a'
    assert.deepEqual(order, [`${first} begins`, `${first} ends`, `${second} begins`, `${second} ends`])
  })
})
