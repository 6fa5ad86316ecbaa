import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { publishRecords, recordAgainst } from '#test/manifests/published-advisories.ts'
import { record, toTest } from '#test/projects/stored-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { purgeProjects } from './purge-projects.job.ts'

onEveryEngine('purge after deleted projects', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
    await publishRecords(app.parts, [recordAgainst('A-1', 'npm', 'left', { fixed: '2.0.0' })])
  })
  after(() => app.close())

  const db = () => app.parts.services.db
  const store = (packages: readonly string[], orgId = app.orgId) => {
    const { advisories, release } = app.parts.advisories.acquire()
    const test = toTest({ packages }, advisories)
    release()
    return record(db(), { orgId, test })
  }
  const purge = () =>
    purgeProjects(app.parts.services).run(
      {},
      { log: pino({ level: 'silent' }), signal: new AbortController().signal, attempt: 1 },
    )
  const names = async () => {
    const rows = await db()
      .selectFrom('packages')
      .select(['name', 'version'])
      .orderBy('name')
      .orderBy('version')
      .execute()
    return rows.map(({ name, version }) => `${name}@${version}`)
  }

  test('purge: removes packages and issues that no project has any more', async () => {
    const other = await app.addOrg()
    const many = Array.from({ length: 2_500 }, (_, n) => `many-${n}@1.0.0`)
    const gone = await store(['left@1.0.0', 'left@1.1.0', ...many])
    const kept = await store(['left@1.0.0', 'right@1.0.0'], other)
    await db().deleteFrom('projects').where('id', '=', gone.projectId).execute()
    await purge()
    assert.deepEqual(await names(), ['left@1.0.0', 'right@1.0.0'])
    const contained = await db().selectFrom('project_packages').select('project_number').execute()
    assert.deepEqual(new Set(contained.map(({ project_number }) => project_number)), new Set([kept.projectNumber]))
    assert.equal((await db().selectFrom('package_issues').select('issue_id').execute()).length, 1)
    const orgs = await db()
      .selectFrom('org_issues as i')
      .innerJoin('org_numbers as o', 'o.number', 'i.org_number')
      .select('o.org_id')
      .execute()
    assert.deepEqual(orgs, [{ org_id: other }])
  })

  test('purge: keeps a package that another project still has', async () => {
    const first = await store(['left@1.2.0'])
    await store(['left@1.2.0'])
    await db().deleteFrom('projects').where('id', '=', first.projectId).execute()
    await purge()
    assert.ok((await names()).includes('left@1.2.0'))
  })

  test('purge: keeps packages that are stored at the same time', async () => {
    const storing = Array.from({ length: 20 }, (_, n) => store([`left@1.3.${n % 3}`, `new-${n}@1.0.0`]))
    await Promise.all([purge(), ...storing, purge()])
    const remaining = await names()
    for (let n = 0; n < 20; n++) assert.ok(remaining.includes(`new-${n}@1.0.0`))
    const rows = await db().selectFrom('project_packages').select('package_number').execute()
    const stored = await db().selectFrom('packages').select('number').execute()
    const numbers = new Set(stored.map(({ number }) => Number(number)))
    assert.deepEqual(
      rows.filter(({ package_number }) => !numbers.has(Number(package_number))),
      [],
    )
    const missing = await db()
      .selectFrom('project_packages as pp')
      .innerJoin('package_issues as i', 'i.package_number', 'pp.package_number')
      .leftJoin('org_issues as o', (join) =>
        join.onRef('o.org_number', '=', 'pp.org_number').onRef('o.package_number', '=', 'pp.package_number'),
      )
      .select('pp.project_number')
      .where('o.issue_id', 'is', null)
      .execute()
    assert.deepEqual(missing, [])
  })
})
