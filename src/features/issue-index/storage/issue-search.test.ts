import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { deleteUnused, listUse } from '#features/projects/purging/purge-store.ts'
import { issueSearch } from '#foundation/db/migrations/first-release/0028-issue-search.ts'
import { plansOf } from '#test/projects/query-plans.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { findNamesOfPart, MAX_NAMES_OF_PART, partsOf } from './issue-search-store.ts'
import { findOrgNumber } from './packages-store.ts'

onEveryEngine('issue search', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
    await recordProject(app, {
      graph: {
        project: ['jackson-databind@1.0.0', 'left-pad@1.0.0'],
        'jackson-databind@1.0.0': [],
        'left-pad@1.0.0': [],
      },
      issues: [
        { id: 'GHSA-aaaa', in: 'jackson-databind@1.0.0', aliases: ['CVE-2018-14719', 'PYSEC-1'] },
        { id: 'GHSA-bbbb', in: 'left-pad@1.0.0', aliases: ['CVE-2018-14719'] },
      ],
    })
    await recordProject(app, {
      graph: { project: ['@scope/fast-jackson_core@1.0.0'], '@scope/fast-jackson_core@1.0.0': [] },
      issues: [{ id: 'GHSA-cccc', in: '@scope/fast-jackson_core@1.0.0' }],
    })
  })
  after(() => app.close())

  const find = async (query: Record<string, string>, orgId = app.orgId) => {
    const answer = await app.call('GET', `/rest/orgs/${orgId}/issues`, { query })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer
      .json()
      .data.map(({ attributes }: { attributes: { key: string } }) => attributes.key)
      .sort()
  }

  const cases: [why: string, query: Record<string, string>, keys: string[]][] = [
    ['finds an issue by its id', { key: 'GHSA-aaaa' }, ['GHSA-aaaa']],
    ['finds an issue by its id in another case', { key: 'ghsa-AAAA' }, ['GHSA-aaaa']],
    ['finds both issues of a CVE', { key: 'CVE-2018-14719' }, ['GHSA-aaaa', 'GHSA-bbbb']],
    ['finds an issue by the id of another database', { key: 'pysec-1' }, ['GHSA-aaaa']],
    ['finds nothing by a part of an id', { key: 'CVE-2018-1471' }, []],
    ['finds a package by its whole name', { package: 'jackson-databind' }, ['GHSA-aaaa']],
    ['finds a package by name and version', { package: 'jackson-databind@1.0.0' }, ['GHSA-aaaa']],
    ['finds nothing by another version', { package: 'jackson-databind@2.0.0' }, []],
    ['finds several packages by a common word in any case', { package: 'Jackson' }, ['GHSA-aaaa', 'GHSA-cccc']],
    ['finds a package by its second word', { package: 'databind' }, ['GHSA-aaaa']],
    ['finds a package by several words', { package: 'fast-jackson' }, ['GHSA-cccc']],
    ['finds a package by its last word and version', { package: 'core@1.0.0' }, ['GHSA-cccc']],
    ['finds a package by the middle of a word in any case', { package: 'ackSON-data' }, ['GHSA-aaaa']],
    ['finds several packages by the middle of a word', { package: 'ackson' }, ['GHSA-aaaa', 'GHSA-cccc']],
    ['finds packages by the middle of a word and the version', { package: 'ackson@1.0.0' }, ['GHSA-aaaa', 'GHSA-cccc']],
    ['finds nothing by two letters from the middle of a word', { package: 'ck' }, []],
    ['takes percent signs literally', { package: '%%%' }, []],
    ['takes an underscore literally', { package: 'j_cks' }, []],
    ['finds an issue by an alias and a part of a name', { key: 'CVE-2018-14719', package: 'pad' }, ['GHSA-bbbb']],
  ]
  for (const [why, query, keys] of cases) {
    test(`issue search: ${why}`, async () => assert.deepEqual(await find(query), keys))
  }

  test('issue search: finds nothing in an organization without such packages', async () => {
    const orgId = await app.addOrg()
    await recordProject(app, { orgId, graph: { project: ['other@1.0.0'], 'other@1.0.0': [] } })
    assert.deepEqual(await find({ package: 'jackson' }, orgId), [])
    assert.deepEqual(await find({ key: 'CVE-2018-14719' }, orgId), [])
  })

  test('issue search: a part of more than 200 names gets 400; other organizations’ packages do not count', async () => {
    const [orgId, other] = [await app.addOrg(), await app.addOrg()]
    const names = Array.from({ length: MAX_NAMES_OF_PART + 1 }, (_, n) => `many-${n}@1.0.0`)
    const graph = { project: names, ...Object.fromEntries(names.map((name) => [name, []])) }
    await recordProject(app, { orgId, graph })
    const answer = await app.call('GET', `/rest/orgs/${orgId}/issues`, { query: { package: 'many' } })
    assert.equal(answer.statusCode, 400)
    const [error] = answer.json().errors
    assert.match(error.detail, /More than 200 package names contain .* Enter more of the name/)
    assert.deepEqual(error.source, { parameter: 'package' })
    assert.deepEqual(await find({ package: 'many' }, other), [])
  })

  test('issue search: forgets the names of purged packages', async () => {
    const db = app.parts.services.db
    await db.insertInto('packages').values({ registry: 'npm', name: 'gone-soon', version: '1', variant: '' }).execute()
    await db
      .insertInto('package_name_parts')
      .values({ part: 'gone-soon', registry: 'npm', name: 'gone-soon' })
      .execute()
    const unused = (await listUse(db, 0, 10_000)).flatMap(({ number, isUsed }) => (isUsed ? [] : [number]))
    await db.transaction().execute((tx) => deleteUnused(tx, unused))
    const left = await db.selectFrom('package_name_parts').select('part').where('name', '=', 'gone-soon').execute()
    assert.deepEqual(left, [])
  })

  test('issue search: the migration indexes issues and packages stored before', async () => {
    const db = app.parts.services.db
    const read = async () => ({
      aliases: await db.selectFrom('issue_aliases').selectAll().orderBy('alias').orderBy('issue_id').execute(),
      parts: await db.selectFrom('package_name_parts').selectAll().orderBy('part').orderBy('name').execute(),
    })
    const stored = await read()
    for (const table of ['issue_aliases', 'package_name_parts'] as const) await db.deleteFrom(table).execute()
    const bytes = engine === 'postgres' ? 'bytea' : 'blob'
    const all = issueSearch.statements({ text: '', bytes, counter: '', keyed: '' })
    for (const filling of all.filter((text) => text.startsWith('insert'))) await sql.raw(filling).execute(db)
    assert.deepEqual(await read(), stored)
  })

  test('issue search: the query of names uses indexes only', async () => {
    const plans = await plansOf(app.parts.services.db, engine, (on) => findNamesOfPart(on, 1, 'xyz'))
    assert.ok(plans.length > 0)
    for (const plan of plans) assert.doesNotMatch(plan, /Seq Scan|\bSCAN /)
  })

  test('issue search: finds all names by the middle of a word among 11,000', async () => {
    const orgId = await app.addOrg()
    const names = Array.from({ length: 11_000 }, (_, n) => `name-${String(n).padStart(5, '0')}`)
    const packages = [...names, 'aa-needle', 'name-04999x-needle', 'zz-needle'].map((name) => `${name}@1.0.0`)
    const graph = { project: packages, ...Object.fromEntries(packages.map((name) => [name, []])) }
    await recordProject(app, { orgId, graph })
    const db = app.parts.services.db
    const matches = await findNamesOfPart(db, (await findOrgNumber(db, orgId))!, 'eedl')
    assert.deepEqual(matches, ['aa-needle', 'name-04999x-needle', 'zz-needle'])
    assert.equal((await findNamesOfPart(db, (await findOrgNumber(db, orgId))!, 'ame-')).length, MAX_NAMES_OF_PART + 1)
  })
})

test('name parts: begin at each word of a package name', () => {
  assert.deepEqual(partsOf('com.Example:some_thing-2'), [
    'com.example:some_thing-2',
    'example:some_thing-2',
    'some_thing-2',
    'thing-2',
    '2',
  ])
  assert.deepEqual(partsOf('@scope/a'), ['@scope/a', 'scope/a', 'a'])
})
