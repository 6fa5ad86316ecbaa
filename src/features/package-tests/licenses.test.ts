import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startNpmRegistry } from '#test/registries/npm-registry.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

const text = (value: unknown) => JSON.stringify(value)

interface Locked {
  readonly version: string
  readonly license?: unknown
  readonly dependencies?: Record<string, string>
}

function project(dependencies: Record<string, string>, packages: Record<string, Locked>) {
  const manifest = { name: 'project', version: '1.0.0', dependencies }
  const entries = Object.entries(packages).map(([name, entry]) => [`node_modules/${name}`, entry])
  const lock = { lockfileVersion: 3, packages: { '': manifest, ...Object.fromEntries(entries) } }
  return { files: { target: { contents: text(manifest) }, additional: [{ contents: text(lock) }] } }
}

const mixed = project(
  { '@scope/free': '1', copyleft: '1', choice: '1' },
  {
    '@scope/free': { version: '1.0.0', license: 'MIT', dependencies: { copyleft: '1' } },
    copyleft: { version: '1.0.0', license: 'GPL-3.0' },
    choice: { version: '1.0.0', license: '(MIT OR GPL-3.0)' },
  },
)

onAnyEngine('license issues', (engine) => {
  let app: TestApp
  let registry: Awaited<ReturnType<typeof startNpmRegistry>>
  before(async () => {
    registry = await startNpmRegistry({
      silent: { '1.0.0': {} },
      told: { '1.0.0': { license: 'AGPL-3.0-or-later' }, '2.0.0': { license: { type: 'MIT' } } },
      parent: { '1.0.0': { license: 'MIT', dependencies: { told: '1.0.0' } } },
      odd: { '1.0.0': { license: 'Do as you please' } },
    })
    app = await startApp(engine, { GATEHOUSE_NPM_REGISTRY: registry.url, GATEHOUSE_TEST_WORKERS: '1' })
  })
  after(async () => {
    await app.close()
    await registry.close()
  })

  async function orgWith(attributes: object | undefined): Promise<string> {
    const org = await app.addOrg()
    if (attributes === undefined) return org
    const body = { data: { type: 'license_policy', attributes } }
    assert.equal((await app.call('PATCH', `/rest/orgs/${org}/license_policy`, { body })).statusCode, 200)
    return org
  }

  async function run(attributes: object | undefined, body: object, query: Record<string, string> = {}) {
    const org = await orgWith(attributes)
    const answer = await app.call('POST', '/v1/test/npm', { body, query: { org, ...query } })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }

  const deny = (license: string, severity = 'high', more: object = {}) => ({ rules: [{ license, severity, ...more }] })

  test('license issues: one for each path to a package, as documented', async () => {
    const result = await run(deny('GPL-3.0', 'medium', { instructions: 'Ask first.' }), mixed)
    assert.equal(result.ok, false)
    const [first, second, ...more] = result.issues.licenses
    assert.deepEqual(more, [])
    assert.deepEqual(first, {
      id: 'lic:npm:copyleft:GPL-3.0-only',
      url: 'https://spdx.org/licenses/GPL-3.0-only.html',
      title: 'GPL-3.0-only license',
      type: 'license',
      from: ['copyleft@1.0.0'],
      package: 'copyleft',
      version: '1.0.0',
      severity: 'medium',
      language: 'js',
      packageManager: 'npm',
      pathCount: 2,
      declaration: { file: 'package.json', line: 1 },
      semver: { vulnerable: ['>=0'] },
      license: 'GPL-3.0-only',
      declaredLicense: 'GPL-3.0',
      instructions: ['Ask first.'],
    })
    assert.deepEqual(second.from, ['@scope/free@1.0.0', 'copyleft@1.0.0'])
    assert.deepEqual(result.licensesPolicy, {
      severities: {},
      orgLicenseRules: {
        'GPL-3.0-only': { licenseType: 'GPL-3.0-only', severity: 'medium', instructions: 'Ask first.' },
      },
      unlistedSeverity: 'none',
      unknownSeverity: 'none',
    })
  })

  test('license issues without a denying policy: none, and licensesPolicy is null', async () => {
    for (const attributes of [undefined, deny('GPL-3.0', 'none')]) {
      const result = await run(attributes, mixed)
      assert.deepEqual([result.ok, result.issues.licenses, result.licensesPolicy], [true, [], null])
    }
  })

  test('license policy that lists allowed licenses: reports the others, the worst first', async () => {
    const rules = [
      { license: 'MIT', severity: 'none' },
      { license: 'GPL-3.0', severity: 'critical' },
    ]
    const body = project(
      { isc: '1', copyleft: '1', free: '1' },
      {
        isc: { version: '1.0.0', license: 'ISC' },
        copyleft: { version: '1.0.0', license: 'GPL-3.0-only' },
        free: { version: '1.0.0', license: 'MIT' },
      },
    )
    const { licenses } = (await run({ rules, unlisted_severity: 'low' }, body)).issues
    assert.deepEqual(
      licenses.map((license: Record<string, string>) => [license['package'], license['severity']]),
      [
        ['copyleft', 'critical'],
        ['isc', 'low'],
      ],
    )
  })

  test('license issue id of a scoped package: contains the scope as one part', async () => {
    const { licenses } = (await run(deny('MIT'), mixed)).issues
    assert.ok(licenses.some(({ id }: { id: string }) => id === 'lic:npm:@scope:free:MIT'))
  })

  describe('licenses that the files do not contain', () => {
    const untold = project({ told: '1', silent: '1' }, { told: { version: '1.0.0' }, silent: { version: '1.0.0' } })

    test('missing licenses: fetched from the registry if the organization has a policy', async () => {
      const result = await run({ ...deny('AGPL-3.0-or-later'), unknown_severity: 'low' }, untold)
      assert.deepEqual(
        result.issues.licenses.map((license: Record<string, unknown>) => [
          license['id'],
          license['severity'],
          license['license'],
        ]),
        [
          ['lic:npm:told:AGPL-3.0-or-later', 'high', 'AGPL-3.0-or-later'],
          ['lic:npm:silent:unknown', 'low', null],
        ],
      )
      const { licenses } = result.coverage
      assert.deepEqual(licenses, { known: 1, unknown: 1, unknownPackages: ['silent@1.0.0'], registryAsked: true })
    })

    test('missing licenses without a policy: not fetched, counted as unknown', async () => {
      const requestCount = registry.paths.length
      const result = await run(undefined, untold)
      assert.deepEqual(registry.paths.slice(requestCount), [])
      assert.equal(result.ok, true)
      const { licenses } = result.coverage
      assert.deepEqual(licenses, {
        known: 0,
        unknown: 2,
        unknownPackages: ['told@1.0.0', 'silent@1.0.0'],
        registryAsked: false,
      })
    })

    test('licenses of resolved packages: judged by the policy too', async () => {
      const org = await orgWith(deny('AGPL-3.0-or-later'))
      const result = (await app.call('GET', '/v1/test/npm/parent/1.0.0', { query: { org } })).json()
      assert.deepEqual(result.issues.licenses[0].from, ['parent@1.0.0', 'told@1.0.0'])
    })

    test('unrecognized license text: an unknown license', async () => {
      const body = project({ odd: '1' }, { odd: { version: '1.0.0' } })
      const result = await run({ unknown_severity: 'medium' }, body)
      assert.equal(result.issues.licenses[0].title, 'Unknown license')
      assert.equal(result.coverage.licenses.unknown, 1)
    })

    test('registry that fails to return licenses: they are unknown and coverage is incomplete', async () => {
      registry.answerWith(503)
      try {
        const body = project({ dark: '1' }, { dark: { version: '1.0.0' } })
        const result = await run({ unknown_severity: 'medium' }, body)
        assert.deepEqual(result.issues.licenses[0].id, 'lic:npm:dark:unknown')
        assert.match(result.coverage.boundsMet.join(), /Licenses that the files do not tell are not known: .*503/)
        // An unknown license may be denied, so the result is not clean although the policy allows unknown ones.
        const lenient = await run(deny('GPL-3.0'), body)
        assert.deepEqual([lenient.ok, lenient.issues.licenses, lenient.coverage.complete], [false, [], false])
        const accepted = await run(deny('GPL-3.0'), body, { acceptPartial: 'true' })
        assert.deepEqual([accepted.ok, accepted.coverage.complete], [true, false])
      } finally {
        registry.answerWith(200)
      }
    })
  })
})
