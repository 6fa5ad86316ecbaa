import assert from 'node:assert/strict'
import { test } from 'node:test'
import { licenseIssue, testDocument, testedProject, vulnerability } from '#test/documents/test-documents.ts'
import { type FailOn, judge } from './verdict.ts'

const clean = testedProject('a/package.json')
const broken = { ...clean, result: undefined, error: { code: 'manifest-unreadable', message: '' } } as never
const partial = testedProject('b/package.json', { coverage: { complete: false } })
const withIssue = (given: Parameters<typeof vulnerability>[0]) =>
  testedProject('c/package.json', { vulnerabilities: [vulnerability(given)] })

const fixable = withIssue({})
const unfixable = withIssue({ isUpgradable: false, upgradePath: [] })
const pinnable = withIssue({ isUpgradable: false, upgradePath: [], isPinnable: true })
const exploited = withIssue({ upgradePath: [], exploitMaturity: 'mature' })
const licensed = testedProject('d/package.json', { licenses: [licenseIssue()] })

const cases: [
  title: string,
  document: ReturnType<typeof testDocument>,
  failOn: FailOn,
  isStrict: boolean,
  code: number,
][] = [
  ['clean', testDocument([clean]), 'all', true, 0],
  ['an issue', testDocument([clean, unfixable]), 'all', false, 1],
  ['a license issue', testDocument([licensed]), 'all', false, 1],
  ['upgradable: an issue with an upgrade', testDocument([fixable]), 'upgradable', false, 1],
  ['upgradable: an issue with a pin', testDocument([pinnable]), 'upgradable', false, 1],
  ['upgradable: an issue without a fix', testDocument([unfixable, licensed]), 'upgradable', false, 0],
  ['exploited: an exploited issue', testDocument([exploited]), 'exploited', false, 1],
  ['exploited: another issue', testDocument([fixable]), 'exploited', false, 0],
  ['incomplete', testDocument([partial]), 'all', false, 0],
  ['incomplete and strict', testDocument([partial]), 'all', true, 2],
  ['left out and strict', testDocument([clean], [{ path: 'Cargo.toml', reason: 'not read' }]), 'all', true, 2],
  ['a project without a result', testDocument([clean, broken]), 'all', false, 2],
  ['issues before a project without a result', testDocument([broken, fixable]), 'all', true, 1],
]

for (const [title, document, failOn, isStrict, code] of cases) {
  test(`exit code: ${title} gives ${code}`, () => {
    assert.equal(judge(document, { failOn, isStrict }), code)
  })
}
