import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type CompiledQuery, type KyselyPlugin, sql } from 'kysely'
import { startApp, type TestApp } from '#test/app.ts'
import { onEveryEngine } from '#test/engines.ts'
import { addTargetRow } from '#test/project-rows.ts'
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

  describe('an organisation’s list is read by an index', () => {
    /** The query that a list makes, as it is sent. */
    async function queryOf(filters: ImportFilters): Promise<CompiledQuery> {
      let sent: CompiledQuery | undefined
      const watching: KyselyPlugin = {
        transformQuery({ node, queryId }) {
          sent = db().getExecutor().compileQuery(node, queryId)
          return node
        },
        transformResult: async ({ result }) => result,
      }
      const window = { limit: 10, direction: 'after', position: 'start' } as const
      await listImports(db().withPlugin(watching), { orgId: app.orgId, filters }, window)
      return sent!
    }
    const cases: [ImportFilters, RegExp][] = [
      [{}, /imports_by_org/],
      [{ state: 'pending' }, /imports_by_state/],
      [{ cause: 'request' }, /imports_by_cause/],
      [{ targetId: 'x' }, /imports_by_target/],
      [{ integrationId: 'x' }, /imports_by_integration/],
    ]
    for (const [filters, index] of cases) {
      test(`narrowed by ${Object.keys(filters).join() || 'nothing'}`, async () => {
        const query = await queryOf(filters)
        const plan = await db()
          .transaction()
          .execute(async (tx) => {
            // Else an empty table is read whole.
            if (engine === 'postgres') await sql`set local enable_seqscan = off`.execute(tx)
            if (engine === 'postgres') await sql`set local enable_bitmapscan = off`.execute(tx)
            const explain = engine === 'postgres' ? 'explain' : 'explain query plan'
            return tx.executeQuery({ ...query, sql: `${explain} ${query.sql}` })
          })
        const text = JSON.stringify(plan.rows)
        assert.match(text, index)
        assert.doesNotMatch(text, /Sort|TEMP B-TREE/)
      })
    }
  })

  test('old ones are deleted part by part, from where the part before ended', async () => {
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
