import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createProjectTester } from '#features/issue-index/recording/run-project-test.ts'
import { retestDue } from '#features/projects/retests/retest-projects.ts'
import { bareRepository } from '#test/repositories/git-repository.ts'
import { serveGit } from '#test/repositories/git-server.ts'
import { type ImportApp, importAndWait, importOf, npmProject, startImportApp } from '#test/repositories/imports.ts'
import { onAnyEngine } from '#test/servers/engines.ts'
import { scheduleImport } from './schedule-import.ts'

interface Said {
  readonly message: string
  readonly since: string
  readonly readAt: string | null
}

onAnyEngine('projects with an unreadable source', (engine) => {
  let app: ImportApp
  before(async () => {
    app = await startImportApp(engine, { GATEHOUSE_OUTGOING_ALLOW: '127.0.0.1' })
    // Tests advance the time themselves.
    await db().deleteFrom('jobs').where('kind', '=', 'retest-projects').execute()
  })
  after(() => app.close())

  const db = () => app.parts.services.db
  const row = (id: string) => db().selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  /** Reads every view of the project, which must agree. */
  async function shown(id: string): Promise<{ isWhole: boolean; said: Said | null }> {
    const { name } = await row(id)
    const rest = `/rest/orgs/${app.orgId}/projects`
    const v1 = `/v1/org/${app.orgId}/project`
    const [one, list, old, all] = [
      (await app.call('GET', `${rest}/${id}`)).json().data.attributes,
      (await app.call('GET', rest, { query: { names: name } })).json().data[0].attributes,
      (await app.call('GET', `${v1}/${id}`)).json(),
      (await app.call('POST', `${v1}s`, { body: { filters: { name } } })).json().projects[0],
    ]
    const { is_complete: isWhole, stale_source: stale } = one
    assert.deepEqual([list.is_complete, list.stale_source], [isWhole, stale])
    const said = stale && { message: stale.message, since: stale.since, readAt: stale.read_at }
    for (const project of [old, all]) assert.deepEqual([project.isComplete, project.staleSource], [isWhole, said])
    return { isWhole, said }
  }

  /** Retests due projects, and waits for the imports that this requests. */
  async function passTime(projectId: string): Promise<void> {
    await db().updateTable('projects').set({ next_test_at: 1 }).where('id', '=', projectId).execute()
    const { services, tests } = app.parts
    const tester = createProjectTester(services, tests)
    await retestDue({ ...services, tester, sources: { retest: scheduleImport } }, new AbortController().signal)
    app.parts.jobNotifier.notifyWorkers()
    const pending = db().selectFrom('imports').select('id').where('state', '=', 'pending')
    for (let tries = 0; tries < 2400 && (await pending.executeTakeFirst()) !== undefined; tries++) await sleep(50)
    assert.equal(await pending.executeTakeFirst(), undefined)
  }
  /** Moves scheduled imports back in time, so that the next attempt is not too soon. */
  const passADay = () =>
    db()
      .updateTable('imports')
      .set(({ eb }) => ({ created_at: eb('created_at', '-', 86_400_000) }))
      .where('cause', '=', 'schedule')
      .execute()
  const causesOf = async (number: number) => {
    const query = db().selectFrom('project_tests').select('cause').where('project_number', '=', number)
    return (await query.orderBy('tested_at').execute()).map(({ cause }) => cause)
  }
  const projectOf = async (body: object, integrationId?: string): Promise<string> => {
    const job = await importAndWait(app, body, integrationId)
    return job.logs[0].projects[0].projectId
  }

  /** Lets the source of an imported project fail for two days, then restores it; checks what each step shows. */
  async function follow(
    projectId: string,
    { fail, mend, message }: { fail(): void; mend(): void; message: RegExp },
  ): Promise<void> {
    const { number, source_read_at: readAt } = await row(projectId)
    assert.deepEqual(await shown(projectId), { isWhole: true, said: null })
    fail()
    await passTime(projectId)
    const first = await shown(projectId)
    assert.match(first.said!.message, message)
    assert.equal(first.isWhole, false)
    assert.equal(first.said!.readAt, new Date(readAt!).toISOString())
    assert.ok((await row(projectId)).next_test_at! <= Date.now(), 'what is stored is tested soon')
    assert.deepEqual(await causesOf(number), ['import'])
    await passTime(projectId)
    assert.deepEqual(await causesOf(number), ['import', 'retest'])
    assert.deepEqual(await shown(projectId), first, 'a test of what is stored changes nothing of it')
    await passADay()
    await passTime(projectId)
    assert.deepEqual(await shown(projectId), first, 'nor does a second failure')
    mend()
    await passADay()
    await passTime(projectId)
    assert.deepEqual(await shown(projectId), { isWhole: true, said: null })
    const now = await row(projectId)
    assert.deepEqual([now.source_failed_at, now.source_read_at! > readAt!], [null, true])
  }

  test('project whose branch or repository is deleted: marked stale with a reason until it can be read', async () => {
    using repository = bareRepository()
    const commit = repository.commit(npmProject('web'))
    const projectId = await projectOf(importOf(repository.path))
    await follow(projectId, {
      fail: () => repository.git(['update-ref', '-d', 'refs/heads/main']),
      mend: () => repository.git(['update-ref', 'refs/heads/main', commit]),
      message: /does not have the branch main/,
    })
    rmSync(repository.path, { recursive: true })
    await passTime(projectId)
    assert.match((await shown(projectId)).said!.message, /No such folder/)
  })

  test('project whose server refuses the credentials: marked stale with a reason until it can be read', async () => {
    using repository = bareRepository()
    repository.commit(npmProject('closed'))
    let isClosed = false
    await using server = await serveGit(repository.path, {
      login: 'git:a-secret-token',
      before: (_request, response) => {
        if (isClosed) response.writeHead(403).end()
        return isClosed
      },
    })
    const attributes = {
      kind: 'git',
      name: randomUUID(),
      base_url: server.url,
      credentials: { token: 'a-secret-token' },
    }
    const body = { data: { type: 'integration', attributes } }
    const { data } = (await app.call('POST', `/rest/orgs/${app.orgId}/integrations`, { body })).json()
    const projectId = await projectOf({ target: { url: `${server.url}/repository.git` } }, data.id)
    await follow(projectId, {
      fail: () => {
        isClosed = true
      },
      mend: () => {
        isClosed = false
      },
      message: /^The server refused the integration’s credentials \(HTTP 403\)\. Replace the credentials$/,
    })
  })

  test('project whose integration is deleted: marked stale until it is imported through another one', async () => {
    using repository = bareRepository()
    repository.commit(npmProject('left'))
    const integrationId = await app.addIntegration(app.orgId)
    const projectId = await projectOf(importOf(repository.path), integrationId)
    assert.equal((await app.call('DELETE', `/rest/orgs/${app.orgId}/integrations/${integrationId}`)).statusCode, 204)
    await passTime(projectId)
    const { isWhole, said } = await shown(projectId)
    assert.equal(isWhole, false)
    assert.match(said!.message, /^The integration of the project no longer exists/)
    assert.equal(await projectOf(importOf(repository.path)), projectId)
    assert.deepEqual(await shown(projectId), { isWhole: true, said: null })
  })

  test('monitored project: has no source that could become stale', async () => {
    const id = randomUUID()
    const depGraph = {
      schemaVersion: '1.2.0',
      pkgManager: { name: 'npm' },
      pkgs: [{ id: `${id}@1.0.0`, info: { name: id, version: '1.0.0' } }],
      graph: { rootNodeId: 'root', nodes: [{ nodeId: 'root', pkgId: `${id}@1.0.0`, deps: [] }] },
    }
    const sent = await app.call('POST', '/v1/monitor/dep-graph', { body: { depGraph, meta: {} } })
    const projectId = sent.json().id
    await passTime(projectId)
    const { number } = await row(projectId)
    assert.deepEqual(await causesOf(number), ['monitor', 'retest'])
    assert.deepEqual((await shown(projectId)).said, null)
  })
})
