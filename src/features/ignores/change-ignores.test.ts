import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { listIgnores } from '#features/issue-index/ignores/ignored-store.ts'
import { auditEventsOf } from '#test/access/audit.ts'
import { assertRefusal } from '#test/access/refusals.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

const body = { reasonType: 'wont-fix', disregardIfFixable: false, reason: 'why' }

interface AuditEvent {
  attributes: { action: string; actor: { id: string }; target: object; before?: State; after?: State }
}
interface State {
  issue_id: string
  ignores: Record<string, { reason: string }>[]
}

onEveryEngine('changes of ignores', (engine) => {
  let app: TestApp
  let projectId: string
  let projectNumber: number
  before(async () => {
    app = await startApp(engine)
    const graph = { project: ['ch-a@1.0.0'], 'ch-a@1.0.0': [] }
    ;({ projectId, projectNumber } = await recordProject(app, { graph }))
  })
  after(() => app.close())

  const path = (issueId: string) => `/v1/org/${app.orgId}/project/${projectId}/ignore/${issueId}`
  const anyIssue = () => `GHSA-${randomUUID()}`
  const rowsOf = (issueId: string) => listIgnores(app.parts.services.db, projectNumber, { issueId })
  const eventsOf = async (issueId: string): Promise<AuditEvent['attributes'][]> => {
    const query = { action: 'ignore.*', target_id: projectId, limit: '100' }
    const answer = await app.call('GET', `/rest/orgs/${app.orgId}/audit_logs`, { query })
    const events = (answer.json().data as AuditEvent[]).map(({ attributes }) => attributes).reverse()
    return events.filter(({ before, after }) => (after ?? before)?.issue_id === issueId)
  }
  const shown = (state: State | undefined) =>
    state?.ignores.map((entry) =>
      Object.entries(entry)
        .map(([at, { reason }]) => `${at}: ${reason}`)
        .join(),
    )

  test('audit log of ignores: has each change with the states before and after', async () => {
    const issue = anyIssue()
    await app.call('POST', path(issue), { body })
    await app.call('POST', path(issue), { body: { ...body, reason: 'better' } })
    await app.call('PUT', path(issue), {
      body: [
        { ...body, ignorePath: 'a' },
        { ...body, ignorePath: 'b' },
      ],
    })
    await app.call('DELETE', path(issue))
    const events = await eventsOf(issue)
    assert.deepEqual(
      events.map(({ action, before, after }) => [action, shown(before), shown(after)]),
      [
        ['ignore.create', undefined, ['*: why']],
        ['ignore.update', ['*: why'], ['*: better']],
        ['ignore.replace', ['*: better'], ['a: why', 'b: why']],
        ['ignore.delete', ['a: why', 'b: why'], undefined],
      ],
    )
    const { name } = (await app.call('GET', `/v1/org/${app.orgId}/project/${projectId}`)).json()
    assert.deepEqual(events[0]!.target, { kind: 'project', id: projectId, name })
    assert.equal(events[0]!.actor.id, (await app.call('GET', '/v1/user/me')).json().id)
  })

  test('repeated ignore without a change: returns the same and is not audited', async () => {
    const issue = anyIssue()
    const first = await app.call('POST', path(issue), { body })
    const [before] = await rowsOf(issue)
    const again = await app.call('POST', path(issue), { body })
    assert.deepEqual(again.json(), first.json())
    assert.deepEqual(await rowsOf(issue), [before])
    assert.equal((await eventsOf(issue)).length, 1)
    const events = () => auditEventsOf(app, projectId)
    const all = await events()
    await app.call('PUT', path(anyIssue()), { body: [] })
    assert.deepEqual(await events(), all)
  })

  test('repeated ignore by an alias of the issue: is not audited', async () => {
    const [alias, a] = [anyIssue(), 'ch-b@1.0.0']
    const issues = [{ id: anyIssue(), in: a, aliases: [alias] }]
    const { projectId: id } = await recordProject(app, { graph: { project: [a], [a]: [] }, issues })
    const at = `/v1/org/${app.orgId}/project/${id}/ignore/${alias}`
    const first = await app.call('POST', at, { body })
    assert.deepEqual((await app.call('POST', at, { body })).json(), first.json())
    const query = { action: 'ignore.*', target_id: id }
    const { data } = (await app.call('GET', `/rest/orgs/${app.orgId}/audit_logs`, { query })).json()
    assert.equal(data.length, 1)
  })

  test('refused replacement of ignores: changes nothing', async () => {
    const issue = anyIssue()
    await app.call('POST', path(issue), { body })
    const before = await rowsOf(issue)
    const bad = [
      { ...body, ignorePath: 'a' },
      { ...body, ignorePath: 'b', expires: 'x' },
    ]
    assertRefusal(await app.call('PUT', path(issue), { body: bad }), { status: 400, code: 'invalid-request' })
    assert.deepEqual(await rowsOf(issue), before)
    assert.equal((await eventsOf(issue)).length, 1)
  })

  test('ignores from users and the repository: users change only theirs, the others get 409', async () => {
    const issue = anyIssue()
    await app.call('POST', path(issue), { body: { ...body, ignorePath: 'a' } })
    const [row] = await rowsOf(issue)
    const ofRepository = { ...row!, id: randomUUID(), path: 'r', source: 'repository' }
    await app.parts.services.db.insertInto('ignores').values(ofRepository).execute()
    const refused = async (method: 'PUT' | 'DELETE', sent?: object) => {
      const answer = await app.call(method, path(issue), sent === undefined ? {} : { body: sent })
      assertRefusal(answer, { status: 409, code: 'conflict' })
    }
    for (const sent of [[{ ...body, ignorePath: 'b' }], [body, { ...body, ignorePath: 'b' }], []]) {
      assert.equal((await app.call('PUT', path(issue), { body: sent })).statusCode, 200)
      const paths = (await rowsOf(issue)).map((row) => row.path)
      assert.deepEqual(
        paths.sort(),
        [...sent.map((ignore) => ('ignorePath' in ignore ? ignore.ignorePath : '*')), 'r'].sort(),
      )
    }
    const endOne = (id: string) => app.call('DELETE', `/rest/orgs/${app.orgId}/ignores/${id}`)
    await app.call('POST', path(issue), { body })
    assert.equal((await app.call('DELETE', path(issue))).statusCode, 200)
    await app.call('POST', path(issue), { body })
    const ofUser = (await rowsOf(issue)).find(({ source }) => source === 'user')
    assert.equal((await endOne(ofUser!.id)).statusCode, 204)
    await refused('PUT', [])
    await refused('DELETE')
    assertRefusal(await endOne(ofRepository.id), { status: 409, code: 'conflict' })
    assert.equal((await rowsOf(issue)).length, 1)
  })

  test('ignore repeated with its Idempotency-Key: replayed; another body gets 409', async () => {
    const [issue, headers] = [anyIssue(), { 'idempotency-key': randomUUID() }]
    const first = await app.call('POST', path(issue), { body, headers })
    await app.call('DELETE', path(issue))
    const again = await app.call('POST', path(issue), { body, headers })
    assert.equal(again.statusCode, 200)
    assert.equal(again.body, first.body)
    assert.equal(again.headers['idempotency-replayed'], 'true')
    assert.deepEqual(await rowsOf(issue), [])
    const other = await app.call('POST', path(issue), { body: { ...body, ignorePath: 'a' }, headers })
    assertRefusal(other, { status: 409, code: 'idempotency-key-reused' })
  })

  test('concurrent ignores of one issue: all take effect, the last one per path, each audited in order', async () => {
    const issue = anyIssue()
    const reasons = Array.from({ length: 8 }, (_, at) => `reason ${at}`)
    const answers = await Promise.all([
      ...reasons.map((reason) => app.call('POST', path(issue), { body: { ...body, reason } })),
      ...reasons.map((reason, at) =>
        app.call('POST', path(issue), { body: { ...body, reason, ignorePath: `p${at}` } }),
      ),
    ])
    assert.deepEqual([...new Set(answers.map(({ statusCode }) => statusCode))], [200])
    const rows = await rowsOf(issue)
    assert.deepEqual(rows.map((row) => row.path).sort(), ['*', ...reasons.map((_, at) => `p${at}`)])
    const events = await eventsOf(issue)
    assert.equal(events.length, 16)
    // Each change starts from the state that the one before it left.
    const ofAll = events.filter(({ after }) => Object.keys(after!.ignores[0]!)[0] === '*')
    for (const [at, event] of ofAll.entries()) {
      assert.deepEqual(shown(event.before), at === 0 ? undefined : shown(ofAll[at - 1]!.after))
    }
    assert.equal(`*: ${rows.find((row) => row.path === '*')!.reason}`, shown(ofAll.at(-1)!.after)!.join())
  })

  test('ignores concurrent with tests of the project: none is lost or blocked', async () => {
    const [a, issue] = [`ch-${randomUUID()}@1.0.0`, anyIssue()]
    const input = { name: randomUUID(), graph: { project: [a], [a]: [] }, issues: [{ id: issue, in: a }] }
    const { projectId: id, projectNumber: number } = await recordProject(app, input)
    const at = (issueId: string) => `/v1/org/${app.orgId}/project/${id}/ignore/${issueId}`
    const others = Array.from({ length: 6 }, anyIssue)
    await Promise.all([
      ...others.map(() => recordProject(app, input)),
      app.call('POST', at(issue), { body }),
      ...others.map((issueId) => app.call('POST', at(issueId), { body })),
    ])
    const { db } = app.parts.services
    const rows = await listIgnores(db, number)
    assert.deepEqual(rows.map(({ issue_id }) => issue_id).sort(), [issue, ...others].sort())
    const ignored = await db
      .selectFrom('ignored_issues')
      .select('issue_id')
      .where('project_number', '=', number)
      .execute()
    assert.deepEqual(ignored, [{ issue_id: issue }])
  })

  const skip = engine === 'postgres' && 'the limit is not one of storage, and filling it takes long'
  test('limit of 10,000 ignores per project: more are refused (422), changes and replacements are not', {
    skip,
  }, async () => {
    const { projectId: id, projectNumber: number } = await recordProject(app, { graph: { project: [] } })
    const at = (issueId: string) => `/v1/org/${app.orgId}/project/${id}/ignore/${issueId}`
    const [full, { db }] = ['lic:full', app.parts.services]
    assert.equal((await app.call('POST', at(full), { body })).statusCode, 200)
    const [row] = await listIgnores(db, number, { issueId: full })
    for (let block = 0; block < 20; block++) {
      const others = Array.from({ length: 500 }, () => ({ ...row!, id: randomUUID(), issue_id: anyIssue() }))
      // The last batch leaves room for one.
      const added = block === 19 ? others.slice(2) : others
      await db.insertInto('ignores').values(added).execute()
    }
    const refused = async (method: 'POST' | 'PUT', issueId: string, sent: object) => {
      const answer = await app.call(method, at(issueId), { body: sent })
      assertRefusal(answer, { status: 422, code: 'unprocessable' })
      assert.match(answer.body, /at most 10000 ignores/)
    }
    const [path0, path1] = ['a', 'b'].map((ignorePath) => ({ ...body, ignorePath }))
    await refused('PUT', anyIssue(), [path0, path1])
    assert.equal((await app.call('POST', at(full), { body: path0 })).statusCode, 200)
    await refused('POST', anyIssue(), body)
    await refused('POST', full, path1!)
    await refused('PUT', full, [body, path0, path1])
    assert.equal((await app.call('POST', at(full), { body: { ...body, reason: 'better' } })).statusCode, 200)
    assert.equal((await app.call('PUT', at(full), { body: [path0, path1] })).statusCode, 200)
    assert.equal((await app.call('PUT', at(full), { body: [body] })).statusCode, 200)
    assert.equal((await app.call('POST', at(anyIssue()), { body })).statusCode, 200)
    await refused('POST', anyIssue(), body)
  })

  test('concurrent deletions of one ignore: one succeeds (204), the others get 404', async () => {
    const issue = anyIssue()
    await app.call('POST', path(issue), { body })
    const [row] = await rowsOf(issue)
    const one = `/rest/orgs/${app.orgId}/ignores/${row!.id}`
    const answers = await Promise.all(Array.from({ length: 4 }, () => app.call('DELETE', one)))
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [204, 404, 404, 404])
    assert.equal((await eventsOf(issue)).length, 2)
  })

  test('ignores concurrent with the deletion of their project: return 200 or 404', async () => {
    const { projectId: id } = await recordProject(app, { graph: { project: [] } })
    const at = `/v1/org/${app.orgId}/project/${id}/ignore/${anyIssue()}`
    const [, ...answers] = await Promise.all([
      app.call('DELETE', `/rest/orgs/${app.orgId}/projects/${id}`),
      ...Array.from({ length: 6 }, () => app.call('POST', at, { body })),
    ])
    for (const { statusCode, body: text } of answers) assert.ok([200, 404].includes(statusCode), text)
  })
})
