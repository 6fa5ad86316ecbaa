import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertRefusal, testRefusals } from '#test/access/refusals.ts'
import { publishRecords, recordAgainst } from '#test/manifests/published-advisories.ts'
import { type GivenProject, record, toTest } from '#test/projects/stored-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

const RECORDS = [
  recordAgainst('GHSA-high', 'npm', 'left', { fixed: '2.0.0', severity: 'HIGH', aliases: ['CVE-2020-0001'] }),
  recordAgainst('GHSA-low', 'npm', 'left', { fixed: '1.5.0', severity: 'LOW' }),
  recordAgainst('PYSEC-1', 'PyPI', 'two-words', { fixed: '2.0', severity: 'CRITICAL' }),
]

interface Group {
  id: string
  attributes: Record<string, unknown> & { name: string; projects?: number; issues: number; ignored: number }
}

onEveryEngine('issue groups', (engine) => {
  let app: TestApp
  let orgId: string
  const projects: Record<string, string> = {}
  const add = async (name: string, packages: GivenProject['packages'], type = 'npm') => {
    const lease = app.parts.advisories.acquire()
    try {
      const test = toTest({ packages, type }, lease.advisories)
      projects[name] = (await record(app.parts.services.db, { orgId, test, name })).projectId
    } finally {
      lease.release()
    }
  }
  before(async () => {
    app = await startApp(engine, { advisoriesPollSeconds: 3600 })
    await publishRecords(app.parts, RECORDS)
    orgId = await app.addOrg()
    await add('shop/a', ['left@1.0.0', 'left@1.1.0'])
    await add('shop/b', ['left@1.7.0'])
    await add('tools/c', ['Two_Words@1.0', 'left@1.0.0'], 'pip')
    const body = { reasonType: 'wont-fix', reason: 'Not reached', disregardIfFixable: false }
    const answer = await app.call('POST', `/v1/org/${orgId}/project/${projects['shop/b']}/ignore/GHSA-high`, { body })
    assert.equal(answer.statusCode, 200, answer.body)
  })
  after(() => app.close())

  const path = () => `/rest/orgs/${orgId}/issue_groups`
  const read = async (query: Record<string, string> = {}) => {
    const answer = await app.call('GET', path(), { query })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json() as { data: Group[]; meta?: object; links: { next?: string } }
  }
  const short = ({ data }: { data: readonly Group[] }) =>
    data
      .map(
        ({ id, attributes }) =>
          `${attributes.name.startsWith('shop') ? attributes.name : id}:${attributes.issues}+${attributes.ignored}`,
      )
      .join(' ')

  const cases: [query: Record<string, string>, groups: string][] = [
    [{}, 'PYSEC-1:1+0 GHSA-high:1+1 GHSA-low:1+0'],
    [{ sort: '-projects' }, 'PYSEC-1:1+0 GHSA-low:1+0 GHSA-high:1+1'],
    [{ effective_severity_level: 'high,low' }, 'GHSA-high:1+1 GHSA-low:1+0'],
    [{ fixable: 'false' }, ''],
    [{ exploited: 'true' }, ''],
    [{ ignored: 'true' }, 'GHSA-high:1+1'],
    [{ registry: 'PyPI' }, 'PYSEC-1:1+0'],
    [{ query: 'cve-2020' }, 'GHSA-high:1+1'],
    [{ query: 'LEFT about' }, 'GHSA-high:1+1 GHSA-low:1+0'],
    [{ query: '100%' }, ''],
    [{ id: 'GHSA-low' }, 'GHSA-low:1+0'],
    [{ package: 'npm/left' }, 'GHSA-high:1+1 GHSA-low:1+0'],
    [{ package: 'PyPI/left' }, ''],
    [{ created_after: '2099-01-01T00:00:00Z' }, ''],
    [{ group_by: 'package' }, 'PyPI/two-words:1+0 npm/left:2+1'],
    [{ group_by: 'package', query: 'ghsa-low' }, 'npm/left:2+1'],
    [{ group_by: 'project', query: 'shop' }, 'shop/a:2+0 shop/b:0+1'],
    [{ group_by: 'project', query: 'shop', ignored: 'false' }, 'shop/a:2+0'],
    [{ group_by: 'project', query: 'nowhere' }, ''],
    [{ group_by: 'project', query: 'shop', effective_severity_level: 'low', fixable: 'true' }, 'shop/a:2+0'],
  ]
  for (const [query, groups] of cases) {
    test(`issue groups: ${JSON.stringify(query)} lists ${groups === '' ? 'none' : groups}`, async () => {
      assert.equal(short(await read(query)), groups)
    })
  }

  test('issue groups: a vulnerability shows its ids, packages and fix', async () => {
    const { data } = await read({ id: 'GHSA-high' })
    const { known_since, ...attributes } = data[0]!.attributes
    assert.ok(Date.parse(String(known_since)) > 0)
    assert.deepEqual(attributes, {
      name: 'About left',
      severity: 'high',
      score: 7,
      is_exploited: false,
      has_exploit: false,
      is_direct: true,
      is_fixable: true,
      is_malicious: false,
      risk_score: 234,
      risk_factors: [
        { name: 'exploited', points: 0, description: 'In no synced catalog of exploited vulnerabilities' },
        { name: 'severity', points: 200, description: 'Severity high' },
        { name: 'epss', points: 0, description: 'EPSS unknown' },
        { name: 'cvss', points: 14, description: 'CVSS 7' },
        { name: 'direct', points: 10, description: 'Direct dependency' },
        { name: 'fix', points: 10, description: 'Fixed version available' },
      ],
      registry: 'npm',
      packages: ['left'],
      aliases: ['CVE-2020-0001'],
      fixed_in: ['2.0.0'],
      versions: 3,
      projects: 1,
      issues: 1,
      ignored: 1,
    })
  })

  test('issue groups: exploit code in a CVSS vector does not lift a medium above a critical', async () => {
    const attacked = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N/E:A'
    await publishRecords(app.parts, [
      ...RECORDS,
      recordAgainst('GHSA-shell', 'npm', 'logger', {
        fixed: '2.0.0',
        severity: 'CRITICAL',
        aliases: ['CVE-2021-44228'],
      }),
      recordAgainst('GHSA-medium', 'npm', 'logger', { fixed: '2.0.0', vector: attacked }),
    ])
    await add('logs', ['logger@1.0.0'])
    const of = async () =>
      (await read({ package: 'npm/logger' })).data.map(
        ({ id, attributes }) =>
          `${id} ${attributes['severity']} ${attributes['is_exploited']} ${attributes['has_exploit']}`,
      )
    assert.deepEqual(await of(), ['GHSA-shell critical false false', 'GHSA-medium medium false true'])
    await app.call('DELETE', `/rest/orgs/${orgId}/projects/${projects['logs']}`)
    await publishRecords(app.parts, RECORDS)
    await app.parts.matcher.run()
  })

  for (const [grouping, totals] of [
    ['vulnerability', { groups: 3, issues: 3 }],
    ['package', { groups: 2, issues: 3 }],
    ['project', { groups: 3, issues: 3 }],
  ] as const) {
    test(`issue groups: totals by ${grouping} count all pages`, async () => {
      assert.deepEqual((await read({ group_by: grouping, 'meta.totals': 'true' })).meta, totals)
    })
  }

  test('issue groups: list a new advisory and its projects before and after the recount', async () => {
    await add('new', ['fresh@1.0.0'])
    const fresh = recordAgainst('GHSA-new', 'npm', 'fresh', { fixed: '2.0.0', severity: 'HIGH' })
    await publishRecords(app.parts, [...RECORDS, fresh])
    await app.parts.matcher.run()
    assert.equal(short(await read({ id: 'GHSA-new', ignored: 'false' })), 'GHSA-new:1+0')
    await app.call('DELETE', `/rest/orgs/${orgId}/projects/${projects['new']}`)
    assert.equal((await read({ id: 'GHSA-new' })).data.at(0)?.attributes.issues ?? 0, 0)
  })

  describe('invalid queries of issue groups', () => {
    const bad: [query: Record<string, string>, parameter: string][] = [
      [{ group_by: 'team' }, 'group_by'],
      [{ sort: 'name' }, 'sort'],
      [{ group_by: 'project', sort: '-known' }, 'sort'],
      [{ group_by: 'project', registry: 'npm' }, 'registry'],
      [{ created_after: 'today' }, 'created_after'],
      [{ query: 'x'.repeat(201) }, 'query'],
    ]
    for (const [query, parameter] of bad) {
      test(`issue groups: refuse ${JSON.stringify(query).slice(0, 60)} with 400`, async () => {
        const answer = await app.call('GET', path(), { query })
        assertRefusal(answer, { status: 400, code: 'invalid-request' })
        assert.ok(answer.body.includes(parameter), answer.body)
      })
    }
  })

  testRefusals(() => app, 'issue group list', {
    method: 'GET',
    path: () => `/rest/orgs/${app.orgId}/issue_groups`,
    since: '2024-01-23',
    isList: true,
    needs: { permission: 'org.project.snapshot.read', in: 'org' },
  })
})
