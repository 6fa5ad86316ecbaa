import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { type IgnoreRow, listIgnores } from '#features/issue-index/ignores/ignored-store.ts'
import { saveIgnores } from '#features/issue-index/ignores/ignores-store.ts'
import { getProjectNumber } from '#features/projects/store.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { GROUP, ORG, rowsIn } from '#test/access/stored-rows.ts'
import { addProjectRow } from '#test/projects/project-rows.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { type FreshDatabase, freshDatabase } from '#test/servers/fresh-database.ts'
import { addIgnore, type IgnoresChange, removeIgnore, removeIgnores, replaceIgnores } from './change-ignores.ts'
import type { IgnoreInput } from './resource.ts'
import {
  countIgnores,
  countOrgIgnores,
  getIgnorePlace,
  type IgnoreFilters,
  listOrgIgnores,
  lockIgnoringProject,
} from './store.ts'

const AT = 1_000_000
const input: IgnoreInput = {
  path: '*',
  reason: 'why',
  reasonType: 'wont-fix',
  disregardIfFixable: false,
  expiresAt: null,
}

onEveryEngine('ignores on a bare database', (engine) => {
  let database: FreshDatabase
  let project: { id: string; number: number; name: string }
  let other: typeof project
  before(async () => {
    database = await freshDatabase(engine)
    const add = rowsIn(database.db)
    await add.place()
    await add.org({ id: 'far' })
    project = await addProject()
    other = await addProject('far')
  })
  after(() => database[Symbol.asyncDispose]())
  beforeEach(async () => {
    await database.db.deleteFrom('ignores').execute()
    await database.db.deleteFrom('audit_events').execute()
  })

  async function addProject(orgId: string = ORG) {
    const { id } = await addProjectRow({ parts: { services: { db: database.db, now: () => AT } }, orgId })
    const row = await database.db
      .selectFrom('projects')
      .select(['id', 'number', 'name'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return row
  }

  const rowOf = (change: Partial<IgnoreRow> = {}): IgnoreRow => ({
    id: randomUUID(),
    project_number: project.number,
    org_id: ORG,
    issue_id: 'an issue',
    path: '*',
    reason: 'why',
    reason_type: 'wont-fix',
    disregard_if_fixable: 0,
    expires_at: null,
    known_as: 'an issue',
    effect: 'applies',
    source: 'user',
    ignored_by_id: '',
    ignored_by_name: '',
    ignored_by_email: '',
    created_at: 1,
    updated_at: 1,
    ...change,
  })
  const save = (...rows: IgnoreRow[]) => saveIgnores(database.db, rows)

  test('project of an ignore: found and locked; not found in another organization', async () => {
    const { db } = database
    for (const find of [getProjectNumber, lockIgnoringProject]) {
      assert.equal(await find(db, ORG, project.id), project.number)
      await assert.rejects(find(db, 'far', project.id), { code: 'not-found' })
      await assert.rejects(find(db, ORG, other.id), { code: 'not-found' })
      await assert.rejects(find(db, ORG, randomUUID()), { code: 'not-found' })
    }
  })

  test('an ignore is found by id with its project and issue; not in another organization', async () => {
    const row = rowOf()
    await save(row, rowOf({ issue_id: 'another issue' }))
    assert.deepEqual(await getIgnorePlace(database.db, ORG, row.id), { projectId: project.id, issueId: 'an issue' })
    await assert.rejects(getIgnorePlace(database.db, 'far', row.id), { code: 'not-found' })
    await assert.rejects(getIgnorePlace(database.db, ORG, randomUUID()), { code: 'not-found' })
  })

  test('counting ignores of a project counts those that users made', async () => {
    await save(rowOf(), rowOf({ path: 'a' }), rowOf({ path: 'b', source: 'repository' }))
    await save(rowOf({ project_number: other.number, org_id: 'far' }))
    assert.equal(await countIgnores(database.db, project.number), 2)
  })

  const START = { limit: 10, direction: 'after', position: 'start' } as const
  const issues = ['applies', 'expired', 'expires now', 'expires later', 'gone'] as const
  const filters: [filters: Partial<IgnoreFilters>, expected: readonly string[]][] = [
    [{}, issues],
    [{ state: 'active' }, ['applies', 'expires later']],
    [{ state: 'expired' }, ['expired', 'expires now']],
    [{ state: 'stale' }, ['expired', 'expires now', 'gone']],
    [{ issueId: 'gone' }, ['gone']],
    [{ issueId: 'unknown' }, []],
    [{ state: 'stale', issueId: 'applies' }, []],
  ]
  for (const [filter, expected] of filters) {
    test(`listing and counting ignores of an organization: ${JSON.stringify(filter)}`, async () => {
      const changes: Partial<IgnoreRow>[] = [
        {},
        { expires_at: AT - 1 },
        { expires_at: AT },
        { expires_at: AT + 1 },
        { effect: 'path-gone' },
      ]
      const rows = changes.map((change, n) => rowOf({ issue_id: issues[n]!, created_at: n, ...change }))
      const elsewhere = { project_number: other.number, issue_id: 'gone' }
      // The second names an organization that its project has left: the project decides.
      await save(...rows, rowOf({ ...elsewhere, org_id: 'far' }), rowOf({ ...elsewhere, path: 'a' }))
      const selection = { orgId: ORG, filters: { now: AT, ...filter } }
      const page = await listOrgIgnores(database.db, selection, START)
      assert.deepEqual(
        page.rows.map(({ issue_id }) => issue_id),
        expected,
      )
      for (const row of page.rows)
        assert.deepEqual([row.project_id, row.project_name, row.path], [project.id, project.name, '*'])
      assert.equal(await countOrgIgnores(database.db, selection), expected.length)
    })
  }

  test('listing ignores of one project: in pages, by age', async () => {
    const second = await addProject()
    await save(rowOf({ id: 'b', created_at: 2 }), rowOf({ id: 'a', path: 'a', created_at: 2 }))
    await save(rowOf({ id: 'c', path: 'c', created_at: 1 }), rowOf({ id: 'd', project_number: second.number }))
    const ids = async (window: Parameters<typeof listOrgIgnores>[2]) => {
      const selection = { orgId: ORG, filters: { now: AT, projectId: project.id } }
      return (await listOrgIgnores(database.db, selection, window)).rows.map(({ id }) => id)
    }
    assert.deepEqual(await ids({ ...START, limit: 2 }), ['c', 'a'])
    assert.deepEqual(await ids({ ...START, position: [2, 'a'] }), ['b'])
  })

  const ada = { kind: 'user', id: 'ada', name: 'Ada' } as const
  const bob = { kind: 'user', id: 'bob', name: 'Bob' } as const
  /** Runs a change in a transaction, by default of Ada at `AT`. */
  function changing<T>(work: (change: IgnoresChange) => Promise<T>, more: Partial<IgnoresChange> = {}): Promise<T> {
    const org = { id: ORG, name: 'An org', slug: 'an-org', groupId: GROUP }
    const place = { org, projectId: project.id, issueId: 'an issue' }
    return inTransaction(database.db, (tx) =>
      work({ tx, actor: ada, email: 'ada@example.test', ...place, now: () => AT, ...more }),
    )
  }
  const stored = () => listIgnores(database.db, project.number)
  const paths = async () => (await stored()).map(({ path }) => path).toSorted()
  async function audited() {
    const rows = await database.db.selectFrom('audit_events').selectAll().orderBy('id').execute()
    return rows.map(({ action, before, after, at, group_id, org_id, target_kind, target_id }) => {
      assert.deepEqual([at, group_id, org_id], [AT, GROUP, ORG])
      assert.deepEqual([target_kind, target_id], ['project', project.id])
      const pathsOf = (state: string | null) => {
        if (state === null) return undefined
        const { issue_id, ignores } = JSON.parse(state) as { issue_id: string; ignores: object[] }
        assert.equal(issue_id, 'an issue')
        return ignores.flatMap(Object.keys)
      }
      return [action, pathsOf(before), pathsOf(after)]
    })
  }

  test('adding an ignore stores its author; adding it again by another user keeps its age and id', async () => {
    const first = await changing((change) => addIgnore(change, { ...input, expiresAt: AT + 5 }))
    const { id, project_number, org_id, ...rest } = first
    assert.deepEqual([project_number, org_id], [project.number, ORG])
    const author = { ignored_by_id: 'ada', ignored_by_name: 'Ada', ignored_by_email: 'ada@example.test' }
    const judged = { issue_id: 'an issue', known_as: 'an issue', effect: 'applies', source: 'user' }
    const said = { path: '*', reason: 'why', reason_type: 'wont-fix', disregard_if_fixable: 0, expires_at: AT + 5 }
    assert.deepEqual(rest, { ...author, ...judged, ...said, created_at: AT, updated_at: AT })
    const later = { actor: bob, email: undefined, now: () => AT + 9 }
    const second = await changing((change) => addIgnore(change, { ...input, disregardIfFixable: true }), later)
    assert.deepEqual([second.id, second.created_at, second.updated_at], [id, AT, AT + 9])
    assert.deepEqual([second.disregard_if_fixable, second.ignored_by_id, second.ignored_by_email], [1, 'bob', ''])
    // The project has no such issue, which is judged after each change.
    assert.deepEqual(await stored(), [{ ...second, effect: 'issue-gone' }])
  })

  test('adding an ignore by a program stores no user id; an unchanged ignore writes nothing', async () => {
    const actor = { kind: 'system', name: 'a program' } as unknown as IgnoresChange['actor']
    const row = await changing((change) => addIgnore(change, input), { actor })
    assert.equal(row.ignored_by_id, '')
    const again = await changing((change) => addIgnore(change, input), { actor, now: () => AT + 9 })
    assert.deepEqual([again.id, again.updated_at], [row.id, AT])
    assert.equal((await audited()).length, 1)
  })

  test('adding, replacing and deleting ignores is audited with the paths before and after', async () => {
    await changing((change) => addIgnore(change, input))
    await changing((change) => addIgnore(change, { ...input, reason: 'better' }))
    const two = ['*', 'b'].map((path) => ({ ...input, path }))
    assert.equal((await changing((change) => replaceIgnores(change, two))).length, 2)
    await changing((change) => replaceIgnores(change, two.slice(1)))
    assert.deepEqual(await paths(), ['b'])
    await changing(removeIgnores)
    assert.deepEqual(await stored(), [])
    await changing((change) => replaceIgnores(change, []))
    await changing((change) => replaceIgnores(change, [input]))
    await changing(removeIgnores)
    await assert.rejects(changing(removeIgnores), { code: 'not-found' })
    assert.deepEqual(await audited(), [
      ['ignore.create', undefined, ['*']],
      ['ignore.update', ['*'], ['*']],
      ['ignore.replace', ['*'], ['*', 'b']],
      ['ignore.replace', ['*', 'b'], ['b']],
      ['ignore.delete', ['b'], undefined],
      ['ignore.replace', undefined, ['*']],
      ['ignore.delete', ['*'], undefined],
    ])
  })

  test('adding an unchanged ignore writes nothing, even under another id of the issue', async () => {
    const author = { ignored_by_id: 'ada', ignored_by_name: 'Ada', ignored_by_email: 'ada@example.test' }
    const row = rowOf({ known_as: 'its alias', ...author })
    await save(row)
    assert.deepEqual(await changing((change) => addIgnore(change, input)), row)
    assert.deepEqual(await audited(), [])
  })

  test('replacing the ignores of an issue: kept ones keep their age, others are deleted; other issues are unchanged', async () => {
    await save(rowOf({ id: 'kept', created_at: 5 }), rowOf({ id: 'ends', path: 'a' }))
    await save(rowOf({ id: 'foreign', issue_id: 'another issue' }))
    const rows = await changing((change) => replaceIgnores(change, [input, { ...input, path: 'new' }]))
    assert.deepEqual([rows[0]!.id, rows[0]!.created_at, rows[1]!.created_at], ['kept', 5, AT])
    assert.deepEqual(await paths(), ['*', '*', 'new'])
  })

  test('deleting one ignore by its id keeps all others', async () => {
    await save(rowOf({ id: 'one' }), rowOf({ id: 'two', path: 'b' }), rowOf({ id: 'three', path: 'c' }))
    await changing((change) => removeIgnore(change, 'two'))
    assert.deepEqual(await paths(), ['*', 'c'])
    await assert.rejects(
      changing((change) => removeIgnore(change, 'two')),
      { code: 'not-found' },
    )
    assert.deepEqual(await audited(), [['ignore.delete', ['b'], undefined]])
  })

  test('ignores from a repository cannot be changed or deleted; users can change theirs of the same issue', async () => {
    await save(rowOf({ id: 'file', path: 'r', source: 'repository', ignored_by_name: '.snyk' }))
    const refusal = { code: 'conflict', message: /an issue is ignored by \.snyk/ }
    await assert.rejects(changing(removeIgnores), refusal)
    await assert.rejects(
      changing((change) => replaceIgnores(change, [])),
      refusal,
    )
    await assert.rejects(
      changing((change) => removeIgnore(change, 'file')),
      refusal,
    )
    for (const path of ['*', 'b', '*']) {
      const [row] = await changing((change) => replaceIgnores(change, [{ ...input, path }]))
      assert.deepEqual(await paths(), [path, 'r'])
      if (path === 'b') continue
      await changing((change) => removeIgnore(change, row!.id))
      assert.deepEqual(await paths(), ['r'])
      await changing((change) => replaceIgnores(change, [input]))
    }
    await changing((change) => replaceIgnores(change, []))
    await changing((change) => addIgnore(change, input))
    await changing(removeIgnores)
    assert.deepEqual(await paths(), ['r'])
  })

  test('ignores: at most 100 paths of one issue', async () => {
    const inputs = Array.from({ length: 101 }, (_, n) => ({ ...input, path: `p${n}` }))
    await assert.rejects(
      changing((change) => replaceIgnores(change, inputs)),
      { code: 'unprocessable' },
    )
    await changing((change) => replaceIgnores(change, inputs.slice(0, 99)))
    await changing((change) => addIgnore(change, inputs[99]!))
    await assert.rejects(
      changing((change) => addIgnore(change, inputs[100]!)),
      { code: 'unprocessable' },
    )
    await changing((change) => addIgnore(change, { ...inputs[5]!, reason: 'better' }))
    assert.equal((await stored()).length, 100)
  })

  test('ignores: at most 10,000 in a project, unless a change adds none', async () => {
    await sql`
      insert into ignores (id, project_number, org_id, issue_id, path, reason, reason_type, disregard_if_fixable,
        known_as, effect, source, ignored_by_id, ignored_by_name, ignored_by_email, created_at, updated_at)
      with recursive counted(n) as (select 1 union all select n + 1 from counted where n < 9998)
      select 'ignore ' || n, cast(${project.number} as integer), 'an org', 'issue ' || n, '*', '', 'wont-fix', 0,
        'issue ' || n, 'applies', 'user', '', '', '', 1, 1
      from counted`.execute(database.db)
    const replace = (...inputs: string[]) =>
      changing((change) =>
        replaceIgnores(
          change,
          inputs.map((path) => ({ ...input, path })),
        ),
      )
    const add = (path: string) => changing((change) => addIgnore(change, { ...input, path }))
    const refusal = { code: 'unprocessable', message: /at most 10000 ignores/ }
    await assert.rejects(replace('a', 'b', 'c'), refusal)
    await add('a')
    await add('b')
    await assert.rejects(add('c'), refusal)
    await assert.rejects(replace('a', 'b', 'c'), refusal)
    await replace('b', 'c')
    await replace('c')
    await replace('c', 'd')
    assert.equal(await countIgnores(database.db, project.number), 10_000)
  })
})
