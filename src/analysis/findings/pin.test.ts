import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pep440Versions as scheme } from '../versions/pep440.ts'
import { findPin } from './pin.ts'

type Edge = readonly [from: number, to: number, range: string]

/** Node 1 is the affected package at 1.0; 2 and 3 require it; 0 is the project. */
function pinOf(fixes: readonly string[], ...edges: readonly Edge[]) {
  return findPin([1], { graph: graphOf(edges), scheme, fixes })
}

function graphOf(edges: readonly Edge[]) {
  const nodes = ['', 'a@1.0', 'b@1.0', 'c@2.0'].map((text, index) => {
    const [name = '', version = ''] = text.split('@')
    const own = edges.filter(([from]) => from === index)
    return { package: { name, version }, edges: own.map(([, to, range]) => ({ to, range, kind: 'prod' as const })) }
  })
  return { nodes }
}

const cases: [why: string, fixes: string[], edges: Edge[], expected: ReturnType<typeof pinOf>][] = [
  ['none without a fix', [], [[2, 1, '>=1']], undefined],
  ['none if the only fix is older', ['0.9'], [[2, 1, '']], undefined],
  [
    'the smallest fix that all dependents accept',
    ['2.5', '1.5', '2.0'],
    [
      [2, 1, '>=1,!=1.5'],
      [3, 1, '<2.1'],
    ],
    { version: '2.0', forbiddenBy: [], notKnownOf: [] },
  ],
  [
    'the range of the project does not forbid it',
    ['2.0'],
    [[0, 1, '==1.0']],
    { version: '2.0', forbiddenBy: [], notKnownOf: [] },
  ],
  [
    'dependents that forbid it are listed',
    ['2.0', '3.0'],
    [
      [2, 1, '<2'],
      [3, 1, '~=1.0'],
      [3, 1, '~=1.0'],
    ],
    { version: '2.0', forbiddenBy: ['b@1.0 (<2)', 'c@2.0 (~=1.0)'], notKnownOf: [] },
  ],
  [
    'dependents with an unknown range are listed',
    ['2.0'],
    [
      [2, 1, '?'],
      [3, 1, '>=1'],
    ],
    { version: '2.0', forbiddenBy: [], notKnownOf: ['b@1.0'] },
  ],
]
for (const [why, fixes, edges, expected] of cases) {
  test(`pin: ${why}`, () => assert.deepEqual(pinOf(fixes, ...edges), expected))
}

test('findPin: returns no pin without a node', () => {
  assert.equal(findPin([], { graph: graphOf([]), scheme, fixes: ['2.0'] }), undefined)
})

test('pin: the smallest fix above the version in use, whatever the order of fixes', () => {
  assert.equal(pinOf(['3.0', '1.0', '2.0'])?.version, '2.0')
  assert.equal(pinOf(['3.0', '2.0'], [2, 1, '<2'])?.version, '2.0')
})

test('findPin: the first package counts as a dependent too', () => {
  const graph = graphOf([[1, 2, '<1']])
  assert.deepEqual(findPin([2], { graph, scheme, fixes: ['2.0'] })?.forbiddenBy, ['a@1.0 (<1)'])
})
