import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertCycloneDx, assertSarif } from '#test/documents/document-schemas.ts'
import { assertJunit } from '#test/documents/junit-rules.ts'
import { runnerCommandsIn } from '#test/documents/runner-commands.ts'
import { licenseIssue, testDocument, testedProject, vulnerability } from '#test/documents/test-documents.ts'
import { reportForms, writeForm } from './reports.ts'
import { toText } from './text-report.ts'

const document = testDocument(
  [
    testedProject('app/package.json', {
      vulnerabilities: [vulnerability(), vulnerability({ from: ['outer@1.0.0', 'blue@1.0.0'] })],
      licenses: [licenseIssue()],
      coverage: {
        complete: false,
        unresolved: [
          { name: 'red', range: '^9', code: 'not-found', reason: 'No version fits', requiredBy: 'the project' },
        ],
      },
    }),
    testedProject('lib/package.json', { vulnerabilities: [vulnerability()] }),
    testedProject('clean/package.json'),
    {
      path: 'old/package.json',
      packageManager: 'npm',
      ok: false,
      error: { code: 'manifest-unreadable', message: 'It is not JSON' },
    },
  ],
  [{ path: 'native/Brewfile', packageManager: 'Homebrew', reason: 'Homebrew is not read here' }],
)

const hostile = testDocument([
  testedProject('a"b<c>&/package.json', {
    vulnerabilities: [vulnerability({ title: `]]>\u001b[31m <img src=x> | \`x\` [a](javascript:b) "q" \ud800` })],
  }),
])

describe('reports', () => {
  test('every form: texts of repositories and advisories are no commands of a CI runner', async () => {
    const command = 'x ##vso[task.setvariable variable=a]b'
    const title = `::error::x\n::add-mask::x\r::warning::x ${command}`
    const withCommands = testDocument(
      [
        testedProject('::error title=t::dir/package.json', {
          vulnerabilities: [vulnerability({ title, from: [`${command}@1.0.0`, '::group::@1.0.0'] })],
        }),
        { path: command, packageManager: 'npm', ok: false, error: { code: 'internal', message: title } },
      ],
      [{ path: '##[group]x', packageManager: 'Homebrew', reason: title }],
    )
    for (const form of reportForms) assert.deepEqual(runnerCommandsIn(await writeForm(form, withCommands)), [], form)
    const read = JSON.parse(await writeForm('json', withCommands)) as typeof withCommands
    assert.equal(read.projects[1]!.path, command)
  })

  test('SARIF: one run that matches the schema; results and fingerprints differ per project', async () => {
    const log = JSON.parse(await writeForm('sarif', document))
    assertSarif(log)
    const [run] = log.runs
    const places = run.results.map(
      (result: { locations: { physicalLocation: { artifactLocation: { uri: string } } }[] }) =>
        result.locations[0]!.physicalLocation.artifactLocation.uri,
    )
    assert.deepEqual(places, ['app/package.json', 'app/package.json', 'lib/package.json'])
    const prints = run.results.map((result: { partialFingerprints: object }) =>
      JSON.stringify(result.partialFingerprints),
    )
    assert.equal(new Set(prints).size, 3)
    assert.equal(run.tool.driver.rules.length, 2)
    const [invocation] = run.invocations
    assert.equal(invocation.executionSuccessful, false)
    assert.deepEqual(
      invocation.toolExecutionNotifications.map(
        (toolExecutionNotification: { level: string }) => toolExecutionNotification.level,
      ),
      ['warning', 'error', 'warning'],
    )
    assertSarif(JSON.parse(await writeForm('sarif', hostile)))
  })

  test("SARIF: locations have the declaration's line; fingerprints ignore lines, versions and paths", async () => {
    const write = async (...vulnerabilities: ReturnType<typeof vulnerability>[]) => {
      const log = JSON.parse(
        await writeForm('sarif', testDocument([testedProject('app/pom.xml', { vulnerabilities })])),
      )
      assertSarif(log)
      const { results } = log.runs[0]
      assert.equal(results.length, 1)
      return results[0]
    }
    const before = await write(vulnerability({ declaration: { file: 'app/pom.xml', line: 12 } }))
    const [{ physicalLocation: place }] = before.locations
    assert.deepEqual(place, { artifactLocation: { uri: 'app/pom.xml' }, region: { startLine: 12 } })
    const after = await write(
      vulnerability({ version: '1.1.0', from: ['new@1', 'blue@1.1.0'], declaration: { file: 'pom a.xml', line: 40 } }),
      vulnerability({ version: '1.0.0', declaration: { file: 'app/pom.xml', line: 13 } }),
    )
    assert.deepEqual(after.partialFingerprints, before.partialFingerprints)
    assert.match(after.partialFingerprints.primaryLocationLineHash, /^[0-9a-f]{16}:1$/)
    assert.deepEqual(
      [after.locations[0].physicalLocation.artifactLocation.uri, after.relatedLocations.length],
      ['pom%20a.xml', 1],
    )
    const unknown = await write(vulnerability())
    assert.deepEqual(unknown.locations[0].physicalLocation, { artifactLocation: { uri: 'app/pom.xml' } })
    assert.deepEqual(unknown.partialFingerprints, before.partialFingerprints)
  })

  test('SARIF: paths are encoded as relative references of RFC 3986', async () => {
    const uriOf = async (path: string, file?: string) => {
      const issue = vulnerability(file === undefined ? {} : { declaration: { file, line: 1 } })
      const log = JSON.parse(
        await writeForm('sarif', testDocument([testedProject(path, { vulnerabilities: [issue] })])),
      )
      assertSarif(log)
      return log.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri
    }
    const base = 'https://base.example/'
    for (const path of [
      'C#/a.json',
      'what?/a.json',
      'c:d/a.json',
      'e%20f/a.json',
      'web (old)/a [1].json',
      'ä/a:b.json',
    ]) {
      for (const uri of [await uriOf(path), await uriOf('other/package.json', path)]) {
        assert.match(uri, /^(?:[\w.~!$&'()*+,;=@/-]|(?<=\/[^/]*):|%[\dA-F]{2})+$/, uri)
        const { pathname, search, hash, origin } = new URL(uri, base)
        assert.deepEqual([decodeURIComponent(pathname), search, hash, `${origin}/`], [`/${path}`, '', '', base])
      }
    }
    assert.equal(await uriOf('broken\ud800.json'), 'broken%EF%BF%BD.json')
  })

  test('JUnit, Markdown and JSON: contain the line of the declaration', async () => {
    const issue = vulnerability({ declaration: { file: 'app/package.json', line: 12 } })
    const lines = testDocument([testedProject('app/package.json', { vulnerabilities: [issue] })])
    for (const form of ['junit', 'markdown'] as const)
      assert.match(await writeForm(form, lines), /app\/package\.json:12/)
    assert.match(await writeForm('json', lines), /"declaration": \{\s+"file": "app\/package.json",\s+"line": 12/)
  })

  test('JUnit: a suite per project; issues fail, untested parts are errors, a clean project passes', async () => {
    const text = await writeForm('junit', document)
    assertJunit(text)
    const lines = text.split('\n').filter((line) => /<testsuite|<testcase/.test(line))
    assert.deepEqual(
      lines.map((line) => line.trim()),
      [
        '<testsuites name="gatehouse test" tests="7" failures="3" errors="3">',
        '<testsuite name="app/package.json" tests="3" failures="2" errors="1">',
        '<testcase classname="app/package.json" name="blue@1.0.0: GHSA-aaaa-bbbb-cccc">',
        '<testcase classname="app/package.json" name="green@2.0.0: license:npm:green:GPL-3.0-only">',
        '<testcase classname="app/package.json" name="red ^9">',
        '<testsuite name="lib/package.json" tests="1" failures="1" errors="0">',
        '<testcase classname="lib/package.json" name="blue@1.0.0: GHSA-aaaa-bbbb-cccc">',
        '<testsuite name="clean/package.json" tests="1" failures="0" errors="0">',
        '<testcase classname="clean/package.json" name="no issues"/>',
        '<testsuite name="old/package.json" tests="1" failures="0" errors="1">',
        '<testcase classname="old/package.json" name="manifest">',
        '<testsuite name="not tested" tests="1" failures="0" errors="1">',
        '<testcase classname="not tested" name="native/Brewfile">',
      ],
    )
  })

  const outside = [{ path: 'web/node_modules', reason: 'It holds installed packages' }]
  for (const form of reportForms) {
    test(`${form}: names what no test covers, which leaves the test complete`, async () => {
      const complete = { ...testDocument([testedProject('app/package.json')]), outOfScope: outside }
      const text = await writeForm(form, complete)
      assert.match(text, /web\/node_modules/)
      assert.match(text, /It holds installed packages/)
      if (form === 'sarif') assertSarif(JSON.parse(text))
      if (form === 'junit') assertJunit(text)
      assert.doesNotMatch(text, /Incomplete|errors="[1-9]/)
    })
  }

  test('nothing tested: text, Markdown and SARIF do not look like success', async () => {
    const nothing = { ...testDocument([]), outOfScope: outside }
    const text = toText(nothing, { columns: 80, isColored: false, compare: () => 0 })
    assert.match(
      text,
      /^Not covered\n {2}- web\/node_modules: It holds installed packages\n\nNo project was tested\.\n$/,
    )
    assert.match(await writeForm('markdown', nothing), /^# Gatehouse: nothing was tested$/m)
    const { runs } = JSON.parse(await writeForm('sarif', nothing))
    assert.equal(runs[0].invocations[0].executionSuccessful, false)
    const bill = JSON.parse(await writeForm('cyclonedx', nothing))
    assert.equal(bill.compositions[0].aggregate, 'incomplete')
  })

  test('JUnit: escapes text of others', async () => {
    const text = await writeForm('junit', hostile)
    assertJunit(text)
    assert.doesNotMatch(text, /<img|\ud800/u)
    assert.ok(!text.includes('\u001b'))
    assert.match(text, /name="a&quot;b&lt;c&gt;&amp;\/package\.json"/)
  })

  test('Markdown: a table per project with issues, untested parts and the best upgrades', async () => {
    const text = await writeForm('markdown', document)
    assert.match(text, /^# Gatehouse: 3 issues\n\n> \*\*Incomplete\.\*\*/)
    assert.match(text, /## `app\/package\.json` \(npm\)\n\n3 packages, 2 issues \(1 high, 1 medium\)\./)
    assert.match(text, /\n\| high \| `blue@1\.0\.0` \| \[GHSA-aaaa-bbbb-cccc\]\(https:\/\/advisories\.example\/GHSA-/)
    assert.match(text, /Not tested: It is not JSON/)
    assert.match(text, /- `native\/Brewfile`: Homebrew is not read here/)
    assert.match(text, /## Upgrades that fix the most/)
  })

  test('Markdown: text of others adds neither markup nor links nor cells', async () => {
    const text = await writeForm('markdown', hostile)
    assert.doesNotMatch(text, /<img|\[a\]\(/)
    assert.ok(!text.includes('\u001b'))
    const row = text.split('\n').find((line) => line.startsWith('| high'))!
    assert.equal(row.replaceAll('\\|', '').split('|').length, 7)
  })

  test('CycloneDX: names projects without a bill and skipped files, and matches the schema', async () => {
    const bill = JSON.parse(await writeForm('cyclonedx', document))
    assertCycloneDx(bill)
    assert.match(JSON.stringify(bill.components), /"gatehouse:notTested","value":"It is not JSON"/)
  })

  test('reports: every format ends with exactly one line break', async () => {
    for (const form of reportForms) assert.match(await writeForm(form, document), /[^\n]\n$/, form)
  })
})
