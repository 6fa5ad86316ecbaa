import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createProjectTester } from '#features/issue-index/recording/run-project-test.ts'
import { assertCycloneDx } from '#test/documents/document-schemas.ts'
import { publishRecords, recordAgainst } from '#test/manifests/published-advisories.ts'
import { filesBody } from '#test/manifests/test-bodies.ts'
import { record } from '#test/projects/stored-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

const library = (ref: string, purl: string | undefined, more: object = {}) => ({
  type: 'library',
  'bom-ref': ref,
  name: ref,
  version: '1.0.0',
  ...(purl !== undefined && { purl }),
  ...more,
})

/** Lists packages of the same name in two registries, nested, and a package of no registry. */
const bill = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  metadata: { component: { type: 'application', 'bom-ref': 'shop', name: 'shop' } },
  components: [
    library('a', 'pkg:npm/twin@1.0.0', { licenses: [{ expression: 'MIT' }] }),
    library('b', 'pkg:pypi/twin@1.0.0', { licenses: [{ expression: 'GPL-3.0-only' }] }),
    library('c', 'pkg:maven/g/c@1.0'),
    library('own', undefined),
  ],
  dependencies: [
    { ref: 'shop', dependsOn: ['a', 'c', 'own'] },
    { ref: 'a', dependsOn: ['b'] },
  ],
}

onEveryEngine('stored projects of a bill of materials', (engine) => {
  let app: TestApp
  let projectId: string
  before(async () => {
    app = await startApp(engine, { advisoriesPollSeconds: 3600 })
    await publishRecords(app.parts, [
      recordAgainst('GHSA-npm', 'npm', 'twin', { fixed: '1.5.0', severity: 'HIGH' }),
      recordAgainst('PYSEC-pypi', 'PyPI', 'twin', { fixed: '1.6.0', severity: 'CRITICAL' }),
      recordAgainst('GHSA-maven', 'Maven', 'g:c', { fixed: '2.0', severity: 'LOW' }),
    ])
    const { services, tests } = app.parts
    const source = { kind: 'files', target: JSON.stringify(bill), additional: [], encoding: 'plain' } as const
    const outcome = await createProjectTester(services, tests).test(app.orgId, { ecosystem: 'sbom', subject: source })
    if ('problem' in outcome) throw outcome.problem
    projectId = (await record(services.db, { orgId: app.orgId, test: outcome.test, source, file: 'bom.json' }))
      .projectId
  })
  after(() => app.close())

  const v1 = () => `/v1/org/${app.orgId}/project/${projectId}`
  interface Issue {
    id: string
    pkgName: string
    isIgnored: boolean
    issueData: { language: string }
    fixInfo: { isPinnable: boolean; nearestFixedInVersion: string }
  }
  const issuesOf = async (): Promise<Issue[]> =>
    (await app.call('POST', `${v1()}/aggregated-issues`, { body: {} })).json().issues

  test('project of a bill: lists issues by the registry of each package, with language and fix', async () => {
    const listed = (await issuesOf()).map(({ id, pkgName, issueData, fixInfo }) =>
      [id, pkgName, issueData.language, fixInfo.nearestFixedInVersion, fixInfo.isPinnable].join(' '),
    )
    assert.deepEqual(listed, [
      'PYSEC-pypi twin python 1.6.0 true',
      'GHSA-npm twin js 1.5.0 false',
      'GHSA-maven g:c java 2.0 false',
    ])
    const paths = (await app.call('GET', `${v1()}/issue/PYSEC-pypi/paths`)).json().paths
    assert.deepEqual(
      paths.map((path: { name: string }[]) => path.map(({ name }) => name)),
      [['twin', 'twin']],
    )
  })

  test('project of a bill: dependencies show their registries; the coverage lists unpublished packages', async () => {
    const answer = await app.call('POST', `/v1/org/${app.orgId}/dependencies`, { body: {} })
    const issues = answer.json().results.map((result: Record<string, string>) => `${result['type']} ${result['id']}`)
    assert.deepEqual(issues.sort(), ['maven g:c@1.0', 'npm twin@1.0.0', 'pip twin@1.0.0'])
    const coverage = (await app.call('GET', `/rest/orgs/${app.orgId}/projects/${projectId}/coverage`)).json()
    const { complete, unresolved } = coverage.data.attributes
    assert.deepEqual([complete, unresolved.map(({ name }: { name: string }) => name)], [false, ['own']])
  })

  test('project of a bill: its own SBOM gives the same findings when tested', async () => {
    for (const format of ['cyclonedx1.4+json', 'cyclonedx1.5+xml', 'cyclonedx1.6+json', 'spdx2.3+json']) {
      const query = { format }
      const written = await app.call('GET', `/rest/orgs/${app.orgId}/projects/${projectId}/sbom`, {
        query,
        headers: { accept: '*/*' },
      })
      if (format.startsWith('cyclonedx') && format.endsWith('json'))
        assertCycloneDx(written.json(), format.slice(9, 12))
      const again = await app.call('POST', '/v1/test/sbom', { body: filesBody(written.body) })
      assert.equal(again.statusCode, 200, again.body)
      const { issues, coverage, dependencyCount } = again.json()
      assert.deepEqual(
        issues.vulnerabilities.map(({ id, from }: { id: string; from: string[] }) => `${id} ${from.join(' > ')}`),
        ['PYSEC-pypi twin@1.0.0 > twin@1.0.0', 'GHSA-npm twin@1.0.0', 'GHSA-maven g:c@1.0'],
        format,
      )
      assert.deepEqual([coverage.complete, dependencyCount], [false, 4], format)
    }
  })

  test('project of a bill: new advisories match its packages', async () => {
    await publishRecords(app.parts, [
      recordAgainst('GHSA-npm', 'npm', 'twin', { fixed: '1.5.0', severity: 'HIGH' }),
      recordAgainst('PYSEC-pypi', 'PyPI', 'twin', { fixed: '1.6.0', severity: 'CRITICAL' }),
      recordAgainst('GHSA-maven', 'Maven', 'g:c', { fixed: '2.0', severity: 'LOW' }),
      recordAgainst('PYSEC-new', 'PyPI', 'twin', { fixed: '3.0', severity: 'LOW' }),
    ])
    await app.parts.matcher.run()
    assert.deepEqual(
      (await issuesOf()).map(({ id }) => id),
      ['PYSEC-pypi', 'GHSA-npm', 'GHSA-maven', 'PYSEC-new'],
    )
  })

  test('project of a bill: an ignore applies to the named issue only', async () => {
    const body = { reasonType: 'not-vulnerable', reason: 'r', disregardIfFixable: false }
    assert.equal((await app.call('POST', `${v1()}/ignore/GHSA-npm`, { body })).statusCode, 200)
    const ignored = (await issuesOf()).filter(({ isIgnored }) => isIgnored)
    assert.deepEqual(
      ignored.map(({ id }) => id),
      ['GHSA-npm'],
    )
  })
})
