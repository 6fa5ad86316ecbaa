import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addProjectRow } from '#test/projects/project-rows.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { deleteProjects } from '../store.ts'
import { deleteTarget } from '../targets-store.ts'
import { findProjectsByWords } from './find-projects-store.ts'
import { indexNames } from './name-parts-store.ts'

const NAMES = [
  'shop/100% wool:package.json',
  'shop/100 x wool:package.json',
  'Tools/Log4-Migration:pom.xml',
  'größe/größe:go.mod',
  'left_pad',
  'left-pad',
  'back\\slash',
  'x',
  '2222222222222222222221',
  '🦉/🦉🦉🦉🦉🦉🦉🦉🦉🦉!',
]

const WANTED: readonly (readonly [words: string, names: readonly string[]])[] = [
  ['wool 100%', ['shop/100% wool:package.json']],
  ['PACKAGE.JSON', ['shop/100 x wool:package.json', 'shop/100% wool:package.json']],
  ['migration tools/log4-migration:', ['Tools/Log4-Migration:pom.xml']],
  ['og4-m', ['Tools/Log4-Migration:pom.xml']],
  ['ößE/gr', ['größe/größe:go.mod']],
  ['größe/größe:go.mod', ['größe/größe:go.mod']],
  ['ÖßE', []],
  ['t_p', ['left_pad']],
  ['left pad', ['left-pad', 'left_pad']],
  ['k\\s', ['back\\slash']],
  ['x', ['Tools/Log4-Migration:pom.xml', 'shop/100 x wool:package.json', 'x']],
  ['22222222221', ['2222222222222222222221']],
  ['2222222223', []],
  ['🦉🦉🦉🦉🦉🦉🦉🦉!', ['🦉/🦉🦉🦉🦉🦉🦉🦉🦉🦉!']],
  ['json wool left', []],
]

onEveryEngine('project search by name', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
    for (const name of NAMES) await addProjectRow(app, { name })
  })
  after(() => app.close())

  const db = () => app.parts.services.db
  const find = async (text: string, limit = 100) => {
    const projects = await findProjectsByWords(db(), { orgId: app.orgId, words: text.split(' ') }, limit)
    return projects.map(({ name }) => name)
  }
  const indexAll = async () => {
    while ((await indexNames(db(), 4)) > 0);
  }
  const countParts = async () => {
    const { count } = await db()
      .selectFrom('project_name_parts')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  for (const state of ['without stored name parts', 'with stored name parts'] as const) {
    describe(state, () => {
      before(async () => {
        if (state === 'with stored name parts') await indexAll()
        assert.equal((await countParts()) > 0, state === 'with stored name parts')
      })
      for (const [words, names] of WANTED) {
        test(`project search: ${words} finds ${names.length === 0 ? 'nothing' : names.join(', ')}`, async () => {
          assert.deepEqual(await find(words), names)
        })
      }
      test('project search: returns no more projects than the limit', async () => {
        assert.equal((await find('x', 2)).length, 2)
      })
    })
  }

  test('project search: finds a renamed project only by its new name, before and after indexing', async () => {
    const { id } = await addProjectRow(app, { name: 'earlier-name' })
    await indexAll()
    const parts = await countParts()
    await db().updateTable('projects').set({ name: 'present-name' }).where('id', '=', id).execute()
    for (const store of [async () => {}, indexAll]) {
      await store()
      assert.deepEqual([await find('earlier-name'), await find('present-n')], [[], ['present-name']])
    }
    assert.equal(await countParts(), parts)
    await db().deleteFrom('projects').where('id', '=', id).execute()
  })

  test('project search: deleting projects and targets deletes their name parts', async () => {
    await indexAll()
    const parts = await countParts()
    const at = app.parts.services.now()
    const one = await addProjectRow(app, { name: 'goes with itself' })
    const other = await addProjectRow(app, { name: 'goes with its target' })
    await indexAll()
    assert.equal((await find('goes')).length, 2)
    await db()
      .transaction()
      .execute((tx) => deleteProjects(tx, app.orgId, { ids: [one.id], at }))
    await db()
      .transaction()
      .execute((tx) => deleteTarget(tx, app.orgId, { id: other.target_id, at }))
    assert.deepEqual([await find('goes'), await countParts()], [[], parts])
  })

  test('project search: finds words that are common alone and rare together, behind thousands of the same name', async () => {
    const target = await addProjectRow(app, { name: 'both frontend and backend' })
    const row = await db().selectFrom('projects').selectAll().where('id', '=', target.id).executeTakeFirstOrThrow()
    const { number: _number, ...values } = row
    for (let at = 0; at < 9_000; at += 500) {
      const rows = Array.from({ length: 500 }, (_, n) => {
        const id = `many ${at + n}`
        return { ...values, id, place_key: id, name: n % 3 === 0 ? `a backend ${at + n}` : 'a frontend' }
      })
      for (let from = 0; from < 500; from += 100) {
        await db()
          .insertInto('projects')
          .values(rows.slice(from, from + 100))
          .execute()
      }
    }
    while ((await indexNames(db(), 500)) > 0);
    assert.deepEqual(await find('frontend backend'), ['both frontend and backend'])
    assert.equal((await find('frontend')).length, 100)
  })
})
