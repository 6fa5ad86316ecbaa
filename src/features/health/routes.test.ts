import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addJob } from '#foundation/jobs/store.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { freshDatabase } from '#test/servers/fresh-database.ts'
import { storageCheck } from './routes.ts'

onEveryEngine('health checks and metrics', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  const ask = (path: string) => app.server.inject({ method: 'GET', url: path })

  test('/healthz and /readyz: report ok and ready, with the checks of storage and advisories', async () => {
    assert.equal((await ask('/healthz')).json().status, 'ok')
    const ready = await ask('/readyz')
    assert.equal(ready.statusCode, 200)
    const { status, checks } = ready.json()
    assert.equal(status, 'ready')
    assert.deepEqual(checks.storage, { ok: true })
    assert.match(checks.advisories.detail, /^\d+ records, checked /)
  })

  test('/metrics: measures requests, tests, advisories, jobs and the event loop', async () => {
    await app.call('GET', '/rest/self')
    await app.call('GET', '/rest/self', { key: null })
    const lock = { lockfileVersion: 3, packages: { 'node_modules/a': { version: '1.0.0' } } }
    const target = { contents: JSON.stringify({ dependencies: { a: '1.0.0' } }) }
    const files = { target, additional: [{ contents: JSON.stringify(lock) }] }
    assert.equal((await app.call('POST', '/v1/test/npm', { body: { files } })).statusCode, 200)
    const { db, now } = app.parts.services
    await addJob(db, { kind: 'for-this-test', payload: {}, dueAt: now() + 3_600_000 }, now())
    const answer = await ask('/metrics')
    assert.match(String(answer.headers['content-type']), /^text\/plain/)
    for (const line of [
      /^gatehouse_http_request_duration_seconds_count\{method="GET",route="\/rest\/self"\} 2$/m,
      /^gatehouse_http_requests_total\{method="GET",route="\/rest\/self",status="200"\} 1$/m,
      /^gatehouse_http_refused_total\{status="401"\} 1$/m,
      /^gatehouse_package_test_duration_seconds_count\{[^}]*npm[^}]*\} 1$/m,
      /^gatehouse_package_tests_total\{ecosystem="npm",outcome="\w+"\} 1$/m,
      /^gatehouse_advisories_age_seconds\S* \d+/m,
      /^gatehouse_jobs\{kind="[\w-]+",state="waiting"\} 1$/m,
      /^nodejs_eventloop_lag_seconds \S+$/m,
    ]) {
      assert.match(answer.body, line)
    }
  })

  test('a server without storage: alive (200), not ready (503), and still measured', async () => {
    const gone = await startApp(engine)
    await gone.parts.services.database.close()
    const watch = (path: string) => gone.server.inject({ method: 'GET', url: path })
    try {
      assert.equal((await watch('/healthz')).statusCode, 200)
      const ready = await watch('/readyz')
      assert.equal(ready.statusCode, 503)
      assert.equal(ready.json().status, 'not ready')
      assert.equal(ready.json().checks.storage.ok, false)
      const measured = await watch('/metrics')
      assert.equal(measured.statusCode, 200)
      assert.match(measured.body, /^gatehouse_http_requests_total\{.*"\/readyz",status="503"\} 1$/m)
    } finally {
      await gone.close().catch(() => {})
    }
  })
})

describe('the storage check', () => {
  const checkIn = async (dataDir: string) => {
    await using database = await freshDatabase('sqlite')
    return await storageCheck({ db: database.db, database, config: { dataDir } as never }).check()
  }

  test('storage check: passes on a disk with free space', async () => assert.equal(await checkIn('.'), undefined))

  // This kernel file system has no room.
  test('storage check: fails on a disk without free space', () =>
    assert.rejects(checkIn('/proc'), /^Error: 0 KiB are free in the data folder/))
})
