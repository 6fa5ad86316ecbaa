import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { listOf, parseXml, textOf } from '#analysis/documents/xml.ts'
import { assertRefusal, testRefusals } from '#test/access/refusals.ts'
import { assertCycloneDx, assertSarif } from '#test/documents/document-schemas.ts'
import { addProjectRow } from '#test/projects/project-rows.ts'
import { addProject, LODASH_ISSUE, startShopApp } from '#test/projects/projects.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import type { TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { formatNames } from './formats.ts'

const PURL = 'pkg:npm/lodash@4.17.4'

onEveryEngine('SBOM of a project', (engine) => {
  let app: TestApp
  let projectId: string
  before(async () => {
    app = await startShopApp(engine)
    projectId = (await addProject(app)).projectId
    const policy = { rules: [{ license: 'GPL-3.0-only', severity: 'high' }] }
    const body = { data: { type: 'license_policy', attributes: policy } }
    assert.equal((await app.call('PATCH', `/rest/orgs/${app.orgId}/license_policy`, { body })).statusCode, 200)
  })
  after(() => app.close())

  const path = (id = projectId, orgId = app.orgId) => `/rest/orgs/${orgId}/projects/${id}/sbom`
  const read = async (format: string, query: Record<string, string> = {}, id = projectId) => {
    const answer = await app.call('GET', path(id), { query: { ...query, format }, headers: { accept: '*/*' } })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer
  }
  const ignore = async (issue: string, body: object, id = projectId) => {
    const answer = await app.call('POST', `/v1/org/${app.orgId}/project/${id}/ignore/${issue}`, { body })
    assert.equal(answer.statusCode, 200, answer.body)
  }

  for (const version of ['1.4', '1.5', '1.6']) {
    test(`CycloneDX ${version}: matches its schema and is reproducible`, async () => {
      const [first, second] = [await read(`cyclonedx${version}+json`), await read(`cyclonedx${version}+json`)]
      assert.equal(first.headers['content-type'], 'application/vnd.cyclonedx+json')
      assert.equal(first.headers['snyk-version-served'], '2024-08-22')
      assert.equal(first.body, second.body)
      const bom = first.json()
      assert.equal(bom.specVersion, version)
      assertCycloneDx(bom, version)
    })

    test(`CycloneDX ${version}: XML has the same components, relations and vulnerabilities`, async () => {
      const answer = await read(`cyclonedx${version}+xml`)
      assert.equal(answer.headers['content-type'], 'application/vnd.cyclonedx+xml')
      const bom = parseXml({ file: 'target', text: answer.body })
      const json = (await read(`cyclonedx${version}+json`)).json()
      assert.deepEqual(
        listOf(bom, 'components', 'component').map((component) => textOf(component, 'purl')),
        json.components.map(({ purl }: { purl: string }) => purl),
      )
      assert.equal(listOf(bom, 'dependencies', 'dependency').length, json.dependencies.length)
      assert.deepEqual(
        listOf(bom, 'vulnerabilities', 'vulnerability').map((element) => textOf(element, 'id')),
        json.vulnerabilities.map(({ id }: { id: string }) => id),
      )
    })
  }

  test('CycloneDX: components have canonical purls and licenses; relations start at the project', async () => {
    const bom = (await read('cyclonedx1.6+json')).json()
    const { timestamp, component, properties } = bom.metadata
    const tested = await app.call('GET', `/v1/org/${app.orgId}/project/${projectId}`)
    assert.equal(timestamp, tested.json().lastTestedDate)
    assert.equal(component['bom-ref'], 'project')
    assert.ok(properties.some((property: object) => JSON.stringify(property).includes(projectId)))
    const [lodash, tool] = bom.components
    assert.deepEqual([lodash.purl, lodash.licenses], [PURL, [{ expression: 'MIT' }]])
    assert.deepEqual(tool.properties, [{ name: 'gatehouse:licenseIssue', value: 'high: GPL-3.0-only license' }])
    assert.deepEqual(bom.dependencies, [
      { ref: 'project', dependsOn: ['lodash@4.17.4', 'tool@1.0.0'] },
      { ref: 'lodash@4.17.4' },
      { ref: 'tool@1.0.0', dependsOn: ['lodash@4.17.4'] },
    ])
    const vulnerability = bom.vulnerabilities.find(({ id }: { id: string }) => id === LODASH_ISSUE)
    assert.deepEqual(vulnerability.affects, [
      { ref: 'lodash@4.17.4', versions: [{ version: '4.17.4', status: 'affected' }] },
    ])
    assert.match(vulnerability.recommendation, /lodash@4\.17\.4: upgrade lodash 4\.17\.4 → 4\.17\.21/)
    assert.ok(vulnerability.ratings[0].score > 9)
  })

  test('SBOM: exclude=licenses omits licenses and license issues', async () => {
    for (const format of ['cyclonedx1.5+json', 'spdx2.3+json']) {
      const body = (await read(format, { exclude: 'licenses' })).body
      assert.ok(!body.includes('GPL-3.0-only') && !body.includes('MIT'), body)
    }
  })

  test('SPDX: packages have purl, license and advisories; relations start at the project', async () => {
    const answer = await read('spdx2.3+json')
    assert.equal(answer.headers['content-type'], 'application/spdx+json')
    const { packages, relationships, creationInfo, spdxVersion, documentNamespace } = answer.json()
    assert.equal(spdxVersion, 'SPDX-2.3')
    assert.match(creationInfo.created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    assert.ok(URL.canParse(documentNamespace))
    const [, lodash, tool] = packages
    assert.deepEqual([lodash.name, lodash.versionInfo, lodash.licenseDeclared], ['lodash', '4.17.4', 'MIT'])
    assert.equal(lodash.externalRefs[0].referenceLocator, PURL)
    assert.ok(lodash.externalRefs.some((externalRef: object) => JSON.stringify(externalRef).includes(LODASH_ISSUE)))
    const edges = relationships.map((relationship: Record<string, string>) => Object.values(relationship).join(' '))
    assert.deepEqual(edges, [
      'SPDXRef-DOCUMENT DESCRIBES SPDXRef-project',
      `SPDXRef-project DEPENDS_ON ${lodash.SPDXID}`,
      `SPDXRef-project DEPENDS_ON ${tool.SPDXID}`,
      `${tool.SPDXID} DEPENDS_ON ${lodash.SPDXID}`,
    ])
  })

  test('SPDX: invalid license expressions become references with their text', async () => {
    const graph = { project: ['w-a@1.0.0', 'w-b@1.0.0'], 'w-a@1.0.0': [], 'w-b@1.0.0': [] }
    const licenses = { 'w-a@1.0.0': 'As I please', 'w-b@1.0.0': 'MIT OR LicenseRef-own' }
    const { projectId: id } = await recordProject(app, { graph, licenses })
    const document = (await read('spdx2.3+json', {}, id)).json()
    assert.deepEqual(
      document.packages.map(({ licenseDeclared }: { licenseDeclared: string }) => licenseDeclared),
      ['NOASSERTION', 'LicenseRef-words-1', 'MIT OR LicenseRef-own'],
    )
    const texts = document.hasExtractedLicensingInfos.map((hasExtractedLicensingInfo: Record<string, string>) =>
      Object.values(hasExtractedLicensingInfo),
    )
    assert.deepEqual(texts[0], ['LicenseRef-words-1', 'As I please'])
    assert.equal(texts[1][0], 'LicenseRef-own')
  })

  test('SARIF: matches its schema and names the project’s file', async () => {
    const answer = await read('sarif2.1.0+json')
    assert.equal(answer.headers['content-type'], 'application/sarif+json')
    assertSarif(answer.json())
    const [run] = answer.json().runs
    assert.equal(run.properties.org, app.orgId)
    const result = run.results.find(({ ruleId }: { ruleId: string }) => ruleId === LODASH_ISSUE)
    assert.equal(result.locations[0].physicalLocation.artifactLocation.uri, 'package-lock.json')
    assert.equal(result.suppressions, undefined)
  })

  describe('ignores in an SBOM', () => {
    const verdicts = [
      ['not-vulnerable', { state: 'not_affected' }, 'not_affected'],
      ['wont-fix', { state: 'exploitable', response: ['will_not_fix'] }, 'affected'],
      ['temporary-ignore', { state: 'in_triage' }, 'under_investigation'],
    ] as const
    for (const [reasonType, analysis, status] of verdicts) {
      test(`ignore ${reasonType}: becomes CycloneDX analysis, an OpenVEX status and a SARIF suppression`, async () => {
        const { projectId: id } = await addProject(app)
        await ignore(LODASH_ISSUE, { reasonType, reason: 'never <called>', disregardIfFixable: false }, id)
        const bom = (await read('cyclonedx1.4+json', {}, id)).json()
        assertCycloneDx(bom, '1.4')
        const vulnerability = bom.vulnerabilities.find(
          (vulnerability: { id: string }) => vulnerability.id === LODASH_ISSUE,
        )
        const { detail, ...rest } = vulnerability.analysis
        assert.deepEqual(rest, analysis)
        assert.match(detail, /never <called>/)
        assert.ok(
          bom.vulnerabilities.some(
            (vulnerability: { id: string; analysis?: object }) => vulnerability.analysis === undefined,
          ),
        )
        const vex = (await read('openvex0.2.0+json', {}, id)).json()
        const statement = vex.statements.find((statement: object) => JSON.stringify(statement).includes(LODASH_ISSUE))
        assert.equal(statement.status, status)
        assert.equal(statement.products[0].subcomponents[0]['@id'], PURL)
        const sarif = (await read('sarif2.1.0+json', {}, id)).json()
        assertSarif(sarif)
        const result = sarif.runs[0].results.find((result: { ruleId: string }) => result.ruleId === LODASH_ISSUE)
        assert.deepEqual(result.suppressions, [
          { kind: 'external', status: 'accepted', justification: 'never <called>' },
        ])
        assert.match((await read('cyclonedx1.6+xml', {}, id)).body, /never &lt;called&gt;/)
      })
    }

    test('ignore of one of two paths: is reported without a verdict on the issue', async () => {
      const { projectId: id } = await addProject(app)
      const body = { ignorePath: 'tool', reasonType: 'not-vulnerable', reason: 'r', disregardIfFixable: false }
      await ignore(LODASH_ISSUE, body, id)
      const bom = (await read('cyclonedx1.6+json', {}, id)).json()
      const vulnerability = bom.vulnerabilities.find(
        (vulnerability: { id: string }) => vulnerability.id === LODASH_ISSUE,
      )
      assert.deepEqual(Object.keys(vulnerability.analysis), ['detail'])
      const vex = (await read('openvex0.2.0+json', {}, id)).json()
      const statement = vex.statements.find((statement: object) => JSON.stringify(statement).includes(LODASH_ISSUE))
      assert.equal(statement.status, 'under_investigation')
    })
  })

  test('SBOM: every format marks an incomplete test', async () => {
    const graph = { project: ['i-a@1.0.0'], 'i-a@1.0.0': [] }
    const { projectId: id } = await recordProject(app, { graph, isComplete: false })
    const whole = (await recordProject(app, { graph })).projectId
    const aggregates = [id, whole].map(
      async (projectId) => (await read('cyclonedx1.5+json', {}, projectId)).json().compositions,
    )
    assert.deepEqual(await Promise.all(aggregates), [
      [{ aggregate: 'incomplete', dependencies: ['project'] }],
      [{ aggregate: 'complete', dependencies: ['project'] }],
    ])
    const [run] = (await read('sarif2.1.0+json', {}, id)).json().runs
    assert.equal(run.properties.coverage.complete, false)
    assert.match((await read('spdx2.3+json', {}, id)).json().comment, /incomplete/)
  })

  test('SBOM: without a format, the document contains only the names of the formats', async () => {
    const answer = await app.call('GET', path())
    assert.equal(answer.headers['content-type'], 'application/vnd.api+json')
    assert.deepEqual(answer.json(), {
      jsonapi: { version: '1.0' },
      data: { id: projectId, type: 'sbom' },
      meta: { formats: [...formatNames] },
    })
  })

  test('SBOM: accepts an unescaped plus sign in the format', async () => {
    const url = `${path()}?version=2024-08-22&format=cyclonedx1.4+json`
    const answer = await app.call('GET', url)
    assert.equal(answer.statusCode, 200, answer.body)
    assert.equal(answer.json().specVersion, '1.4')
  })

  test('SBOM: serves every format with its media type and refuses unknown formats with 400', async () => {
    for (const format of formatNames) await read(format)
    for (const query of [{ format: 'cyclonedx1.3+json' }, { format: 'spdx2.3+json', exclude: 'purls' }]) {
      await assertRefusal(await app.call('GET', path(), { query }), { status: 400, code: 'invalid-request' })
    }
  })

  test('SBOM: returns 404 before the first test, in another organization and for an unknown project', async () => {
    const { id } = await addProjectRow(app)
    for (const other of [path(id), path(projectId, await app.addOrg()), path(randomUUID())]) {
      const answer = await app.call('GET', other, { query: { format: 'spdx2.3+json' } })
      await assertRefusal(answer, { status: 404, code: 'not-found' })
    }
  })

  for (const permission of ['org.project.read', 'org.project.snapshot.read'] as const) {
    testRefusals(() => app, `SBOM (${permission})`, {
      method: 'GET',
      path,
      since: '2022-03-31~experimental',
      needs: { permission, in: 'org' },
    })
  }
})
