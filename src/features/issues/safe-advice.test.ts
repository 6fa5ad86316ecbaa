import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { IssueFacts } from '#analysis/findings/known-issue.ts'
import type { Advice, StoredGraph } from '#analysis/findings/stored-graph.ts'
import { getPackageManager } from '#scanning/reading/package-managers.ts'
import { publishRecords, recordAgainst } from '#test/manifests/published-advisories.ts'
import { record, toTest } from '#test/projects/stored-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { toFixInfo } from './fix-info.ts'
import type { ProjectIssue, ReadIssues } from './project-issues.ts'
import { createProjectPaths } from './project-paths.ts'
import { toRemediation } from './remediation.ts'
import { adviseSafely } from './safe-advice.ts'

/** A project that depends on `bad` and on `tool`, which depends on `bad`. */
const graph: StoredGraph = {
  packages: ['project', 'bad', 'tool'].map((name) => ({ name, version: '1.0.0' })),
  nodes: [
    { package: 0, edges: [1, 2] },
    { package: 1, edges: [] },
    { package: 2, edges: [1] },
  ],
}
const manager = getPackageManager('npm')

type Upgrade = readonly [from: string, to: string]

/** An issue of `bad`; upgrades as `tool@1.0.0 > bad@1.0.0`. */
function issue(
  id: string,
  of: { upgrades?: readonly Upgrade[]; pins?: readonly string[]; fixedIn?: readonly string[] },
) {
  const { upgrades = [], pins, fixedIn = [] } = of
  const advice: Advice = {
    issueId: id,
    package: 1,
    isUpgradable: upgrades.length > 0,
    isPinnable: pins !== undefined,
    ...(pins && { pins }),
    upgradedPaths: upgrades.map(([from]) => from.split(' > ')),
    upgradePaths: upgrades.map(([, to]) => to.split(' > ')),
    fixedIn,
  }
  const place = { package: 1, name: 'bad', version: '1.0.0', advice, judgedBy: advice }
  const facts = { fixedIn, exploitMaturity: 'no-data' } as unknown as IssueFacts
  return { id, type: 'vuln', facts, isIgnored: false, places: [place] } as unknown as ProjectIssue
}

const context = { criticalities: [], environments: [], lifecycles: [] }

function advised(issues: readonly ProjectIssue[], affected: readonly string[]): ReadIssues {
  return adviseSafely({ manager, testId: '', graph, context, issues }, (text) => affected.includes(text))
}

describe('remediation advice', () => {
  const cases: [why: string, issues: ProjectIssue[], affected: string[], ReturnType<typeof toRemediation>][] = [
    [
      'pins the first version without a known vulnerability',
      [issue('A', { pins: ['1.5.0', '2.0.0', '3.0.0'] })],
      ['bad@1.5.0'],
      {
        upgrade: {},
        patch: {},
        pin: { 'bad@1.0.0': { upgradeTo: 'bad@2.0.0', vulns: ['A'], isTransitive: false } },
        unresolved: {},
      },
    ],
    [
      'does not pin a fixed version that a dependent excludes',
      [issue('A', { pins: ['2.0.0'], fixedIn: ['1.5.0', '2.0.0'] })],
      [],
      {
        upgrade: {},
        patch: {},
        pin: { 'bad@1.0.0': { upgradeTo: 'bad@2.0.0', vulns: ['A'], isTransitive: false } },
        unresolved: {},
      },
    ],
    [
      'reports the package as unresolved when every fixed version is vulnerable',
      [issue('A', { pins: ['1.5.0'] }), issue('B', { upgrades: [['bad@1.0.0', 'bad@1.6.0']] })],
      ['bad@1.5.0', 'bad@1.6.0'],
      { upgrade: {}, patch: {}, pin: {}, unresolved: { 'bad@1.0.0': { vulns: ['A', 'B'] } } },
    ],
    [
      'upgrades a direct dependency past the fixes of all its issues',
      [issue('A', { upgrades: [['bad@1.0.0', 'bad@1.5.0']] }), issue('B', { upgrades: [['bad@1.0.0', 'bad@2.0.0']] })],
      ['bad@1.5.0'],
      {
        upgrade: { 'bad@1.0.0': { upgradeTo: 'bad@2.0.0', upgrades: ['bad@1.0.0'], vulns: ['A', 'B'] } },
        patch: {},
        pin: {},
        unresolved: {},
      },
    ],
    [
      'rejects an upgrade that leads through a vulnerable version',
      [issue('A', { upgrades: [['tool@1.0.0 > bad@1.0.0', 'tool@2.0.0 > bad@1.5.0']] })],
      ['bad@1.5.0'],
      { upgrade: {}, patch: {}, pin: {}, unresolved: { 'bad@1.0.0': { vulns: ['A'] } } },
    ],
    [
      'keeps a dependency at its version although that is vulnerable',
      [issue('A', { upgrades: [['tool@1.0.0 > bad@1.0.0', 'tool@1.0.0 > bad@2.0.0']] })],
      ['tool@1.0.0'],
      { upgrade: {}, patch: {}, pin: {}, unresolved: {} },
    ],
  ]
  for (const [why, issues, affected, expected] of cases) {
    test(`advice: ${why}`, () => assert.deepEqual(toRemediation(advised(issues, affected)), expected))
  }

  test('advice on an issue: separates the pin, the nearest fix and the version without vulnerabilities', () => {
    const [one] = advised([issue('A', { pins: ['1.5.0', '2.0.0'], fixedIn: ['1.5.0', '2.0.0'] })], ['bad@1.5.0']).issues
    const info = toFixInfo(one!, one!.places, { paths: createProjectPaths(graph), manager })
    assert.deepEqual(
      [info.pinTo, info.nearestFixedInVersion, info.recommendedVersion, info.isPinnable],
      ['2.0.0', '1.5.0', '2.0.0', true],
    )
    const [none] = advised([issue('A', { pins: ['1.5.0'], fixedIn: ['1.5.0'] })], ['bad@1.5.0']).issues
    const nothing = toFixInfo(none!, none!.places, { paths: createProjectPaths(graph), manager })
    assert.deepEqual(
      [nothing.pinTo, nothing.nearestFixedInVersion, nothing.recommendedVersion, nothing.isFixable],
      [undefined, '1.5.0', undefined, false],
    )
  })

  test('advice: neither pins nor recommends a pre-release to users of a release', () => {
    const fixedIn = ['2.0.0-rc.1', '1.5.0']
    const [one] = advised([issue('A', { pins: ['1.5.0', '2.0.0-rc.1'], fixedIn })], ['bad@1.5.0']).issues
    const info = toFixInfo(one!, one!.places, { paths: createProjectPaths(graph), manager })
    assert.deepEqual([info.pinTo, info.nearestFixedInVersion, info.recommendedVersion], [undefined, '1.5.0', undefined])
  })
})

onEveryEngine('advice on stored projects', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine, { advisoriesPollSeconds: 3600 })
  })
  after(() => app.close())

  test('advice on a stored project: follows advisories published after its last test', async () => {
    const publish = async (count: number) => {
      const records = [
        recordAgainst('S-1', 'npm', 'safe', { fixed: '1.5.0' }),
        recordAgainst('S-2', 'npm', 'safe', { fixed: '2.0.0' }),
      ]
      await publishRecords(app.parts, records.slice(0, count))
      await app.parts.matcher.run()
    }
    await publish(1)
    const { advisories, release } = app.parts.advisories.acquire()
    const advice = {
      issueId: 'S-1',
      package: 1,
      isUpgradable: true,
      isPinnable: true,
      pins: ['1.5.0', '2.0.0'],
      upgradedPaths: [['safe@1.0.0']],
      upgradePaths: [['safe@1.5.0']],
      fixedIn: ['1.5.0'],
    }
    const stored = toTest({ packages: ['safe@1.0.0'], advice: [advice] }, advisories)
    release()
    const { projectId } = await record(app.parts.services.db, { orgId: app.orgId, test: stored })
    const path = `/v1/org/${app.orgId}/project/${projectId}`
    const remediation = async () => (await app.call('GET', path)).json().remediation
    const before = await remediation()
    assert.deepEqual(
      [before.upgrade['safe@1.0.0'].upgradeTo, before.pin['safe@1.0.0'].upgradeTo],
      ['safe@1.5.0', 'safe@1.5.0'],
    )
    await publish(2)
    const after = await remediation()
    assert.deepEqual(
      [after.upgrade, after.pin['safe@1.0.0']],
      [{}, { upgradeTo: 'safe@2.0.0', vulns: ['S-1'], isTransitive: false }],
    )
    assert.deepEqual(after.unresolved, { 'safe@1.0.0': { vulns: ['S-2'] } })
    const { paths } = (await app.call('GET', `${path}/issue/S-1/paths`)).json()
    assert.deepEqual(paths, [[{ name: 'safe', version: '1.0.0' }]])
    const { issues } = (await app.call('POST', `${path}/aggregated-issues`)).json()
    const { fixInfo } = issues.find(({ id }: { id: string }) => id === 'S-1')
    assert.deepEqual(
      [fixInfo.isUpgradable, fixInfo.pinTo, fixInfo.nearestFixedInVersion, fixInfo.recommendedVersion],
      [false, '2.0.0', '1.5.0', '2.0.0'],
    )
  })
})
