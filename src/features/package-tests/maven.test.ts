import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { filesBody } from '#test/manifests/test-bodies.ts'
import { startMavenApp } from '#test/registries/maven-app.ts'
import type { RegistryServer } from '#test/registries/registry-server.ts'
import { toPomXml } from '#test/registries/short-poms.ts'
import type { TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

/** A project with one vulnerable package of the starter set below `tool`, fixed by version 1.2 of `tool`. */
const TEXT = 'org.apache.commons:commons-text'
const ISSUE = 'GHSA-599f-7c49-w659'
const content = {
  'org.example:tool:1.0': { dependencies: [`${TEXT}:1.9`] },
  'org.example:tool:1.1': { dependencies: [`${TEXT}:1.9`] },
  'org.example:tool:1.2': { dependencies: [`${TEXT}:1.10.0`] },
  [`${TEXT}:1.9`]: { parent: 'org.example:parent:7' },
  [`${TEXT}:1.10.0`]: {},
  'org.example:parent:7': { packaging: 'pom' },
  'org.example:fine:1': {},
  'org.example:broken:1': { dependencies: ['org.example:gone:1'] },
}
const target = toPomXml('org.example:project:1', {
  parent: 'org.example:above:1',
  dependencies: ['org.example:tool', 'org.example:fine:1 scope=test'],
})
const above = toPomXml('org.example:above:1', {
  packaging: 'pom',
  properties: { tool: '1.0' },
  managed: ['org.example:tool:${tool}'],
})

interface Issue {
  readonly id: string
  readonly from: string[]
  readonly upgradePath: string[]
  readonly [member: string]: unknown
}

onAnyEngine('Maven package tests', (engine) => {
  let app: TestApp
  let repository: RegistryServer
  let other: RegistryServer
  let close: () => Promise<void>
  before(async () => {
    const more = { 'org.example:elsewhere:1': { dependencies: [`${TEXT}:1.9`] } }
    ;({ app, repository, other, close } = await startMavenApp(engine, content, more))
  })
  after(() => close())

  const bare = (...dependencies: string[]) => filesBody(toPomXml('org.example:bare:1', { dependencies }))
  const issueOf = (result: { issues: { vulnerabilities: Issue[] } }) =>
    result.issues.vulnerabilities.find(({ id }) => id === ISSUE)

  describe('POST /v1/test/maven', () => {
    test('Maven project: finds a vulnerable transitive dependency and reports it as documented', async () => {
      const answer = await app.call('POST', '/v1/test/maven', { body: filesBody(target, above) })
      assert.equal(answer.statusCode, 200, answer.body)
      const result = answer.json()
      assert.equal(result.ok, false)
      assert.equal(result.packageManager, 'maven')
      assert.equal(result.dependencyCount, 2)
      const issue = issueOf(result)
      assert.deepEqual(issue?.from, ['org.example:tool@1.0', `${TEXT}@1.9`])
      assert.deepEqual(
        [issue?.['language'], issue?.['packageManager'], issue?.['isPinnable']],
        ['java', 'maven', false],
      )
      assert.deepEqual(issue?.['semver'], { vulnerable: ['[1.5,1.10.0)'] })
      assert.deepEqual(result.coverage.filesRead, ['pom.xml', 'pom.xml (org.example:above)'])
      assert.deepEqual(result.coverage.excluded, [{ reason: 'dev', packages: 1 }])
      assert.equal(result.coverage.complete, true)
      assert.equal(result.coverage.locked, false)
    })

    test('Maven test: the same input gives the same bytes', async () => {
      const bodies = await Promise.all(
        [1, 2, 3].map(async () => (await app.call('POST', '/v1/test/maven', { body: filesBody(target, above) })).body),
      )
      assert.equal(new Set(bodies).size, 1)
    })

    test('Maven dependency that is missing or not static: named with its line, result not ok', async () => {
      const contents = toPomXml('org.example:p:1', { dependencies: ['org.example:broken:1', 'org.example:open:${x}'] })
      const result = (await app.call('POST', '/v1/test/maven', { body: filesBody(contents) })).json()
      assert.equal(result.ok, false)
      assert.deepEqual(
        result.coverage.unresolved.map((dependency: Record<string, unknown>) => [
          dependency['name'],
          dependency['code'],
          dependency['requiredBy'],
          dependency['line'],
        ]),
        [
          ['org.example:open', 'not-static', 'org.example:p@1', 5],
          ['org.example:gone', 'not-in-registry', 'org.example:broken@1', undefined],
        ],
      )
    })

    test('additional file that is not a POM: refused with its pointer (400 manifest-unreadable)', async () => {
      const answer = await app.call('POST', '/v1/test/maven', { body: filesBody(target, 'not XML') })
      assert.equal(answer.statusCode, 400, answer.body)
      assert.equal(answer.json().errorCode, 'manifest-unreadable')
      assert.equal(answer.json().faults[0].source.pointer, '/files/additional/0/contents')
    })

    test('repository parameter: replaces the configured Maven repositories', async () => {
      const requestCount = repository.paths.length
      const query = { repository: other.url }
      const options = { body: bare('org.example:elsewhere:1'), query }
      assert.ok(issueOf((await app.call('POST', '/v1/test/maven', options)).json()))
      assert.equal(repository.paths.length, requestCount)
      const without = (await app.call('POST', '/v1/test/maven', { body: bare('org.example:elsewhere:1') })).json()
      assert.equal(without.coverage.unresolved[0].code, 'not-in-registry')
    })
  })

  describe('GET /v1/test/maven/{groupId}/{artifactId}/{version}', () => {
    test('GET /v1/test/maven: tests a package with its dependencies', async () => {
      const result = (await app.call('GET', '/v1/test/maven/org.example/tool/1.0')).json()
      assert.equal(result.packageManager, 'maven')
      assert.equal(result.dependencyCount, 2)
      assert.deepEqual(issueOf(result)?.from, ['org.example:tool@1.0', `${TEXT}@1.9`])
    })

    test('GET /v1/test/maven: accepts the repository parameter', async () => {
      const path = '/v1/test/maven/org.example/elsewhere/1'
      assert.equal((await app.call('GET', path)).statusCode, 404)
      assert.equal((await app.call('GET', path, { query: { repository: other.url } })).statusCode, 200)
    })

    for (const path of [
      'org.example/nothing/1',
      'org.example/tool/9',
      'org.example/tool/[1,2)',
      '..%2F..%2Fetc/a/1',
      'a%3Ab/c/1',
    ]) {
      test(`GET /v1/test/maven/${path}: returns 404 package-not-found`, async () => {
        const answer = await app.call('GET', `/v1/test/maven/${path}`)
        assert.equal(answer.statusCode, 404, answer.body)
        assert.equal(answer.json().errorCode, 'package-not-found')
      })
    }
  })

  test('Maven test with a failing repository: 502 for unknown packages, cached answers still serve', async () => {
    repository.answerWith(429)
    assert.equal(
      (await app.call('POST', '/v1/test/maven', { body: filesBody(target, above) })).statusCode,
      200,
      'from the cache',
    )
    const unknown = await app.call('POST', '/v1/test/maven', {
      body: bare('org.example:never-seen:1', 'org.example:ranged:[1,2)'),
    })
    assert.equal(unknown.statusCode, 502, unknown.body)
    assert.match(unknown.json().message, /acceptPartial=true/)
    const itself = { body: bare('org.apache.logging.log4j:log4j-core:2.14.0'), query: { acceptPartial: 'true' } }
    const partial = (await app.call('POST', '/v1/test/maven', itself)).json()
    assert.equal(partial.ok, false, 'known to be vulnerable, whatever it depends on')
    assert.equal(partial.coverage.complete, false)
    repository.answerWith(200)
  })
})
