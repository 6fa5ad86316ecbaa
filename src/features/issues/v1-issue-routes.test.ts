import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { assertRefusal, type Operation, testRefusals } from '#test/access/refusals.ts'
import { publishRecords, recordAgainst } from '#test/manifests/published-advisories.ts'
import { addProjectRow } from '#test/projects/project-rows.ts'
import { addProject, LODASH_ISSUE, startShopApp } from '#test/projects/projects.ts'
import { type GivenProject, record, toTest } from '#test/projects/stored-projects.ts'
import type { TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import type { AggregatedIssue } from './v1-issue-resource.ts'

const HIGH = 'GHSA-35jh-r3h4-6jhm'

onEveryEngine('v1 issues of a project', (engine) => {
  let app: TestApp
  let orgId: string
  let id: string
  before(async () => {
    app = await startShopApp(engine, { advisoriesPollSeconds: 3600 })
    orgId = await app.addOrg()
    const attributes = {
      rules: [{ license: 'GPL-3.0-only', severity: 'medium', instructions: 'Ask first.' }],
    }
    const policy = { data: { type: 'license_policy', attributes } }
    const set = await app.call('PATCH', `/rest/orgs/${orgId}/license_policy`, { body: policy })
    assert.equal(set.statusCode, 200, set.body)
    id = (await addProject(app, { orgId })).projectId
  })
  after(() => app.close())

  const at = (projectId = id) => `/v1/org/${orgId}/project/${projectId}`
  const aggregated = async (body?: object, projectId = id): Promise<AggregatedIssue[]> => {
    const answer = await app.call('POST', `${at(projectId)}/aggregated-issues`, body ? { body } : {})
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json().issues
  }
  const idsOf = (issues: readonly { id: string }[]) => issues.map((issue) => issue.id)
  const ignore = (issueId: string, body: object, projectId: string) =>
    app.call('POST', `${at(projectId)}/ignore/${encodeURIComponent(issueId)}`, {
      body: { reasonType: 'wont-fix', disregardIfFixable: false, ...body },
    })
  const GPL = 'lic:npm:tool:GPL-3.0-only'

  describe('v1 aggregated issues', () => {
    test('aggregated issues: are sorted by severity and show data, fix and paths', async () => {
      const issues = await aggregated()
      assert.equal(issues.length, 7)
      assert.deepEqual(
        issues.map(({ issueData: { severity } }) => severity),
        ['critical', 'high', 'high', 'high', 'medium', 'medium', 'medium'],
      )
      const { issueData, priority, links, ...rest } = issues[0]!
      assert.deepEqual(rest, {
        id: LODASH_ISSUE,
        issueType: 'vuln',
        pkgName: 'lodash',
        pkgVersions: ['4.17.4'],
        isPatched: false,
        isIgnored: false,
        fixInfo: {
          isUpgradable: true,
          isPinnable: false,
          isPatchable: false,
          isFixable: true,
          isPartiallyFixable: true,
          nearestFixedInVersion: '4.17.12',
          recommendedVersion: '4.17.21',
          fixedIn: ['4.17.12'],
          advice: 'upgrade lodash 4.17.4 → 4.17.21',
        },
      })
      assert.equal(issueData.url, `${app.parts.services.baseUrl}/vuln/${LODASH_ISSUE}`)
      assert.deepEqual(issueData.identifiers?.CVE, ['CVE-2019-10744'])
      assert.deepEqual(issueData.semver, { vulnerable: ['<4.17.12'] })
      assert.equal(issueData.description, undefined)
      assert.equal(priority.score, 300 + 18 + 10 + 10)
      const paths = new URL(links.paths)
      assert.equal((await app.call('GET', paths.pathname)).json().total, 2)
    })

    test("aggregated issues: include license issues with the policy's instructions", async () => {
      const [issue, ...others] = await aggregated({ filters: { types: ['license'] } })
      assert.deepEqual(others, [])
      assert.equal(issue?.id, GPL)
      assert.deepEqual([issue?.pkgName, issue?.issueType], ['tool', 'license'])
      assert.deepEqual(issue?.issueData.instructions, ['Ask first.'])
      assert.equal(issue?.fixInfo.isFixable, false)
      assert.equal(issue?.fixInfo.nearestFixedInVersion, '')
    })

    test('aggregated issues: include descriptions and direct dependencies on request', async () => {
      const [issue] = await aggregated({ includeDescription: true, includeIntroducedThrough: true })
      assert.equal(typeof issue?.issueData.description, 'string')
      assert.deepEqual(issue?.introducedThrough, [
        { kind: 'dependency', data: { name: 'lodash', version: '4.17.4' }, isIgnored: false },
        { kind: 'dependency', data: { name: 'tool', version: '1.0.0' }, isIgnored: false },
      ])
    })

    const filters: [filters: object, count: number][] = [
      [{}, 7],
      [{ severities: ['critical'] }, 1],
      [{ severities: ['critical', 'medium'] }, 4],
      [{ severities: [] }, 0],
      [{ types: ['vuln'] }, 6],
      [{ types: ['vuln', 'license', 'configuration'] }, 7],
      [{ types: ['configuration'] }, 0],
      [{ exploitMaturity: ['no-data'] }, 7],
      [{ exploitMaturity: ['mature', 'proof-of-concept'] }, 0],
      [{ ignored: false, patched: false }, 7],
      [{ ignored: true }, 0],
      [{ patched: true }, 0],
      [{ priority: { score: { min: 330, max: 1000 } } }, 1],
      [{ priority: { score: { max: 329 } } }, 6],
      [{ severities: ['critical', 'high', 'medium', 'low'], orgs: ['sent by some'] }, 7],
    ]
    for (const [filter, count] of filters) {
      test(`aggregated issues: ${JSON.stringify(filter)} lists ${count}`, async () => {
        assert.equal((await aggregated({ filters: filter })).length, count)
      })
    }

    test('aggregated issues: pages report the total and the counts by severity', async () => {
      const path = `${at()}/aggregated-issues`
      const all = await aggregated()
      const collected = []
      for (let next: string | undefined = `${path}?perPage=3`, page = 1; next !== undefined; page++) {
        const url: URL = new URL(next, 'http://x.example')
        const answer = (
          await app.call('POST', `${url.pathname}${url.search}`, { body: { includeDescription: true } })
        ).json()
        assert.equal(answer.total, all.length)
        assert.equal(
          Object.values(answer.counts as Record<string, number>).reduce((a, b) => a + b),
          all.length,
        )
        collected.push(...answer.issues)
        next = answer.links.next
        assert.ok(page <= 3)
      }
      assert.deepEqual(
        collected.map(({ id, pkgName }) => [id, pkgName]),
        all.map(({ id, pkgName }) => [id, pkgName]),
      )
      assert.ok(collected.every(({ issueData }) => typeof issueData.description === 'string'))
      const [worst] = all
      const { severity } = worst!.issueData
      const one = await app.call('POST', `${path}?page=1`, { body: { filters: { severities: [severity] } } })
      const { counts, total, issues, links } = one.json()
      assert.deepEqual([counts[severity], issues.length, links], [total, total, {}])
      assert.ok(total < all.length)
      const beyond = await app.call('POST', `${path}?page=9`)
      assert.deepEqual([beyond.json().issues, beyond.json().total], [[], all.length])
      for (const body of [{ page: 2 }, { perPage: 0 }, { page: 'x', perPage: -1 }]) {
        const whole = await app.call('POST', path, { body })
        assert.deepEqual([whole.statusCode, Object.keys(whole.json())], [200, ['issues']], 'a page is of the address')
        assert.equal(whole.json().issues.length, all.length)
      }
      for (const wrong of ['page=0', 'perPage=1001', 'perPage=x']) {
        assertRefusal(await app.call('POST', `${path}?${wrong}`), { status: 400, code: 'invalid-request' })
      }
    })

    test('aggregated issues: ignored ones show reasons and are counted apart', async () => {
      const { projectId } = await addProject(app, { orgId })
      const expires = new Date(Date.now() + 86_400_000).toISOString()
      await ignore(LODASH_ISSUE, { reason: 'Not reached', expires }, projectId)
      await ignore(GPL, { reason: 'Bought' }, projectId)
      // This rule covers one of two paths.
      await ignore(HIGH, { reason: 'Elsewhere', ignorePath: 'tool > lodash' }, projectId)
      const ignored = await aggregated({ filters: { ignored: true } }, projectId)
      const { id, attributes } = (await app.call('GET', '/rest/self')).json().data
      const more = { source: 'api', path: '*', reasonType: 'wont-fix', ignoredBy: { id, name: attributes.name } }
      assert.deepEqual(
        ignored.map((issue) => [issue.id, issue.isIgnored, issue.ignoreReasons]),
        [
          [LODASH_ISSUE, true, [{ reason: 'Not reached', expires, ...more }]],
          [GPL, true, [{ reason: 'Bought', ...more }]],
        ],
      )
      const open = await aggregated({ filters: { ignored: false } }, projectId)
      assert.equal(open.length, 5)
      assert.ok(open.every(({ isIgnored, ignoreReasons }) => !isIgnored && ignoreReasons === undefined))
      assert.equal((await aggregated(undefined, projectId)).length, 7)
      assert.deepEqual((await app.call('GET', at(projectId))).json().ignoredIssueCountsBySeverity, {
        critical: 1,
        high: 0,
        medium: 1,
        low: 0,
      })
    })

    test('aggregated issues: empty for a project without a test', async () => {
      const never = await addProjectRow(app, { org_id: orgId })
      assert.deepEqual(await aggregated({}, never.id), [])
      const old = await app.call('POST', `${at(never.id)}/issues`)
      assert.equal(old.json().issues.vulnerabilities.length, 0)
    })
  })

  describe('v1 issues by path', () => {
    test('issues by path: equal those of a package test', async () => {
      const { ok, dependencyCount, packageManager, issues } = (await app.call('POST', `${at()}/issues`)).json()
      assert.deepEqual([ok, dependencyCount, packageManager], [false, 2, 'npm'])
      assert.deepEqual([issues.vulnerabilities.length, issues.licenses.length], [12, 1])
      const [direct, through] = issues.vulnerabilities
      assert.deepEqual(
        [direct.id, direct.from, direct.upgradePath],
        [LODASH_ISSUE, ['lodash@4.17.4'], ['lodash@4.17.21']],
      )
      assert.deepEqual(
        [through.from, through.upgradePath],
        [
          ['tool@1.0.0', 'lodash@4.17.4'],
          ['tool@2.0.0', 'lodash@4.17.12'],
        ],
      )
      assert.deepEqual([issues.licenses[0].license, issues.licenses[0].from], ['GPL-3.0-only', ['tool@1.0.0']])
    })

    test('issues by path: one ignored path leaves the others open', async () => {
      const { projectId } = await addProject(app, { orgId })
      await ignore(LODASH_ISSUE, { reason: 'Elsewhere', ignorePath: 'tool > lodash' }, projectId)
      const read = async (filters: object) => {
        const body = { filters: { severities: ['critical'], ...filters } }
        const answer = await app.call('POST', `${at(projectId)}/issues`, { body })
        return answer
          .json()
          .issues.vulnerabilities.map(
            (vulnerability: { from: string[]; isIgnored: boolean; ignored?: { reason: string; path: string }[] }) => [
              vulnerability.from.length,
              vulnerability.isIgnored,
              vulnerability.ignored?.map(({ reason, path }) => `${path}: ${reason}`),
            ],
          )
      }
      const ignored = [2, true, ['tool > lodash: Elsewhere']]
      const open = [1, false, undefined]
      assert.deepEqual(await read({}), [open, ignored])
      assert.deepEqual(await read({ ignored: true }), [ignored])
      assert.deepEqual(await read({ ignored: false }), [open])
    })
  })

  describe('v1 paths of an issue', () => {
    test('issue paths: name the version that fixes the issue, also under a snapshot id', async () => {
      const answer = await app.call('GET', `${at()}/issue/${LODASH_ISSUE}/paths`)
      const { snapshotId, ...shown } = answer.json()
      assert.deepEqual(shown, {
        paths: [
          [{ name: 'lodash', version: '4.17.4', fixVersion: '4.17.21' }],
          [
            { name: 'tool', version: '1.0.0', fixVersion: '2.0.0' },
            { name: 'lodash', version: '4.17.4' },
          ],
        ],
        pathAdvice: ['upgrade lodash 4.17.4 → 4.17.21', 'upgrade tool 1.0.0 → 2.0.0'],
        pathIgnores: [[], []],
        total: 2,
        links: {},
      })
      for (const snapshot of [snapshotId, 'latest']) {
        const same = await app.call('GET', `${at()}/issue/${LODASH_ISSUE}/paths`, { query: { snapshotId: snapshot } })
        assert.equal(same.json().total, 2)
        const older = await app.call('GET', `${at()}/history/${snapshot}/issue/${LODASH_ISSUE}/paths`)
        assert.deepEqual(older.json().paths, shown.paths)
        const issues = await app.call('POST', `${at()}/history/${snapshot}/aggregated-issues`)
        assert.equal(issues.json().issues.length, 7)
      }
    })

    test('issue paths: come in pages with links', async () => {
      const path = `${at()}/issue/${LODASH_ISSUE}/paths`
      const first = await app.call('GET', path, { query: { perPage: '1' } })
      const { paths, total, links } = first.json()
      assert.deepEqual([paths.length, total], [1, 2])
      assert.equal(first.headers['link'], `<${links.next}>; rel=next, <${links.last}>; rel=last`)
      const second = (await app.call('GET', new URL(links.next).pathname + new URL(links.next).search)).json()
      assert.deepEqual(second.paths[0].length, 2)
      assert.deepEqual(Object.keys(second.links), ['prev'])
      assert.deepEqual((await app.call('GET', path, { query: { page: '9' } })).json().paths, [])
    })

    test('issue paths: an issue that the project does not have gets 404', async () => {
      const answer = await app.call('GET', `${at()}/issue/GHSA-none/paths`)
      assertRefusal(answer, { status: 404, code: 'not-found' })
    })

    test('issue paths: a snapshot of an earlier test gets 422', async () => {
      const target = randomUUID()
      const { projectId } = await addProject(app, { orgId, target })
      const [before] = (await app.call('POST', `${at(projectId)}/history`)).json().snapshots
      await new Promise((resolve) => setTimeout(resolve, 2))
      await addProject(app, { orgId, target })
      for (const [method, path] of [
        ['POST', `history/${before.id}/aggregated-issues`],
        ['GET', `history/${before.id}/issue/${LODASH_ISSUE}/paths`],
        ['GET', `issue/${LODASH_ISSUE}/paths?snapshotId=${before.id}`],
      ] as const) {
        const answer = await app.call(method, `${at(projectId)}/${path}`)
        assertRefusal(answer, { status: 422, code: 'unprocessable' })
        assertRefusal(await app.call(method, `${at()}/${path}`), { status: 404, code: 'not-found' })
      }
    })
  })

  describe('v1 history of a project', () => {
    test('project history: lists the latest test first with counts and cause', async () => {
      const target = randomUUID()
      const { projectId } = await addProject(app, { orgId, target })
      for (const cause of ['monitor', 'retest'] as const) {
        await new Promise((resolve) => setTimeout(resolve, 2))
        await addProject(app, { orgId, target, cause })
      }
      const path = `${at(projectId)}/history`
      const { snapshots, total } = (await app.call('POST', path, { body: {} })).json()
      assert.equal(total, 3)
      assert.deepEqual(
        snapshots.map(({ method }: { method: string }) => method),
        ['recurring', 'cli', 'api'],
      )
      assert.deepEqual(snapshots[0].issueCounts, {
        vuln: { critical: 1, high: 3, medium: 2, low: 0 },
        license: { critical: 0, high: 0, medium: 1, low: 0 },
      })
      const one = await app.call('POST', path, { query: { perPage: '1', page: '2' } })
      assert.deepEqual(one.json(), { snapshots: [snapshots[1]], total: 3 })
      assert.match(String(one.headers['link']), /page=1.*rel=prev.*page=3.*rel=next.*rel=last/)
      const images = await app.call('POST', path, { body: { filters: { imageId: 'sha256:0' } } })
      assert.deepEqual(images.json(), { snapshots: [], total: 0 })
    })
  })

  describe('v1 dependency graph of a project', () => {
    test('dependency graph: can be sent to the test endpoint', async () => {
      const { depGraph } = (await app.call('GET', `${at()}/dep-graph`)).json()
      assert.deepEqual(depGraph.pkgManager, { name: 'npm' })
      assert.deepEqual(
        depGraph.pkgs.map((pkg: { id: string }) => pkg.id),
        ['shop@1.0.0', 'lodash@4.17.4', 'tool@1.0.0'],
      )
      const tested = await app.call('POST', '/v1/test/dep-graph', { query: { org: orgId }, body: { depGraph } })
      assert.equal(tested.statusCode, 200, tested.body)
      assert.ok(Object.hasOwn(tested.json().issuesData, LODASH_ISSUE))
    })

    test('dependency graph: contains only the project before the first test', async () => {
      const never = await addProjectRow(app, { org_id: orgId, name: 'never' })
      const { depGraph } = (await app.call('GET', `${at(never.id)}/dep-graph`)).json()
      assert.deepEqual(depGraph.pkgs, [{ id: 'never@', info: { name: 'never' } }])
      assert.deepEqual(depGraph.graph.nodes, [{ nodeId: 'root-node', pkgId: 'never@', deps: [] }])
    })
  })

  test('jira issues: the list is empty and creation gets 422', async () => {
    assert.deepEqual((await app.call('GET', `${at()}/jira-issues`)).json(), {})
    const body = { fields: { project: {}, issuetype: {}, summary: 'x' } }
    const answer = await app.call('POST', `${at()}/issue/${LODASH_ISSUE}/jira-issue`, { body })
    assertRefusal(answer, { status: 422, code: 'unprocessable' })
  })

  test('aggregated issues: list an advisory published since the last test without advice', async () => {
    const project: GivenProject = { packages: ['left@1.0.0', 'right@1.0.0'] }
    await publishRecords(app.parts, [recordAgainst('GHSA-aaaa', 'npm', 'left', { fixed: '2.0.0', severity: 'LOW' })])
    const lease = app.parts.advisories.acquire()
    const { projectId, projectNumber } = await record(app.parts.services.db, {
      orgId,
      test: toTest(project, lease.advisories),
    })
    lease.release()
    const { db } = app.parts.services
    const { number } = await db
      .selectFrom('packages')
      .select('number')
      .where('name', '=', 'right')
      .executeTakeFirstOrThrow()
    const rows = await db.selectFrom('package_issues').selectAll().where('issue_id', '=', 'GHSA-aaaa').execute()
    await db
      .insertInto('package_issues')
      .values({ ...rows[0]!, package_number: number, issue_id: 'GHSA-bbbb', severity: 4 })
      .execute()
    const [fresh] = await aggregated({ includeDescription: true }, projectId)
    assert.deepEqual([fresh?.id, fresh?.pkgName, fresh?.issueData.description], ['GHSA-bbbb', 'right', ''])
    assert.equal(fresh?.fixInfo.isPartiallyFixable, false)
    assert.equal(fresh?.fixInfo.nearestFixedInVersion, '2.0.0')
    assert.ok(projectNumber > 0)
    assert.deepEqual(idsOf(await aggregated({ filters: { types: ['vuln'] } }, projectId)), ['GHSA-bbbb', 'GHSA-aaaa'])
  })

  const permission = 'org.project.snapshot.read'
  const operations: [name: string, operation: Omit<Operation, 'path'>, path: string][] = [
    [
      'aggregated issues',
      {
        method: 'POST',
        badBodies: [
          ['an unknown severity', { filters: { severities: ['worst'] } }, '/filters/severities/0'],
          ['an unknown type', { filters: { types: ['code'] } }, '/filters/types/0'],
          ['a string as a boolean', { filters: { ignored: 'yes' } }, '/filters/ignored'],
        ],
      },
      'aggregated-issues',
    ],
    ['issues', { method: 'POST' }, 'issues'],
    ['paths', { method: 'GET' }, `issue/${LODASH_ISSUE}/paths`],
    ['aggregated issues of the last test', { method: 'POST' }, 'history/latest/aggregated-issues'],
    ['paths of the last test', { method: 'GET' }, `history/latest/issue/${LODASH_ISSUE}/paths`],
    ['history', { method: 'POST' }, 'history'],
    ['dependency graph', { method: 'GET' }, 'dep-graph'],
  ]
  for (const [name, operation, path] of operations) {
    describe('v1 project of the first organization', () => {
      let own: string
      before(async () => {
        own = (await addProjectRow(app)).id
      })
      testRefusals(() => app, name, {
        ...operation,
        path: () => `/v1/org/${app.orgId}/project/${own}/${path}`,
        needs: { permission, in: 'org' },
      })
      test(`${name}: unknown projects and those of another organization get 404`, async () => {
        for (const projectId of [id, randomUUID(), 'no-uuid']) {
          const answer = await app.call(operation.method, `/v1/org/${app.orgId}/project/${projectId}/${path}`)
          assertRefusal(answer, { status: 404, code: 'not-found' })
        }
      })
    })
  }
  testRefusals(() => app, 'jira issue list', {
    method: 'GET',
    path: () => `/v1/org/${app.orgId}/project/${randomUUID()}/jira-issues`,
    needs: { permission: 'org.project.jira.issue.read', in: 'org' },
  })
  testRefusals(() => app, 'jira issue creation', {
    method: 'POST',
    path: () => `/v1/org/${app.orgId}/project/${randomUUID()}/issue/x/jira-issue`,
    body: () => ({}),
    needs: { permission: 'org.project.jira.issue.create', in: 'org' },
  })

  for (const query of [{ perPage: '0' }, { perPage: '1001' }, { page: '0' }, { page: 'one' }]) {
    test(`issue paths: refuse ${JSON.stringify(query)} with 400`, async () => {
      const answer = await app.call('GET', `${at()}/issue/${LODASH_ISSUE}/paths`, {
        query: query as Record<string, string>,
      })
      assertRefusal(answer, { status: 400, code: 'invalid-request' })
    })
  }
})
