import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { createProjectTester } from '#features/issue-index/recording/run-project-test.ts'
import { permissionNames } from '#foundation/access/permissions.ts'
import { auditEventsOf } from '#test/access/audit.ts'
import { assertRefusal, testRefusals } from '#test/access/refusals.ts'
import { LODASH_ISSUE, startShopApp } from '#test/projects/projects.ts'
import type { TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { retestDue } from '../retests/retest-projects.ts'
import { toTarget } from './monitor.ts'

/** Builds the graph of a project that uses a version of lodash. */
function graphOf(name: string, version = '4.17.4', manager = 'npm') {
  const ids = [`${name}@1.0.0`, `lodash@${version}`]
  return {
    schemaVersion: '1.2.0',
    pkgManager: { name: manager, repositories: [{ alias: 'some' }] },
    pkgs: [
      { id: ids[0], info: { name, version: '1.0.0' } },
      { id: ids[1], info: { name: 'lodash', version } },
    ],
    graph: {
      rootNodeId: 'root-node',
      nodes: [
        { nodeId: 'root-node', pkgId: ids[0], deps: [{ nodeId: 'lodash' }] },
        { nodeId: 'lodash', pkgId: ids[1], deps: [] },
      ],
    },
  }
}

onEveryEngine('monitoring', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startShopApp(engine)
  })
  after(() => app.close())

  const read = async (projectId: string, orgId = app.orgId) =>
    (await app.call('GET', `/v1/org/${orgId}/project/${projectId}`)).json()

  describe('monitored dependency graphs', () => {
    const send = (depGraph: object, query: Record<string, string> = {}) =>
      app.call('POST', '/v1/monitor/dep-graph', { body: { depGraph, meta: {} }, query })

    test("graph: becomes a project with its root's name; a second graph updates it", async () => {
      const name = `app ${randomUUID()}`
      const first = await send(graphOf(name), { 'prune-dep-graph': 'true' })
      assert.equal(first.statusCode, 200, first.body)
      const { ok, id, uri } = first.json()
      assert.equal(ok, true)
      assert.equal(uri.split('/').at(-1), id)
      const shown = await read(id)
      assert.deepEqual(
        [shown.name, shown.origin, shown.type, shown.totalDependencies, shown.issueCountsBySeverity.critical],
        [name, 'api', 'npm', 1, 1],
      )
      const [event] = await auditEventsOf(app, id)
      assert.equal(event?.action, 'project.create')
      const { data: self } = (await app.call('GET', '/rest/self')).json()
      assert.equal(shown.importingUser.id, self.id)

      const again = await send(graphOf(name, '4.17.21'))
      assert.equal(again.json().id, id)
      const later = await read(id)
      assert.equal(later.issueCountsBySeverity.critical, 0)
      assert.equal((await app.call('POST', `/v1/org/${app.orgId}/project/${id}/history`)).json().total, 2)
      assert.equal((await auditEventsOf(app, id)).length, 1)
      assert.notEqual((await send(graphOf(name, '4.17.4', 'yarn'))).json().id, id)
      const listed = await app.call('GET', `/rest/orgs/${app.orgId}/projects`, { query: { ids: id } })
      assert.ok(listed.json().data[0].meta.cli_monitored_at)
    })

    test('graph: a second one keeps the ignores', async () => {
      const name = randomUUID()
      const { id } = (await send(graphOf(name))).json()
      await app.call('POST', `/v1/org/${app.orgId}/project/${id}/ignore/${LODASH_ISSUE}`, {
        body: { reasonType: 'wont-fix', disregardIfFixable: false },
      })
      await send(graphOf(name))
      assert.equal((await read(id)).ignoredIssueCountsBySeverity.critical, 1)
    })

    test('graph: the org parameter selects the organization', async () => {
      const orgId = await app.addOrg()
      const { id } = (await send(graphOf('elsewhere'), { org: orgId })).json()
      assert.equal((await read(id, orgId)).name, 'elsewhere')
    })

    test('graph: simultaneous requests create a single project', async () => {
      const name = randomUUID()
      const answers = await Promise.all(Array.from({ length: 4 }, () => send(graphOf(name))))
      assert.equal(new Set(answers.map((answer) => answer.json().id)).size, 1)
    })

    test('graph: a repeat with the same Idempotency-Key is replayed and adds no test', async () => {
      const [body, headers] = [{ depGraph: graphOf(randomUUID()) }, { 'idempotency-key': randomUUID() }]
      const first = await app.call('POST', '/v1/monitor/dep-graph', { body, headers })
      const again = await app.call('POST', '/v1/monitor/dep-graph', { body, headers })
      assert.equal(again.body, first.body)
      assert.equal(again.headers['idempotency-replayed'], 'true')
      const history = await app.call('POST', `/v1/org/${app.orgId}/project/${first.json().id}/history`)
      assert.equal(history.json().total, 1)
    })

    const bad: [why: string, depGraph: object, status: number][] = [
      ['with too many nodes', { ...graphOf('large'), graph: tooManyNodes() }, 422],
      ['of unsupported packages', graphOf('a', '1', 'deb'), 422],
      ['that contradicts itself', { ...graphOf('a'), pkgs: [{ id: 'a@1.0.0', info: { name: 'a' } }] }, 422],
      ['without a root', { ...graphOf('a'), graph: { ...graphOf('a').graph, rootNodeId: 'other' } }, 422],
      ['with a NUL in a name', graphOf('a\0'), 422],
      ['with half a character in a version', graphOf('a', '1\ud800'), 422],
      ['without packages', { ...graphOf('a'), pkgs: [] }, 400],
    ]
    for (const [why, depGraph, status] of bad) {
      test(`graph ${why}: refused without creating a project`, async () => {
        const before = await countProjects()
        const answer = await send(depGraph)
        assert.equal(answer.statusCode, status, answer.body)
        assert.ok(answer.json().message)
        assert.equal(await countProjects(), before)
      })
    }

    testRefusals(() => app, 'monitoring of a graph', {
      method: 'POST',
      path: () => `/v1/monitor/dep-graph?org=${app.orgId}`,
      body: () => ({ depGraph: graphOf('a') }),
      needs: { permission: 'org.project.create', in: 'org' },
    })
  })

  describe('monitored bills of materials', () => {
    const path = () => `/v1/monitor/sbom?org=${app.orgId}`
    const billOf = (name: string | undefined, version = '4.17.4') =>
      JSON.stringify({
        bomFormat: 'CycloneDX',
        specVersion: '1.6',
        ...(name !== undefined && { metadata: { component: { type: 'application', name } } }),
        components: [{ type: 'library', name: 'lodash', version, purl: `pkg:npm/lodash@${version}` }],
      })
    const send = (payload: string | Buffer, more: { type?: string; query?: string; headers?: object } = {}) =>
      app.server.inject({
        method: 'POST',
        url: `${path()}${more.query ?? ''}`,
        headers: {
          authorization: `token ${app.adminKey}`,
          'content-type': more.type ?? 'application/json',
          ...more.headers,
        },
        payload,
      })

    test("bill of materials: becomes a project with its subject's name; a second one updates it", async () => {
      const name = `bill ${randomUUID()}`
      const first = await send(billOf(name))
      assert.equal(first.statusCode, 200, first.body)
      const { id, uri } = first.json()
      assert.equal(uri.split('/').at(-1), id)
      const shown = await read(id)
      assert.deepEqual(
        [shown.name, shown.origin, shown.type, shown.totalDependencies, shown.issueCountsBySeverity.critical],
        [name, 'api', 'sbom', 1, 1],
      )
      assert.equal((await send(billOf(name, '4.17.21'))).json().id, id)
      assert.equal((await read(id)).issueCountsBySeverity.critical, 0)
    })

    test('bill of materials: retests use the stored file', async () => {
      const { id } = (await send(billOf(randomUUID()))).json()
      const { services, tests } = app.parts
      const due = { next_test_at: Date.now() - 1 }
      await services.db.updateTable('projects').set(due).where('id', '=', id).execute()
      const retesting = { ...services, tester: createProjectTester(services, tests), sources: undefined }
      assert.equal(await retestDue(retesting, new AbortController().signal), 1)
      const history = await app.call('POST', `/v1/org/${app.orgId}/project/${id}/history`)
      assert.equal(history.json().total, 2)
      assert.equal((await read(id)).issueCountsBySeverity.critical, 1)
    })

    test("bill of materials: the name parameter overrides the subject's; each name is a project", async () => {
      const [one, other] = [randomUUID(), randomUUID()]
      const { id } = (await send(billOf('a'), { query: `&name=${one}` })).json()
      assert.equal((await read(id)).name, one)
      assert.notEqual((await send(billOf('a'), { query: `&name=${other}` })).json().id, id)
      assert.equal((await send(billOf(undefined), { query: `&name=${one}` })).json().id, id)
    })

    for (const type of ['application/vnd.cyclonedx+xml', 'text/plain; charset=utf-16', 'application/octet-stream']) {
      test(`bill of materials: the content decides the format, not the media type ${type}`, async () => {
        const text = `<?xml version="1.0"?><bom xmlns="http://cyclonedx.org/schema/bom/1.4"><metadata><component type="application"><name>${randomUUID()}</name></component></metadata><components><component type="library"><name>lodash</name><version>4.17.4</version><purl>pkg:npm/lodash@4.17.4</purl></component></components></bom>`
        const bytes = type.endsWith('utf-16') ? Buffer.from(`\ufeff${text}`, 'utf16le') : Buffer.from(text)
        const answer = await send(bytes, { type })
        assert.equal(answer.statusCode, 200, answer.body)
        assert.equal((await read(answer.json().id)).issueCountsBySeverity.critical, 1)
      })
    }

    test('bill of materials: an Idempotency-Key replays the same file and refuses another with 409', async () => {
      const [bill, headers] = [billOf(randomUUID()), { 'idempotency-key': randomUUID() }]
      const first = await send(bill, { headers })
      assert.equal((await send(bill, { headers })).body, first.body)
      const history = await app.call('POST', `/v1/org/${app.orgId}/project/${first.json().id}/history`)
      assert.equal(history.json().total, 1)
      assert.equal((await send(billOf(randomUUID()), { headers })).statusCode, 409)
    })

    const refused: [why: string, payload: string, status: number, reason: RegExp][] = [
      ['that is empty', '', 400, /no body/],
      ['that is another file', '{"name":"a","dependencies":{}}', 400, /package\.json/],
      ['that is broken', '{"bomFormat":"CycloneDX",', 400, /JSON/],
      ['without a subject or a name', billOf(undefined), 422, /parameter name/],
    ]
    for (const [why, payload, status, reason] of refused) {
      test(`bill of materials ${why}: refused without creating a project`, async () => {
        const before = await countProjects()
        const answer = await send(payload)
        assert.equal(answer.statusCode, status, answer.body)
        assert.match(answer.json().message, reason)
        assert.doesNotMatch(answer.body, /additional|files\/target/)
        assert.equal(await countProjects(), before)
      })
    }

    test('bill of materials: an unknown media type gets 415 with the supported ones', async () => {
      const answer = await send(billOf('a'), { type: 'application/x-www-form-urlencoded' })
      assert.equal(answer.statusCode, 415)
      assert.match(answer.json().message, /application\/vnd\.cyclonedx\+json/)
    })

    testRefusals(() => app, 'monitoring of a bill of materials', {
      method: 'POST',
      path,
      needs: { permission: 'org.project.create', in: 'org' },
    })
  })

  describe('monitored graphs of command-line clients', () => {
    const send = (
      body: object,
      { key = app.adminKey, query = {} }: { key?: string; query?: Record<string, string> } = {},
    ) =>
      app.call('PUT', '/v1/monitor/npm/graph', {
        key,
        query,
        body,
      })
    const sent = (more: object = {}) => ({
      meta: { method: 'cli', name: 'shop', projectName: `shop ${randomUUID()}`, version: '1.0.0', monitorGraph: true },
      depGraphJSON: graphOf('shop'),
      policy: '# nothing',
      target: { remoteUrl: `https://user:secret@git.example/owner/${randomUUID()}.git?x=1`, branch: 'main' },
      targetFile: 'package-lock.json',
      targetFileRelativePath: 'web/package-lock.json',
      ...more,
    })

    test("client graph: becomes a project of its repository; the URL's secret is removed", async () => {
      const body = sent({
        tags: [{ key: 'team', value: 'red' }],
        projectAttributes: { criticality: ['high'], environment: null },
        targetReference: 'main',
      })
      const answer = await send(body)
      assert.equal(answer.statusCode, 200, answer.body)
      const { id, uri, org, projectName, isMonitored } = answer.json()
      assert.equal(uri.split('/').at(-1), id)
      const { data } = (await app.call('GET', `/rest/orgs/${app.orgId}`)).json()
      assert.deepEqual([org, projectName, isMonitored], [data.attributes.slug, body.meta.projectName, true])
      const shown = await read(id)
      assert.deepEqual(
        [shown.origin, shown.name, shown.targetFile, shown.branch, shown.tags, shown.attributes.criticality],
        ['cli', body.meta.projectName, 'package-lock.json', 'main', [{ key: 'team', value: 'red' }], ['high']],
      )
      assert.equal(shown.remoteRepoUrl, body.target.remoteUrl.replace('user:secret@', '').replace('?x=1', ''))
      const [target] = (
        await app.call('GET', `/rest/orgs/${app.orgId}/targets`, { query: { url: shown.remoteRepoUrl } })
      ).json().data
      assert.match(target.attributes.display_name, /^owner\/[\w-]+$/)

      const again = await send({ ...body, tags: undefined })
      assert.equal(again.json().id, id)
      assert.deepEqual((await read(id)).tags, [{ key: 'team', value: 'red' }])
      assert.notEqual((await send({ ...body, targetReference: 'next' })).json().id, id)
      assert.notEqual((await send({ ...body, targetFile: 'other.json' })).json().id, id)
    })

    test('client graph: without a repository, the name identifies the project', async () => {
      const body = sent({ target: undefined })
      const { id } = (await send(body)).json()
      assert.equal((await send({ ...body, target: null })).json().id, id)
      const { id: other } = (await send(sent({ target: {} }))).json()
      assert.notEqual(other, id)
    })

    test('client graph: may be gzipped', async () => {
      const payload = gzipSync(JSON.stringify(sent()))
      const answer = await app.server.inject({
        method: 'PUT',
        url: '/api/v1/monitor/npm/graph',
        headers: {
          authorization: `token ${app.adminKey}`,
          'content-type': 'application/json',
          'content-encoding': 'gzip',
        },
        payload,
      })
      assert.equal(answer.statusCode, 200, answer.body)
    })

    test('client graph: the organization is given by id, slug or query parameter', async () => {
      const orgId = await app.addOrg()
      const { data } = (await app.call('GET', `/rest/orgs/${orgId}`)).json()
      for (const org of [orgId, data.attributes.slug]) {
        const body = sent()
        const answer = await send({ ...body, meta: { ...body.meta, org } })
        assert.equal((await read(answer.json().id, orgId)).origin, 'cli')
      }
      const answer = await send(sent(), { query: { org: orgId } })
      assert.equal((await read(answer.json().id, orgId)).origin, 'cli')
    })

    for (const permission of ['org.project.create', 'org.package.test', 'org.read'] as const) {
      test(`client graph: refused without ${permission} (403)`, async () => {
        const key = await app.keyWith(permissionNames.filter((name) => name !== permission))
        const body = sent()
        const answer = await send({ ...body, meta: { ...body.meta, org: app.orgId } }, { key })
        assertRefusal(answer, { status: 403, code: 'forbidden' })
        assert.ok(answer.body.includes(permission))
      })
    }

    test('client graph: tags and attributes need their own permissions', async () => {
      const key = await app.keyWith(
        permissionNames.filter((name) => !['org.project.tag.edit', 'org.project.attributes.edit'].includes(name)),
      )
      const labeled = [{ tags: [{ key: 'a', value: 'b' }] }, { projectAttributes: { lifecycle: ['sandbox'] } }]
      for (const labels of labeled) {
        assertRefusal(await send(sent(labels), { key }), { status: 403, code: 'forbidden' })
      }
      assert.equal((await send(sent(), { key })).statusCode, 200)
    })

    test('client graph: an organization foreign to the caller gets 404', async () => {
      const key = await app.keyWith(permissionNames, { groupId: await app.addGroup() })
      for (const org of [app.orgId, randomUUID(), 'no-such-org']) {
        const body = sent()
        const answer = await send({ ...body, meta: { ...body.meta, org } }, { key })
        assertRefusal(answer, { status: 404, code: 'not-found' })
      }
    })

    testRefusals(() => app, 'monitoring of a client graph', {
      method: 'PUT',
      path: () => '/v1/monitor/npm/graph',
      body: () => sent(),
      badBodies: [
        ['a missing graph', { meta: {} }, '/depGraphJSON'],
        ['a name of control characters', sent({ meta: { projectName: 'a\u0007' } }), '/meta/projectName'],
        ['a tag of spaces', sent({ tags: [{ key: ' ', value: 'a' }] }), '/tags/0/key'],
      ],
    })
  })

  const countProjects = async () => (await app.parts.services.db.selectFrom('projects').select('id').execute()).length
})

function tooManyNodes() {
  const count = 200_001
  const nodes = Array.from({ length: count }, (_, n) => ({
    nodeId: `n${n}`,
    pkgId: 'lodash@4.17.4',
    deps: [] as object[],
  }))
  nodes[0] = { nodeId: 'n0', pkgId: 'large@1.0.0', deps: nodes.slice(1).map(({ nodeId }) => ({ nodeId })) }
  return { rootNodeId: 'n0', nodes }
}

describe('targets of monitored projects', () => {
  const cases: [remoteUrl: string | undefined, sourceKey: string, displayName: string, url: string | null][] = [
    [undefined, 'cli:name:shop', 'shop', null],
    [
      'https://git.example/owner/name.git',
      'cli:https://git.example/owner/name',
      'owner/name',
      'https://git.example/owner/name.git',
    ],
    [
      'https://token@git.example/Owner/name',
      'cli:https://git.example/owner/name',
      'Owner/name',
      'https://git.example/Owner/name',
    ],
    ['http://u:p@git.example/a?private_token=x#y', 'cli:http://git.example/a', 'a', 'http://git.example/a'],
    [
      'git@git.example:owner/name.git',
      'cli:ssh://git.example/owner/name',
      'owner/name',
      'ssh://git.example/owner/name.git',
    ],
    [
      'ssh://git@git.example/owner/name.git',
      'cli:ssh://git.example/owner/name',
      'owner/name',
      'ssh://git.example/owner/name.git',
    ],
    [
      'https://git.example/a%00b/%E0%A4',
      'cli:https://git.example/a%00b/%e0%a4',
      'a%00b/%E0%A4',
      'https://git.example/a%00b/%E0%A4',
    ],
    ['/home/somebody/work', 'cli:name:shop', 'shop', null],
    ['user:secret@git.example/owner/name.git', 'cli:name:shop', 'shop', null],
    ['user:secret@git.example:owner/name.git', 'cli:name:shop', 'shop', null],
    ['not a url', 'cli:name:shop', 'shop', null],
  ]
  for (const [remoteUrl, sourceKey, displayName, url] of cases) {
    test(`target of ${remoteUrl ?? 'no repository'}: has key ${sourceKey}`, () => {
      assert.deepEqual(toTarget('cli', 'shop', remoteUrl), { sourceKey, displayName, url })
    })
  }
})
