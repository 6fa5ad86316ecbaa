import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { addProject, LODASH_ISSUE, startShopApp } from '#test/projects/projects.ts'
import type { TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

interface Page {
  readonly data: {
    readonly id: string
    readonly attributes: Record<string, never>
    readonly relationships: Record<string, { readonly data: { readonly id: string } } | undefined>
    readonly meta: Record<string, Record<string, number>>
  }[]
  readonly links: { readonly next?: string }
}

/** Requests of published clients, with the members of responses that they read. */
onAnyEngine('existing clients that read projects', (engine) => {
  let app: TestApp
  let orgId: string
  const ids: string[] = []
  before(async () => {
    app = await startShopApp(engine)
    orgId = await app.addOrg()
    for (let count = 0; count < 12; count++) ids.push((await addProject(app, { orgId })).projectId)
  })
  after(() => app.close())

  interface Sent {
    readonly headers?: Record<string, string>
    readonly body?: object
    readonly expect?: number
  }

  async function send(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    { headers, body, expect = 200 }: Sent = {},
  ) {
    const answer = await app.server.inject({
      method,
      url,
      headers: { authorization: `token ${app.adminKey}`, ...headers },
      ...(body && { payload: JSON.stringify(body) }),
    })
    assert.equal(answer.statusCode, expect, `${method} ${url}: ${answer.body}`)
    return answer.body === '' ? undefined : answer.json()
  }

  describe('the Python client, which sends its headers with every request', () => {
    const headers = { 'content-type': 'application/json' }
    const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
      send(method, `/v1/${path}`, { headers, ...(body && { body }) })

    /** Follows links as the client does: drops a leading `rest` and sends only the link's parameters. */
    async function pages(query: string): Promise<Page['data']> {
      const projects: Page['data'] = []
      for (let path = `/orgs/${orgId}/projects?version=2023-06-19&limit=10&${query}`; ; ) {
        const page: Page = await send('GET', `/rest${path}`, { headers })
        projects.push(...page.data)
        const { next } = page.links
        if (next === undefined) return projects
        assert.match(next, /^\/orgs\/.*version=2023-06-19/)
        assert.match(next, /limit=10/)
        assert.notEqual(next, path)
        path = next
      }
    }

    test('Python client: lists projects with issue counts and targets', async () => {
      const listed = await pages('meta.latest_issue_counts=true&expand=target')
      assert.deepEqual(
        listed.map(({ id }) => id),
        ids,
      )
      for (const { attributes, meta, relationships } of listed) {
        for (const name of ['name', 'created', 'origin', 'type', 'status', 'target_reference', 'tags'])
          assert.ok(name in attributes, name)
        assert.equal(typeof attributes['read_only'], 'boolean')
        const counts = meta['latest_issue_counts']!
        assert.deepEqual([counts['critical'], counts['high'], counts['medium'], counts['low']], [1, 3, 2, 0])
        assert.equal(relationships['owner'], undefined)
        assert.ok('attributes' in relationships['target']!.data)
      }
    })

    test('Python client: reads a project, its issues, paths, graph, history, settings and ignores', async () => {
      const base = `org/${orgId}/project/${ids[0]}`
      const project = await call('GET', base)
      for (const name of [
        ...['name', 'id', 'created', 'origin', 'type', 'readOnly', 'testFrequency', 'totalDependencies'],
        ...['lastTestedDate', 'browseUrl', 'isMonitored', 'issueCountsBySeverity'],
      ]) {
        assert.ok(project[name] !== undefined && project[name] !== null, name)
      }
      const filters = { severities: ['critical', 'high', 'medium', 'low'], types: ['vuln', 'license'], ignored: false }
      const { issues } = await call('POST', `${base}/aggregated-issues`, { filters: { ...filters, patched: false } })
      for (const { fixInfo, issueData } of issues) {
        assert.equal(typeof fixInfo.nearestFixedInVersion, 'string')
        assert.equal(typeof issueData.exploitMaturity, 'string')
      }
      const old = await call('POST', `${base}/issues`, { filters: { ...filters, patched: false } })
      assert.ok(!old.ok && old.issues.vulnerabilities.length > 0)
      const { paths, total, snapshotId } = await call('GET', `${base}/issue/${LODASH_ISSUE}/paths`)
      assert.ok(paths[0][0].fixVersion && total === 2 && snapshotId)
      const { depGraph } = await call('GET', `${base}/dep-graph`)
      assert.ok(depGraph.schemaVersion && depGraph.graph.rootNodeId)
      assert.equal((await call('POST', `${base}/history?perPage=1&page=1`)).snapshots.length, 1)
      assert.deepEqual(await call('GET', `${base}/ignores`), {})
      assert.deepEqual(await call('GET', `${base}/jira-issues`), {})
      assert.equal((await call('GET', `${base}/settings`)).pullRequestTestEnabled, false)
      assert.ok(await call('PUT', `${base}/settings`, { pullRequestTestEnabled: false }))
    })

    test('Python client: labels, deactivates, activates, moves and deletes a project', async () => {
      const { projectId } = await addProject(app, { orgId })
      const base = `org/${orgId}/project/${projectId}`
      const tag = { key: 'some-key', value: 'some-value' }
      assert.deepEqual(await call('POST', `${base}/tags`, tag), { tags: [tag] })
      assert.deepEqual(
        (await pages('tags=some-key:some-value')).map(({ id }) => id),
        [projectId],
      )
      assert.deepEqual(await call('POST', `${base}/tags/remove`, tag), { tags: [] })
      await call('POST', `${base}/deactivate`)
      await call('POST', `${base}/activate`)
      const moved = await call('PUT', `${base}/move`, { targetOrgId: app.orgId })
      assert.equal(moved.movedProject, projectId)
      await call('DELETE', `org/${app.orgId}/project/${projectId}`)
    })

    test('Python client: reads all dependencies by page, licenses and entitlements', async () => {
      const body = { filters: { projects: [ids[0]] } }
      const path = `org/${orgId}/dependencies?sortBy=dependency&order=asc`
      const first = await call('POST', `${path}&page=1&perPage=1`, body)
      const second = await call('POST', `${path}&page=2&perPage=1`, body)
      assert.deepEqual([first.total, first.results.length, second.results.length], [2, 1, 1])
      const [{ licenses, projects }] = first.results
      assert.ok(licenses[0].id && projects[0].id)
      const { results } = await call('POST', `org/${orgId}/licenses`, body)
      assert.ok(results[0].dependencies[0].packageManager)
      assert.equal((await call('GET', `org/${orgId}/entitlements`)).licenses, true)
    })
  })

  describe('the import tool, which uses the first releases', () => {
    const headers = { 'content-type': 'application/json' }

    test('import tool: lists projects and targets and follows their links', async () => {
      const projects: Page['data'] = []
      for (let link: string | undefined = `/orgs/${orgId}/projects?version=2022-06-08~beta`; link; ) {
        const page: Page = await send('GET', `/rest${link}`, { headers })
        projects.push(...page.data)
        link = page.links.next
      }
      assert.equal(projects.length, 12)
      assert.ok(projects.every(({ attributes }) => 'targetReference' in attributes && 'origin' in attributes))
      const targets: Page['data'] = []
      const query = 'version=2022-09-15~beta&limit=5&excludeEmpty=true&origin=cli'
      for (let link: string | undefined = `/orgs/${orgId}/targets?${query}`; link; ) {
        const page: Page = await send('GET', `/rest${link}`, { headers })
        targets.push(...page.data)
        link = page.links.next
      }
      assert.equal(targets.length, 12)
      for (const name of ['displayName', 'isPrivate', 'origin', 'remoteUrl']) {
        assert.ok(
          targets.every(({ attributes }) => name in attributes),
          name,
        )
      }
      const one: Page = await send(
        'GET',
        `/rest/orgs/${orgId}/projects?version=2022-09-15~beta&targetId=${targets[0]!.id}&limit=20`,
        { headers },
      )
      assert.equal(one.data.length, 1)
    })

    test('import tool: disables notifications, changes a branch, deactivates, and deletes projects in bulk', async () => {
      const { projectId } = await addProject(app, { orgId })
      const off = { 'new-issues-remediations': { enabled: false, issueType: 'none', issueSeverity: 'high' } }
      await send('PUT', `/v1/org/${orgId}/notification-settings`, { headers, body: off })
      const flag = await send('GET', `/v1/cli-config/feature-flags/customBranch?org=${orgId}`, { headers })
      assert.equal(flag.ok, true)
      const changed = await send('PUT', `/v1/org/${orgId}/project/${projectId}`, { headers, body: { branch: 'main' } })
      assert.equal(changed.branch, 'main')
      await send('POST', `/v1/org/${orgId}/project/${projectId}/deactivate`, { headers, body: {} })
      await send('POST', `/v1/org/${orgId}/projects/bulk-delete`, { headers, body: { projects: [projectId] } })
      await send('GET', `/v1/org/${orgId}/project/${projectId}`, { headers, expect: 404 })
    })
  })

  test('TypeScript client: responses have every member that it reads unchecked', async () => {
    const page: Page = await send('GET', `/rest/orgs/${orgId}/projects?version=2023-05-29&limit=10`)
    for (const { attributes, relationships } of page.data) {
      assert.equal(relationships['organization']!.data.id, orgId)
      const { settings, created } = attributes as unknown as {
        settings: { recurring_tests: { frequency: string } }
        created: string
      }
      assert.equal(settings.recurring_tests.frequency, 'daily')
      assert.ok(created.length > 0)
    }
    assert.ok(page.links.next)
    // It puts `/rest` before links that have it already.
    assert.ok((await send('GET', `/rest/rest${page.links.next}`)).data.length > 0)
  })

  test('ticket tool: lists active projects and their issues', async () => {
    const headers = { accept: 'application/vnd.api+json', authorization: app.adminKey }
    const query = 'version=2022-07-08~beta&status=active&businessCriticality=high'
    const page: Page = await send('GET', `/rest/orgs/${orgId}/projects?${query}`, { headers })
    assert.deepEqual(page.data, [])
    const all: Page = await send('GET', `/rest/orgs/${orgId}/projects?version=2022-07-08~beta&status=active`, {
      headers,
    })
    assert.equal(all.data.length, 10)
    const filters = { severities: ['high'], types: ['vuln'], ignored: false, patched: false }
    const body = { includeDescription: true, filters: { ...filters, priority: { score: { min: 0, max: 1000 } } } }
    const { issues } = await send('POST', `/v1/org/${orgId}/project/${ids[0]}/aggregated-issues`, {
      headers: { 'content-type': 'application/json' },
      body,
    })
    assert.equal(issues.length, 3)
    assert.ok(issues.every(({ priority }: { priority: { score: number } }) => priority.score > 0))
  })

  test('command-line client: monitors a project and prints its URL', async () => {
    const { depGraph } = await send('GET', `/v1/org/${orgId}/project/${ids[0]}/dep-graph`)
    const body = {
      meta: { method: 'cli', hostname: 'here', id: 'shop', ci: false, pid: 1, node: 'v24', name: 'shop', org: orgId },
      depGraphJSON: depGraph,
      target: { remoteUrl: `http://git.example/owner/${randomUUID()}`, branch: 'main' },
      targetFileRelativePath: 'package-lock.json',
      contributors: [],
    }
    const kept = await send('PUT', '/v1/monitor/npm/graph', { headers: { 'content-type': 'application/json' }, body })
    assert.equal(new URL(kept.uri).pathname.split('/').at(-1), kept.id)
    const { issueCountsBySeverity } = await send('GET', `/v1/org/${orgId}/project/${kept.id}`)
    assert.equal(issueCountsBySeverity.critical, 1)
  })
})
