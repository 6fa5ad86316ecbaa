import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { StoredGraph } from '#analysis/findings/stored-graph.ts'
import type { LicensePolicy } from '#analysis/licenses/judge-license.ts'
import { countBySeverity } from '../severity-counts.ts'
import { countLicenseIssues, countLicenses, listLicenseFindings } from './license-findings.ts'

/** Parses packages as `name@version license`; the license is optional. */
function graphOf(...packages: string[]): StoredGraph {
  const own = packages.map((text) => {
    const [, name, version, license] = /^(.+)@(\S+)(?: (.+))?$/.exec(text)!
    return { name: name!, version: version!, ...(license !== undefined && { license }) }
  })
  return { packages: [{ name: 'project', version: '1', license: 'GPL-3.0-only' }, ...own], nodes: [] }
}

const policy: LicensePolicy = {
  rules: [
    { license: 'GPL-3.0-only', verdict: 'high', instructions: 'Ask first.' },
    { license: 'MPL-2.0', verdict: 'medium' },
    { license: 'MIT', verdict: 'none' },
  ],
  unlisted: 'none',
  unknown: 'low',
}

const cases: { why: string; graph: StoredGraph; licenses: Record<string, number>; expected: string[] }[] = [
  {
    why: 'allowed licenses give no finding',
    graph: graphOf('a@1 MIT', 'b@1 ISC'),
    licenses: { MIT: 1, ISC: 1 },
    expected: [],
  },
  {
    why: 'an AND expression gives a finding per license',
    graph: graphOf('a@1 GPL-3.0-only AND MPL-2.0'),
    licenses: { 'GPL-3.0-only AND MPL-2.0': 1 },
    expected: ['lic:npm:a:GPL-3.0-only high 1', 'lic:npm:a:MPL-2.0 medium 1'],
  },
  {
    why: 'an OR expression with an allowed part gives no finding',
    graph: graphOf('a@1 MIT OR GPL-3.0-only'),
    licenses: { 'MIT OR GPL-3.0-only': 1 },
    expected: [],
  },
  {
    why: 'unknown and invalid licenses are unknown',
    graph: graphOf('@scope/a@1', 'b@1 Do as you please'),
    licenses: { '': 1, 'Do as you please': 1 },
    expected: ['lic:npm:@scope:a:unknown low 1', 'lic:npm:b:unknown low 2'],
  },
  {
    why: 'versions of a package share a finding',
    graph: graphOf('a@1 MPL-2.0', 'a@2 MPL-2.0', 'a@3 MIT'),
    licenses: { 'MIT\nMPL-2.0': 1 },
    expected: ['lic:npm:a:MPL-2.0 medium 1,2'],
  },
  {
    why: 'versions with overlapping licenses share findings per license',
    graph: graphOf('a@1 GPL-3.0-only', 'a@2 GPL-3.0-only AND MPL-2.0'),
    licenses: { 'GPL-3.0-only\nGPL-3.0-only AND MPL-2.0': 1 },
    expected: ['lic:npm:a:GPL-3.0-only high 1,2', 'lic:npm:a:MPL-2.0 medium 2'],
  },
]

describe('license issues of a stored graph', () => {
  for (const { why, graph, licenses, expected } of cases) {
    test(`license findings: ${why}`, () => {
      const counted = countLicenses(graph)
      const findings = listLicenseFindings(graph, { policy, packageManager: 'npm' })
      assert.deepEqual(counted, licenses)
      assert.deepEqual(
        findings.map(({ issueId, severity, packages }) => `${issueId} ${severity} ${packages.join()}`),
        expected,
      )
      assert.deepEqual(countLicenseIssues(counted, policy), countBySeverity(findings), 'counted as they are listed')
    })
  }

  test('license findings: none without a policy', () => {
    assert.deepEqual(listLicenseFindings(graphOf('a@1'), { policy: undefined, packageManager: 'npm' }), [])
  })
})
