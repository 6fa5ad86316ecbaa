import Value from 'typebox/value'
import { BadExploitSource, parseExploitSource } from '../../src/analysis/advisories/parse-exploit-source.ts'
import { Problem } from '../../src/foundation/problem.ts'
import { readDepGraph } from '../../src/scanning/reading/dep-graph.ts'
import { DepGraph } from '../../src/scanning/reading/dep-graph-request.ts'
import type { Target } from './input.ts'

const graph = JSON.stringify({
  schemaVersion: '1.3.0',
  pkgManager: { name: 'maven' },
  pkgs: [
    { id: 'p@1', info: { name: 'p', version: '1' } },
    { id: 'g:a@1', info: { name: 'g:a', version: '1' } },
    { id: 'g:b@', info: { name: 'g:b', version: null } },
  ],
  graph: {
    rootNodeId: 'root',
    nodes: [
      { nodeId: 'root', pkgId: 'p@1', deps: [{ nodeId: 'a' }, { nodeId: 'b' }] },
      { nodeId: 'a', pkgId: 'g:a@1', deps: [{ nodeId: 'b' }] },
      { nodeId: 'b', pkgId: 'g:b@', deps: [] },
    ],
  },
})
const exploited = JSON.stringify({
  title: 'list',
  catalogVersion: '2026.01.01',
  dateReleased: '2026-01-01T00:00:00.000Z',
  count: 1,
  vulnerabilities: [{ cveID: 'CVE-2021-44228', dateAdded: '2021-12-10' }],
})

const scores = '#model_version:v1,score_date:2026-01-02T00:00:00Z\ncve,epss,percentile\nCVE-2021-44228,0.94,0.99\n'

export const graphTargets: readonly (() => Target[])[] = [
  () => [
    {
      name: 'dep-graph',
      corpus: () => ({ seeds: [{ texts: [graph], world: 0 }] }),
      run: ([text = '']) => readChecked(text),
      isRefusal: (error) => error instanceof Problem || error instanceof SyntaxError,
    },
    {
      name: 'exploit-source',
      corpus: () => ({ seeds: [exploited, scores].map((text) => ({ texts: [text], world: 0 })) }),
      run: ([text = '']) => parseExploitSource(text),
      isRefusal: (error) => error instanceof BadExploitSource,
    },
  ],
]

/** Requests are checked against the schema before. */
function readChecked(text: string): unknown {
  const body: unknown = JSON.parse(text)
  return Value.Check(DepGraph, body) ? readDepGraph(body, 2_000).reading : 'refused by the schema'
}
