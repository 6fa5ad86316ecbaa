import assert from 'node:assert/strict'
import { test } from 'node:test'
import { licenseIssue, testDocument, testedProject, vulnerability } from '#test/documents/test-documents.ts'
import { type TreeAnswer, toDocument } from './test-document.ts'
import { type FailOn, judge } from './verdict.ts'

const clean = testedProject('a/package.json')
const broken = { ...clean, result: undefined, error: { code: 'manifest-unreadable', message: '' } } as never
const partial = testedProject('b/package.json', { coverage: { complete: false } })
const withIssue = (fields: Parameters<typeof vulnerability>[0]) =>
  testedProject('c/package.json', { vulnerabilities: [vulnerability(fields)] })

const fixable = withIssue({})
const unfixable = withIssue({ isUpgradable: false, upgradePath: [] })
const pinnable = withIssue({ isUpgradable: false, upgradePath: [], isPinnable: true })
const exploited = withIssue({ upgradePath: [], isExploited: true })
const { advisories } = clean.result!.coverage
const withoutSources = testedProject('e/package.json', {
  coverage: { advisories: { ...advisories, exploitSources: [] } },
})
const licensed = testedProject('d/package.json', { licenses: [licenseIssue()] })

const cases: [
  title: string,
  document: ReturnType<typeof testDocument>,
  failOn: FailOn,
  isStrict: boolean,
  code: number,
][] = [
  ['a clean project', testDocument([clean]), 'all', true, 0],
  ['an issue', testDocument([clean, unfixable]), 'all', false, 1],
  ['a license issue', testDocument([licensed]), 'all', false, 1],
  ['an issue with an upgrade (upgradable)', testDocument([fixable]), 'upgradable', false, 1],
  ['an issue with a pin (upgradable)', testDocument([pinnable]), 'upgradable', false, 1],
  ['an issue without a fix (upgradable)', testDocument([unfixable, licensed]), 'upgradable', false, 0],
  ['an exploited issue (exploited)', testDocument([exploited]), 'exploited', false, 1],
  ['an issue that is not exploited (exploited)', testDocument([fixable]), 'exploited', false, 0],
  ['no catalog (exploited)', testDocument([withoutSources]), 'exploited', false, 0],
  ['no catalog (exploited, strict)', testDocument([withoutSources]), 'exploited', true, 2],
  ['no catalog (strict)', testDocument([withoutSources]), 'all', true, 0],
  ['an incomplete test', testDocument([partial]), 'all', false, 0],
  ['an incomplete test (strict)', testDocument([partial]), 'all', true, 2],
  ['a skipped file (strict)', testDocument([clean], [{ path: 'Brewfile', reason: 'not read' }]), 'all', true, 2],
  ['no project', testDocument([]), 'all', false, 3],
  ['no project (strict)', testDocument([], [{ path: 'Brewfile', reason: 'not read' }]), 'all', true, 3],
  ['a project without a result', testDocument([clean, broken]), 'all', false, 2],
  ['an issue and a project without a result', testDocument([broken, fixable]), 'all', true, 1],
]

for (const [title, document, failOn, isStrict, code] of cases) {
  test(`exit code: ${title} gives ${code}`, () => {
    assert.equal(judge(document, { failOn, isStrict }), code)
  })
}

const [first, second] = [testedProject('a/pom.xml'), testedProject('b/pom.xml')]
const org = { id: '0', name: 'one' }
const answer = (overrides: Partial<TreeAnswer> = {}): TreeAnswer => ({
  projects: [{ ...first, result: { ...first.result!, org } }],
  advisories: {},
  leftOut: [],
  excluded: 0,
  ...overrides,
})

test('test document: a project that the answer lacks fails the test without --strict, with the reason', () => {
  const cases: [given: Partial<TreeAnswer>, message: RegExp][] = [
    [{}, /does not contain it\. Update the server/],
    [
      { leftOut: [{ path: second.path, packageManager: 'npm', reason: 'The answer was full' }] },
      /^The answer was full$/,
    ],
  ]
  for (const [overrides, message] of cases) {
    const document = toDocument(answer(overrides), [first, second])
    assert.deepEqual([document.ok, document.leftOut.length], [false, 0])
    assert.match(document.projects[1]!.error!.message, message)
    assert.equal(judge(document, { failOn: 'all', isStrict: false }), 2)
  }
})

test('test document: a project that a policy file excludes is not missing', () => {
  const excludedByPolicy = [{ path: second.path, packageManager: 'npm', reason: '.snyk excludes it' }]
  const document = toDocument(answer({ excludedByPolicy }), [first, second])
  assert.deepEqual([document.ok, document.projects.length], [true, 1])
})
