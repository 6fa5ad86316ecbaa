import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { IssueFacts } from '#analysis/findings/known-issue.ts'
import type { Advice, StoredGraph } from '#analysis/findings/stored-graph.ts'
import { readDepGraph } from '#scanning/reading/dep-graph.ts'
import { getPackageManager } from '#scanning/reading/package-managers.ts'
import { selectIssues } from '../issues/aggregate-issues.ts'
import { adviseOnPath, toFixInfo } from '../issues/fix-info.ts'
import { toIssue } from '../issues/issue-resource.ts'
import type { IssuePlace, ProjectIssue, ReadIssues } from '../issues/project-issues.ts'
import { createProjectPaths } from '../issues/project-paths.ts'
import { toRemediation } from '../issues/remediation.ts'
import { adviseSafely } from '../issues/safe-advice.ts'
import { toGraphDocument } from '../projects-v1/graph-document.ts'
import { linkHeader, pageLinks } from './numbered-pages.ts'

/** A project that depends on `a`, `b` and `bad`; `a` and `b` depend on `bad`. */
const graph: StoredGraph = {
  packages: ['project', 'a', 'b', 'bad'].map((name) => ({ name, version: '1.0.0' })),
  nodes: [
    { package: 0, edges: [1, 2, 3] },
    { package: 1, edges: [3] },
    { package: 2, edges: [3] },
    { package: 3, edges: [] },
  ],
}
const facts = {
  fixedIn: ['0.9.5', '1.5.0', '2.0.0'],
  exploitMaturity: 'no-data',
  cvssScore: 8,
} as unknown as IssueFacts
const direct = ['bad@1.0.0']
const throughA = ['a@1.0.0', 'bad@1.0.0']
const throughB = ['b@1.0.0', 'bad@1.0.0']

function advise(upgrades: readonly (readonly [from: string[], to: string[]])[], isPinnable = false): Advice {
  return {
    issueId: 'GHSA-1',
    package: 3,
    isUpgradable: upgrades.length > 0,
    isPinnable,
    upgradedPaths: upgrades.map(([from]) => from),
    upgradePaths: upgrades.map(([, to]) => to),
    fixedIn: [],
  }
}

function place(advice?: Advice): IssuePlace {
  return { package: 3, name: 'bad', version: '1.0.0', advice, judgedBy: advice }
}

describe('fixes of an issue', () => {
  const paths = createProjectPaths(graph)
  const manager = getPackageManager('npm')
  const all = [direct, throughA, throughB].map((from): [string[], string[]] => [from, ['x@2.0.0']])
  const cases: [why: string, places: IssuePlace[], expected: string][] = [
    ['every path has an upgrade', [place(advise(all))], 'upgradable fixable partially'],
    ['a path without an upgrade', [place(advise(all.slice(1)))], 'partially'],
    ['no path has an upgrade', [place(advise([]))], ''],
    ['a pin', [place(advise([], true))], 'pinnable fixable partially'],
    ['a pin for only one of two versions', [place(advise([], true)), place()], 'partially'],
    ['no advice since the last test', [place()], ''],
    ['no affected package', [], ''],
  ]
  for (const [why, places, expected] of cases) {
    test(`fix info, ${why}: ${expected || 'nothing'}`, () => {
      const info = toFixInfo({ facts }, places, { paths, manager })
      const words = {
        upgradable: info.isUpgradable,
        pinnable: info.isPinnable,
        fixable: info.isFixable,
        partially: info.isPartiallyFixable,
      }
      assert.equal(
        Object.entries(words)
          .flatMap(([word, is]) => (is ? [word] : []))
          .join(' '),
        expected,
      )
      assert.equal(info.isPatchable, false)
    })
  }

  const nearest: [versions: string[], fix: string][] = [
    [['1.0.0'], '1.5.0'],
    [['0.9.0'], '0.9.5'],
    [['0.9.0', '1.6.0'], '2.0.0'],
    [['3.0.0'], '2.0.0'],
  ]
  for (const [used, fix] of nearest) {
    test(`fix info: the nearest fix of ${used.join(' and ')} is ${fix}`, () => {
      const places = used.map((version) => ({ ...place(), version }))
      assert.equal(toFixInfo({ facts }, places, { paths, manager }).nearestFixedInVersion, fix)
    })
  }

  const advised: [why: string, advice: Advice, sentence: string, onPath: string][] = [
    [
      'an upgrade of the direct dependency',
      advise([[throughA, ['a@1.1.0', 'bad@1.5.0']]]),
      'upgrade a 1.0.0 → 1.1.0; no upgrade fixes the other paths',
      'upgrade a 1.0.0 → 1.1.0',
    ],
    [
      'a package below a dependency that stays',
      advise([[throughA, ['a@1.0.0', 'bad@1.5.0']]]),
      'renew the lockfile: bad 1.0.0 → 1.5.0; no upgrade fixes the other paths',
      'renew the lockfile: bad 1.0.0 → 1.5.0',
    ],
    ['no upgrade', advise([]), 'no upgrade leads to bad 1.5.0', 'no upgrade leads to bad 1.5.0'],
  ]
  for (const [why, advice, sentence, onPath] of advised) {
    test(`fix info, ${why}: advises "${sentence}"`, () => {
      assert.equal(toFixInfo({ facts }, [place(advice)], { paths, manager }).advice, sentence)
      assert.equal(adviseOnPath({ facts }, { place: place(advice), path: throughA }, manager), onPath)
      assert.equal(adviseOnPath({}, { place: place(advice), path: throughA }, manager), '')
    })
  }

  test('fix info, a pin: advises it for all paths', () => {
    const pinned = { ...place(advise([], true)), pinTo: '1.5.0' }
    assert.equal(toFixInfo({ facts }, [pinned], { paths, manager }).advice, 'pin bad to 1.5.0')
    assert.equal(adviseOnPath({ facts }, { place: pinned, path: direct }, manager), 'pin bad to 1.5.0')
  })

  test('remedies of an issue: the fix above each version in use', () => {
    const packages = ['0.9.0', '1.0.0', '3.0.0'].map((version) => ({ name: 'bad', version, registry: 'npm' as const }))
    const issue = {
      id: 'GHSA-1',
      type: 'vuln',
      severity: 'high',
      title: '',
      isIgnored: false,
      isDirect: false,
      facts: { ...facts, cve: [], ghsa: [], otherIds: [], cwe: [] },
    } as const
    const shown = { orgId: 'o', projectId: 'p', projectNumber: 1, issue, knownSince: undefined, packages, ignores: [] }
    const { coordinates } = toIssue(shown).attributes
    assert.deepEqual(
      coordinates.map(({ remedies }) => remedies.map(({ description }) => description)),
      [['Fixed in 0.9.5'], ['Fixed in 1.5.0'], []],
    )
  })

  test('fix info: a license issue has no fix', () => {
    const info = toFixInfo({}, [place()], { paths, manager })
    assert.deepEqual([info.isFixable, info.nearestFixedInVersion, info.fixedIn], [false, '', []])
  })
})

test('issue list: an issue in two packages has two rows and counts once', () => {
  const manager = getPackageManager('npm')
  const places = [place(), { ...place(), package: 1, name: 'a' }]
  const issue = {
    id: 'GHSA-1',
    type: 'vuln',
    severity: 'high',
    facts,
    places,
    isIgnored: false,
  } as unknown as ProjectIssue
  const read = { issues: [issue], manager, graph } as unknown as ReadIssues
  const { total, counts } = selectIssues(read, { filters: {}, paths: createProjectPaths(graph) })
  assert.deepEqual([total, counts], [2, { low: 0, medium: 0, high: 1, critical: 0 }])
})

const context = { criticalities: [], environments: [], lifecycles: [] }

describe('remediation views', () => {
  const read = (issues: Partial<ProjectIssue>[]): ReadIssues => ({
    manager: getPackageManager('npm'),
    testId: '',
    graph,
    context,
    issues: issues.map((issue) => ({ facts, isIgnored: false, ...issue })) as ProjectIssue[],
  })

  test('remediation: names the furthest upgrade of a direct dependency with all issues it fixes', () => {
    const near = advise([[throughA, ['a@1.5.0', 'bad@1.5.0']]])
    const far = advise([
      [throughA, ['a@1.10.0', 'bad@2.0.0']],
      [throughB, ['b@1.0.0', 'bad@2.0.0']],
    ])
    const { upgrade } = toRemediation(
      read([
        { id: 'far', places: [place(far)] },
        { id: 'near', places: [place(near)] },
        { id: 'ignored', isIgnored: true, places: [place(advise([[direct, ['bad@9.0.0']]]))] },
      ]),
    )
    assert.deepEqual(upgrade, {
      'a@1.0.0': { upgradeTo: 'a@1.10.0', upgrades: ['bad@1.0.0'], vulns: ['far', 'near'] },
    })
  })

  test('remediation: lists pins with the issues they fix', () => {
    const { pin } = toRemediation(
      adviseSafely(read([{ id: 'GHSA-1', places: [place(advise([], true))] }]), () => false),
    )
    assert.deepEqual(pin, { 'bad@1.0.0': { upgradeTo: 'bad@1.5.0', vulns: ['GHSA-1'], isTransitive: false } })
  })
})

describe('dependency graph documents', () => {
  const cases: [why: string, stored: StoredGraph, nodes: number, packages: number][] = [
    ['several paths', graph, 4, 4],
    [
      'a package in two places',
      { ...graph, nodes: [...graph.nodes.slice(0, 3), { package: 3, edges: [4] }, { package: 3, edges: [] }] },
      5,
      4,
    ],
    ['a cycle', { ...graph, nodes: graph.nodes.map((node, at) => (at === 3 ? { ...node, edges: [1] } : node)) }, 4, 4],
    [
      'a dependency of its own name',
      {
        packages: [graph.packages[0]!, graph.packages[0]!],
        nodes: [
          { package: 0, edges: [1] },
          { package: 1, edges: [] },
        ],
      },
      2,
      1,
    ],
  ]
  for (const [why, stored, nodes, packages] of cases) {
    test(`graph document with ${why}: can be read again`, () => {
      const { depGraph } = toGraphDocument(stored, { type: 'npm', name: 'project' })
      assert.equal(depGraph.pkgs.length, packages)
      assert.equal(readDepGraph(depGraph, 1000).reading.graph.nodes.length, nodes)
    })
  }
})

describe('numbered page links', () => {
  const url = 'http://server.example/v1/x?filter=a&page=2'
  const cases: [page: number, total: number, links: Record<string, number>][] = [
    [1, 0, {}],
    [1, 10, {}],
    [1, 11, { next: 2, last: 2 }],
    [2, 31, { prev: 1, next: 3, last: 4 }],
    [4, 31, { prev: 3 }],
    [9, 31, { prev: 4, last: 4 }],
  ]
  for (const [page, total, expected] of cases) {
    test(`links of page ${page} of ${total} items: lead to existing pages and keep the filter`, () => {
      const links = pageLinks(url, { page, perPage: 10 }, total)
      const numbers = Object.entries(links).map(([rel, link]) => [rel, Number(new URL(link).searchParams.get('page'))])
      assert.deepEqual(Object.fromEntries(numbers), expected)
      for (const link of Object.values(links)) assert.equal(new URL(link as string).searchParams.get('filter'), 'a')
      assert.equal(linkHeader(links)['link']?.split(', ').length ?? 0, Object.keys(expected).length)
    })
  }
})
