import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { assertRefusal, testRefusals } from '#test/access/refusals.ts'
import { assertCycloneDx } from '#test/documents/document-schemas.ts'
import { addProjectRow } from '#test/projects/project-rows.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import type { TestApp } from '#test/servers/app.ts'
import { startApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

const RED = 'GHSA-redd-redd-redd'
const BLUE = 'GHSA-blue-blue-blue'

interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly type: string
  readonly purl?: string
}

interface Statement {
  readonly vulnerability: { readonly name: string }
  readonly status: string
  readonly products: readonly { readonly '@id': string }[]
}

onEveryEngine('exports of organizations and targets', (engine) => {
  let app: TestApp
  let shop: string
  let target: string
  before(async () => {
    app = await startApp(engine)
    shop = (
      await recordProject(app, {
        name: 'shop',
        graph: { project: ['a@1.0.0'], 'a@1.0.0': ['shared@1.0.0'], 'shared@1.0.0': [] },
        licenses: { 'a@1.0.0': 'GPL-3.0-only' },
        issues: [
          {
            id: RED,
            in: 'shared@1.0.0',
            severity: 'critical',
            upgradable: ['a@1.0.0 > shared@1.0.0'],
          },
        ],
      })
    ).projectId
    await recordProject(app, {
      name: '=site',
      graph: { project: ['b@1.0.0'], 'b@1.0.0': ['shared@1.0.0'], 'shared@1.0.0': ['c@1.0.0'], 'c@1.0.0': [] },
      issues: [
        { id: RED, in: 'shared@1.0.0', severity: 'critical' },
        { id: BLUE, in: 'c@1.0.0', severity: 'low', fixedIn: ['1.2.0'] },
      ],
      isComplete: false,
    })
    await addProjectRow(app, { name: 'untested' })
    const body = {
      data: { type: 'license_policy', attributes: { rules: [{ license: 'GPL-3.0-only', severity: 'high' }] } },
    }
    assert.equal((await app.call('PATCH', `/rest/orgs/${app.orgId}/license_policy`, { body })).statusCode, 200)
    const ignore = { reasonType: 'not-vulnerable', reason: 'never <called>', disregardIfFixable: false }
    const ignored = await app.call('POST', `/v1/org/${app.orgId}/project/${shop}/ignore/${RED}`, { body: ignore })
    assert.equal(ignored.statusCode, 200, ignored.body)
    const project = await app.call('GET', `/rest/orgs/${app.orgId}/projects/${shop}`)
    target = project.json().data.relationships.target.data.id
  })
  after(() => app.close())

  const ofOrg = (orgId = app.orgId) => `/rest/orgs/${orgId}/export`
  const ofTarget = (id = target, orgId = app.orgId) => `/rest/orgs/${orgId}/targets/${id}/export`
  const read = async (path: string, format: string) => {
    const answer = await app.call('GET', path, { query: { format }, headers: { accept: '*/*' } })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer
  }

  test('CSV of an organization: one line per issue and project with its place; formulas are text', async () => {
    const { headers, body } = await read(ofOrg(), 'csv')
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8')
    assert.match(String(headers['content-disposition']), /^attachment; filename="[\w.-]+\.csv"$/)
    const [head, ...lines] = body
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','))
    const rows = lines.map((line) => Object.fromEntries(head!.map((name, at) => [name, line[at]])))
    assert.deepEqual(
      rows.map((row) => [row['Project'], row['Id'], row['Severity'], row['Package'], row['Versions'], row['Ignored']]),
      [
        ['shop', RED, 'critical', 'shared', '1.0.0', 'yes'],
        ['shop', 'lic:npm:a:GPL-3.0-only', 'high', 'a', '1.0.0', 'no'],
        ["'=site", RED, 'critical', 'shared', '1.0.0', 'no'],
        ["'=site", BLUE, 'low', 'c', '1.0.0', 'no'],
      ],
    )
    const [first] = rows
    assert.equal(first!['Repository'], 'shop')
    assert.ok(head!.includes('Owner') && head!.includes('Due'))
  })

  test('scan_item.id: exports one project of the organization or target; none of another', async () => {
    const projectsIn = async (path: string) => {
      const { body } = await read(path, 'csv')
      return new Set(
        body
          .trimEnd()
          .split('\r\n')
          .slice(1)
          .map((line) => line.split(',')[0]),
      )
    }
    const only = `?scan_item.id=${shop.toUpperCase()}`
    assert.deepEqual(await projectsIn(`${ofOrg()}${only}`), new Set(['shop']))
    assert.deepEqual(await projectsIn(`${ofTarget()}${only}`), new Set(['shop']))
    assert.deepEqual(await projectsIn(`${ofOrg(await app.addOrg())}${only}`), new Set())
    assertRefusal(await app.call('GET', `${ofOrg()}?scan_item.id=shop`), { status: 400, code: 'invalid-request' })
  })

  test('CSV: has owner and due date that users set, else the day of the policy', async () => {
    const { db, now } = app.parts.services
    const { number } = await db.selectFrom('projects').select('number').where('id', '=', shop).executeTakeFirstOrThrow()
    const at = now()
    await db
      .insertInto('triaged_issues')
      .values({
        id: randomUUID(),
        project_number: number,
        issue_id: RED,
        assignee_id: randomUUID(),
        assignee_name: 'Ada',
        due_day: 20_000,
        updated_at: at,
      })
      .execute()
    await db.insertInto('sla_policies').values({ org_id: app.orgId, low_days: 10, updated_at: at }).execute()
    const rows = (await read(ofOrg(), 'csv')).body.split('\r\n').map((line) => line.split(','))
    const head = rows[0]!
    const columnsOf = (id: string) =>
      rows.filter((row) => row[4] === id).map((row) => [row[head.indexOf('Owner')], row[head.indexOf('Due')]])
    assert.deepEqual(columnsOf(RED), [
      ['Ada', '2024-10-04'],
      ['', ''],
    ])
    const day = new Date(at + 10 * 86_400_000).toISOString().slice(0, 10)
    assert.deepEqual(columnsOf(BLUE), [['', day]])
  })

  test('CycloneDX of an organization: valid; projects are applications, a shared package is one component', async () => {
    const bom = (await read(ofOrg(), 'cyclonedx1.6+json')).json()
    assertCycloneDx(bom, '1.6')
    const components = bom.components as Component[]
    const refs = Object.fromEntries(components.map((component) => [component.name, component['bom-ref']]))
    assert.deepEqual(
      components.filter(({ type }) => type === 'application').map(({ name }) => name),
      ['shop', '=site', 'untested'],
    )
    assert.equal(components.filter(({ name }) => name === 'shared').length, 1)
    const dependencies = new Map(
      (bom.dependencies as { ref: string; dependsOn?: string[] }[]).map(({ ref, dependsOn = [] }) => [ref, dependsOn]),
    )
    assert.deepEqual(
      dependencies.get('project')!.toSorted(),
      [refs['=site'], refs['shop'], refs['untested']].toSorted(),
    )
    assert.deepEqual(dependencies.get(refs['shop']!), ['pkg:npm/a@1.0.0'])
    assert.deepEqual(dependencies.get('pkg:npm/shared@1.0.0'), ['pkg:npm/c@1.0.0'])
    const red = bom.vulnerabilities.find(({ id }: { id: string }) => id === RED)
    assert.deepEqual(
      red.affects.map(({ ref }: { ref: string }) => ref),
      ['pkg:npm/shared@1.0.0'],
    )
    // Only one of the projects ignores it.
    assert.deepEqual(Object.keys(red.analysis), ['detail'])
    assert.match(red.analysis.detail, /^shop: Ignored by .*never <called>/)
    assert.equal(bom.compositions[0].aggregate, 'incomplete')
    assert.ok(JSON.stringify(bom.metadata.properties).includes('Projects without a test: 1'))
  })

  test('CycloneDX of a target: has only its projects, with their analysis', async () => {
    const bom = (await read(ofTarget(), 'cyclonedx1.6+json')).json()
    assertCycloneDx(bom, '1.6')
    assert.deepEqual(
      bom.components.map(({ name }: Component) => name),
      ['shop', 'a', 'shared'],
    )
    assert.equal(bom.vulnerabilities.length, 1)
    assert.equal(bom.vulnerabilities[0].analysis.state, 'not_affected')
    assert.equal(bom.compositions[0].aggregate, 'complete')
  })

  test('SPDX of an organization: every relation has both ends', async () => {
    const { packages, relationships } = (await read(ofOrg(), 'spdx2.3+json')).json()
    const ids = new Set(['SPDXRef-DOCUMENT', ...packages.map(({ SPDXID }: { SPDXID: string }) => SPDXID)])
    assert.equal(ids.size, packages.length + 1)
    for (const { spdxElementId, relatedSpdxElement } of relationships) {
      assert.ok(ids.has(spdxElementId) && ids.has(relatedSpdxElement))
    }
    const purposes = packages.map(({ primaryPackagePurpose }: Record<string, string>) => primaryPackagePurpose)
    assert.equal(purposes.filter((purpose: string) => purpose === 'APPLICATION').length, 4)
  })

  test('OpenVEX of an organization: one statement per vulnerability and project', async () => {
    const { statements } = (await read(ofOrg(), 'openvex0.2.0+json')).json() as { statements: Statement[] }
    const isOfShop = ({ products }: Statement) => products[0]!['@id'].endsWith(shop)
    assert.deepEqual(
      statements.map((statement) => [statement.vulnerability.name, isOfShop(statement), statement.status]),
      [
        [RED, true, 'not_affected'],
        [RED, false, 'under_investigation'],
        [BLUE, false, 'under_investigation'],
      ],
    )
  })

  test('report: counts what is open, names fixes, ignores and what is incomplete; runs nothing', async () => {
    const { headers, body } = await read(ofOrg(), 'html')
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; style-src 'unsafe-inline'; sandbox$/)
    assert.doesNotMatch(body, /<script|<link|src=/)
    assert.match(body, /<dt>Critical<\/dt><dd>1<small>open/)
    assert.match(body, /Fixed in 1\.2\.0/)
    assert.match(body, /<td>untested<\/td><td>Not tested yet\.<\/td>/)
    assert.match(body, /high: GPL-3\.0-only license/)
    const ofShop = (await read(ofTarget(), 'html')).body
    assert.match(ofShop, /<h2>Ignored vulnerabilities<\/h2>[\s\S]*never &lt;called&gt;/)
    assert.match(ofShop, /Everything that the files ask for was tested/)
  })

  test('report of a target: names manifests that its last import could not test', async () => {
    const attributes = { kind: 'archive', name: 'uploads' }
    const body = { data: { type: 'integration', attributes } }
    const connected = await app.call('POST', `/rest/orgs/${app.orgId}/integrations`, { body })
    const { db, now } = app.parts.services
    const row = {
      org_id: app.orgId,
      integration_id: connected.json().data.id,
      target_id: target,
      name: 'shop',
      target: '{}',
      cause: 'request',
      requested_by_name: 'a test',
      is_truncated: 0,
    }
    const imports = [
      { ...row, id: randomUUID(), state: 'complete', created_at: now() - 1000 },
      { ...row, id: randomUUID(), state: 'complete', created_at: now() },
    ] as const
    await db.insertInto('imports').values(imports).execute()
    const manifest = { type: 'npm', state: 'failed' }
    const manifests = [
      { ...manifest, import_id: imports[0].id, path: 'former/package.json', message: 'Fixed since' },
      { ...manifest, import_id: imports[1].id, path: 'broken/package.json', message: 'Not JSON <' },
    ]
    await db.insertInto('import_manifests').values(manifests).execute()
    const { body: report } = await read(ofTarget(), 'html')
    assert.match(report, /broken\/<wbr>package\.json<\/td><td>Not JSON &lt;<\/td>/)
    assert.doesNotMatch(report, /Fixed since/)
  })

  test('export of an organization without projects: every format is a document', async () => {
    const path = ofOrg(await app.addOrg())
    assert.equal((await read(path, 'csv')).body.split('\r\n').length, 2)
    assertCycloneDx((await read(path, 'cyclonedx1.6+json')).json(), '1.6')
    assert.equal((await read(path, 'spdx2.3+json')).json().packages.length, 1)
    assert.deepEqual((await read(path, 'openvex0.2.0+json')).json().statements, [])
    assert.match((await read(path, 'html')).body, /None in the tested packages/)
  })

  test('export: refuses unknown formats with 400, an unknown target and one of another organization with 404', async () => {
    const unknown = await app.call('GET', ofOrg(), { query: { format: 'xlsx' } })
    await assertRefusal(unknown, { status: 400, code: 'invalid-request' })
    for (const path of [ofTarget(randomUUID()), ofTarget(target, await app.addOrg())]) {
      await assertRefusal(await app.call('GET', path), { status: 404, code: 'not-found' })
    }
  })

  for (const permission of ['org.project.read', 'org.project.snapshot.read'] as const) {
    for (const [name, path] of [
      ['an organization', ofOrg],
      ['a target', ofTarget],
    ] as const) {
      testRefusals(() => app, `export of ${name} (${permission})`, {
        method: 'GET',
        path,
        since: '2024-10-15',
        needs: { permission, in: 'org' },
      })
    }
  }
})
