import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertCycloneDx, assertSarif } from '#test/documents/document-schemas.ts'
import { publishRecords, recordAgainst } from '#test/manifests/published-advisories.ts'
import { filesBody } from '#test/manifests/test-bodies.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

const purls = [
  'pkg:npm/twin@1.0.0',
  'pkg:pypi/twin@1.0.0',
  'pkg:maven/g/a@1.0',
  'pkg:gem/g@1.0',
  'pkg:golang/m.example/x@v1.0.0',
]

function billOf(components: readonly object[], more: object = {}): object {
  return { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, components, ...more }
}

function toComponent(purl: string): object {
  const [, type, rest] = /^pkg:(\w+)\/(.*)@/.exec(purl) ?? []
  return { type: 'library', 'bom-ref': purl, name: `${type} ${rest}`, purl }
}

onAnyEngine('package tests of bills of materials', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine, { advisoriesPollSeconds: 3600 })
    await publishRecords(app.parts, [
      recordAgainst('GHSA-npm', 'npm', 'twin', { fixed: '1.5.0', severity: 'HIGH' }),
      recordAgainst('PYSEC-pypi', 'PyPI', 'twin', { fixed: '1.6.0', severity: 'CRITICAL' }),
      recordAgainst('GHSA-maven', 'Maven', 'g:a', { fixed: '2.0', severity: 'LOW' }),
      recordAgainst('GHSA-gem', 'RubyGems', 'g', { fixed: '2.0', severity: 'LOW' }),
      recordAgainst('GO-1', 'Go', 'm.example/x', { fixed: '1.2.0', severity: 'LOW' }),
    ])
  })
  after(() => app.close())

  const send = async (bill: object | string, accept = 'application/json') => {
    const body = filesBody(typeof bill === 'string' ? bill : JSON.stringify(bill))
    const answer = await app.call('POST', '/v1/test/sbom', { body, headers: { accept } })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer
  }
  interface Found {
    id: string
    package: string
    version: string
    packageManager: string
    language: string
    isPinnable: boolean
    upgradePath: string[]
  }
  const findingsOf = (answer: Awaited<ReturnType<typeof send>>): string[] =>
    answer
      .json()
      .issues.vulnerabilities.map(
        (vulnerability: Found) =>
          `${vulnerability.id} ${vulnerability.packageManager} ${vulnerability.package}@${vulnerability.version}`,
      )
      .sort()

  test('bill of materials: matches the advisories of every registry, and tells packages of equal names apart', async () => {
    const answer = await send(billOf(purls.map(toComponent)))
    assert.deepEqual(findingsOf(answer), [
      'GHSA-gem rubygems g@1.0',
      'GHSA-maven maven g:a@1.0',
      'GHSA-npm npm twin@1.0.0',
      'GO-1 golang m.example/x@v1.0.0',
      'PYSEC-pypi pip twin@1.0.0',
    ])
    const { ok, packageManager, dependencyCount, coverage, issues } = answer.json()
    assert.deepEqual([ok, packageManager, dependencyCount, coverage.complete], [false, 'sbom', 5, true])
    assert.equal(coverage.advisories.records, 5)
    const [pip, npm] = issues.vulnerabilities as [Found, Found]
    assert.deepEqual([pip.isPinnable, pip.language], [true, 'python'])
    assert.deepEqual(npm.upgradePath, ['twin@1.5.0'])
  })

  test('bill of materials with an untestable component: result incomplete and not ok', async () => {
    const answer = await send(billOf([toComponent('pkg:npm/fine@1.0.0'), { type: 'library', name: 'unknown' }]))
    const { ok, coverage, issues } = answer.json()
    assert.deepEqual([ok, coverage.complete, issues.vulnerabilities], [false, false, []])
    assert.deepEqual(coverage.dependencies, { found: 2, resolved: 2, unresolved: 1 })
  })

  test('bill of materials: ok without issues, not ok without components', async () => {
    assert.equal((await send(billOf([toComponent('pkg:npm/fine@1.0.0')]))).json().ok, true)
    const { ok, coverage } = (await send(billOf([]))).json()
    assert.deepEqual([ok, coverage.complete], [false, false])
  })

  test('bill of materials: its CycloneDX and SARIF results are valid; a retest of the former finds the same', async () => {
    const bill = billOf([...purls.map(toComponent), { type: 'library', name: 'unknown', version: '1' }])
    const first = await send(bill)
    const cycloneDx = (await send(bill, 'application/vnd.cyclonedx+json')).json()
    assertCycloneDx(cycloneDx)
    assertSarif((await send(bill, 'application/sarif+json')).json())
    const again = await send(cycloneDx)
    assert.deepEqual(findingsOf(again), findingsOf(first))
    assert.equal(again.json().coverage.complete, false)
  })

  test('bill of materials: the license policy judges licenses of components', async () => {
    const attributes = { rules: [{ license: 'GPL-3.0-only', severity: 'high' }] }
    const body = { data: { type: 'license_policy', attributes } }
    const org = await app.addOrg()
    assert.equal((await app.call('PATCH', `/rest/orgs/${org}/license_policy`, { body })).statusCode, 200)
    const licenses = [{ license: { id: 'GPL-3.0-only' } }]
    const bill = billOf([{ ...toComponent('pkg:npm/fine@1.0.0'), licenses }])
    const answer = await app.call('POST', '/v1/test/sbom', { body: filesBody(JSON.stringify(bill)), query: { org } })
    assert.deepEqual(
      answer.json().issues.licenses.map(({ id }: Found) => id),
      ['lic:sbom:fine:GPL-3.0-only'],
    )
  })

  test('bill with packages of several registries: policies by ecosystem and package hide those of that registry', async () => {
    const condition = (field: string, value: string) => ({ field, operator: 'includes', value: [value] })
    for (const conditions of [[condition('ecosystem', 'Go')], [condition('package', 'npm/twin@<2')]]) {
      const action = { data: { ignore_type: 'wont-fix', reason: 'x' } }
      const conditions_group = { logical_operator: 'and', conditions }
      const attributes = { name: 'x', action_type: 'ignore', action, conditions_group }
      const body = { data: { type: 'policy', attributes } }
      const answer = await app.call('POST', `/rest/orgs/${app.orgId}/policies`, { body })
      assert.equal(answer.statusCode, 201, answer.body)
    }
    const ids = findingsOf(await send(billOf(purls.map(toComponent)))).map((finding) => finding.split(' ')[0])
    assert.deepEqual(ids.sort(), ['GHSA-gem', 'GHSA-maven', 'PYSEC-pypi'])
  })
})
