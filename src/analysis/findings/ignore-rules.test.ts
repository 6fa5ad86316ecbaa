import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Package } from '../dependency-graph.ts'
import { fitsStep, parseIgnorePath, parsePackage } from '../discovery/policy-files/ignore-path.ts'
import { createIgnoreJudge, FOREVER, type IgnoreRule, type IssuePlace, rulesFor } from './ignore-rules.ts'
import type { PackageGraph } from './ignored-paths.ts'

function rule(
  path: string,
  { until = FOREVER, fixable = false }: { until?: number; fixable?: boolean } = {},
): IgnoreRule {
  const parsed = parseIgnorePath(path)
  assert.ok(typeof parsed === 'object')
  return { path: parsed, until, disregardIfFixable: fixable }
}

/** Builds a graph of one-letter packages; each line is a node and its dependencies. */
function graphOf(...lines: string[]): PackageGraph {
  const names = ['-', ...lines.slice(1).map((line) => line[0]!)]
  return {
    packages: names.map((name) => ({ name, version: '1.0.0' })),
    nodes: lines.map((line, at) => ({ package: at, edges: [...line.slice(2)].map((name) => names.indexOf(name)) })),
  }
}

const path = (text: string): Package[] => [...text].map((name) => ({ name, version: '1.0.0' }))

function place(graph: PackageGraph, name: string, fixes: Partial<IssuePlace> = {}): IssuePlace {
  return {
    package: graph.packages.findIndex((graphPackage) => graphPackage.name === name),
    isPinnable: false,
    upgradable: [],
    ...fixes,
  }
}

describe('ignored issues', () => {
  // Two paths to c, one to d.
  const graph = graphOf('-:ab', 'a:cd', 'b:c', 'c:', 'd:')
  const judge = createIgnoreJudge(graph, 'npm')
  const [c, d] = [place(graph, 'c'), place(graph, 'd')]
  const upgradable = { upgradable: [path('ac')] }

  const cases: readonly [why: string, rules: IgnoreRule[], places: IssuePlace[], until: number | undefined][] = [
    ['not without rules', [], [c], undefined],
    ['not without a package', [rule('*')], [], undefined],
    ['by a rule for all paths', [rule('*')], [c], FOREVER],
    ['until the rule expires', [rule('*', { until: 5 })], [c], 5],
    ['until the last of several rules expires', [rule('*', { until: 5 }), rule('* > c', { until: 9 })], [c], 9],
    ['not while one path is not covered', [rule('a')], [c], undefined],
    ['by rules for each path', [rule('a'), rule('b', { until: 7 })], [c], 7],
    ['by rules for each path and one for all', [rule('a'), rule('*', { until: 3 }), rule('b', { until: 7 })], [c], 7],
    ['by rules for the paths to each of its packages', [rule('a'), rule('b')], [c, d], FOREVER],
    ['not while a path to one of its packages is not covered', [rule('a > d'), rule('b')], [c, d], undefined],
    ['by a rule with disregardIfFixable if it has no fix', [rule('*', { fixable: true })], [c], FOREVER],
    [
      'not by a rule with disregardIfFixable if it can be pinned',
      [rule('*', { fixable: true })],
      [{ ...c, isPinnable: true }],
      undefined,
    ],
    [
      'by a rule without disregardIfFixable although it can be pinned',
      [rule('*')],
      [{ ...c, isPinnable: true }],
      FOREVER,
    ],
    [
      'not by a rule with disregardIfFixable if a path can be upgraded',
      [rule('*', { fixable: true })],
      [{ ...c, ...upgradable }],
      undefined,
    ],
    [
      'by a rule without disregardIfFixable for the path that can be upgraded',
      [rule('*', { fixable: true }), rule('a', { until: 4 })],
      [{ ...c, ...upgradable }],
      4,
    ],
    [
      'not by a rule without disregardIfFixable for the other path',
      [rule('*', { fixable: true }), rule('b')],
      [{ ...c, ...upgradable }],
      undefined,
    ],
  ]
  for (const [why, rules, places, until] of cases) {
    test(`an issue is ignored: ${why}`, () => assert.equal(judge.ignoredUntil(places, rules), until))
  }

  test('an issue in an unreachable package is ignored only by a rule for all paths', () => {
    const lost = graphOf('-:a', 'a:', 'b:')
    const lonely = createIgnoreJudge(lost, 'npm')
    assert.equal(lonely.ignoredUntil([place(lost, 'b')], [rule('b')]), undefined)
    assert.equal(lonely.ignoredUntil([place(lost, 'b')], [rule('*')]), FOREVER)
  })

  test('an issue is ignored although a path in a cycle does not match the rule', () => {
    // c is reached by a > c; a > b > a > c is no separate path.
    const round = graphOf('-:a', 'a:bc', 'b:a', 'c:')
    assert.equal(createIgnoreJudge(round, 'npm').ignoredUntil([place(round, 'c')], [rule('a > c')]), FOREVER)
  })
})

describe('effects of ignore rules', () => {
  const graph = graphOf('-:ab', 'a:cd', 'b:c', 'c:', 'd:')
  const judge = createIgnoreJudge(graph, 'npm')
  const c = place(graph, 'c')
  const both = [path('ac'), path('bc')]
  const cases: readonly [why: string, rule: IgnoreRule, places: IssuePlace[], effect: string][] = [
    ['for a missing issue', rule('*'), [], 'issue-gone'],
    ['for all paths', rule('*'), [c], 'applies'],
    ['for one of the paths', rule('b'), [c], 'applies'],
    ['for a missing path', rule('b > d'), [c, place(graph, 'd')], 'path-gone'],
    ['for a path to another package', rule('a > d'), [c], 'path-gone'],
    [
      'with disregardIfFixable for a pinnable package',
      rule('*', { fixable: true }),
      [{ ...c, isPinnable: true }],
      'fixable',
    ],
    [
      'with disregardIfFixable for an upgradable path',
      rule('a', { fixable: true }),
      [{ ...c, upgradable: both }],
      'fixable',
    ],
    [
      'with disregardIfFixable beside another upgradable path',
      rule('b', { fixable: true }),
      [{ ...c, upgradable: [path('ac')] }],
      'applies',
    ],
    ['without disregardIfFixable for upgradable paths', rule('*'), [{ ...c, upgradable: both }], 'applies'],
    [
      'with disregardIfFixable for one fixable and one unfixable package',
      rule('a', { fixable: true }),
      [{ ...c, upgradable: both }, place(graph, 'd')],
      'applies',
    ],
  ]
  for (const [why, judged, places, effect] of cases) {
    test(`a rule ${why}: ${effect}`, () => assert.equal(judge.effectOf(judged, places), effect))
  }
})

test('rulesFor: returns the rules that apply to one path', () => {
  const rules = [rule('*'), rule('a > c'), rule('b'), rule('a', { fixable: true })]
  const at = (fixes: Partial<IssuePlace>) =>
    rulesFor(rules, {
      path: path('ac'),
      fixes: { isPinnable: false, upgradable: [], ...fixes },
      registry: 'npm',
    }).map((ignoreRule) => ignoreRule.path.text)
  assert.deepEqual(at({}), ['*', 'a > c', 'a'])
  assert.deepEqual(at({ upgradable: [path('bc')] }), ['*', 'a > c', 'a'])
  assert.deepEqual(at({ upgradable: [path('ac')] }), ['*', 'a > c'])
  assert.deepEqual(at({ isPinnable: true }), ['*', 'a > c'])
})

/** Returns a seeded generator of numbers below `below`. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function randomGraph(random: (below: number) => number, isRound: boolean): PackageGraph {
  const count = 3 + random(6)
  const packages = Array.from({ length: 4 }, (_, at) => ({ name: 'abcd'[at]!, version: `${1 + random(2)}.0.0` }))
  const nodes = Array.from({ length: count }, (_, from) => {
    const edges = Array.from({ length: count }, (_, to) => to).filter(
      (to) => to !== from && (isRound ? true : to > from) && random(3) === 0,
    )
    return { package: from === 0 ? 4 : random(4), edges }
  })
  return { packages: [...packages, { name: 'project', version: '' }], nodes }
}

function simplePaths({ nodes }: PackageGraph, end: number): number[][] {
  const paths: number[][] = []
  const visit = (path: number[]) => {
    const at = path.at(-1)!
    if (at !== 0 && nodes[at]!.package === end) paths.push(path.slice(1))
    for (const to of nodes[at]!.edges) if (!path.includes(to)) visit([...path, to])
  }
  visit([0])
  return paths
}

/** Matches by the definition of the path language. */
function naivelyMatches(parts: readonly string[], path: readonly Package[]): boolean {
  const [part, ...rest] = parts
  if (part === undefined) return true
  if (part === '*') return path.some((_, at) => naivelyMatches(rest, path.slice(at))) || naivelyMatches(rest, [])
  const [first, ...below] = path
  const { name, version } = parsePackage(part)
  if (first === undefined || first.name !== name) return false
  return fitsStep('npm', first.version, version || undefined) && naivelyMatches(rest, below)
}

test('random rules and graphs are judged as by checking every path', () => {
  const outcomes = new Map<string, number>()
  for (let seed = 1; seed <= 4000; seed++) {
    const random = randomNumbers(seed)
    const isRound = random(2) === 0
    const graph = randomGraph(random, isRound)
    const parts = ['*', '*', 'a', 'b', 'c', 'd', 'a@1', 'b@2', 'c@1']
    const rules = Array.from({ length: 1 + random(5) }, () =>
      rule(Array.from({ length: 1 + random(4) }, () => parts[random(parts.length)]!).join(' > '), {
        until: [1, 2, 3, FOREVER][random(4)]!,
        fixable: random(3) === 0,
      }),
    )
    const targets = [random(4), random(4)].filter((target, at, all) => all.indexOf(target) === at)
    const places = targets
      .map((end): IssuePlace & { paths: Package[][] } => {
        const paths = simplePaths(graph, end).map((nodes) =>
          nodes.map((at) => graph.packages[graph.nodes[at]!.package]!),
        )
        return {
          package: end,
          isPinnable: random(4) === 0,
          upgradable: paths.filter(() => random(4) === 0),
          paths,
        }
      })
      .filter(({ paths }) => paths.length > 0)
    const isFixable = (issuePlace: IssuePlace, path: Package[]) =>
      issuePlace.isPinnable || issuePlace.upgradable.some((other) => JSON.stringify(other) === JSON.stringify(path))
    const applies = (ignoreRule: IgnoreRule, at: IssuePlace, path: Package[]) =>
      !(ignoreRule.disregardIfFixable && isFixable(at, path)) && naivelyMatches(ignoreRule.path.text.split(' > '), path)

    const ends = places.flatMap((at) =>
      at.paths.map((path) =>
        Math.max(-1, ...rules.filter((ignoreRule) => applies(ignoreRule, at, path)).map(({ until }) => until)),
      ),
    )
    const expected = ends.length === 0 || Math.min(...ends) < 0 ? undefined : Math.min(...ends)
    const judge = createIgnoreJudge(graph, 'npm')
    assert.equal(judge.ignoredUntil(places, rules), expected, `seed ${seed}`)
    outcomes.set(String(expected), (outcomes.get(String(expected)) ?? 0) + 1)

    for (const ignoreRule of rules) {
      const effect = judge.effectOf(ignoreRule, places)
      const isMet = places.some((at) =>
        at.paths.some((path) => naivelyMatches(ignoreRule.path.text.split(' > '), path)),
      )
      const hasEffect = places.some((at) => at.paths.some((path) => applies(ignoreRule, at, path)))
      const expectedEffect =
        places.length === 0 ? 'issue-gone' : hasEffect ? 'applies' : isMet ? 'fixable' : 'path-gone'
      // A cycle may be matched although no path is, which errs on the side of keeping the rule.
      const order = ['issue-gone', 'path-gone', 'fixable', 'applies']
      if (isRound && order.indexOf(effect) > order.indexOf(expectedEffect)) continue
      assert.equal(effect, expectedEffect, `seed ${seed}: ${ignoreRule.path.text}`)
    }
    for (const at of places) {
      for (const path of at.paths) {
        assert.deepEqual(
          rulesFor(rules, { path, fixes: at, registry: 'npm' }),
          rules.filter((ignoreRule) => applies(ignoreRule, at, path)),
        )
      }
    }
  }
  for (const outcome of ['undefined', '1', '2', '3', String(FOREVER)]) {
    assert.ok((outcomes.get(outcome) ?? 0) > 50, `too few of ${outcome}`)
  }
})

describe('graphs with too many paths to enumerate', () => {
  /** 40 layers of two packages, each depending on both below: 2^40 paths to the end. */
  function layers(): PackageGraph {
    const packages = [{ name: 'project', version: '' }]
    const nodes: { package: number; edges: number[] }[] = [{ package: 0, edges: [1, 2] }]
    for (let layer = 0; layer < 40; layer++) {
      for (const side of ['l', 'r']) {
        const below = 2 * layer + 3
        packages.push({ name: `${side}${layer}`, version: '1.0.0' })
        nodes.push({ package: nodes.length, edges: layer === 39 ? [81] : [below, below + 1] })
      }
    }
    packages.push({ name: 'end', version: '1.0.0' })
    nodes.push({ package: 81, edges: [] })
    return { packages, nodes }
  }
  const graph = layers()
  const judge = createIgnoreJudge(graph, 'npm')
  const end = place(graph, 'end')

  test('issues in a graph with too many paths are judged exactly', () => {
    assert.equal(judge.ignoredUntil([end], [rule('* > end', { until: 8 })]), 8)
    assert.equal(judge.ignoredUntil([end], [rule('* > l20'), rule('* > r20', { until: 6 })]), 6)
    assert.equal(judge.ignoredUntil([end], [rule('* > l20'), rule('* > r20 > l21')]), undefined)
    assert.equal(judge.effectOf(rule('l0 > * > r39'), [end]), 'applies')
    assert.equal(judge.effectOf(rule('l0 > l0'), [end]), 'path-gone')
  })

  test('an issue counts as not ignored if too many rules interact', () => {
    const pairs = Array.from({ length: 19 }, (_, at) => rule(`* > l${at} > * > l${38 - at}`))
    const others = Array.from({ length: 19 }, (_, at) => rule(`* > r${at} > * > r${38 - at}`))
    assert.equal(judge.ignoredUntil([end], [...pairs, ...others]), undefined)
  })
})
