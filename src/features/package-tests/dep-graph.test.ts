import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { Problem } from '#foundation/problem.ts'
import { readDepGraph } from '#scanning/reading/dep-graph.ts'
import type { DepGraph } from '#scanning/reading/dep-graph-request.ts'
import { startNpmRegistry } from '#test/registries/npm-registry.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'
import { volume } from '#test/volume.ts'

type Edges = Readonly<Record<string, readonly string[]>>

/** Returns a graph of packages `name@version`; the first is the root. */
function toGraph(manager: string, edges: Edges): { depGraph: DepGraph } {
  const ids = Object.keys(edges)
  return {
    depGraph: {
      schemaVersion: '1.2.0',
      pkgManager: { name: manager },
      pkgs: ids.map((id) => {
        const at = id.lastIndexOf('@')
        return { id, info: { name: id.slice(0, at), version: id.slice(at + 1) } }
      }),
      graph: {
        rootNodeId: `node ${ids[0]}`,
        nodes: ids.map((id) => ({
          nodeId: `node ${id}`,
          pkgId: id,
          deps: edges[id]!.map((to) => ({ nodeId: `node ${to}` })),
        })),
      },
    },
  }
}

const vulnerable = toGraph('npm', {
  'project@1.0.0': ['lodash@4.17.4', 'tool@1.0.0'],
  'tool@1.0.0': ['lodash@4.17.4'],
  'lodash@4.17.4': [],
})
const ID = 'GHSA-jf85-cpcp-j695'

onAnyEngine('tests of dependency graphs', (engine) => {
  let app: TestApp
  let registry: Awaited<ReturnType<typeof startNpmRegistry>>
  before(async () => {
    registry = await startNpmRegistry({
      lodash: { '4.17.4': { license: 'MIT' }, '4.17.21': { license: 'MIT' } },
      tool: {
        '1.0.0': { dependencies: { lodash: '4.17.4' }, license: 'GPL-3.0-only' },
        '1.1.0': { dependencies: { lodash: '^4.17.20' } },
        '2.0.0': {},
      },
    })
    app = await startApp(engine, { GATEHOUSE_NPM_REGISTRY: registry.url, GATEHOUSE_TEST_WORKERS: '1' })
  })
  after(async () => {
    await app.close()
    await registry.close()
  })

  const run = (body: unknown, path = '/v1/test/dep-graph') => app.call('POST', path, { body })

  test('dependency graph: the result names vulnerable packages and their upgrade paths', async () => {
    const answer = await run(vulnerable)
    assert.equal(answer.statusCode, 200, answer.body)
    const { ok, packageManager, issuesData, issues, org, coverage } = answer.json()
    assert.deepEqual([ok, packageManager, org.id], [false, 'npm', app.orgId])
    const matches = issues.filter(({ issueId }: { issueId: string }) => issueId === ID)
    assert.equal(matches.length, 1)
    const [{ pkgName, pkgVersion, fixInfo }] = matches
    assert.deepEqual([pkgName, pkgVersion, fixInfo.nearestFixedInVersion], ['lodash', '4.17.4', '4.17.12'])
    const root = { name: 'project', version: '1.0.0' }
    assert.deepEqual(fixInfo.upgradePaths, [
      { path: [root, { name: 'lodash', version: '4.17.4', newVersion: '4.17.21' }] },
      {
        path: [
          root,
          { name: 'tool', version: '1.0.0', newVersion: '1.1.0' },
          { name: 'lodash', version: '4.17.4', newVersion: '4.17.21' },
        ],
      },
    ])
    const { id, packageName, moduleName, severity, title, identifiers, language } = issuesData[ID]
    assert.deepEqual([id, packageName, moduleName, severity, language], [ID, 'lodash', 'lodash', 'critical', 'js'])
    assert.ok(title.length > 0)
    assert.deepEqual(identifiers.CVE, ['CVE-2019-10744'])
    assert.equal(coverage.complete, true)
    assert.deepEqual(coverage.filesRead, ['dependency graph (npm)'])
  })

  test('dependency graph of a command-line client: accepted gzipped, answered in the client’s format', async () => {
    const answer = await app.server.inject({
      method: 'POST',
      url: '/api/v1/test-dep-graph?severityThreshold=low',
      headers: { authorization: app.adminKey, 'content-type': 'application/json', 'content-encoding': 'gzip' },
      payload: gzipSync(JSON.stringify({ ...vulnerable, isDocker: false, policy: '' })),
    })
    assert.equal(answer.statusCode, 200, answer.body)
    const { result, meta } = answer.json()
    assert.deepEqual(Object.keys(result.affectedPkgs), ['lodash@4.17.4'])
    const { pkg, issues } = result.affectedPkgs['lodash@4.17.4']
    assert.deepEqual(pkg, { name: 'lodash', version: '4.17.4' })
    assert.equal(issues[ID].issueId, ID)
    assert.equal(issues[ID].fixInfo.upgradePaths.length, 2)
    assert.equal(result.issuesData[ID].severity, 'critical')
    assert.deepEqual(
      [meta.org, meta.orgId, meta.isPublic, meta.isLicensesEnabled, meta.licensesPolicy],
      ['default-org', app.orgId, false, false, null],
    )
  })

  test('dependency graph: an upgrade that drops the vulnerable path is reported as isDropped', async () => {
    const dropped = toGraph('npm', { 'p@1.0.0': ['tool@1.1.0'], 'tool@1.1.0': ['lodash@4.17.4'], 'lodash@4.17.4': [] })
    const { issues } = (await run(dropped)).json()
    const { fixInfo } = issues.find(({ issueId }: { issueId: string }) => issueId === ID)
    assert.deepEqual(fixInfo.upgradePaths[0].path.slice(1), [
      { name: 'tool', version: '1.1.0', newVersion: '2.0.0' },
      { name: 'lodash', version: '4.17.4', isDropped: true },
    ])
  })

  const cases: [manager: string, edges: Edges, language: string, packageManager: string][] = [
    ['yarn', { 'p@1': ['lodash@4.17.4'], 'lodash@4.17.4': [] }, 'js', 'yarn'],
    [
      'maven',
      { 'g:p@1': ['org.apache.logging.log4j:log4j-core@2.14.1'], 'org.apache.logging.log4j:log4j-core@2.14.1': [] },
      'java',
      'maven',
    ],
    [
      'gradle',
      { 'g:p@1': ['org.apache.logging.log4j:log4j-core@2.14.1'], 'org.apache.logging.log4j:log4j-core@2.14.1': [] },
      'java',
      'maven',
    ],
    ['pip', { 'p@1': ['PyYAML@5.3'], 'PyYAML@5.3': [] }, 'python', 'pip'],
    ['rubygems', { 'p@1': ['rack@2.0.1'], 'rack@2.0.1': [] }, 'ruby', 'rubygems'],
    ['gomodules', { 'p@1': ['golang.org/x/text@v0.3.0'], 'golang.org/x/text@v0.3.0': [] }, 'golang', 'golang'],
  ]
  for (const [manager, edges, language, packageManager] of cases) {
    test(`dependency graph of ${manager}: known packages are tested`, async () => {
      const answer = await run(toGraph(manager, edges))
      assert.equal(answer.statusCode, 200, answer.body)
      const result = answer.json()
      assert.equal(result.packageManager, manager)
      const [data] = Object.values<Record<string, unknown>>(result.issuesData)
      assert.ok(data, 'the starter set knows something against it')
      assert.deepEqual([data['language'], data['packageManager']], [language, packageManager])
      if (language !== 'java') return
      assert.deepEqual(data['mavenModuleName'], { groupId: 'org.apache.logging.log4j', artifactId: 'log4j-core' })
    })
  }

  test('dependency graph: ok if clean; not ok with unknown versions, unless partial results are accepted', async () => {
    const clean = (await run(toGraph('npm', { 'p@1': ['fine@1.0.0'], 'fine@1.0.0': [] }))).json()
    assert.deepEqual([clean.ok, clean.issues, clean.issuesData], [true, [], {}])
    const { depGraph } = toGraph('npm', { 'p@1': ['fine@1.0.0', 'odd@git'], 'fine@1.0.0': [], 'odd@git': [] })
    depGraph.pkgs[1]!.info.version = null
    const open = (await run({ depGraph })).json()
    assert.equal(open.ok, false)
    assert.deepEqual(
      open.coverage.unresolved.map((dependency: Record<string, string>) => [dependency['name'], dependency['code']]),
      [
        ['fine', 'version-unknown'],
        ['odd', 'version-unknown'],
      ],
    )
    const partial = await app.call('POST', '/v1/test/dep-graph', {
      body: { depGraph },
      query: { acceptPartial: 'true' },
    })
    assert.equal(partial.json().ok, true)
  })

  test('dependency graph: license issues of the organization’s policy are reported', async () => {
    const org = await app.addOrg()
    const attributes = { rules: [{ license: 'GPL-3.0-only', severity: 'high', instructions: 'Ask.' }] }
    const policy = { data: { type: 'license_policy', attributes } }
    assert.equal((await app.call('PATCH', `/rest/orgs/${org}/license_policy`, { body: policy })).statusCode, 200)
    const body = toGraph('npm', { 'p@1': ['tool@1.0.0'], 'tool@1.0.0': [] })
    const result = (await app.call('POST', '/v1/test/dep-graph', { body, query: { org } })).json()
    assert.equal(result.ok, false)
    const data = result.issuesData['lic:npm:tool:GPL-3.0-only']
    assert.deepEqual([data.type, data.severity, data.instructions], ['license', 'high', ['Ask.']])
    const cli = (await app.call('POST', '/v1/test-dep-graph', { body, query: { org } })).json()
    assert.equal(cli.meta.isLicensesEnabled, true)
    assert.equal(cli.meta.licensesPolicy.orgLicenseRules['GPL-3.0-only'].severity, 'high')
  })

  const broken = (change: (graph: DepGraph) => void) => {
    const { depGraph } = structuredClone(vulnerable)
    change(depGraph)
    return { depGraph }
  }
  const refusals: [why: string, body: unknown, status: number, code: string, pointer: string][] = [
    ['a missing graph', {}, 400, 'invalid-request', '/depGraph'],
    [
      'another schema version',
      broken((depGraph) => {
        depGraph.schemaVersion = '2.0.0'
      }),
      400,
      'invalid-request',
      '/depGraph/schemaVersion',
    ],
    [
      'no packages',
      broken((depGraph) => {
        depGraph.pkgs = []
      }),
      400,
      'invalid-request',
      '/depGraph/pkgs',
    ],
    [
      'a node without dependencies',
      { depGraph: { ...vulnerable.depGraph, graph: { rootNodeId: 'x', nodes: [{ nodeId: 'x', pkgId: 'y' }] } } },
      400,
      'invalid-request',
      '/depGraph/graph/nodes/0/deps',
    ],
    [
      'an unknown package manager',
      broken((depGraph) => {
        depGraph.pkgManager.name = 'deb'
      }),
      422,
      'unprocessable',
      '/depGraph/pkgManager/name',
    ],
    [
      'a manager named like a member of Object',
      broken((depGraph) => {
        depGraph.pkgManager.name = 'constructor'
      }),
      422,
      'unprocessable',
      '/depGraph/pkgManager/name',
    ],
    [
      'a missing root',
      broken((depGraph) => {
        depGraph.graph.rootNodeId = 'x'
      }),
      422,
      'unprocessable',
      '/depGraph/graph/rootNodeId',
    ],
    [
      'a missing package',
      broken((depGraph) => {
        depGraph.graph.nodes[1]!.pkgId = 'x'
      }),
      422,
      'unprocessable',
      '/depGraph/graph/nodes/1/pkgId',
    ],
    [
      'a missing dependency',
      broken((depGraph) => {
        depGraph.graph.nodes[0]!.deps[1]!.nodeId = 'x'
      }),
      422,
      'unprocessable',
      '/depGraph/graph/nodes/0/deps/1/nodeId',
    ],
    [
      'two nodes with one id',
      broken((depGraph) => {
        depGraph.graph.nodes.push(depGraph.graph.nodes[0]!)
      }),
      422,
      'unprocessable',
      '/depGraph/graph/nodes/3',
    ],
    [
      'two packages with one id',
      broken((depGraph) => {
        depGraph.pkgs.push(depGraph.pkgs[0]!)
      }),
      422,
      'unprocessable',
      '/depGraph/pkgs/3',
    ],
    [
      'an unreachable node',
      broken((depGraph) => {
        depGraph.graph.nodes[0]!.deps.pop()
      }),
      422,
      'unprocessable',
      '/depGraph/graph/nodes',
    ],
  ]
  describe('refusals of dependency graphs', () => {
    for (const [why, body, status, code, pointer] of refusals) {
      test(`dependency graph: refuses ${why} (${status} ${code})`, async () => {
        for (const path of ['/v1/test/dep-graph', '/v1/test-dep-graph']) {
          const answer = await run(body, path)
          assert.equal(answer.statusCode, status, answer.body)
          assert.equal(answer.json().errorCode, code)
          assert.equal(answer.json().faults[0].source.pointer, pointer)
        }
      })
    }

    test('dependency graph: refuses more than 50,000 nodes (422 test-too-expensive)', async () => {
      const names = Array.from({ length: 50_001 }, (_, at) => `p${at}@1.0.0`)
      const edges = Object.fromEntries(names.map((name, at) => [name, at === 0 ? names.slice(1) : []]))
      const answer = await run(toGraph('npm', edges))
      assert.equal(answer.statusCode, 422, answer.body.slice(0, 300))
      assert.equal(answer.json().errorCode, 'test-too-expensive')
    })

    test('dependency graph: refused without a credential (401) or the permission (403)', async () => {
      const key = await app.keyWith(['org.read'])
      for (const path of ['/v1/test/dep-graph', '/v1/test-dep-graph']) {
        assert.equal((await app.call('POST', path, { body: vulnerable, key: null })).statusCode, 401)
        assert.equal((await app.call('POST', path, { body: vulnerable, key })).statusCode, 403)
      }
    })
  })

  test('dependency graph with cycles: tested to the end', async () => {
    const cycle = toGraph('npm', {
      'p@1': ['a@1.0.0'],
      'a@1.0.0': ['b@1.0.0', 'a@1.0.0'],
      'b@1.0.0': ['a@1.0.0', 'lodash@4.17.4', 'p@1'],
      'lodash@4.17.4': ['b@1.0.0'],
    })
    const answer = await run(cycle)
    assert.equal(answer.statusCode, 200, answer.body)
    assert.ok(answer.json().issuesData[ID])
  })
})

test('readDepGraph: reads any graph completely, or throws a Problem with a pointer', () => {
  const id = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor')
  const graphs = fc.record({
    schemaVersion: fc.constant('1.2.0'),
    pkgManager: fc.record({ name: fc.constantFrom('npm', 'pip', 'other') }),
    pkgs: fc.array(fc.record({ id, info: fc.record({ name: id, version: fc.constantFrom('1.0.0', '', null) }) }), {
      minLength: 1,
      maxLength: 5,
    }),
    graph: fc.record({
      rootNodeId: id,
      nodes: fc.array(
        fc.record({ nodeId: id, pkgId: id, deps: fc.array(fc.record({ nodeId: id }), { maxLength: 3 }) }),
        { minLength: 1, maxLength: 5 },
      ),
    }),
  })
  fc.assert(
    fc.property(graphs, (depGraph) => {
      try {
        const { reading } = readDepGraph(depGraph, 100)
        assert.equal(reading.graph.nodes.length, depGraph.graph.nodes.length)
        const edges = reading.graph.nodes.reduce((sum, node) => sum + node.edges.length, 0)
        assert.equal(
          edges,
          depGraph.graph.nodes.reduce((sum, node) => sum + node.deps.length, 0),
        )
      } catch (error) {
        assert.ok(error instanceof Problem && error.code === 'unprocessable')
        assert.ok(error.faults[0]?.source?.pointer?.startsWith('/depGraph/'))
      }
    }),
    { numRuns: volume(500) },
  )
})
