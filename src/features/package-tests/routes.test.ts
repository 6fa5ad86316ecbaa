import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { startNpmRegistry } from '#test/registries/npm-registry.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

/** A project with lodash 4.17.4, vulnerable in the starter set, twice: directly and below `tool`. */
const manifest = {
  name: 'project',
  version: '1.0.0',
  dependencies: { lodash: '^4.17.0', tool: '^1.0.0' },
  devDependencies: { minimist: '^1.2.0' },
}
const lock = {
  name: 'project',
  version: '1.0.0',
  lockfileVersion: 3,
  packages: {
    '': manifest,
    'node_modules/lodash': { version: '4.17.4' },
    'node_modules/tool': { version: '1.0.0', dependencies: { lodash: '~4.17.0' } },
    'node_modules/minimist': { version: '1.2.0', dev: true },
  },
}
const text = (value: unknown) => JSON.stringify(value)
const base64 = (value: unknown) => Buffer.from(text(value)).toString('base64')
const whole = { files: { target: { contents: text(manifest) }, additional: [{ contents: text(lock) }] } }
const clean = {
  files: {
    target: { contents: text({ name: 'clean', version: '1.0.0', dependencies: { fine: '^1.0.0' } }) },
    additional: [
      {
        contents: text({
          name: 'clean',
          lockfileVersion: 3,
          packages: { '': { dependencies: { fine: '^1.0.0' } }, 'node_modules/fine': { version: '1.0.0' } },
        }),
      },
    ],
  },
}

onEveryEngine('package tests', (engine) => {
  let app: TestApp
  let registry: Awaited<ReturnType<typeof startNpmRegistry>>
  before(async () => {
    registry = await startNpmRegistry({
      lodash: { '4.17.4': {}, '4.17.21': {} },
      tool: { '1.0.0': { dependencies: { lodash: '~4.17.0' } } },
      '@scope/thing': { '2.0.0': { dependencies: { lodash: '4.17.4' } } },
      broken: { '1.0.0': { dependencies: { gone: '^1.0.0' } } },
    })
    app = await startApp(engine, {
      GATEHOUSE_NPM_REGISTRY: registry.url,
      GATEHOUSE_TEST_WORKERS: '1',
      registryMaxAgeMinutes: 0,
    })
  })
  after(async () => {
    await app.close()
    await registry.close()
  })

  describe('POST /v1/test/npm', () => {
    test('npm project: finds every path to a vulnerable package and reports it as documented', async () => {
      const answer = await app.call('POST', '/v1/test/npm', { body: whole })
      assert.equal(answer.statusCode, 200)
      const result = answer.json()
      assert.equal(result.ok, false)
      assert.equal(result.packageManager, 'npm')
      assert.equal(result.dependencyCount, 2)
      assert.deepEqual(result.org, { id: app.orgId, name: 'Default organization' })
      assert.equal(result.licensesPolicy, null)
      assert.deepEqual(result.issues.licenses, [])
      const matches = result.issues.vulnerabilities.filter(({ id }: { id: string }) => id === 'GHSA-jf85-cpcp-j695')
      assert.deepEqual(
        matches.map((issue: Record<string, unknown>) => [issue['from'], issue['upgradePath'], issue['isUpgradable']]),
        [
          [['lodash@4.17.4'], ['lodash@4.17.21'], true],
          [['tool@1.0.0', 'lodash@4.17.4'], ['tool@1.0.0', 'lodash@4.17.21'], true],
        ],
      )
      assert.equal(matches[0].severity, 'critical')
      assert.deepEqual(matches[0].identifiers.CVE, ['CVE-2019-10744'])
      assert.equal(matches[0].language, 'js')
      assert.deepEqual(matches[0].semver, { vulnerable: ['<4.17.12'] })
    })

    test('npm findings: have a numeric score with its basis, times with milliseconds, equally long paths', async () => {
      const { issues } = (await app.call('POST', '/v1/test/npm', { body: whole })).json()
      const bases = new Set<string>()
      for (const vulnerability of issues.vulnerabilities) {
        bases.add(vulnerability.cvssScoreBasis)
        assert.equal(typeof vulnerability.cvssScore, 'number', vulnerability.id)
        assert.equal(
          vulnerability.cvssScoreBasis === 'vector',
          Boolean(vulnerability.CVSSv3 || vulnerability.CVSSv2 || vulnerability.CVSSv4),
          vulnerability.id,
        )
        for (const time of [vulnerability.publicationTime, vulnerability.disclosureTime])
          assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        assert.ok([0, vulnerability.from.length].includes(vulnerability.upgradePath.length), vulnerability.id)
      }
      assert.ok(bases.has('vector'))
    })

    test('npm project: coverage and headers say what was tested, with the starter set', async () => {
      const answer = await app.call('POST', '/v1/test/npm', { body: whole })
      const { coverage } = answer.json()
      assert.equal(coverage.complete, true)
      assert.equal(coverage.locked, true)
      assert.deepEqual(coverage.filesRead, ['package.json', 'package-lock.json (lockfileVersion 3)'])
      assert.deepEqual(coverage.dependencies, { found: 2, resolved: 2, unresolved: 0 })
      assert.deepEqual(coverage.excluded, [{ reason: 'dev', packages: 1 }])
      assert.equal(coverage.advisories.starterSet, true)
      assert.equal(answer.headers['gatehouse-coverage'], 'complete')
      assert.equal(answer.headers['gatehouse-advisories'], coverage.advisories.digest)
      assert.equal(answer.headers['gatehouse-advisories-set'], 'starter')
    })

    test('npm test: the same input and advisories give the same bytes', async () => {
      const bodies = await Promise.all(
        [1, 2, 3].map(async () => (await app.call('POST', '/v1/test/npm', { body: whole })).body),
      )
      assert.equal(new Set(bodies).size, 1)
    })

    test('npm test with includeDev: tests development dependencies too', async () => {
      const result = (await app.call('POST', '/v1/test/npm', { body: whole, query: { includeDev: 'true' } })).json()
      assert.equal(result.dependencyCount, 3)
      assert.ok(result.issues.vulnerabilities.some((issue: { package: string }) => issue.package === 'minimist'))
    })

    test('npm project without issues: ok', async () => {
      const result = (await app.call('POST', '/v1/test/npm', { body: clean })).json()
      assert.equal(result.ok, true)
      assert.deepEqual(result.issues.vulnerabilities, [])
    })

    const shapes: [shape: string, body: object][] = [
      [
        'base64',
        {
          encoding: 'base64',
          files: { target: { contents: base64(manifest) }, additional: [{ contents: base64(lock) }] },
        },
      ],
      [
        'additional as one object',
        { files: { target: { contents: text(manifest) }, additional: { contents: text(lock) } } },
      ],
      ['the lockfile as target', { files: { target: { contents: text(lock) } } }],
      ['undocumented members', { ...whole, displayTargetFile: 'package.json' }],
    ]
    for (const [shape, body] of shapes) {
      test(`POST /v1/test/npm: accepts ${shape}`, async () => {
        const answer = await app.call('POST', '/v1/test/npm', { body })
        assert.equal(answer.statusCode, 200, answer.body)
        assert.equal(answer.json().dependencyCount, 2)
      })
    }

    test('POST /api/v1/test/npm: accepts a gzipped body', async () => {
      const answer = await app.server.inject({
        method: 'POST',
        url: '/api/v1/test/npm',
        headers: { authorization: app.adminKey, 'content-type': 'application/json', 'content-encoding': 'gzip' },
        payload: gzipSync(text(whole)),
      })
      assert.equal(answer.statusCode, 200, answer.body)
    })

    test('POST /v1/test/npm: accepts an id or a slug as org', async () => {
      const orgId = await app.addOrg()
      for (const org of [orgId, `org-${orgId}`]) {
        const answer = await app.call('POST', '/v1/test/npm', { body: clean, query: { org } })
        assert.equal(answer.json().org.id, orgId)
      }
    })

    const unreadable: [why: string, body: object, pointer: string][] = [
      ['a target that is not JSON', { files: { target: { contents: '{"name": ' } } }, '/files/target/contents'],
      ['a target that is a list', { files: { target: { contents: '[]' } } }, '/files/target/contents'],
      [
        'a lockfile that is not JSON',
        { files: { target: { contents: text(manifest) }, additional: [{ contents: '{' }] } },
        '/files/additional/0/contents',
      ],
      [
        'invalid base64',
        { encoding: 'base64', files: { target: { contents: 'not base64!' } } },
        '/files/target/contents',
      ],
      [
        'base64 of invalid UTF-8',
        { encoding: 'base64', files: { target: { contents: '/////w==' } } },
        '/files/target/contents',
      ],
    ]
    for (const [why, body, pointer] of unreadable) {
      test(`POST /v1/test/npm: refuses ${why} (400 manifest-unreadable)`, async () => {
        const answer = await app.call('POST', '/v1/test/npm', { body })
        assert.equal(answer.statusCode, 400, answer.body)
        const { code, errorCode, message, error, faults } = answer.json()
        assert.equal(code, 400)
        assert.equal(errorCode, 'manifest-unreadable')
        assert.equal(error, message)
        assert.equal(faults[0].source.pointer, pointer)
      })
    }

    const refusals: [why: string, status: number, options: object][] = [
      ['a missing credential', 401, { key: null, body: whole }],
      ['an unknown key', 401, { key: 'b2a0d0de-0000-4000-8000-000000000000', body: whole }],
      ['a missing body', 400, {}],
      ['a body without files', 400, { body: {} }],
      ['files without target', 400, { body: { files: {} } }],
      ['contents that are not a string', 400, { body: { files: { target: { contents: 1 } } } }],
      ['an unknown encoding', 400, { body: { ...whole, encoding: 'utf16' } }],
      ['a body that is not JSON', 400, { body: '{' }],
      ['another media type', 415, { body: 'x', headers: { 'content-type': 'text/plain' } }],
      ['an unknown organization', 404, { body: whole, query: { org: 'b2a0d0de-0000-4000-8000-000000000000' } }],
      ['an unknown slug', 404, { body: whole, query: { org: 'nobody' } }],
      ['an unknown parameter', 400, { body: whole, query: { orgg: 'x' } }],
    ]
    for (const [why, status, options] of refusals) {
      test(`POST /v1/test/npm: refuses ${why} (${status})`, async () => {
        const answer = await app.call('POST', '/v1/test/npm', options)
        assert.equal(answer.statusCode, status, answer.body)
        assert.equal(answer.json().code, status)
        assert.equal(typeof answer.json().message, 'string')
      })
    }

    test('POST /v1/test/npm: refuses a caller without org.package.test, and names it (403)', async () => {
      const key = await app.keyWith(['org.read'])
      const answer = await app.call('POST', '/v1/test/npm', { key, body: whole })
      assert.equal(answer.statusCode, 403)
      assert.match(answer.json().message, /org\.package\.test/)
    })

    test('POST /v1/test/npm: returns 404 for an organization of another group', async () => {
      const orgId = await app.addOrg({ groupId: await app.addGroup() })
      const key = await app.keyWith(['org.read', 'org.package.test'])
      assert.equal(
        (await app.call('POST', '/v1/test/npm', { key, body: whole, query: { org: orgId } })).statusCode,
        404,
      )
    })
  })

  describe('npm projects without a lockfile', () => {
    const bare = (dependencies: Record<string, string>) => ({
      files: { target: { contents: text({ name: 'bare', dependencies }) } },
    })

    test('npm project without a lockfile: dependencies are resolved from the registry', async () => {
      const answer = await app.call('POST', '/v1/test/npm', { body: bare({ lodash: '4.17.4', tool: '^1.0.0' }) })
      assert.equal(answer.statusCode, 200, answer.body)
      const result = answer.json()
      assert.equal(result.coverage.locked, false)
      assert.equal(result.coverage.complete, true)
      assert.ok(
        result.issues.vulnerabilities.some(
          ({ from }: { from: string[] }) => from.join() === 'tool@1.0.0,lodash@4.17.4',
        ),
      )
    })

    test('npm dependency that the registry does not have: named, result not ok', async () => {
      const result = (await app.call('POST', '/v1/test/npm', { body: bare({ broken: '1.0.0' }) })).json()
      assert.equal(result.ok, false)
      assert.equal(result.coverage.complete, false)
      assert.deepEqual(
        result.coverage.unresolved.map((dependency: Record<string, string>) => [
          dependency['name'],
          dependency['code'],
          dependency['requiredBy'],
        ]),
        [['gone', 'not-in-registry', 'broken@1.0.0']],
      )
    })

    test('npm project with an unresolved dependency: ok if partial results are accepted', async () => {
      const result = (
        await app.call('POST', '/v1/test/npm', { body: bare({ broken: '1.0.0' }), query: { acceptPartial: 'true' } })
      ).json()
      assert.equal(result.ok, true)
      assert.equal(result.coverage.complete, false)
    })
  })

  describe('GET /v1/test/npm/{packageName}/{version}', () => {
    test('GET /v1/test/npm: tests a package with its dependencies', async () => {
      const result = (await app.call('GET', '/v1/test/npm/tool/1.0.0')).json()
      assert.equal(result.packageManager, 'npm')
      assert.equal(result.dependencyCount, 2)
    })

    test('GET /v1/test/npm: accepts an encoded scoped name', async () => {
      const result = (await app.call('GET', '/v1/test/npm/%40scope%2Fthing/2.0.0')).json()
      assert.deepEqual(result.issues.vulnerabilities[0].from, ['@scope/thing@2.0.0', 'lodash@4.17.4'])
    })

    test('GET /v1/test/npm: returns the upgrade of the package itself', async () => {
      const { issues } = (await app.call('GET', '/v1/test/npm/lodash/4.17.4')).json()
      const issue = issues.vulnerabilities.find(({ id }: { id: string }) => id === 'GHSA-jf85-cpcp-j695')
      assert.deepEqual([issue.from, issue.upgradePath], [['lodash@4.17.4'], ['lodash@4.17.21']])
    })

    for (const path of ['nothing-of-this-name/1.0.0', 'lodash/99.0.0', 'lodash/not-a-version', '..%2F..%2Fetc/1.0.0']) {
      test(`GET /v1/test/npm/${path}: returns 404 package-not-found`, async () => {
        const answer = await app.call('GET', `/v1/test/npm/${path}`)
        assert.equal(answer.statusCode, 404, answer.body)
        assert.equal(answer.json().errorCode, 'package-not-found')
      })
    }

    test('GET /v1/test/npm without a credential: refused (401)', async () => {
      assert.equal((await app.call('GET', '/v1/test/npm/lodash/4.17.4', { key: null })).statusCode, 401)
    })
  })

  test('npm test with a failing registry: 502 for unknown packages, cached answers still serve', async () => {
    registry.answerWith(500)
    const cached = await app.call('GET', '/v1/test/npm/lodash/4.17.4')
    assert.equal(cached.statusCode, 200, 'from the cache')
    const body = { files: { target: { contents: text({ name: 'bare', dependencies: { 'never-seen': '^1.0.0' } }) } } }
    const unknown = await app.call('POST', '/v1/test/npm', { body })
    assert.equal(unknown.statusCode, 502, unknown.body)
    assert.equal(unknown.json().errorCode, 'registry-unreachable')
    assert.match(unknown.json().message, /acceptPartial=true/)
    const partial = (await app.call('POST', '/v1/test/npm', { body, query: { acceptPartial: 'true' } })).json()
    assert.equal(partial.coverage.unresolved[0].code, 'registry-unreachable')
    // A package of the starter set that this registry was never asked for.
    const unasked = '/v1/test/npm/kind-of/6.0.2'
    assert.equal((await app.call('GET', unasked)).statusCode, 502)
    const itself = (await app.call('GET', unasked, { query: { acceptPartial: 'true' } })).json()
    assert.equal(itself.ok, false, 'known to be vulnerable, whatever it depends on')
    assert.deepEqual(itself.issues.vulnerabilities[0].from, ['kind-of@6.0.2'])
    assert.equal(itself.coverage.complete, false)
    const pinned = { files: { target: { contents: text({ name: 'bare', dependencies: { 'kind-of': '6.0.2' } }) } } }
    const bare = (await app.call('POST', '/v1/test/npm', { body: pinned, query: { acceptPartial: 'true' } })).json()
    assert.equal(bare.ok, false, 'pinned at a version that is known to be vulnerable')
    registry.answerWith(200)
  })
})
