import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { publishRecords, recordAgainst } from '#test/manifests/published-advisories.ts'
import { type GivenProject, record, toTest } from '#test/projects/stored-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { findIssueCounts } from '../counts/issue-counts-store.ts'
import { unpackGraph, unpackSource } from '../storage/packed-state.ts'
import { findState, KEPT_TESTS } from '../storage/states-store.ts'
import { recordFailure } from './record-test.ts'

onEveryEngine('recording of project tests', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine, { advisoriesPollSeconds: 3600 })
    await publishRecords(app.parts, [
      recordAgainst('GHSA-aaaa', 'npm', 'left', { fixed: '2.0.0', severity: 'HIGH' }),
      recordAgainst('GHSA-bbbb', 'npm', 'left', { fixed: '1.5.0', severity: 'LOW' }),
      recordAgainst('PYSEC-1', 'PyPI', 'two-words', { fixed: '2.0', severity: 'CRITICAL' }),
    ])
  })
  after(() => app.close())

  const db = () => app.parts.services.db
  const tested = (input: GivenProject) => {
    const lease = app.parts.advisories.acquire()
    try {
      return toTest(input, lease.advisories)
    } finally {
      lease.release()
    }
  }
  const project = (id: string) => db().selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const packagesOf = async (number: number) => {
    const rows = await db()
      .selectFrom('project_packages as pp')
      .innerJoin('packages as p', 'p.number', 'pp.package_number')
      .select(['p.name', 'p.version'])
      .where('pp.project_number', '=', number)
      .orderBy('p.name')
      .orderBy('p.version')
      .execute()
    return rows.map(({ name, version }) => `${name}@${version}`)
  }
  const countsOf = async (id: string) => {
    const row = await project(id)
    return (await findIssueCounts(db(), [row], Date.now())).get(row.number)!.open
  }

  test('recording: stores project, packages, issue counts, graph and source', async () => {
    const projectTest = tested({ packages: ['left@1.0.0', 'right@1.0.0'], edges: { 1: [0] } })
    const source = { kind: 'files', target: '{}', additional: [], encoding: 'plain' } as const
    const recorded = await record(db(), {
      orgId: app.orgId,
      test: projectTest,
      source,
      contentDigest: 'abc',
      revision: 'r1',
    })
    assert.deepEqual([recorded.isNew, recorded.newIssueIds], [true, []])
    const row = await project(recorded.projectId)
    assert.deepEqual(
      [row.type, row.status, row.test_frequency, row.total_dependencies, row.content_digest, row.failure],
      ['npm', 'active', 'daily', 2, 'abc', null],
    )
    assert.deepEqual(JSON.parse(row.licenses), { '': 2 })
    assert.ok(
      row.next_test_at! > row.tested_at! + 0.89 * 86_400_000 && row.next_test_at! <= row.tested_at! + 86_400_000,
    )
    assert.deepEqual(await packagesOf(row.number), ['left@1.0.0', 'right@1.0.0'])
    assert.deepEqual(await countsOf(recorded.projectId), { critical: 0, high: 1, medium: 0, low: 1 })
    const state = (await findState(db(), row.number))!
    assert.deepEqual(await unpackGraph(state.graph), projectTest.graph)
    const stored = await unpackSource(state.source!)
    assert.deepEqual(JSON.parse(new TextDecoder().decode(stored.bytes)), source)
    const [entry] = await db()
      .selectFrom('project_tests')
      .selectAll()
      .where('project_number', '=', row.number)
      .execute()
    assert.deepEqual(JSON.parse(entry!.counts), {
      vulnerabilities: { critical: 0, high: 1, medium: 0, low: 1 },
      licenses: { critical: 0, high: 0, medium: 0, low: 0 },
    })
    assert.deepEqual([entry!.id, entry!.revision, entry!.cause], [state.test_id, 'r1', 'import'])
  })

  test('recording: a second test updates the project and returns its new issues', async () => {
    const target = 'again'
    const first = await record(db(), {
      orgId: app.orgId,
      target,
      test: tested({ packages: ['left@1.6.0', 'old@1.0.0'] }),
    })
    const second = await record(db(), {
      orgId: app.orgId,
      target,
      test: tested({ packages: ['left@1.0.0', 'left@1.6.0'] }),
    })
    assert.deepEqual([second.isNew, second.projectId, second.newIssueIds], [false, first.projectId, ['GHSA-bbbb']])
    assert.deepEqual(await packagesOf(first.projectNumber), ['left@1.0.0', 'left@1.6.0'])
    assert.deepEqual(
      await countsOf(first.projectId),
      { critical: 0, high: 1, medium: 0, low: 1 },
      'an issue of two packages is one',
    )
    const third = await record(db(), {
      orgId: app.orgId,
      target,
      test: tested({ packages: ['left@1.0.0', 'left@1.6.0'] }),
    })
    assert.deepEqual(third.newIssueIds, [])
  })

  test('recording: projects and organizations share packages in any spelling', async () => {
    const org = await app.addOrg()
    const input = { type: 'pip', packages: ['Two.Words@1.0', 'two_words@1.0'] }
    const first = await record(db(), { orgId: app.orgId, test: tested(input) })
    const second = await record(db(), { orgId: org, test: tested({ type: 'pip', packages: ['two-words@1.0'] }) })
    assert.deepEqual(await packagesOf(first.projectNumber), ['two-words@1.0'])
    const rows = await db().selectFrom('packages').selectAll().where('name', '=', 'two-words').execute()
    assert.equal(rows.length, 1)
    for (const { projectId } of [first, second]) assert.equal((await countsOf(projectId)).critical, 1)
  })

  test('recording: a renamed file keeps its project unless another project has its place', async () => {
    const target = 'renamed'
    const input = { orgId: app.orgId, target, test: tested({ packages: ['right@1.0.0'] }) }
    const a = await record(db(), { ...input, file: 'a/package.json' })
    const b = await record(db(), { ...input, file: 'b/package.json', projectId: a.projectId })
    assert.deepEqual([b.isNew, b.projectId], [false, a.projectId])
    assert.equal((await project(a.projectId)).target_file, 'b/package.json')
    const c = await record(db(), { ...input, file: 'c/package.json' })
    assert.equal(c.isNew, true)
    const taken = await record(db(), { ...input, file: 'c/package.json', projectId: a.projectId })
    assert.equal(taken.projectId, c.projectId)
    const foreign = await record(db(), { ...input, target: 'another', file: 'd/package.json', projectId: a.projectId })
    assert.equal(foreign.isNew, true, 'a project of another target is not taken')
  })

  test('recording: a failure is shown until the next successful test', async () => {
    const target = 'failing'
    const input = { orgId: app.orgId, target, test: tested({ packages: ['right@1.0.0'] }) }
    const { projectId, projectNumber } = await record(db(), input)
    await db()
      .transaction()
      .execute((tx) =>
        recordFailure(tx, projectId, { sentence: 'The lockfile cannot be read.', of: 'what was read', at: Date.now() }),
      )
    assert.equal((await project(projectId)).failure, 'The lockfile cannot be read.')
    assert.deepEqual(await packagesOf(projectNumber), ['right@1.0.0'], 'what the test before found stays')
    await record(db(), input)
    assert.equal((await project(projectId)).failure, null)
  })

  test('recording: the history is limited; the time of the last monitoring remains', async () => {
    const target = 'history'
    const input = { orgId: app.orgId, target, test: tested({ packages: [] }) }
    const { projectId, projectNumber } = await record(db(), { ...input, cause: 'monitor', at: 1 })
    for (let n = 0; n < KEPT_TESTS + 5; n++) await record(db(), { ...input, cause: 'retest', at: 10 + n })
    const rows = await db()
      .selectFrom('project_tests')
      .select(['tested_at', 'cause'])
      .where('project_number', '=', projectNumber)
      .orderBy('tested_at')
      .execute()
    assert.equal(rows.length, KEPT_TESTS)
    assert.deepEqual([rows[0]?.tested_at, (await project(projectId)).monitored_at], [15, 1])
  })

  test('recording: concurrent tests neither deadlock nor store duplicates', async () => {
    const names = Array.from({ length: 300 }, (_, n) => `shared-${n}@1.0.0`)
    const all = Array.from({ length: 8 }, (_, n) =>
      record(db(), {
        orgId: app.orgId,
        target: `at once ${n % 4}`,
        test: tested({ packages: n % 2 === 0 ? names : names.toReversed() }),
      }),
    )
    const recorded = await Promise.all(all)
    assert.equal(new Set(recorded.map(({ projectId }) => projectId)).size, 4)
    assert.equal(recorded.filter(({ isNew }) => isNew).length, 4)
    const rows = await db().selectFrom('packages').select('number').where('name', 'like', 'shared-%').execute()
    assert.equal(rows.length, 300)
    for (const { projectNumber } of recorded) assert.equal((await packagesOf(projectNumber)).length, 300)
  })
})
