import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertCycloneDx, assertSarif } from '#test/documents/document-schemas.ts'
import { startNpmRegistry } from '#test/registries/npm-registry.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

const SARIF = 'application/sarif+json'
const CYCLONEDX = 'application/vnd.cyclonedx+json'

const text = (value: unknown) => JSON.stringify(value)

/** Two vulnerable copies, a scoped package, licenses of every kind, a cycle, an untestable git dependency. */
const manifest = {
  name: 'project',
  version: '1.0.0',
  dependencies: { lodash: '^4.17.0', tool: '^1.0.0', '@scope/thing': '1.0.0', elsewhere: 'github:user/elsewhere' },
}
const packages = {
  '': manifest,
  'node_modules/lodash': { version: '4.17.4', license: 'MIT' },
  'node_modules/tool': {
    version: '1.0.0',
    license: '(MIT OR GPL-3.0)',
    dependencies: { lodash: '~4.17.0', ring: '1' },
  },
  'node_modules/ring': { version: '1.0.0', license: 'GPL-3.0-only AND My Own', dependencies: { tool: '1' } },
  'node_modules/@scope/thing': { version: '1.0.0', license: 'SEE LICENSE IN x' },
  'node_modules/elsewhere': { version: '2.0.0', resolved: 'git+ssh://git@host.example/user/elsewhere.git#abc' },
}
const whole = {
  files: {
    target: { contents: text(manifest) },
    additional: [{ contents: text({ name: 'project', lockfileVersion: 3, packages }) }],
  },
}

onAnyEngine('SARIF and CycloneDX results', (engine) => {
  let app: TestApp
  let registry: Awaited<ReturnType<typeof startNpmRegistry>>
  before(async () => {
    registry = await startNpmRegistry({
      lodash: { '4.17.4': { license: 'MIT' }, '4.17.21': { license: 'MIT' } },
      fine: { '1.0.0': {} },
    })
    app = await startApp(engine, { GATEHOUSE_NPM_REGISTRY: registry.url, GATEHOUSE_TEST_WORKERS: '2' })
    const attributes = {
      rules: [{ license: 'GPL-3.0-only', severity: 'high', instructions: 'Ask *first*.' }],
      unknown_severity: 'low',
    }
    const body = { data: { type: 'license_policy', attributes } }
    assert.equal((await app.call('PATCH', `/rest/orgs/${app.orgId}/license_policy`, { body })).statusCode, 200)
  })
  after(async () => {
    await app.close()
    await registry.close()
  })

  const subjects: [what: string, ask: (accept: string) => ReturnType<TestApp['call']>][] = [
    ['a project', (accept) => app.call('POST', '/v1/test/npm', { body: whole, headers: { accept } })],
    ['a published package', (accept) => app.call('GET', '/v1/test/npm/lodash/4.17.4', { headers: { accept } })],
    ['a clean package', (accept) => app.call('GET', '/v1/test/npm/fine/1.0.0', { headers: { accept } })],
    [
      'vendored Go packages',
      (accept) => {
        const vendor = {
          package: [{ path: 'golang.org/x/text/language', revision: 'a'.repeat(40), version: 'v0.3.0' }],
        }
        const body = { files: { target: { contents: text(vendor) } } }
        return app.call('POST', '/v1/test/govendor', { body, headers: { accept } })
      },
    ],
  ]
  for (const [what, ask] of subjects) {
    test(`SARIF of ${what}: valid, and the same each time`, async () => {
      const [first, second] = [await ask(SARIF), await ask(SARIF)]
      assert.equal(first.statusCode, 200, first.body)
      assert.equal(first.headers['content-type'], `${SARIF}; charset=utf-8`)
      assert.equal(first.headers['vary'], 'accept')
      assertSarif(first.json())
      assert.equal(first.body, second.body)
    })

    test(`CycloneDX of ${what}: valid, and the same each time`, async () => {
      const [first, second] = [await ask(CYCLONEDX), await ask(CYCLONEDX)]
      assert.equal(first.statusCode, 200, first.body)
      assert.equal(first.headers['content-type'], `${CYCLONEDX}; charset=utf-8`)
      assertCycloneDx(first.json())
      assert.equal(first.body, second.body)
    })
  }

  describe('SARIF', () => {
    test('SARIF: has a rule for each issue, a result for each affected package, and what was not tested', async () => {
      const [run] = (await subjects[0]![1](SARIF)).json().runs
      const rules: { id: string; properties: Record<string, unknown> }[] = run.tool.driver.rules
      assert.equal(new Set(rules.map(({ id }) => id)).size, rules.length)
      const index = rules.findIndex(({ id }) => id === 'GHSA-jf85-cpcp-j695')
      assert.deepEqual(rules[index]!.properties['cve'], ['CVE-2019-10744'])
      assert.match(String(rules[index]!.properties['security-severity']), /^9\.\d$/)
      const results = run.results.filter(({ ruleId }: { ruleId: string }) => ruleId === 'GHSA-jf85-cpcp-j695')
      assert.equal(results.length, 1)
      const [{ ruleIndex, level, message, locations, properties }] = results
      assert.deepEqual([ruleIndex, level], [index, 'error'])
      assert.match(
        message.text,
        /lodash@4\.17\.4, through lodash@4\.17\.4 and 1 more path\. Fix: upgrade lodash 4\.17\.4 → 4\.17\.21\./,
      )
      assert.deepEqual(locations[0].physicalLocation, {
        artifactLocation: { uri: 'package.json' },
        region: { startLine: 1 },
      })
      assert.deepEqual(properties.paths, [['lodash@4.17.4'], ['tool@1.0.0', 'lodash@4.17.4']])
      const license = run.results.find(({ ruleId }: { ruleId: string }) => ruleId === 'lic:npm:ring:GPL-3.0-only')
      assert.equal(license.level, 'error')
      const [{ toolExecutionNotifications }] = run.invocations
      assert.match(toolExecutionNotifications[0].message.text, /^elsewhere github:user\/elsewhere.* was not tested: /)
      assert.equal(run.properties.ok, false)
      assert.equal(run.properties.coverage.complete, false)
    })

    test('SARIF of a published package: names no file', async () => {
      const [run] = (await subjects[1]![1](SARIF)).json().runs
      assert.equal(run.results[0].locations[0].physicalLocation, undefined)
      assert.equal(run.results[0].locations[0].logicalLocations[0].fullyQualifiedName, 'lodash@4.17.4')
    })
  })

  describe('CycloneDX', () => {
    test('CycloneDX: lists components with licenses, dependencies, and vulnerabilities with affected versions', async () => {
      const bom = (await subjects[0]![1](CYCLONEDX)).json()
      const component = (name: string) => bom.components.find((component: { name: string }) => component.name === name)
      assert.deepEqual(component('lodash').licenses, [{ expression: 'MIT' }])
      assert.deepEqual(component('tool').licenses, [{ expression: 'MIT OR GPL-3.0-only' }])
      assert.deepEqual(component('ring').licenses, [{ license: { name: 'GPL-3.0-only AND My Own' } }])
      assert.deepEqual(component('ring').properties, [
        { name: 'gatehouse:licenseIssue', value: 'high: GPL-3.0-only license' },
        { name: 'gatehouse:licenseIssue', value: 'low: Unknown license' },
      ])
      assert.deepEqual([component('thing').group, component('thing').purl], ['@scope', 'pkg:npm/%40scope/thing@1.0.0'])
      const dependsOn = Object.fromEntries(
        bom.dependencies.map((dependency: { ref: string; dependsOn?: string[] }) => [
          dependency.ref,
          dependency.dependsOn,
        ]),
      )
      assert.deepEqual(dependsOn, {
        project: ['@scope/thing@1.0.0', 'elsewhere@2.0.0', 'lodash@4.17.4', 'tool@1.0.0'],
        'lodash@4.17.4': undefined,
        'tool@1.0.0': ['lodash@4.17.4', 'ring@1.0.0'],
        'ring@1.0.0': ['tool@1.0.0'],
        '@scope/thing@1.0.0': undefined,
        'elsewhere@2.0.0': undefined,
      })
      assert.deepEqual(bom.compositions, [{ aggregate: 'incomplete', dependencies: ['project'] }])
      const vulnerability = bom.vulnerabilities.find(({ id }: { id: string }) => id === 'GHSA-jf85-cpcp-j695')
      assert.deepEqual(vulnerability.affects, [
        { ref: 'lodash@4.17.4', versions: [{ version: '4.17.4', status: 'affected' }] },
      ])
      assert.equal(vulnerability.ratings[0].severity, 'critical')
      assert.match(vulnerability.recommendation, /: upgrade lodash 4\.17\.4 → 4\.17\.21/)
      assert.ok(vulnerability.references.some(({ id }: { id: string }) => id === 'CVE-2019-10744'))
    })

    test('CycloneDX component of npm: keeps the case of its name', async () => {
      const lock = { lockfileVersion: 3, packages: { 'node_modules/JSONStream': { version: '1.3.5' } } }
      const body = {
        files: {
          target: { contents: text({ dependencies: { JSONStream: '1' } }) },
          additional: [{ contents: text(lock) }],
        },
      }
      const bom = (await app.call('POST', '/v1/test/npm', { body, headers: { accept: CYCLONEDX } })).json()
      const [{ name, purl }] = bom.components
      assert.deepEqual([name, purl], ['JSONStream', 'pkg:npm/JSONStream@1.3.5'])
    })

    test('CycloneDX: each content has its own serial number', async () => {
      const serials = await Promise.all(subjects.map(async ([, ask]) => (await ask(CYCLONEDX)).json().serialNumber))
      assert.equal(new Set(serials).size, subjects.length)
      for (const serial of serials)
        assert.match(serial, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
    })
  })

  for (const accept of ['text/html', 'application/xml', `${CYCLONEDX}; version=1.4`, 'application/json;q=0']) {
    test(`package tests with Accept ${accept}: refused (406 not-acceptable)`, async () => {
      for (const [method, path] of [
        ['POST', '/v1/test/npm'],
        ['GET', '/v1/test/npm/lodash/4.17.4'],
      ] as const) {
        const options = { headers: { accept }, ...(method === 'POST' && { body: whole }) }
        const answer = await app.call(method, path, options)
        assert.equal(answer.statusCode, 406, answer.body)
        assert.equal(answer.json().errorCode, 'not-acceptable')
        assert.deepEqual(answer.json().faults[0].source, { header: 'accept' })
      }
    })
  }
})
