import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { filesBody } from '#test/manifests/test-bodies.ts'
import { startMavenRepository } from '#test/registries/maven-repository.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

const TEXT = 'org.apache.commons:commons-text'
const ISSUE = 'GHSA-599f-7c49-w659'
const content = {
  'org.example:tool:1.0': { dependencies: [`${TEXT}:1.9`] },
  'org.example:tool:1.1': { dependencies: [`${TEXT}:1.10.0`] },
  [`${TEXT}:1.8`]: {},
  [`${TEXT}:1.9`]: {},
  [`${TEXT}:1.10.0`]: {},
  'org.example:fine:1': {},
}

interface Issue {
  readonly id: string
  readonly from: string[]
  readonly upgradePath: string[]
  readonly [member: string]: unknown
}

onAnyEngine('Gradle package tests', (engine) => {
  let app: TestApp
  let repository: Awaited<ReturnType<typeof startMavenRepository>>
  before(async () => {
    repository = await startMavenRepository(content)
    app = await startApp(engine, { GATEHOUSE_MAVEN_REPOSITORIES: repository.url, GATEHOUSE_TEST_WORKERS: '1' })
  })
  after(async () => {
    await app.close()
    await repository.close()
  })

  const script = `dependencies {
  implementation libs.tool
  implementation '${TEXT}:1.8'
  testImplementation 'org.example:fine:1'
}
`
  const catalog = '[libraries]\ntool = "org.example:tool:1.0"\n'
  const issueOf = (result: { issues: { vulnerabilities: Issue[] } }, length: number) =>
    result.issues.vulnerabilities.find(({ id, from }) => id === ISSUE && from.length === length)

  describe('POST /v1/test/gradle', () => {
    test('Gradle project: tests the highest requested versions and reports issues as documented', async () => {
      const answer = await app.call('POST', '/v1/test/gradle', { body: filesBody(script, catalog) })
      assert.equal(answer.statusCode, 200, answer.body)
      const result = answer.json()
      assert.equal(result.ok, false)
      assert.equal(result.packageManager, 'gradle')
      assert.equal(result.dependencyCount, 2)
      const issue = issueOf(result, 2)
      assert.deepEqual(issue?.from, ['org.example:tool@1.0', `${TEXT}@1.9`])
      assert.deepEqual(
        [issue?.['language'], issue?.['packageManager'], issue?.['isPinnable']],
        ['java', 'maven', false],
      )
      assert.deepEqual(result.coverage.filesRead, ['build.gradle', 'version catalog'])
      assert.deepEqual(result.coverage.excluded, [{ reason: 'dev', packages: 1 }])
      assert.equal(result.coverage.complete, true)
    })

    test('Gradle upgrade: proved by resolving the project again', async () => {
      const alone = filesBody("dependencies { implementation 'org.example:tool:1.0' }")
      const issue = issueOf((await app.call('POST', '/v1/test/gradle', { body: alone })).json(), 2)
      assert.deepEqual(issue?.upgradePath, ['org.example:tool@1.1', `${TEXT}@1.10.0`])
      assert.equal(issue?.['isUpgradable'], true)
    })

    const settings = `rootProject.name = 'x'
include ':app'
dependencyResolutionManagement {
  versionCatalogs { libs { library('tool', 'org.example:tool:1.0') } }
}
`
    const properties = 'toolVersion=1.0\n'
    const tool = { 'from settings': 'libs.tool', 'from properties': '"org.example:tool:$toolVersion"' }
    const encoded = (text: string) => ({ contents: Buffer.from(text).toString('base64') })
    const shapes: [what: string, asked: string, additional: unknown, filesRead: string[]][] = [
      ['one companion as an object', tool['from settings'], encoded(settings), ['settings.gradle']],
      [
        'with a byte order mark and CRLF',
        tool['from settings'],
        [encoded(`\uFEFF${settings.replaceAll('\n', '\r\n')}`)],
        ['settings.gradle'],
      ],
      [
        'all companions of a build in any order',
        tool['from properties'],
        [encoded("dependencies {\n  implementation 'org.example:fine:1'\n}\n"), encoded(settings), encoded(properties)],
        ['build.gradle', 'settings.gradle', 'gradle.properties'],
      ],
    ]
    for (const [what, requirement, additional, filesRead] of shapes) {
      test(`unnamed Gradle files, ${what}: recognized, and upgrades found`, async () => {
        const target = encoded(`dependencies {\n  implementation ${requirement}\n}\n`)
        const body = { encoding: 'base64', files: { target, additional } }
        const answer = await app.call('POST', '/v1/test/gradle', { body })
        assert.equal(answer.statusCode, 200, answer.body)
        const { coverage, ...result } = answer.json()
        assert.deepEqual(coverage.filesRead, ['build.gradle', ...filesRead])
        assert.deepEqual([coverage.complete, coverage.unresolved], [true, []])
        assert.deepEqual(issueOf(result, 2)?.upgradePath, ['org.example:tool@1.1', `${TEXT}@1.10.0`])
      })
    }

    test('Gradle dependency that needs the script to run: named with its line, result not ok', async () => {
      const contents = "dependencies {\n  implementation 'org.example:fine:1'\n  implementation call()\n}\n"
      const result = (await app.call('POST', '/v1/test/gradle', { body: filesBody(contents) })).json()
      assert.equal(result.ok, false)
      assert.deepEqual(
        result.coverage.unresolved.map((dependency: Record<string, unknown>) => [
          dependency['code'],
          dependency['line'],
        ]),
        [['not-static', 3]],
      )
    })

    test('Gradle project without its version catalog: coverage is incomplete', async () => {
      const result = (await app.call('POST', '/v1/test/gradle', { body: filesBody(script) })).json()
      assert.equal(result.coverage.complete, false)
    })

    test('unreadable Gradle version catalog: refused with its pointer (400 manifest-unreadable)', async () => {
      const answer = await app.call('POST', '/v1/test/gradle', { body: filesBody(script, '[libraries]\ntool =') })
      assert.equal(answer.statusCode, 400, answer.body)
      assert.equal(answer.json().errorCode, 'manifest-unreadable')
      assert.equal(answer.json().faults[0].source.pointer, '/files/additional/0/contents')
    })
  })

  describe('POST /v1/test/gradle without a build script', () => {
    const sent = async (text: string) => {
      const answer = await app.call('POST', '/v1/test/gradle', { body: filesBody(text) })
      assert.equal(answer.statusCode, 200, answer.body)
      return answer.json()
    }

    test('Gradle lockfile alone: its modules are tested; malformed lines are named', async () => {
      const lock = `# This is a Gradle generated file for dependency locking.\n${TEXT}:1.9=compileClasspath,runtimeClasspath\norg.example:only-tests:1=testRuntimeClasspath\nempty=annotationProcessor\n`
      const result = await sent(lock)
      assert.deepEqual(issueOf(result, 1)?.from, [`${TEXT}@1.9`])
      assert.deepEqual(
        [result.coverage.complete, result.coverage.locked, result.coverage.excluded],
        [true, true, [{ reason: 'dev', packages: 1 }]],
      )
      const odd = await sent(`${lock}org.example:no-configuration:1\n`)
      assert.deepEqual(
        odd.coverage.unresolved.map(({ name, line }: Record<string, unknown>) => [name, line]),
        [['org.example:no-configuration:1', 5]],
      )
    })

    test('Gradle lockfile without its last line: its modules are tested, and the missing rest is named', async () => {
      const result = await sent(
        `# This is a Gradle generated file for dependency locking.\n${TEXT}:1.9=compileClasspath,runtimeClasspath\n`,
      )
      assert.equal(result.dependencyCount, 1)
      const [missing] = result.coverage.unresolved
      assert.deepEqual([missing.name, missing.code], ['lock', 'not-static'])
      assert.match(missing.reason, /no final line "empty="/)
    })

    test('Gradle buildscript lockfile alone: its tools are tested', async () => {
      const result = await sent(
        `# This is a Gradle generated file for dependency locking.\n${TEXT}:1.9=classpath\nempty=\n`,
      )
      assert.equal(result.dependencyCount, 1)
      assert.equal(result.ok, false)
    })

    test('Gradle lockfile without entries: refused (400) unless it lists empty configurations', async () => {
      const head = '# This is a Gradle generated file for dependency locking.\n'
      const answer = await app.call('POST', '/v1/test/gradle', { body: filesBody(head) })
      assert.equal(answer.statusCode, 400, answer.body)
      assert.equal((await sent(`${head}empty=compileClasspath\n`)).coverage.declaresNone, true)
    })

    test('version catalog alone: its libraries are resolved, and the result says that they are candidates', async () => {
      const result = await sent(
        '[versions]\nt = "1.0"\n\n[libraries]\ntool = { module = "org.example:tool", version.ref = "t" }\nno-version = { module = "org.example:fine" }\n\n[plugins]\nx = "org.example.x:1"\n',
      )
      assert.deepEqual(issueOf(result, 2)?.from, ['org.example:tool@1.0', `${TEXT}@1.9`])
      assert.match(result.coverage.boundsMet.join(), /candidates/)
      assert.equal(result.coverage.locked, false)
      assert.deepEqual(
        result.coverage.unresolved.map(({ name, line }: Record<string, unknown>) => [name, line]),
        [['org.example:fine', 6]],
      )
    })
  })

  describe('GET /v1/test/gradle/{group}/{name}/{version}', () => {
    test('GET /v1/test/gradle: tests the Maven package', async () => {
      const result = (await app.call('GET', '/v1/test/gradle/org.example/tool/1.0')).json()
      assert.equal(result.packageManager, 'maven')
      assert.deepEqual(issueOf(result, 2)?.from, ['org.example:tool@1.0', `${TEXT}@1.9`])
    })

    test('GET /v1/test/gradle of an unknown package: returns 404 package-not-found', async () => {
      const answer = await app.call('GET', '/v1/test/gradle/org.example/tool/9')
      assert.equal(answer.statusCode, 404, answer.body)
      assert.equal(answer.json().errorCode, 'package-not-found')
    })
  })

  test('Gradle test with a failing repository: returns 502, or a partial result if accepted', async () => {
    repository.answerWith(503)
    const unseen = filesBody("dependencies { implementation 'org.example:never-seen:1' }")
    assert.equal((await app.call('POST', '/v1/test/gradle', { body: unseen })).statusCode, 502)
    const partial = (
      await app.call('POST', '/v1/test/gradle', { body: unseen, query: { acceptPartial: 'true' } })
    ).json()
    assert.equal(partial.coverage.unresolved[0].code, 'registry-unreachable')
    repository.answerWith(200)
  })
})
