import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { publishRecords, recordAgainst } from '#test/manifests/published-advisories.ts'
import { record, toTest } from '#test/projects/stored-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { addWebhook } from '#test/servers/webhooks.ts'
import { isFullVolume } from '#test/volume.ts'
import { matchPackage } from './match-package.ts'

const PROJECTS = 120
const PACKAGES = 300
/** Each process lives longer than the one before by a factor between these. */
const [SHORTEST, LONGEST] = isFullVolume ? [1.3, 1.8] : [2, 4]

onEveryEngine('killed matching processes', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine, { advisoriesPollSeconds: 3600 })
    await publishRecords(app.parts, [])
    await app.parts.matcher.run()
    await addWebhook(app, { url: 'https://hooks.example/', events: ['issues.new'] })
    const { advisories, release } = app.parts.advisories.acquire()
    for (let n = 0; n < PROJECTS; n++) {
      const packages = Array.from({ length: 25 }, (_, at) => `p${(n * 7 + at * 11) % PACKAGES}@1.0.0`)
      await record(app.parts.services.db, { orgId: app.orgId, test: toTest({ packages }, advisories) })
    }
    release()
  })
  after(() => app.close())

  /** Returns true if matching finished before it was killed. */
  async function matchFor(ms: number): Promise<boolean> {
    const { dataDir } = app.parts.services.config
    const database = app.databaseUrl === undefined ? [] : [app.databaseUrl]
    const program = ['test/support/projects/matching-process.ts', dataDir, `${dataDir}/matching`, ...database]
    const child = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(child, 'exit')
    await Promise.race([once(child.stdout, 'data'), ended])
    const timer = setTimeout(() => child.kill('SIGKILL'), ms)
    const [code] = await ended
    clearTimeout(timer)
    return code === 0
  }

  test('advisory matcher: resumes after SIGKILL anywhere; no issue is missed or announced twice', async () => {
    const { db } = app.parts.services
    const records = Array.from({ length: PACKAGES }, (_, n) =>
      recordAgainst(`A-${n}`, 'npm', `p${n}`, { fixed: n % 3 === 0 ? '1.0.0' : '2.0.0' }),
    )
    await publishRecords(app.parts, records)
    let kills = 0
    for (let ms = 4; !(await matchFor(ms)); ms *= SHORTEST + Math.random() * (LONGEST - SHORTEST)) {
      kills++
      // SQLite releases the lock of a killed process at once; PostgreSQL takes a moment to notice.
      await sleep(20)
    }
    assert.ok(kills > 0, 'it was never killed')
    const { advisories, release } = app.parts.advisories.acquire()
    const packages = await db.selectFrom('packages').selectAll().execute()
    const expected = packages.flatMap((row) =>
      matchPackage(advisories, row).map(({ issueId }) => `${row.number} ${issueId}`),
    )
    release()
    assert.equal(expected.length, 200)
    const rows = await db.selectFrom('package_issues').select(['package_number', 'issue_id']).execute()
    const textOf = ({ package_number, issue_id }: (typeof rows)[number]) => `${package_number} ${issue_id}`
    assert.deepEqual(rows.map(textOf).sort(), expected.sort())
    const ofOrg = await db.selectFrom('org_issues').select(['package_number', 'issue_id']).execute()
    assert.deepEqual(ofOrg.map(textOf).sort(), expected.sort())
    const bodies = await db.selectFrom('events').select('body').execute()
    const announced = bodies.flatMap(({ body }) => {
      const { projects, issues } = JSON.parse(body).data
      return projects.map(({ id }: { id: string }) => `${id} ${issues[0].id}`)
    })
    const there = await db
      .selectFrom('project_packages as pp')
      .innerJoin('package_issues as i', 'i.package_number', 'pp.package_number')
      .innerJoin('projects as p', 'p.number', 'pp.project_number')
      .select(['p.id', 'i.issue_id'])
      .execute()
    assert.deepEqual(announced.sort(), there.map(({ id, issue_id }) => `${id} ${issue_id}`).sort())
  })
})
