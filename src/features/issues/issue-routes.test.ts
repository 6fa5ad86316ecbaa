import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { assertRefusal, testRefusals } from '#test/access/refusals.ts'
import { publishRecords, recordAgainst } from '#test/manifests/published-advisories.ts'
import { testPages } from '#test/projects/pages.ts'
import { type GivenProject, record, toTest } from '#test/projects/stored-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { issueUuid, projectNumberOf } from './issue-uuid.ts'

interface Listed {
  id: string
  attributes: Record<string, unknown> & { key: string; coordinates: { representations: object[] }[] }
  relationships: { scan_item: { data: { id: string } } }
}

onEveryEngine('issues of an organization', (engine) => {
  let app: TestApp
  let orgId: string
  before(async () => {
    app = await startApp(engine, { advisoriesPollSeconds: 3600 })
    await publishRecords(app.parts, [
      recordAgainst('GHSA-high', 'npm', 'left', { fixed: '2.0.0', severity: 'HIGH', aliases: ['CVE-2020-0001'] }),
      recordAgainst('GHSA-low', 'npm', 'left', { fixed: '1.5.0', severity: 'LOW' }),
      recordAgainst('PYSEC-1', 'PyPI', 'two-words', { fixed: '2.0', severity: 'CRITICAL' }),
    ])
    orgId = await app.addOrg()
    const attributes = {
      rules: [
        { license: 'GPL-3.0-only', severity: 'high' },
        { license: 'MPL-2.0', severity: 'low' },
      ],
    }
    const policy = { data: { type: 'license_policy', attributes } }
    await app.call('PATCH', `/rest/orgs/${orgId}/license_policy`, { body: policy })
  })
  after(() => app.close())

  const path = (of = orgId) => `/rest/orgs/${of}/issues`
  const add = async (project: GivenProject, to = orgId) => {
    const lease = app.parts.advisories.acquire()
    try {
      return await record(app.parts.services.db, { orgId: to, test: toTest(project, lease.advisories) })
    } finally {
      lease.release()
    }
  }
  const listed = async (query: Record<string, string> = {}, of = orgId): Promise<Listed[]> => {
    const answer = await app.call('GET', path(of), { query: { limit: '100', ...query } })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json().data
  }

  describe('issues of three projects', () => {
    let projects: Record<'a' | 'b' | 'c', Awaited<ReturnType<typeof add>>>
    let between: string
    before(async () => {
      const gpl = { name: 'copied', version: '1.0.0', license: 'GPL-3.0-only' }
      const mpl = { name: 'some/mixed', version: '1.0.0', license: 'MPL-2.0' }
      const a = await add({ packages: ['left@1.0.0', gpl, mpl] })
      await setTimeout(5)
      between = new Date().toISOString()
      await setTimeout(5)
      const advice = {
        issueId: 'GHSA-high',
        package: 1,
        isUpgradable: true,
        isPinnable: false,
        upgradePaths: [['left@2.0.0']],
        upgradedPaths: [['left@1.7.0']],
        fixedIn: ['2.0.0'],
      }
      const b = await add({ packages: ['left@1.7.0', gpl], advice: [advice] })
      const c = await add({ packages: ['Two_Words@1.0', 'left@1.0.0'], type: 'pip' })
      projects = { a, b, c }
      const ignoring = { reasonType: 'wont-fix', reason: 'Not reached', disregardIfFixable: false }
      for (const [projectId, issueId] of [
        [a.projectId, 'GHSA-low'],
        [b.projectId, 'lic:npm:copied:GPL-3.0-only'],
      ]) {
        const ignored = await app.call('POST', `/v1/org/${orgId}/project/${projectId}/ignore/${issueId}`, {
          body: ignoring,
        })
        assert.equal(ignored.statusCode, 200, ignored.body)
      }
    })

    const short = (issues: readonly Listed[]) => {
      const letters = new Map(Object.entries(projects).map(([letter, { projectId }]) => [projectId, letter]))
      return issues
        .map(({ attributes, relationships }) => `${letters.get(relationships.scan_item.data.id)}:${attributes.key}`)
        .join(' ')
    }
    const GPL = 'lic:npm:copied:GPL-3.0-only'
    const MPL = 'lic:npm:some:mixed:MPL-2.0'

    const cases: [query: () => Record<string, string>, issues: string][] = [
      [() => ({}), 'c:PYSEC-1 b:GHSA-high a:GHSA-high a:GHSA-low'],
      [() => ({ sort: 'severity' }), 'a:GHSA-low a:GHSA-high b:GHSA-high c:PYSEC-1'],
      [() => ({ sort: '-known', type: 'package_vulnerability' }), 'c:PYSEC-1 b:GHSA-high a:GHSA-low a:GHSA-high'],
      [() => ({ effective_severity_level: 'high,low' }), 'b:GHSA-high a:GHSA-high a:GHSA-low'],
      [() => ({ effective_severity_level: 'info' }), ''],
      [() => ({ ignored: 'true' }), 'a:GHSA-low'],
      [() => ({ ignored: 'false' }), 'c:PYSEC-1 b:GHSA-high a:GHSA-high'],
      [
        () => ({ 'scan_item.id': projects.a.projectId.toUpperCase(), 'scan_item.type': 'project' }),
        'a:GHSA-high a:GHSA-low',
      ],
      [() => ({ 'scan_item.id': randomUUID() }), ''],
      [() => ({ 'scan_item.type': 'environment' }), ''],
      [() => ({ status: 'open' }), 'c:PYSEC-1 b:GHSA-high a:GHSA-high a:GHSA-low'],
      [() => ({ status: 'resolved' }), ''],
      [() => ({ key: 'GHSA-high' }), 'b:GHSA-high a:GHSA-high'],
      [() => ({ package: 'left' }), 'b:GHSA-high a:GHSA-high a:GHSA-low'],
      [() => ({ package: 'left@1.7.0' }), 'b:GHSA-high'],
      [() => ({ package: '@scope/left' }), ''],
      [() => ({ created_after: between }), 'c:PYSEC-1 b:GHSA-high'],
      [() => ({ created_before: between }), 'a:GHSA-high a:GHSA-low'],
      [() => ({ updated_after: between, updated_before: between }), ''],
      [() => ({ type: 'license' }), `a:${GPL} a:${MPL} b:${GPL}`],
      [() => ({ type: 'license', ignored: 'true' }), `b:${GPL}`],
      [() => ({ type: 'license', ignored: 'false', effective_severity_level: 'high' }), `a:${GPL}`],
      [() => ({ type: 'license', package: 'some/mixed' }), `a:${MPL}`],
      [() => ({ type: 'license', key: GPL, 'scan_item.id': projects.b.projectId }), `b:${GPL}`],
      [() => ({ type: 'license', status: 'resolved' }), ''],
    ]
    for (const [query, issues] of cases) {
      test(`issues: ${String(query).slice(6)} lists ${issues === '' ? 'none' : issues}`, async () => {
        assert.equal(short(await listed(query())), issues)
      })
    }

    test('issues: the list shows attributes and coordinates; a single issue adds its description', async () => {
      const [issue] = await listed({ 'scan_item.id': projects.b.projectId })
      const { created_at, updated_at, risk, ...attributes } = issue!.attributes
      assert.deepEqual(attributes, {
        key: 'GHSA-high',
        title: 'About left',
        type: 'package_vulnerability',
        status: 'open',
        ignored: false,
        effective_severity_level: 'high',
        is_exploited: false,
        has_exploit: false,
        problems: [
          { id: 'CVE-2020-0001', source: 'NVD', type: 'vulnerability' },
          { id: 'GHSA-high', source: 'GHSA', type: 'vulnerability' },
        ],
        classes: [],
        coordinates: [
          {
            is_fixable_upstream: true,
            remedies: [{ type: 'indeterminate', description: 'Fixed in 2.0.0', details: { upgrade_package: '2.0.0' } }],
            representations: [{ dependency: { package_name: 'left', package_version: '1.7.0' } }],
          },
        ],
      })
      assert.ok(Date.parse(String(created_at)) >= Date.parse(between))
      assert.deepEqual([updated_at, typeof (risk as { score: { value: number } }).score.value], [created_at, 'number'])
      assert.deepEqual(issue!.relationships.scan_item, {
        data: { id: projects.b.projectId, type: 'project' },
        links: { related: `/orgs/${orgId}/projects/${projects.b.projectId}` },
      } as object)

      const one = (await app.call('GET', `${path()}/${issue!.id.toUpperCase()}`)).json().data
      assert.deepEqual([one.id, one.attributes.created_at], [issue!.id, created_at])
      assert.equal(one.attributes.description, '')
      const [{ is_upgradeable, is_pinnable, is_fixable_snyk }] = one.attributes.coordinates
      assert.deepEqual([is_upgradeable, is_pinnable, is_fixable_snyk], [true, false, true])
    })

    test('issues: ignored ones show the reason in the list and singly', async () => {
      for (const query of [{ ignored: 'true' }, { ignored: 'true', type: 'license' }] as Record<string, string>[]) {
        const [issue] = await listed(query)
        const one = (await app.call('GET', `${path()}/${issue!.id}`)).json().data
        for (const { attributes } of [issue!, one]) {
          assert.equal(attributes.ignored, true)
          const [{ ignored_by, ...why }, ...others] = attributes.ignores
          assert.deepEqual(others, [])
          assert.deepEqual(why, { path: '*', reason: 'Not reached', reason_type: 'wont-fix', expires: null })
          assert.ok(ignored_by.name)
        }
      }
    })

    test('issues: are not found in another organization', async () => {
      const [issue] = await listed()
      const answer = await app.call('GET', `${path(app.orgId)}/${issue!.id}`)
      assertRefusal(answer, { status: 404, code: 'not-found' })
      assert.deepEqual(await listed({}, app.orgId), [])
      assert.deepEqual(await listed({ type: 'license' }, app.orgId), [])
    })

    for (const [what, id] of [
      ['the id of an advisory that no project has', () => issueUuid(projects.a.projectNumber, 'GHSA-none')],
      ['the id of an unknown project', () => issueUuid(2 ** 40, 'GHSA-high')],
      ['a random UUID', () => randomUUID()],
    ] as const) {
      test(`issues: ${what} gets 404`, async () => {
        assertRefusal(await app.call('GET', `${path()}/${id()}`), { status: 404, code: 'not-found' })
      })
    }

    test('license issues: pages forth and back contain each issue once', async () => {
      const many = await app.addOrg()
      const attributes = { rules: [{ license: 'GPL-3.0-only', severity: 'high' }] }
      const body = { data: { type: 'license_policy', attributes } }
      await app.call('PATCH', `/rest/orgs/${many}/license_policy`, { body })
      const names = ['x', 'y', 'z']
      for (let count = 0; count < 9; count++) {
        await add({ packages: names.map((name) => ({ name, version: '1.0.0', license: 'GPL-3.0-only' })) }, many)
        await add({ packages: ['clean@1.0.0'] }, many)
      }
      const all = (await listed({ type: 'license' }, many)).map(({ id }) => id)
      assert.equal(all.length, 27)
      assert.equal(new Set(all).size, 27)
      const read = async (link: string) => (await app.call('GET', link)).json()
      const forth: string[][] = []
      const first = await read(`${path(many)}?type=license&limit=10`)
      for (let page = first; ; page = await read(page.links.next)) {
        forth.push(page.data.map(({ id }: Listed) => id))
        if (!page.links.next) break
      }
      assert.deepEqual(
        forth.map(({ length }) => length),
        [10, 10, 7],
      )
      assert.deepEqual(forth.flat(), all)
      const back: string[] = []
      for (let page = await read(first.links.last); ; page = await read(page.links.prev)) {
        back.unshift(...page.data.map(({ id }: Listed) => id))
        if (!page.links.prev) break
      }
      assert.deepEqual(back, all)
    })
  })

  const bad: Record<string, string>[] = [
    { sort: 'name' },
    { type: 'code' },
    { 'scan_item.id': 'x' },
    { effective_severity_level: 'worst' },
    { status: 'gone' },
    { ignored: 'maybe' },
    { created_after: 'today' },
  ]
  for (const query of bad) {
    test(`issues: refuse ${JSON.stringify(query)} with 400`, async () => {
      assertRefusal(await app.call('GET', path(), { query }), { status: 400, code: 'invalid-request' })
    })
  }

  describe('pages of issues', () => {
    let many: string
    const projects = new Map<string, string>()
    before(async () => {
      many = await app.addOrg()
    })
    testPages(() => app, 'issue list', {
      path: () => `${path(many)}?sort=known`,
      add: async () => {
        const { projectId, projectNumber } = await add({ packages: ['two-words@1.0'], type: 'pip' }, many)
        const id = issueUuid(projectNumber, 'PYSEC-1')
        projects.set(id, projectId)
        return id
      },
      remove: (id) => app.call('DELETE', `/rest/orgs/${many}/projects/${projects.get(id)}`),
    })
  })

  const needs = { permission: 'org.project.snapshot.read', in: 'org' } as const
  testRefusals(() => app, 'issue list', {
    method: 'GET',
    path: () => path(app.orgId),
    since: '2024-01-23',
    isList: true,
    needs,
  })
  testRefusals(() => app, 'single issue', {
    method: 'GET',
    path: () => `${path(app.orgId)}/${randomUUID()}`,
    since: '2024-01-23',
    needs,
  })
})

describe('issue ids', () => {
  test('issue id: is a UUID that encodes the project number and differs per issue', () => {
    const numbers = [1, 2, 2 ** 31, 2 ** 48 - 1]
    const ids = numbers.flatMap((number) =>
      ['GHSA-a', 'GHSA-b', 'é'].map((id) => [number, issueUuid(number, id)] as const),
    )
    for (const [number, id] of ids) {
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.equal(projectNumberOf(id), number)
    }
    assert.equal(new Set(ids.map(([, id]) => id)).size, ids.length)
  })
})
