import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { assertRefusal, testRefusals, testRepetition } from '#test/access/refusals.ts'
import { type BareRepository, bareRepository } from '#test/repositories/git-repository.ts'
import {
  type ImportApp,
  importAndWait,
  importOf,
  npmProject,
  startImportApp,
  waitForJob,
} from '#test/repositories/imports.ts'
import { ADMIN_KEY } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

onEveryEngine('imports over HTTP', (engine) => {
  let app: ImportApp
  let repository: BareRepository
  let jobId: string
  before(async () => {
    app = await startImportApp(engine, { importStreams: 3 })
    repository = bareRepository()
    repository.commit([
      ...npmProject('web'),
      ...npmProject('tests/x'),
      { path: 'broken/package.json', content: '{"name":' },
    ])
    jobId = (await importAndWait(app, importOf(repository.path))).id
  })
  after(async () => {
    repository[Symbol.dispose]()
    await app.close()
  })

  const v1 = (rest = '') => `/v1/org/${app.orgId}/integrations/${app.integrationId}/import${rest}`
  const rest = (path = '') => `/rest/orgs/${app.orgId}/imports${path}`
  const db = () => app.parts.services.db

  describe('imports through v1', () => {
    test('v1 import: returns the Location of a job that reports every manifest', async () => {
      const answer = await app.call('POST', v1(), { body: importOf(repository.path, { files: [] }) })
      assert.equal(answer.statusCode, 201, answer.body)
      const location = new URL(answer.headers.location as string)
      assert.match(
        location.pathname,
        /^\/api\/v1\/org\/[0-9a-f-]{36}\/integrations\/[0-9a-f-]{36}\/import\/[0-9a-f-]{36}$/,
      )
      const job = await waitForJob(app, location.pathname)
      const [log, ...others] = job.logs
      assert.deepEqual(others, [])
      assert.deepEqual([job.status, log.status, log.name], ['complete', 'complete', repository.path])
      assert.deepEqual(
        log.projects.map(({ targetFile, success }: { targetFile: string; success: boolean }) => [targetFile, success]),
        [
          ['broken/package.json', false],
          ['web/package.json', true],
        ],
      )
      const [broken, web] = log.projects
      assert.deepEqual([broken.projectUrl, 'projectId' in broken], ['', false])
      assert.match(broken.userMessage, /broken\/package\.json/)
      assert.equal(web.projectUrl.split('/').at(-1), web.projectId)
      const project = await app.call('GET', `/v1/org/${app.orgId}/project/${web.projectId}`)
      assert.equal(project.statusCode, 200, project.body)
      assert.equal(project.json().branch, 'main')
    })

    test('v1 import job: found by organization slug; returns 404 under another integration', async () => {
      const { slug } = await db()
        .selectFrom('orgs')
        .select('slug')
        .where('id', '=', app.orgId)
        .executeTakeFirstOrThrow()
      const path = v1(`/${jobId}`).replace(app.orgId, slug)
      assert.equal((await app.call('GET', path)).statusCode, 200)
      const other = await app.addIntegration(app.orgId)
      for (const method of ['GET', 'DELETE'] as const) {
        const answer = await app.call(method, v1(`/${jobId}`).replace(app.integrationId, other))
        assertRefusal(answer, { status: 404, code: 'not-found' })
      }
    })

    test('v1 import of a missing repository, branch or commit: refused at once (422), nothing is stored', async () => {
      const missing = await app.call('POST', v1(), { body: importOf(`${repository.path}-lost`) })
      assertRefusal(missing, { status: 422, code: 'repository-unreadable' })
      const branch = await app.call('POST', v1(), { body: { target: { path: repository.path, branch: 'lost' } } })
      assertRefusal(branch, { status: 422, code: 'repository-unreadable' })
      using empty = bareRepository()
      const none = await app.call('POST', v1(), { body: importOf(empty.path) })
      assertRefusal(none, { status: 422, code: 'repository-unreadable' })
      const rows = await db().selectFrom('imports').select('id').where('name', '=', `${repository.path}-lost`).execute()
      assert.deepEqual(rows, [])
    })

    test('v1 import of an unsupported kind of target: refused (422 integration-unsupported)', async () => {
      const answer = await app.call('POST', v1(), { body: { target: { functionId: 'x' } } })
      assertRefusal(answer, { status: 422, code: 'integration-unsupported' })
    })

    testRefusals(() => app, 'requesting an import', {
      method: 'POST',
      path: v1,
      body: () => importOf(repository.path),
      needs: { permission: 'org.edit', in: 'org' },
      badBodies: [
        ['a missing target', {}, '/target'],
        ['a target that is a string', { target: 'x' }, '/target'],
        ['an empty target', { target: {} }, '/target/path'],
        ['files that are strings', { target: { path: '/x' }, files: ['x'] }, '/files/0'],
        ['a file outside the repository', { target: { path: '/x' }, files: [{ path: '../x' }] }, '/files/0/path'],
        ['the root as a file', { target: { path: '/x' }, files: [{ path: '/' }] }, '/files/0/path'],
        ['eleven exclusions', { target: { path: '/x' }, exclusionGlobs: 'a,b,c,d,e,f,g,h,i,j,k' }, '/exclusionGlobs'],
        ['a long exclusion', { target: { path: '/x' }, exclusionGlobs: 'a'.repeat(101) }, '/exclusionGlobs'],
        ['an unknown member', { target: { path: '/x' }, branch: 'x' }, '/branch'],
      ],
    })
    testRepetition(() => app, 'requesting an import', {
      path: v1,
      body: () => importOf(repository.path),
      other: () => importOf(repository.path, { exclusionGlobs: '' }),
    })
    test('repeated import request: replayed by Idempotency-Key although source or integration is gone', async () => {
      using passing = bareRepository()
      passing.commit(npmProject('web'))
      const integrationId = await app.addIntegration(app.orgId)
      const path = v1().replace(app.integrationId, integrationId)
      const options = { body: importOf(passing.path), headers: { 'idempotency-key': randomUUID() } }
      const first = await app.call('POST', path, options)
      assert.equal(first.statusCode, 201, first.body)
      await waitForJob(app, new URL(first.headers.location as string).pathname)
      const again = async () => {
        const answer = await app.call('POST', path, options)
        const { location, 'idempotency-replayed': replayed } = answer.headers
        assert.deepEqual([answer.statusCode, location, replayed], [201, first.headers.location, 'true'], answer.body)
      }
      passing.git(['update-ref', '-d', 'refs/heads/main'])
      await again()
      assert.equal((await app.call('DELETE', `/rest/orgs/${app.orgId}/integrations/${integrationId}`)).statusCode, 204)
      await again()
      const other = { ...options, body: importOf(passing.path, { files: [{ path: 'x' }] }) }
      assertRefusal(await app.call('POST', path, other), { status: 409, code: 'idempotency-key-reused' })
      const fresh = { body: options.body, headers: { 'idempotency-key': randomUUID() } }
      assertRefusal(await app.call('POST', path, fresh), { status: 404, code: 'not-found' })
    })
    for (const method of ['GET', 'DELETE'] as const) {
      testRefusals(() => app, `${method} of an import job`, {
        method,
        path: () => v1(`/${jobId}`),
        needs: { permission: 'org.edit', in: 'org' },
      })
    }
    for (const [why, path] of [
      ['an integration', () => v1(`/${jobId}`).replace(app.integrationId, 'github')],
      ['a job', () => v1('/1')],
    ] as const) {
      test(`import path with a malformed id of ${why}: returns 404`, async () => {
        assertRefusal(await app.call('GET', path()), { status: 404, code: 'not-found' })
      })
    }
    test('v1 import with an integration of another organization: returns 404', async () => {
      const other = await app.addIntegration(await app.addOrg())
      const answer = await app.call('POST', v1().replace(app.integrationId, other), { body: importOf(repository.path) })
      assertRefusal(answer, { status: 404, code: 'not-found' })
    })
  })

  describe('imports through REST', () => {
    test('REST import: returns its counts; its manifests are listed and filtered by state', async () => {
      const answer = (await app.call('GET', rest(`/${jobId}`))).json().data
      const { attributes, relationships } = answer
      assert.deepEqual(
        [attributes.state, attributes.cause, attributes.reference, attributes.manifests, attributes.files],
        ['complete', 'request', 'main', { waiting: 0, done: 1, failed: 1 }, null],
      )
      assert.equal(relationships.integration.data.id, app.integrationId)
      assert.ok(attributes.started_at <= attributes.listed_at && attributes.listed_at <= attributes.ended_at)
      const manifests = (await app.call('GET', rest(`/${jobId}/manifests`))).json().data
      assert.deepEqual(
        manifests.map((manifest: { attributes: { path: string; state: string } }) => [
          manifest.attributes.path,
          manifest.attributes.state,
        ]),
        [
          ['broken/package.json', 'failed'],
          ['web/package.json', 'done'],
        ],
      )
      const failed = (await app.call('GET', rest(`/${jobId}/manifests`), { query: { state: 'failed' } })).json().data
      assert.equal(failed.length, 1)
    })

    test('REST list of imports: filtered, counted, newest first', async () => {
      const target = (await app.call('GET', rest(`/${jobId}`))).json().data.relationships.target.data.id
      for (const [query, has] of [
        [{}, true],
        [{ integration_id: app.integrationId }, true],
        [{ integration_id: randomUUID() }, false],
        [{ target_id: target }, true],
        [{ target_id: randomUUID() }, false],
        [{ state: 'complete' }, true],
        [{ state: 'aborted' }, false],
        [{ cause: 'schedule' }, false],
        [{ created_after: '2026-01-01T00:00:00Z' }, true],
        [{ created_after: '2999-01-01T00:00:00Z' }, false],
        [{ has_failed_manifests: 'true' }, true],
        [{ has_failed_manifests: 'false' }, false],
      ] as const) {
        const counted = { limit: '100', count: 'true', ...query }
        const { data, meta } = (await app.call('GET', rest(), { query: counted })).json()
        assert.deepEqual(meta, { count: data.length })
        assert.equal(
          data.some(({ id }: { id: string }) => id === jobId),
          has,
          JSON.stringify(query),
        )
        const times = data.map(({ attributes }: { attributes: { created_at: string } }) => attributes.created_at)
        assert.deepEqual(times, times.toSorted().reverse())
      }
    })

    const needs = { permission: 'org.edit', in: 'org' } as const
    const since = '2024-10-15'
    testRefusals(() => app, 'listing imports', { method: 'GET', path: () => rest(), needs, since, isList: true })
    testRefusals(() => app, 'reading an import', { method: 'GET', path: () => rest(`/${jobId}`), needs, since })
    testRefusals(() => app, 'canceling an import', { method: 'DELETE', path: () => rest(`/${jobId}`), needs, since })
    testRefusals(() => app, 'listing manifests of an import', {
      method: 'GET',
      path: () => rest(`/${jobId}/manifests`),
      needs,
      since,
      isList: true,
    })
    test('REST imports of another organization: return 404', async () => {
      const other = await app.addOrg()
      for (const path of ['', '/manifests', '/events']) {
        const answer = await app.call('GET', rest(`/${jobId}${path}`).replace(app.orgId, other))
        assertRefusal(answer, { status: 404, code: 'not-found' })
      }
    })
  })

  describe('canceling imports', () => {
    async function waiting(): Promise<string> {
      const id = randomUUID()
      const row = await db().selectFrom('imports').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow()
      await db()
        .insertInto('imports')
        .values({ ...row, id, state: 'pending', started_at: null, listed_at: null, ended_at: null })
        .execute()
      return id
    }

    test('canceling a pending import: aborts it, is audited once, and may be repeated (204)', async () => {
      const id = await waiting()
      for (let times = 0; times < 2; times++) assert.equal((await app.call('DELETE', rest(`/${id}`))).statusCode, 204)
      assert.equal((await app.call('DELETE', v1(`/${id}`))).statusCode, 204)
      const job = (await app.call('GET', v1(`/${id}`))).json()
      assert.deepEqual([job.status, job.logs[0].status, job.logs[0].projects], ['complete', 'aborted', []])
      const { data } = (
        await app.call('GET', `/rest/orgs/${app.orgId}/audit_logs`, {
          query: { target_id: id, action: 'import.cancel' },
        })
      ).json()
      assert.equal(data.length, 1)
      assert.equal(data[0].attributes.actor.kind, 'user')
    })

    test('canceling an ended import: refused (409)', async () => {
      assertRefusal(await app.call('DELETE', rest(`/${jobId}`)), { status: 409, code: 'conflict' })
      assertRefusal(await app.call('DELETE', v1(`/${jobId}`)), { status: 409, code: 'conflict' })
    })
  })

  test('import.finished: delivered once to a subscribed webhook', async () => {
    const at = Date.now()
    const row = { id: randomUUID(), org_id: app.orgId, url: 'https://registry.example/', description: '' }
    const state = { is_active: 1, failures: 0, turn_ends_at: 0, next_turn_at: at, created_at: at, updated_at: at }
    await db()
      .insertInto('webhooks')
      .values({ ...row, ...state, events: '["import.finished"]', secret: new Uint8Array() })
      .execute()
    const { id } = await importAndWait(app, importOf(repository.path))
    const events = await db().selectFrom('events').select(['type', 'body']).where('org_id', '=', app.orgId).execute()
    const deliveries = events.map(({ type, body }) => ({ type, data: JSON.parse(body).data }))
    const own = deliveries.filter(({ data }) => data.import?.id === id)
    assert.deepEqual(own, [
      {
        type: 'import.finished',
        data: {
          import: {
            id,
            integration_id: app.integrationId,
            name: repository.path,
            state: 'complete',
            cause: 'request',
            message: null,
          },
          manifests: { done: 1, failed: 1 },
        },
      },
    ])
    await db().deleteFrom('webhooks').where('id', '=', row.id).execute()
  })

  test('audit log of an import: names who requested it and how it ended', async () => {
    const { data } = (
      await app.call('GET', `/rest/orgs/${app.orgId}/audit_logs`, { query: { target_id: jobId } })
    ).json()
    assert.deepEqual(
      data.map(({ attributes }: { attributes: { action: string; actor: { kind: string } } }) => [
        attributes.action,
        attributes.actor.kind,
      ]),
      [
        ['import.finish', 'server'],
        ['import.create', 'user'],
      ],
    )
  })

  describe('event stream of an import', () => {
    let port: number
    before(async () => {
      await app.server.listen({ port: 0, host: '127.0.0.1' })
      port = (app.server.server.address() as { port: number }).port
    })

    async function open(id: string, { key = ADMIN_KEY, orgId = app.orgId } = {}): Promise<IncomingMessage> {
      const headers = { authorization: `token ${key}`, accept: 'text/event-stream' }
      const request = get(`http://127.0.0.1:${port}/rest/orgs/${orgId}/imports/${id}/events?version=2024-10-15`, {
        headers,
      })
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      return response.setEncoding('utf8')
    }
    async function pending(orgId = app.orgId): Promise<string> {
      const id = randomUUID()
      const row = await db().selectFrom('imports').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow()
      await db()
        .insertInto('imports')
        .values({ ...row, id, org_id: orgId, state: 'pending', ended_at: null })
        .execute()
      return id
    }
    async function readAll(response: IncomingMessage): Promise<string> {
      let text = ''
      for await (const piece of response) text += piece
      return text
    }

    test('event stream of an ended import: sends the end event and closes', async () => {
      const response = await open(jobId)
      assert.equal(response.statusCode, 200)
      assert.equal(response.headers['content-type'], 'text/event-stream')
      const data = { state: 'complete', is_listed: true, manifests: { waiting: 0, done: 1, failed: 1 } }
      assert.equal(await readAll(response), `retry: 2000\n\nevent: end\ndata: ${JSON.stringify(data)}\n\n`)
    })

    test('event stream of a running import: reports each stored change until the end', async () => {
      const id = await pending()
      const response = await open(id)
      let text = ''
      response.on('data', (piece: string) => {
        text += piece
      })
      const seen = async (what: string) => {
        while (!text.includes(what)) await once(response, 'data')
      }
      await seen('event: progress')
      await db()
        .insertInto('import_manifests')
        .values({ import_id: id, path: 'a', type: 'npm', state: 'waiting' })
        .execute()
      await seen('"waiting":1')
      await db().updateTable('imports').set({ state: 'complete' }).where('id', '=', id).execute()
      await seen('event: end')
      if (!response.readableEnded) await once(response, 'end')
    })

    test('event streams: limited in number, also per organization (503 with Retry-After)', async () => {
      const id = await pending()
      const [first, second, third] = [await open(id), await open(id), await open(id)]
      assert.deepEqual([third.statusCode, third.headers['retry-after']], [503, '10'])
      third.resume()
      const orgId = await app.addOrg()
      const other = await pending(orgId)
      const [theirs, tooMany] = [await open(other, { orgId }), await open(other, { orgId })]
      assert.deepEqual([theirs.statusCode, tooMany.statusCode], [200, 503])
      tooMany.resume()
      theirs.destroy()
      first.destroy()
      await db().updateTable('imports').set({ state: 'aborted' }).where('id', '=', id).execute()
      assert.match(await readAll(second), /event: end/)
    })

    test('event stream: a HEAD request gets the headers and opens no stream', async () => {
      const id = await pending()
      const path = `/rest/orgs/${app.orgId}/imports/${id}/events?version=2024-10-15`
      for (let sent = 0; sent < 5; sent++) {
        const options = { method: 'HEAD', headers: { authorization: `token ${ADMIN_KEY}` } }
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, options)
        assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'text/event-stream'])
      }
      const response = await open(id)
      assert.equal(response.statusCode, 200)
      response.destroy()
    })

    test('event stream: closes when the caller loses the permission, while the import continues', async () => {
      const id = await pending()
      const response = await open(id, { key: await app.keyWith(['org.edit']) })
      const role = db().selectFrom('roles').select('id').where('permissions', '=', '["org.edit"]')
      await db().deleteFrom('memberships').where('role_id', 'in', role).execute()
      assert.doesNotMatch(await readAll(response), /event: end/)
    })

    testRefusals(() => app, 'reading the event stream of an import', {
      method: 'GET',
      path: () => rest(`/${jobId}/events`),
      needs: { permission: 'org.edit', in: 'org' },
      since: '2024-10-15',
    })
  })
})
