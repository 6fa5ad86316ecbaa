import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { StoredGraph } from '#analysis/findings/stored-graph.ts'
import type { LicencePolicy } from '#analysis/licences/judge-licence.ts'
import { countLicenceIssues, countLicences, listLicenceFindings } from './licence-findings.ts'
import { countBySeverity } from './severity-counts.ts'

/** `name@version licence`; without a licence nobody told it. */
function graphOf(...packages: string[]): StoredGraph {
  const own = packages.map((text) => {
    const [, name, version, licence] = /^(.+)@(\S+)(?: (.+))?$/.exec(text)!
    return { name: name!, version: version!, ...(licence !== undefined && { licence }) }
  })
  return { packages: [{ name: 'project', version: '1', licence: 'GPL-3.0-only' }, ...own], nodes: [] }
}

const policy: LicencePolicy = {
  rules: [
    { licence: 'GPL-3.0-only', verdict: 'high', instructions: 'Ask first.' },
    { licence: 'MPL-2.0', verdict: 'medium' },
    { licence: 'MIT', verdict: 'none' },
  ],
  unlisted: 'none',
  unknown: 'low',
}

const cases: { why: string; graph: StoredGraph; licences: Record<string, number>; found: string[] }[] = [
  { why: 'nothing to object to', graph: graphOf('a@1 MIT', 'b@1 ISC'), licences: { MIT: 1, ISC: 1 }, found: [] },
  {
    why: 'each licence that all of a package is under',
    graph: graphOf('a@1 GPL-3.0-only AND MPL-2.0'),
    licences: { 'GPL-3.0-only AND MPL-2.0': 1 },
    found: ['lic:npm:a:GPL-3.0-only high 1', 'lic:npm:a:MPL-2.0 medium 1'],
  },
  {
    why: 'a choice of which one part is fine',
    graph: graphOf('a@1 MIT OR GPL-3.0-only'),
    licences: { 'MIT OR GPL-3.0-only': 1 },
    found: [],
  },
  {
    why: 'what nobody told, and what is no licence',
    graph: graphOf('@scope/a@1', 'b@1 Do as you please'),
    licences: { '': 1, 'Do as you please': 1 },
    found: ['lic:npm:@scope:a:unknown low 1', 'lic:npm:b:unknown low 2'],
  },
  {
    why: 'versions of one package are one issue',
    graph: graphOf('a@1 MPL-2.0', 'a@2 MPL-2.0', 'a@3 MIT'),
    licences: { 'MIT\nMPL-2.0': 1 },
    found: ['lic:npm:a:MPL-2.0 medium 1,2'],
  },
  {
    why: 'versions of one package under licences that overlap',
    graph: graphOf('a@1 GPL-3.0-only', 'a@2 GPL-3.0-only AND MPL-2.0'),
    licences: { 'GPL-3.0-only\nGPL-3.0-only AND MPL-2.0': 1 },
    found: ['lic:npm:a:GPL-3.0-only high 1,2', 'lic:npm:a:MPL-2.0 medium 2'],
  },
]

describe('licence issues of a stored graph', () => {
  for (const { why, graph, licences, found } of cases) {
    test(why, () => {
      const counted = countLicences(graph)
      const findings = listLicenceFindings(graph, { policy, packageManager: 'npm' })
      assert.deepEqual(counted, licences)
      assert.deepEqual(
        findings.map(({ issueId, severity, packages }) => `${issueId} ${severity} ${packages.join()}`),
        found,
      )
      assert.deepEqual(countLicenceIssues(counted, policy), countBySeverity(findings), 'counted as they are listed')
    })
  }

  test('there are none without a policy', () => {
    assert.deepEqual(listLicenceFindings(graphOf('a@1'), { policy: undefined, packageManager: 'npm' }), [])
  })
})
