import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { toOsvRecord, writeOsvExport } from '#test/manifests/osv-export.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { syncAdvisories } from './sync.job.ts'

onEveryEngine('sync of advisories on request', (engine) => {
  let app: TestApp
  let root: string
  const path = () => `/console/groups/${app.groupId}/advisories/sync`
  const call = async (method: 'GET' | 'POST') => (await app.call(method, path())).json()
  const jobs = () =>
    app.parts.services.db.selectFrom('jobs').selectAll().where('kind', '=', 'sync-advisories').execute()
  /** Performs the job as a worker does. */
  const run = async () => {
    const { services, advisories } = app.parts
    const context = { log: services.log, attempt: 1, signal: new AbortController().signal }
    await syncAdvisories(services, advisories).run({}, context)
  }
  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'gatehouse-sync-'))
    writeOsvExport(root, [toOsvRecord('GHSA-1', 'npm', 'a')])
    app = await startApp(engine, { GATEHOUSE_ADVISORIES_URL: root, advisoriesPollSeconds: 3600 })
  })
  after(async () => {
    await app.close()
    rmSync(root, { recursive: true })
  })

  test('advisory sync: a request adds one job and one audit event, and its outcome is shown', async () => {
    assert.equal((await call('GET')).state, 'never')
    const started = await app.call('POST', path())
    assert.deepEqual([started.statusCode, started.json().state], [202, 'waiting'])
    await call('POST')
    assert.equal((await jobs()).length, 1)
    const { db } = app.parts.services
    const events = db
      .selectFrom('audit_events')
      .select(['group_id', 'actor_kind'])
      .where('action', '=', 'advisory_sync.start')
    assert.deepEqual(await events.execute(), [{ group_id: app.groupId, actor_kind: 'user' }])
    await run()
    assert.equal((await call('GET')).state, 'done')
    assert.equal(app.parts.advisories.facts().records, 1)
  })

  test('advisory sync: a failure tells the reason, and a request starts a failed job again', async () => {
    rmSync(join(root, 'npm'), { recursive: true })
    await assert.rejects(run(), /does not exist/)
    const { state, failure } = await call('GET')
    assert.equal(state, 'failed')
    assert.match(failure, /npm.*does not exist/)
    await app.parts.services.db.updateTable('jobs').set({ state: 'failed' }).execute()
    assert.equal((await call('POST')).state, 'waiting')
    assert.deepEqual(
      (await jobs()).map(({ state }) => state),
      ['waiting'],
    )
  })

  test('advisory sync: a running one is not started twice', async () => {
    const { db } = app.parts.services
    await db.updateTable('jobs').set({ state: 'running' }).where('kind', '=', 'sync-advisories').execute()
    await db.updateTable('advisory_syncs').set({ state: '{"state":"running","updatedAt":1}' }).execute()
    assert.equal((await call('POST')).state, 'running')
    assert.equal((await jobs()).length, 1)
  })
})
