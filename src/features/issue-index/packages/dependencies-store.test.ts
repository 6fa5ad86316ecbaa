import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { addProjectRow, addTargetRow } from '#test/projects/project-rows.ts'
import { plansOf } from '#test/projects/query-plans.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { findOrCreateOrgNumber, findOrCreatePackages } from '../storage/packages-store.ts'
import { countDependencies, listDependents } from './dependencies-store.ts'

/** More projects than are counted exactly. */
const PROJECTS = 520

onEveryEngine('dependents of a package', (engine) => {
  let app: TestApp
  let orgNumber: number
  let everywhere: number
  let few: number
  let ids: string[]
  before(async () => {
    app = await startApp(engine)
    orgNumber = await findOrCreateOrgNumber(db(), app.orgId)
    const keys = ['everywhere', 'few'].map((name) => ({ name, version: '1.0.0', variant: '' }))
    const { numbers } = await db()
      .transaction()
      .execute((tx) => findOrCreatePackages(tx, 'npm', keys))
    ;[everywhere, few] = [...numbers].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, number]) => number) as [
      number,
      number,
    ]
    const { id: targetId } = await addTargetRow(app)
    const first = await addProjectRow(app, { target_id: targetId })
    const { number: _, ...row } = await db()
      .selectFrom('projects')
      .selectAll()
      .where('id', '=', first.id)
      .executeTakeFirstOrThrow()
    ids = Array.from({ length: PROJECTS }, () => randomUUID())
    const rows = ids.map((id) => ({ ...row, id, place_key: id, name: id }))
    const projects = await db().insertInto('projects').values(rows).returning('number').execute()
    const contained = projects.map(({ number }, n) => ({
      project_number: number,
      package_number: everywhere,
      org_number: orgNumber,
      is_direct: 0,
      few: n < 10,
    }))
    const values = contained.flatMap(({ few: isInFew, ...row }) =>
      isInFew ? [row, { ...row, package_number: few }] : [row],
    )
    await db().insertInto('project_packages').values(values).execute()
  })
  after(() => app.close())

  const db = () => app.parts.services.db
  const listed = (number: number) => ({ number, projects: number === few ? 10 : PROJECTS })
  const ask = async (filters: { projectNumbers?: readonly number[] }, packages = [few, everywhere]) => {
    const rows = await listDependents(db(), { orgNumber, filters, most: 3 }, packages.map(listed))
    return packages.map((packageNumber) => {
      const own = rows.filter(({ package_number }) => Number(package_number) === packageNumber)
      return [own.map(({ id }) => id), own[0]?.projects]
    })
  }

  test('dependents: lists the first projects and counts all', async () => {
    const first = ids.slice(0, 3)
    assert.deepEqual(await ask({}), [
      [first, 10],
      [first, PROJECTS],
    ])
    assert.deepEqual(await ask({}, []), [])
  })

  test('dependents: a project filter limits both the list and the count', async () => {
    const rows = await db().selectFrom('projects').select('number').where('id', 'in', ids.slice(8, 12)).execute()
    const projectNumbers = rows.map(({ number }) => Number(number)).sort((a, b) => a - b)
    assert.deepEqual(await ask({ projectNumbers }), [
      [ids.slice(8, 10), 2],
      [ids.slice(8, 11), 4],
    ])
  })

  test('dependents: queries use the indexes by package name and by package', async () => {
    const packages = [{ name: 'few', version: '1.0.0' }]
    const packagePlans = await plansOf(db(), engine, (on) =>
      countDependencies(on, { orgNumber, filters: { packages } }),
    )
    for (const plan of packagePlans) assert.match(plan, /packages_by_name/)
    const dependents = await plansOf(db(), engine, (on) =>
      listDependents(on, { orgNumber, filters: {}, most: 3 }, [few, everywhere].map(listed)),
    )
    assert.equal(dependents.length, 2)
    for (const plan of dependents) {
      assert.match(plan, /project_packages_by_package/)
      assert.doesNotMatch(plan, /Seq Scan|SCAN pp|SCAN p"/)
    }
  })

  test('dependents: omits deleted projects; large counts include them until the purge', async () => {
    await db().deleteFrom('projects').where('id', '=', ids[0]!).execute()
    const left = ids.slice(1, 4)
    assert.deepEqual(await ask({}), [
      [left, 9],
      [left, PROJECTS],
    ])
  })
})
