import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { publishRecords, recordAgainst } from '#test/manifests/published-advisories.ts'
import { record, toTest } from '#test/projects/stored-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

onEveryEngine('groups of new advisories in several organizations', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine, { advisoriesPollSeconds: 3600 })
    await publishRecords(app.parts, [])
    await app.parts.matcher.run()
  })
  after(() => app.close())

  test('each organization has the groups of its own packages, described, until its projects are recounted', async () => {
    const { db } = app.parts.services
    const orgIds = [await app.addOrg(), await app.addOrg(), await app.addOrg(), await app.addOrg()] as const
    const packages = [['p@1.0.0'], ['p@1.0.0'], ['p@1.0.0', 'p@1.1.0', 'q@1.0.0'], ['p@1.1.0']]
    for (const [n, orgId] of orgIds.entries()) {
      const lease = app.parts.advisories.acquire()
      await record(db, { orgId, test: toTest({ packages: packages[n]! }, lease.advisories) })
      lease.release()
    }
    const inTwoLines = recordAgainst('A-1', 'npm', 'p', { fixed: '2.0.0', severity: 'HIGH' })
    const events = [{ introduced: '0' }, { fixed: '1.0.5' }, { introduced: '1.1.0' }, { fixed: '2.0.0' }]
    const affected = inTwoLines.affected!.map((affected) => ({
      ...affected,
      ranges: [{ type: 'ECOSYSTEM' as const, events }],
    }))
    await publishRecords(app.parts, [
      { ...inTwoLines, affected },
      recordAgainst('A-2', 'npm', 'q', { fixed: '3.0.0', severity: 'LOW' }),
    ])
    await app.parts.matcher.run()
    const rows = await db
      .selectFrom('issue_groups as g')
      .innerJoin('org_numbers as o', 'o.number', 'g.org_number')
      .select(['o.org_id', 'g.group_key', 'g.severity', 'g.is_stale', 'g.details'])
      .orderBy('g.group_key')
      .execute()
    const listed = orgIds.map((orgId) =>
      rows
        .filter(({ org_id }) => org_id === orgId)
        .map(({ group_key, severity, is_stale, details }) => {
          const { versions, fixedIn } = JSON.parse(details) as { versions: number; fixedIn: string[] }
          return `${group_key} ${severity} ${is_stale} ${versions} ${fixedIn}`
        }),
    )
    // The fix of each version in use, not of others.
    const one = ['A-1 3 1 1 1.0.5', 'npm/p 3 1 1 1.0.5']
    assert.deepEqual(listed, [
      one,
      one,
      ['A-1 3 1 2 1.0.5,2.0.0', 'A-2 1 1 1 3.0.0', 'npm/p 3 1 2 1.0.5,2.0.0', 'npm/q 1 1 1 3.0.0'],
      ['A-1 3 1 1 2.0.0', 'npm/p 3 1 1 2.0.0'],
    ])
  })
})
