import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { filesBody } from '#test/manifests/test-bodies.ts'
import { startGemServer } from '#test/registries/gem-server.ts'
import { startNpmRegistry } from '#test/registries/npm-registry.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

/** Projects with one vulnerable package of the starter set each, below another one. */
const packageJson = JSON.stringify({
  name: 'p',
  version: '1.0.0',
  dependencies: { tool: '^1.0.0' },
  devDependencies: { minimist: '1.2.0' },
})
const yarnV1 = `# yarn lockfile v1


lodash@~4.17.0:
  version "4.17.4"
  resolved "https://registry.example/lodash/-/lodash-4.17.4.tgz#0"

minimist@1.2.0:
  version "1.2.0"

tool@^1.0.0:
  version "1.0.0"
  resolved "https://registry.example/tool/-/tool-1.0.0.tgz#0"
  dependencies:
    lodash "~4.17.0"
`
const yarnBerry = `__metadata:
  version: 8
  cacheKey: 10c0

"lodash@npm:~4.17.0":
  version: 4.17.4
  resolution: "lodash@npm:4.17.4"
  languageName: node
  linkType: hard

"minimist@npm:1.2.0":
  version: 1.2.0
  resolution: "minimist@npm:1.2.0"
  languageName: node
  linkType: hard

"p@workspace:.":
  version: 0.0.0-use.local
  resolution: "p@workspace:."
  dependencies:
    minimist: "npm:1.2.0"
    tool: "npm:^1.0.0"
  languageName: unknown
  linkType: soft

"tool@npm:^1.0.0":
  version: 1.0.0
  resolution: "tool@npm:1.0.0"
  dependencies:
    lodash: "npm:~4.17.0"
  languageName: node
  linkType: hard
`
const gemfileLock = `GEM
  remote: https://registry.example/
  specs:
    rack (2.0.1)
    rack-cache (1.1)
      rack (>= 0.4)
    redis-rack-cache (1.1)
      rack-cache (= 1.1)

PLATFORMS
  ruby

DEPENDENCIES
  redis-rack-cache

BUNDLED WITH
   2.5.6
`
const revision = '0123456789abcdef0123456789abcdef01234567'
const vendorJson = (more: Record<string, string> = {}) =>
  JSON.stringify({
    rootPath: 'code.example/app',
    package: ['github.com/dgrijalva/jwt-go', 'github.com/dgrijalva/jwt-go/request'].map((path) => ({
      path,
      revision,
      revisionTime: '2017-01-18T16:13:56Z',
      ...more,
    })),
  })

interface Issue {
  readonly id: string
  readonly from: string[]
  readonly upgradePath: string[]
  readonly isUpgradable: boolean
  readonly isPinnable: boolean
  readonly language: string
  readonly packageManager: string
  readonly semver: { vulnerable: string[]; hashesRange?: string[]; vulnerableHashes?: string[] }
}

onAnyEngine('package tests of yarn, Go and Ruby', (engine) => {
  let app: TestApp
  let npm: Awaited<ReturnType<typeof startNpmRegistry>>
  let gems: Awaited<ReturnType<typeof startGemServer>>
  before(async () => {
    npm = await startNpmRegistry({
      lodash: { '4.17.4': {}, '4.17.21': {} },
      tool: { '1.0.0': { dependencies: { lodash: '4.17.4' } } },
    })
    gems = await startGemServer({
      rack: ['2.0.1 ', '2.2.8 '],
      'rack-cache': ['1.1 rack:>= 0.4&< 2.1'],
      broken: ['1.0 gone:>= 0'],
    })
    app = await startApp(engine, {
      GATEHOUSE_NPM_REGISTRY: npm.url,
      GATEHOUSE_RUBYGEMS_URL: gems.url,
      GATEHOUSE_TEST_WORKERS: '1',
      registryMaxAgeMinutes: 0,
    })
  })
  after(async () => {
    await app.close()
    await npm.close()
    await gems.close()
  })

  async function post(ecosystem: string, body: object, query: Record<string, string> = {}) {
    const answer = await app.call('POST', `/v1/test/${ecosystem}`, { body, query })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }
  const find = (result: { issues: { vulnerabilities: Issue[] } }, id: string) =>
    result.issues.vulnerabilities.find((issue) => issue.id === id)!

  describe('yarn package tests', () => {
    for (const [kind, lock] of [
      ['yarn.lock (v1)', yarnV1],
      ['yarn.lock (version 8)', yarnBerry],
    ] as const) {
      test(`${kind}: finds the dependency path and the upgrade that the lock allows`, async () => {
        const result = await post('yarn', filesBody(packageJson, lock))
        assert.equal(result.ok, false)
        assert.equal(result.packageManager, 'yarn')
        assert.equal(result.dependencyCount, 2)
        assert.deepEqual(result.coverage.filesRead, ['package.json', kind])
        assert.equal(result.coverage.complete, true)
        assert.deepEqual(result.coverage.excluded, [{ reason: 'dev', packages: 1 }])
        const issue = find(result, 'GHSA-jf85-cpcp-j695')
        assert.deepEqual(issue.from, ['tool@1.0.0', 'lodash@4.17.4'])
        assert.deepEqual(issue.upgradePath, ['tool@1.0.0', 'lodash@4.17.21'])
        assert.deepEqual([issue.language, issue.packageManager, issue.isPinnable], ['js', 'yarn', false])
        assert.deepEqual(issue.semver, { vulnerable: ['<4.17.12'] })
      })
    }

    test('yarn project without a lock: versions are resolved', async () => {
      const result = await post('yarn', filesBody(packageJson))
      assert.equal(result.coverage.locked, false)
      assert.equal(result.coverage.complete, true)
      // The range leaves no room for the fix.
      assert.deepEqual(find(result, 'GHSA-jf85-cpcp-j695').upgradePath, [])
    })

    test('yarn.lock that disagrees with package.json: the difference is named, result not ok', async () => {
      const other = JSON.stringify({ name: 'p', dependencies: { tool: '^2.0.0' } })
      const { ok, coverage } = await post('yarn', filesBody(other, yarnV1.replaceAll('4.17.4', '4.17.21')))
      assert.equal(ok, false)
      assert.deepEqual(
        coverage.unresolved.map(({ name, code }: Record<string, string>) => [name, code]),
        [['tool', 'not-in-lockfile']],
      )
    })
  })

  describe('gomodules package tests', () => {
    test('standardLibrary=false: the standard library of Go is counted as excluded; other values are refused', async () => {
      const target = filesBody('module example.com/p\n\ngo 1.21.0\n')
      const call = (query: Record<string, string>) => app.call('POST', '/v1/test/gomodules', { body: target, query })
      assert.equal((await call({})).json().dependencyCount, 1)
      const { dependencyCount, coverage } = (await call({ standardLibrary: 'false' })).json()
      assert.deepEqual([dependencyCount, coverage.excluded], [0, [{ reason: 'standard-library', packages: 1 }]])
      assert.equal((await call({ standardLibrary: 'some' })).statusCode, 400)
    })
  })

  describe('govendor package tests', () => {
    test('vendor.json: finds advisories of a package’s module, without upgrades', async () => {
      const result = await post('govendor', filesBody(vendorJson({ versionExact: 'v3.2.0' })))
      assert.equal(result.packageManager, 'govendor')
      assert.equal(result.coverage.complete, true)
      const issue = find(result, 'GHSA-w73w-5m7g-f7qc')
      assert.deepEqual(issue.from, ['github.com/dgrijalva/jwt-go@v3.2.0+incompatible'])
      assert.deepEqual([issue.language, issue.packageManager], ['golang', 'golang'])
      assert.deepEqual([issue.upgradePath, issue.isUpgradable, issue.isPinnable], [[], false, false])
      assert.deepEqual(issue.semver, {
        vulnerable: ['>=0.0.0-20150717181359-44718f8a89b0'],
        hashesRange: [],
        vulnerableHashes: [],
      })
    })

    test('vendor.json with a commit: dated by its revisionTime', async () => {
      const result = await post('govendor', filesBody(vendorJson()))
      const { from } = find(result, 'GHSA-w73w-5m7g-f7qc')
      assert.deepEqual(from, ['github.com/dgrijalva/jwt-go@v0.0.0-20170118161356-0123456789ab'])
    })

    test('vendor.json with an undecidable commit: named, not ok unless partial results are accepted', async () => {
      const old = filesBody(vendorJson({ revisionTime: '2014-01-01T00:00:00Z' }))
      const result = await post('govendor', old)
      assert.deepEqual([result.ok, result.issues.vulnerabilities], [false, []])
      assert.deepEqual(
        result.coverage.unresolved.map(({ name, code }: Record<string, string>) => [name, code]),
        [['github.com/dgrijalva/jwt-go', 'version-unknown']],
      )
      assert.equal((await post('govendor', old, { acceptPartial: 'true' })).ok, true)
    })

    test('GET /v1/test/govendor: does not exist (404)', async () => {
      const answer = await app.call('GET', '/v1/test/govendor/github.com%2Fdgrijalva%2Fjwt-go/v3.2.0')
      assert.equal(answer.statusCode, 404)
    })
  })

  describe('rubygems package tests', () => {
    test('Gemfile.lock: finds the path and the smallest upgrade that the requirements allow', async () => {
      const result = await post('rubygems', filesBody(gemfileLock))
      assert.equal(result.packageManager, 'rubygems')
      assert.equal(result.dependencyCount, 3)
      assert.equal(result.coverage.complete, true)
      const issue = find(result, 'GHSA-65f5-mfpf-vfhj')
      assert.deepEqual(issue.from, ['redis-rack-cache@1.1', 'rack-cache@1.1', 'rack@2.0.1'])
      assert.deepEqual(issue.upgradePath, ['redis-rack-cache@1.1', 'rack-cache@1.1', 'rack@2.2.8'])
      assert.deepEqual([issue.language, issue.packageManager], ['ruby', 'rubygems'])
      assert.equal(issue.semver.vulnerable[0], '< 2.0.9.2')
    })

    test('Gemfile: resolved, and a statement that would have to run is named with its line', async () => {
      const result = await post('rubygems', filesBody('gem "rack-cache"\neval_gemfile "other"\n'))
      assert.deepEqual(find(result, 'GHSA-65f5-mfpf-vfhj').from, ['rack-cache@1.1', 'rack@2.0.1'])
      assert.equal(result.coverage.complete, false)
      const [unresolved] = result.coverage.unresolved
      assert.deepEqual([unresolved.code, unresolved.line], ['not-static', 2])
    })

    test('GET /v1/test/rubygems: tests a gem with its dependencies', async () => {
      const result = (await app.call('GET', '/v1/test/rubygems/rack-cache/1.1')).json()
      assert.deepEqual([result.packageManager, result.dependencyCount], ['rubygems', 2])
      assert.deepEqual(find(result, 'GHSA-65f5-mfpf-vfhj').from, ['rack-cache@1.1', 'rack@2.0.1'])
      const clean = (await app.call('GET', '/v1/test/rubygems/broken/1.0')).json()
      assert.deepEqual([clean.ok, clean.coverage.unresolved[0].code], [false, 'not-in-registry'])
    })

    for (const path of ['nothing-of-this-name/1.0', 'rack/99.0', 'rack/not-a-version', '..%2F..%2Fetc/1.0']) {
      test(`GET /v1/test/rubygems/${path}: returns 404 package-not-found`, async () => {
        const answer = await app.call('GET', `/v1/test/rubygems/${path}`)
        assert.equal(answer.statusCode, 404, answer.body)
        assert.equal(answer.json().errorCode, 'package-not-found')
      })
    }
  })

  const unreadable: [ecosystem: string, why: string, body: object, pointer: string][] = [
    ['yarn', 'a target of neither kind', filesBody('# nothing'), '/files/target/contents'],
    ['yarn', 'a truncated lock', filesBody(packageJson, yarnV1.slice(0, -12)), '/files/additional/0/contents'],
    ['yarn', 'an unresolved merge', filesBody(packageJson, `<<<<<<< HEAD\n${yarnV1}`), '/files/additional/0/contents'],
    ['govendor', 'a package.json', filesBody(packageJson), '/files/target/contents'],
    ['govendor', 'a truncated file', filesBody(vendorJson().slice(0, 60)), '/files/target/contents'],
    ['rubygems', 'a truncated lock', filesBody(gemfileLock.slice(0, 150)), '/files/target/contents'],
    ['rubygems', 'a package.json', filesBody(packageJson), '/files/target/contents'],
  ]
  for (const [ecosystem, why, body, pointer] of unreadable) {
    test(`POST /v1/test/${ecosystem}: refuses ${why} (400 manifest-unreadable)`, async () => {
      const answer = await app.call('POST', `/v1/test/${ecosystem}`, { body })
      assert.equal(answer.statusCode, 400, answer.body)
      assert.equal(answer.json().errorCode, 'manifest-unreadable')
      assert.equal(answer.json().faults[0].source.pointer, pointer)
    })
  }

  const bare: [ecosystem: string, body: object][] = [
    ['yarn', filesBody(JSON.stringify({ dependencies: { 'never-seen': '1' } }))],
    ['rubygems', filesBody('gem "never-seen"\n')],
  ]
  for (const ecosystem of ['yarn', 'govendor', 'rubygems']) {
    const refusals: [why: string, status: number, options: object][] = [
      ['a missing credential', 401, { key: null, body: filesBody('') }],
      ['a missing body', 400, {}],
      ['files without target', 400, { body: { files: {} } }],
      ['a repository parameter', 400, { body: filesBody(''), query: { repository: 'http://registry.example' } }],
      ['an unknown organization', 404, { body: filesBody(''), query: { org: 'nobody' } }],
    ]
    for (const [why, status, options] of refusals) {
      test(`POST /v1/test/${ecosystem}: refuses ${why} (${status})`, async () => {
        const answer = await app.call('POST', `/v1/test/${ecosystem}`, options)
        assert.equal(answer.statusCode, status, answer.body)
      })
    }

    test(`POST /v1/test/${ecosystem}: refuses a caller without org.package.test, and names it (403)`, async () => {
      const key = await app.keyWith(['org.read'])
      const answer = await app.call('POST', `/v1/test/${ecosystem}`, { key, body: filesBody('') })
      assert.equal(answer.statusCode, 403)
      assert.match(answer.json().message, /org\.package\.test/)
    })
  }

  test('yarn and rubygems tests with a failing registry: 502, or a partial result if accepted', async () => {
    npm.answerWith(500)
    gems.answerWith(500)
    for (const [ecosystem, body] of bare) {
      const answer = await app.call('POST', `/v1/test/${ecosystem}`, { body })
      assert.equal(answer.statusCode, 502, answer.body)
      assert.equal(answer.json().errorCode, 'registry-unreachable')
      const { coverage } = await post(ecosystem, body, { acceptPartial: 'true' })
      assert.equal(coverage.unresolved[0].code, 'registry-unreachable')
    }
  })
})
