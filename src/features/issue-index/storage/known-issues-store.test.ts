import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Db } from '#foundation/db/database.ts'
import { plansOf } from '#test/projects/query-plans.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { noteOrgIssues, saveKnownIssues } from './known-issues-store.ts'
import { findOrCreateOrgNumber, findOrCreatePackages } from './packages-store.ts'

onEveryEngine('known issues', (engine) => {
  let app: TestApp
  let packages: number[]
  before(async () => {
    app = await startApp(engine)
    const keys = Array.from({ length: 300 }, (_, n) => ({ name: `p-${n}`, version: '1.0.0', variant: '' }))
    packages = await inTransaction(async (tx) => [...(await findOrCreatePackages(tx, 'npm', keys)).numbers.values()])
    const facts = { basis: 'assumed', cve: [], ghsa: [], otherIds: [] } as never
    const issue = { issueId: 'A-1', severity: 'low', title: 'A-1', facts } as const
    await saveKnownIssues(
      app.parts.services.db,
      packages.map((packageNumber) => ({ packageNumber, issue })),
    )
  })
  after(() => app.close())

  const inTransaction = <Result>(work: (tx: Db) => Promise<Result>) => app.parts.services.db.transaction().execute(work)

  test('known issues: a database without statistics finds the age of each issue by its key', async () => {
    const orgNumber = await inTransaction((tx) => findOrCreateOrgNumber(tx, app.orgId))
    await inTransaction((tx) => noteOrgIssues(tx, { orgNumber, packages, at: 1 }))
    const plans = await plansOf(app.parts.services.db, engine, (db) =>
      noteOrgIssues(db, { orgNumber, packages, at: 2 }),
    )
    assert.equal(plans.length, 1)
    assert.match(
      plans[0]!,
      engine === 'postgres'
        ? /org_issues oi.*?Index Cond: \(\(org_number = [^)]+\) AND \(package_number = /
        : /SEARCH oi USING [^(]*\(org_number=\? AND package_number=\?/,
    )
  })
})
