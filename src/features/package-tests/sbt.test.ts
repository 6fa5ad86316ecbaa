import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { filesBody } from '#test/manifests/test-bodies.ts'
import { startMavenApp } from '#test/registries/maven-app.ts'
import type { RegistryServer } from '#test/registries/registry-server.ts'
import type { TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

/** A build with one vulnerable package of the starter set below `tool`, fixed by version 1.2 of `tool`. */
const TEXT = 'org.apache.commons:commons-text'
const ISSUE = 'GHSA-599f-7c49-w659'
const content = {
  'org.scala-lang:scala-library:2.13.12': {},
  'org.example:tool_2.13:1.0': { dependencies: [`${TEXT}:1.9`] },
  'org.example:tool_2.13:1.1': { dependencies: [`${TEXT}:1.9`] },
  'org.example:tool_2.13:1.2': { dependencies: [`${TEXT}:1.10.0`] },
  [`${TEXT}:1.9`]: {},
  [`${TEXT}:1.10.0`]: {},
  'org.example:broken:1': { dependencies: ['org.example:gone:1'] },
}
const target = `import Dependencies._

ThisBuild / scalaVersion := "2.13.12"

libraryDependencies ++= Seq(tool, "org.example" %% "tests" % "1" % Test)
addCompilerPlugin("org.example" %% "plugin" % "1")
`
const dependencies = `import sbt._

object Dependencies {
  val toolVersion = "1.0"
  val tool = "org.example" %% "tool" % toolVersion
}
`
const build = (...statements: string[]) => ['scalaVersion := "2.13.12"', ...statements, ''].join('\n')
const asking = (module: string) => build(`libraryDependencies += ${module}`)

interface Issue {
  readonly id: string
  readonly from: string[]
  readonly upgradePath: string[]
  readonly [member: string]: unknown
}

onAnyEngine('sbt package tests', (engine) => {
  let app: TestApp
  let repository: RegistryServer
  let other: RegistryServer
  let close: () => Promise<void>
  before(async () => {
    const more = { 'org.example:elsewhere:1': { dependencies: [`${TEXT}:1.9`] } }
    ;({ app, repository, other, close } = await startMavenApp(engine, content, more))
  })
  after(() => close())

  async function post(sent: object, query: Record<string, string> = {}) {
    const answer = await app.call('POST', '/v1/test/sbt', { body: sent, query })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }
  const issueOf = (result: { issues: { vulnerabilities: Issue[] } }) =>
    result.issues.vulnerabilities.find(({ id }) => id === ISSUE)

  describe('POST /v1/test/sbt', () => {
    test('sbt build: finds a vulnerable transitive dependency and a proved upgrade', async () => {
      const result = await post(filesBody(target, dependencies))
      assert.equal(result.ok, false)
      assert.equal(result.packageManager, 'sbt')
      assert.equal(result.dependencyCount, 3)
      const issue = issueOf(result)
      assert.deepEqual(issue?.from, ['org.example:tool_2.13@1.0', `${TEXT}@1.9`])
      assert.deepEqual(issue?.upgradePath, ['org.example:tool_2.13@1.2', `${TEXT}@1.10.0`])
      assert.deepEqual(
        [issue?.['language'], issue?.['packageManager'], issue?.['isUpgradable'], issue?.['isPinnable']],
        ['java', 'maven', true, false],
      )
      assert.deepEqual(issue?.['semver'], { vulnerable: ['[1.5,1.10.0)'] })
      assert.deepEqual(result.coverage.filesRead, ['build.sbt', 'a source of the build (additional file 1)'])
      assert.deepEqual(result.coverage.excluded, [
        { reason: 'dev', packages: 1 },
        { reason: 'build', packages: 1 },
      ])
      assert.deepEqual([result.coverage.complete, result.coverage.locked], [true, false])
    })

    test('sbt test: the same input gives the same bytes', async () => {
      const call = async () => (await app.call('POST', '/v1/test/sbt', { body: filesBody(target, dependencies) })).body
      assert.equal(new Set(await Promise.all([call(), call(), call()])).size, 1)
    })

    test('sbt dependency that needs the build to run: named with its line, result not ok', async () => {
      const sent = filesBody(
        build('libraryDependencies ++= fromPlugin.value', 'libraryDependencies += "g" % "open" % IO.read(f)'),
        'object Sources {\n  val broken = "org.example" % "broken" % "1"\n}\n',
        'name := "below"\nscalaVersion := "2.13.12"\nlibraryDependencies += Sources.broken\n',
      )
      const result = await post(sent)
      assert.equal(result.ok, false)
      const unresolved = result.coverage.unresolved.map((dependency: Record<string, unknown>) =>
        [dependency['name'], dependency['code'], dependency['requiredBy'], dependency['line']].join(' '),
      )
      assert.deepEqual(unresolved.toSorted(), [
        'g:open not-static build.sbt 3',
        'libraryDependencies not-static build.sbt 2',
        'org.example:gone not-in-registry org.example:broken@1 ',
      ])
    })

    test('repository parameter: replaces the configured repositories of sbt', async () => {
      const sent = filesBody(asking('"org.example" % "elsewhere" % "1"'))
      const requestCount = repository.paths.length
      assert.ok(issueOf(await post(sent, { repository: other.url })))
      assert.equal(repository.paths.length, requestCount)
      assert.equal((await post(sent)).coverage.unresolved[0].code, 'not-in-registry')
    })

    const unreadable: [why: string, files: [string, ...string[]], pointer: string][] = [
      ['an empty file', [''], '/files/target/contents'],
      ['a package.json', ['{"name": "p", "dependencies": {}}'], '/files/target/contents'],
      ['a POM', ['<project></project>'], '/files/target/contents'],
      ['a truncated build', [target.slice(0, 120)], '/files/target/contents'],
      ['a truncated source', [target, dependencies.slice(0, -4)], '/files/additional/0/contents'],
    ]
    for (const [why, [first, ...more], pointer] of unreadable) {
      test(`POST /v1/test/sbt: refuses ${why} (400 manifest-unreadable)`, async () => {
        const answer = await app.call('POST', '/v1/test/sbt', { body: filesBody(first, ...more) })
        assert.equal(answer.statusCode, 400, answer.body)
        assert.equal(answer.json().errorCode, 'manifest-unreadable')
        assert.equal(answer.json().faults[0].source.pointer, pointer)
      })
    }

    const refusals: [why: string, status: number, options: object][] = [
      ['a missing credential', 401, { key: null, body: filesBody(target) }],
      ['a missing body', 400, {}],
      ['files without target', 400, { body: { files: {} } }],
      ['an unknown organization', 404, { body: filesBody(target), query: { org: 'nobody' } }],
    ]
    for (const [why, status, options] of refusals) {
      test(`POST /v1/test/sbt: refuses ${why} (${status})`, async () => {
        const answer = await app.call('POST', '/v1/test/sbt', options)
        assert.equal(answer.statusCode, status, answer.body)
      })
    }

    test('POST /v1/test/sbt: refuses a caller without org.package.test, and names it (403)', async () => {
      const key = await app.keyWith(['org.read'])
      const answer = await app.call('POST', '/v1/test/sbt', { key, body: filesBody(target) })
      assert.equal(answer.statusCode, 403)
      assert.match(answer.json().message, /org\.package\.test/)
    })
  })

  describe('GET /v1/test/sbt/{groupId}/{artifactId}/{version}', () => {
    test('GET /v1/test/sbt: tests the Maven package', async () => {
      const result = (await app.call('GET', '/v1/test/sbt/org.example/tool_2.13/1.0')).json()
      assert.deepEqual([result.packageManager, result.dependencyCount], ['maven', 2])
      assert.deepEqual(issueOf(result)?.from, ['org.example:tool_2.13@1.0', `${TEXT}@1.9`])
      assert.deepEqual(issueOf(result)?.upgradePath, ['org.example:tool_2.13@1.2', `${TEXT}@1.10.0`])
    })

    test('GET /v1/test/sbt: accepts the repository parameter', async () => {
      const path = '/v1/test/sbt/org.example/elsewhere/1'
      assert.equal((await app.call('GET', path)).statusCode, 404)
      assert.equal((await app.call('GET', path, { query: { repository: other.url } })).statusCode, 200)
    })

    for (const path of ['org.example/nothing/1', 'org.example/tool_2.13/9', '..%2F..%2Fetc/a/1', 'a%3Ab/c/1']) {
      test(`GET /v1/test/sbt/${path}: returns 404 package-not-found`, async () => {
        const answer = await app.call('GET', `/v1/test/sbt/${path}`)
        assert.equal(answer.statusCode, 404, answer.body)
        assert.equal(answer.json().errorCode, 'package-not-found')
      })
    }
  })

  test('sbt test with a failing repository: 502, or a partial result if accepted', async () => {
    repository.answerWith(429)
    const sent = filesBody(asking('"org.example" % "never-seen" % "[1,2)"'))
    const answer = await app.call('POST', '/v1/test/sbt', { body: sent })
    assert.equal(answer.statusCode, 502, answer.body)
    assert.equal(answer.json().errorCode, 'registry-unreachable')
    const { ok, coverage } = await post(sent, { acceptPartial: 'true' })
    assert.deepEqual([ok, coverage.complete], [true, false])
    const vulnerable = await post(filesBody(asking(`"org.apache.commons" % "commons-text" % "1.8"`)), {
      acceptPartial: 'true',
    })
    assert.equal(vulnerable.ok, false, 'known to be vulnerable, whatever it depends on')
    repository.answerWith(200)
  })
})
