import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Db } from '#foundation/db/database.ts'
import { changeBehind } from '#test/projects/lock-order.ts'
import { addProjectRow, addTargetRow } from '#test/projects/project-rows.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { volume } from '#test/volume.ts'
import { bringTestsForward } from '../issue-index/matching/announcements-store.ts'
import { changeProjectCounts, noteOrgPackages } from '../issue-index/packages/org-packages-store.ts'
import { noteOrgIssues, noteUnmatched, saveKnownIssues } from '../issue-index/storage/known-issues-store.ts'
import { findOrCreateOrgNumber, findOrCreatePackages } from '../issue-index/storage/packages-store.ts'
import { deleteProjects } from './store.ts'
import { deleteTarget } from './targets-store.ts'

const ROUNDS = volume(12, { atLeast: 2 })
/** More packages than fit into one statement. */
const PACKAGES = 900

onEveryEngine('concurrent transactions on the same rows', (engine) => {
  let app: TestApp
  let packages: number[]
  before(async () => {
    app = await startApp(engine)
    const keys = Array.from({ length: PACKAGES }, (_, n) => ({ name: `p-${n}`, version: '1.0.0', variant: '' }))
    packages = await db()
      .transaction()
      .execute(async (tx) => [...(await findOrCreatePackages(tx, 'npm', keys)).numbers.values()])
    await saveKnownIssues(
      db(),
      packages.flatMap((packageNumber) =>
        ['A-1', 'A-2'].map((issueId) => ({ packageNumber, issue: issueOf(issueId) })),
      ),
    )
  })
  after(() => app.close())

  const db = () => app.parts.services.db
  /** Runs each in its own transaction; a deadlock would abort one of them. */
  const atOnce = (works: readonly ((tx: Db) => Promise<unknown>)[]) =>
    Promise.all(works.map((work) => db().transaction().execute(work)))
  const orders = () => [packages, packages.toReversed(), [...packages.slice(450), ...packages.slice(0, 450)]]

  test('lock order: organizations that get issues of the same packages do not deadlock', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const orgId = await app.addOrg()
      const orgNumber = await findOrCreateOrgNumber(db(), orgId)
      await atOnce(orders().map((own) => (tx) => noteOrgIssues(tx, { orgNumber, packages: own, at: 1 })))
    }
  })

  test('lock order: marking the same packages as unmatched does not deadlock', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await atOnce(orders().map((own) => (tx) => noteUnmatched(tx, own)))
      await db().deleteFrom('unmatched_packages').execute()
    }
  })

  test('lock order: projects that gain and lose the same packages do not deadlock', async () => {
    const numbers = [
      await findOrCreateOrgNumber(db(), app.orgId),
      await findOrCreateOrgNumber(db(), await app.addOrg()),
    ]
    for (const orgNumber of numbers)
      await db()
        .transaction()
        .execute((tx) => noteOrgPackages(tx, { orgNumber, packages, labels: new Map() }))
    const halves = [packages.slice(0, 450), packages.slice(450)] as const
    const [one, other] = numbers as [number, number]
    for (let round = 0; round < ROUNDS; round++) {
      await atOnce(
        [halves, halves.toReversed()].flatMap(([gained, lost]) =>
          [
            [one, other],
            [other, one],
          ].map(([from, to]) => async (tx: Db) => {
            const more = { orgNumber: from!, packages: gained!, by: 1 } as const
            await changeProjectCounts(tx, [more, { orgNumber: to!, packages: lost!, by: -1 }])
          }),
        ),
      )
    }
    const rows = await db().selectFrom('org_packages').select('projects').where('org_number', 'in', numbers).execute()
    assert.ok(
      rows.every(({ projects }) => Number(projects) === 0),
      'as many gained as lost',
    )
  })

  const skip = engine === 'postgres' ? false : 'SQLite has one writer'

  for (const [title, change] of [
    ['deleted one by one', (tx, { ids }) => deleteProjects(tx, app.orgId, { ids, at: 0 })],
    ['deleted with their target', (tx, { targetId }) => deleteTarget(tx, app.orgId, { id: targetId, at: 0 })],
    ['brought forward', (tx, { values }) => bringTestsForward(tx, values, { from: 0, everyMs: 1 })],
  ] satisfies [string, (tx: Db, of: Awaited<ReturnType<typeof addProjects>>) => Promise<unknown>][]) {
    test(`lock order: projects are ${title} while another transaction updates them one by one`, {
      skip,
      timeout: 300_000,
    }, async () => {
      const of = await addProjects()
      await changeBehind(db(), { table: 'projects', column: 'number', values: of.values }, (tx) => change(tx, of))
    })
  }

  /** Adds two projects; the older one comes later by id and by place. */
  async function addProjects() {
    const { id: targetId } = await addTargetRow(app)
    const ids = [randomUUID(), randomUUID()].sort().reverse()
    for (const id of ids) {
      const own = { id, target_id: targetId, target_file: id, place_key: id, next_test_at: Number.MAX_SAFE_INTEGER }
      await addProjectRow(app, own)
    }
    const rows = await db().selectFrom('projects').select('number').where('id', 'in', ids).orderBy('number').execute()
    return { targetId, ids, values: rows.map(({ number }) => Number(number)) }
  }
})

function issueOf(issueId: string) {
  const facts = { basis: 'assumed', cve: [], ghsa: [], otherIds: [] } as never
  return { issueId, severity: 'low', title: issueId, facts } as const
}
