import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { addTargetRow } from '#test/projects/project-rows.ts'
import { plansOf } from '#test/projects/query-plans.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { newImport } from './request-import.ts'
import { deleteOldImports, type ImportFilters, insertImport, listImports } from './store.ts'

onEveryEngine('stored imports', (engine) => {
  let app: TestApp
  let integrationId: string
  let targetId: string
  before(async () => {
    app = await startApp(engine)
    integrationId = randomUUID()
    const integration = { id: integrationId, org_id: app.orgId, kind: 'git', name: 'one', settings: '{}' }
    await db()
      .insertInto('integrations')
      .values({ ...integration, created_at: 1, updated_at: 1 })
      .execute()
    targetId = (await addTargetRow(app)).id
  })
  after(() => app.close())

  const db = () => app.parts.services.db
  const add = (at: number, more: object) =>
    insertImport(db(), {
      ...newImport({ orgId: app.orgId, integrationId, at }),
      name: 'x',
      target: '{}',
      files: null,
      exclusion_globs: null,
      cause: 'schedule',
      requested_by_id: null,
      requested_by_name: 'x',
      reference: 'main',
      target_id: targetId,
      state: 'complete',
      ended_at: at,
      ...more,
    })

  describe('lists of imports by index', () => {
    const window = { limit: 10, direction: 'after', position: 'start' } as const
    const cases: [ImportFilters, RegExp][] = [
      [{}, /imports_by_org/],
      [{ state: 'pending' }, /imports_by_state/],
      [{ cause: 'request' }, /imports_by_cause/],
      [{ targetId: 'x' }, /imports_by_target/],
      [{ integrationId: 'x' }, /imports_by_integration/],
    ]
    for (const [filters, index] of cases) {
      test(`list of imports filtered by ${Object.keys(filters).join() || 'nothing'}: read by an index without sorting`, async () => {
        const [text] = await plansOf(db(), engine, (on) => listImports(on, { orgId: app.orgId, filters }, window))
        assert.match(text!, index)
        assert.doesNotMatch(text!, /Sort|TEMP B-TREE/)
      })
    }
  })

  test('deleteOldImports: deletes in parts, each of which begins where the last one ended', async () => {
    for (let at = 1; at <= 250; at++) await add(at, {})
    await add(100, { reference: 'other' })
    const parts: (number | undefined)[] = []
    for (let from: number | undefined = 0; from !== undefined; parts.push(from)) {
      from = await deleteOldImports(db(), { cause: 'schedule', from, before: 240 })
    }
    assert.deepEqual(parts, [100, 200, 239, undefined])
    const left = await db().selectFrom('imports').select(['ended_at', 'reference']).orderBy('ended_at').execute()
    assert.deepEqual(
      left.map(({ ended_at, reference }) => [Number(ended_at), reference]),
      [[100, 'other'], ...Array.from({ length: 11 }, (_, at) => [240 + at, 'main'])],
    )
  })
})
