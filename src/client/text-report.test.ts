import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testDocument, testedProject, vulnerability } from '#test/documents/test-documents.ts'
import { compareVersions } from './compare-versions.ts'
import { widthOf } from './terminal-text.ts'
import { toText } from './text-report.ts'

const plain = { columns: 80, isColored: false, compare: compareVersions }

const through = vulnerability({
  id: 'GHSA-dddd-eeee-ffff',
  title: 'A crafted header makes the parser read beyond the end of its buffer and stall',
  severity: 'critical',
  isExploited: true,
  package: '@scope/deep',
  version: '2.0.0',
  from: ['outer@3.0.0', 'middle@1.1.0', '@scope/deep@2.0.0'],
  pathCount: 4,
  declaration: { file: 'app/package.json', line: 7 },
  upgradePath: ['outer@3.1.0', 'middle@1.2.0', '@scope/deep@2.0.5'],
})

const full = testDocument(
  [
    testedProject('app/package.json', {
      vulnerabilities: [
        vulnerability(),
        through,
        vulnerability({ id: 'GHSA-gggg-hhhh-iiii', upgradePath: ['blue@1.10.0'], severity: 'low' }),
      ],
      coverage: {
        complete: false,
        dependencies: { found: 4, resolved: 3, unresolved: 1 },
        unresolved: [
          { name: 'red', range: '^9.0.0', code: 'not-found', reason: 'No version fits', requiredBy: 'the project' },
        ],
      },
    }),
    testedProject('lib/package.json'),
    {
      path: 'old/package.json',
      packageManager: 'npm',
      ok: false,
      error: { code: 'manifest-unreadable', message: 'It is not JSON' },
    },
  ],
  [{ path: 'native/Brewfile', packageManager: 'Homebrew', reason: 'Homebrew is not read here' }],
  2,
)

describe('text report', () => {
  test('text report: shows what policy files ignore, cannot apply and exclude', () => {
    const project = testedProject('app/package.json', {
      coverage: { policyFile: { path: 'app/.snyk', rules: 1, notes: ['Patches are not applied'] } },
    })
    const rule = { path: '*', allPaths: true, reason: 'guarded', expires: '2031-02-03T00:00:00.000Z' }
    const ignored = [{ id: 'GHSA-1', title: 'x', severity: 'low', package: 'blue', version: '1.0.0', ...rule }]
    const text = toText(
      {
        ...testDocument([{ ...project, result: { ...project.result!, ignored } }]),
        excludedByPolicy: [{ path: 'old/pom.xml', reason: '.snyk excludes it' }],
        policyNotes: ['lib/.snyk: Patches are not applied.'],
      },
      plain,
    )
    assert.ok(
      text.includes(`  Ignored by app/.snyk
    - GHSA-1 of blue@1.0.0 until 2031-02-03: guarded
  ! Not applied of app/.snyk
    - Patches are not applied
`),
      text,
    )
    assert.ok(
      text.includes(`Policy files
  - old/pom.xml: .snyk excludes it
  - lib/.snyk: Patches are not applied.
`),
      text,
    )
  })

  test('text report: a single dependency is not counted in the plural', () => {
    const dependencies = { found: 1, resolved: 0, unresolved: 1 }
    const project = testedProject('app/package.json', { coverage: { complete: false, dependencies } })
    assert.match(toText(testDocument([project]), plain), /1 of 1 dependency not fully tested/)
  })

  test('text report in 80 columns: findings by severity with path and fix, coverage, upgrades, summary', () => {
    assert.equal(
      toText(full, plain),
      `app/package.json (npm)
  3 packages, 3 issues: 1 critical, 1 high, 1 low
  ! Incomplete: 1 of 4 dependencies not fully tested
    - red ^9.0.0, required by the project: No version fits

  SEVERITY  PACKAGE            ISSUE
  critical  @scope/deep@2.0.0  GHSA-dddd-eeee-ffff
            A crafted header makes the parser read beyond the end of its buffer
            and stall (CVE-2026-0001, exploited)
            path: outer@3.0.0 > middle@1.1.0 > @scope/deep@2.0.0 (and 3 more
            paths)
            at: app/package.json:7
            fix: upgrade outer 3.0.0 → 3.1.0
  high      blue@1.0.0         GHSA-aaaa-bbbb-cccc
            Merging objects changes every prototype (CVE-2026-0001)
            path: blue@1.0.0
            fix: upgrade blue 1.0.0 → 1.2.0
  low       blue@1.0.0         GHSA-gggg-hhhh-iiii
            Merging objects changes every prototype (CVE-2026-0001)
            path: blue@1.0.0
            fix: upgrade blue 1.0.0 → 1.10.0

lib/package.json (npm)
  3 packages, no issues

old/package.json (npm)
  Not tested: It is not JSON (manifest-unreadable)

! Not tested: 1 file
  - native/Brewfile: Homebrew is not read here

Upgrades that fix the most
  2 issues: upgrade blue 1.0.0 → 1.10.0 in app/package.json
  1 issue: upgrade outer 3.0.0 → 3.1.0 in app/package.json

Tested 2 projects with 6 packages: 3 issues (1 critical, 1 high, 1 low).
The test is incomplete: what was not tested may have issues. --strict fails on
this.
2 projects in excluded folders; --exclude= tests them too.
`,
    )
  })

  test('text report: a pin counts among the best upgrades with the highest version needed', () => {
    const pinned = (id: string, version: string) =>
      vulnerability({
        ...{ id, package: 'django', version: '2.2.0', packageManager: 'poetry', from: ['django@2.2.0'] },
        ...{ upgradePath: [], isPinnable: true, pin: { version, forbiddenBy: [], notKnownOf: [] } },
      })
    const vulnerabilities = [pinned('PYSEC-1', '2.2.9'), pinned('PYSEC-2', '2.2.28')]
    const project = { ...testedProject('poetry.lock', { vulnerabilities }), packageManager: 'poetry' }
    const text = toText(testDocument([project]), plain)
    assert.ok(text.includes('fix: pin django to 2.2.9\n'), text)
    assert.ok(text.includes('Upgrades that fix the most\n  2 issues: pin django to 2.2.28 in poetry.lock\n'), text)
  })

  test('text report: the fix of a transitive package uses the means of its package manager', () => {
    const advice = (packageManager: string) => {
      const deep = { package: 'b', from: ['a@1.0.0', 'b@1.0.0'], upgradePath: ['a@1.0.0', 'b@1.2.0'] }
      const vulnerabilities = [vulnerability({ ...deep, packageManager })]
      const project = { ...testedProject('x', { vulnerabilities }), packageManager }
      return /fix: (.*)/.exec(toText(testDocument([project]), plain))![1]
    }
    assert.equal(advice('npm'), 'renew the lockfile: b 1.0.0 → 1.2.0')
    assert.equal(advice('maven'), 'manage the version in dependencyManagement: b 1.0.0 → 1.2.0')
    assert.equal(advice('gradle'), 'add a constraint: b 1.0.0 → 1.2.0')
    assert.equal(advice('sbt'), 'add to dependencyOverrides: b 1.0.0 → 1.2.0')
  })

  test('text report: an upgrade in another project of the repository is listed for that project only, if tested', () => {
    const through = {
      package: 'b',
      from: ['lib@1.0.0', 'b@1.0.0'],
      upgradePath: ['lib@1.0.0', 'b@1.2.0'],
      ownProjects: 1,
    }
    const direct = { package: 'b', from: ['b@1.0.0'], upgradePath: ['b@1.2.0'] }
    const app = testedProject('app/pom.xml', { vulnerabilities: [vulnerability(through)] })
    const lib = testedProject('lib/pom.xml', { vulnerabilities: [vulnerability(direct)] })
    const best = (...projects: (typeof app)[]) =>
      /Upgrades that fix the most\n(.*?)\n\n/s.exec(toText(testDocument(projects), plain))![1]
    assert.equal(best(app), '  1 issue: upgrade b 1.0.0 → 1.2.0 in lib in app/pom.xml')
    assert.equal(best(app, lib), '  1 issue: upgrade b 1.0.0 → 1.2.0 in lib/pom.xml')
  })

  test('text report: no line exceeds the width, however long the names', () => {
    const long = vulnerability({ package: `@scope/${'x'.repeat(200)}`, title: '標題'.repeat(80), id: 'y'.repeat(150) })
    const document = testDocument([testedProject(`${'folder/'.repeat(30)}package.json`, { vulnerabilities: [long] })])
    for (const columns of [40, 80, 160]) {
      const lines = toText(document, { ...plain, columns }).split('\n')
      assert.deepEqual(
        lines.filter((line) => widthOf(line) > columns),
        [],
      )
    }
  })

  test('text report: colors on request only; control characters of others never', () => {
    const hostile = vulnerability({ title: 'red\u001b[31m \u009b2J alert' })
    const document = testDocument([testedProject('a/package.json', { vulnerabilities: [hostile] })])
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    assert.doesNotMatch(toText(document, plain), /[\u001b\u009b]/)
    assert.match(toText(document, { ...plain, isColored: true }), /\[31m(?:high)/)
  })
})
