import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { OsvRecord } from '#analysis/advisories/osv.ts'
import { startHolder } from '#features/advisory-sync/holder.ts'
import type { Db } from '#foundation/db/database.ts'
import { takeLock } from '#foundation/db/transaction-lock.ts'
import { publishRecords, recordAgainst } from '#test/manifests/published-advisories.ts'
import { type GivenProject, type Recording, record, toTest } from '#test/projects/stored-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { addWebhook } from '#test/servers/webhooks.ts'
import { findMatched, saveMatched } from '../storage/known-issues-store.ts'
import { createAdvisoryMatcher } from './advisory-matcher.ts'
import { announceKnown } from './announce-known.ts'
import { matchPackage } from './match-package.ts'
import { hasUnmatched } from './matching-store.ts'

onEveryEngine('matching of advisories with stored projects', (engine) => {
  let app: TestApp
  /** A package name per test, so that tests do not share packages. */
  let name: string
  before(async () => {
    app = await startApp(engine, { advisoriesPollSeconds: 3600 })
    await publish([])
  })
  beforeEach(() => {
    name = `p-${randomUUID().slice(0, 8)}`
  })
  after(() => app.close())

  const db = () => app.parts.services.db
  const publish = async (records: readonly OsvRecord[]) => {
    const digest = await publishRecords(app.parts, records)
    return { digest, matched: await app.parts.matcher.run() }
  }
  const tested = (project: GivenProject) => {
    const lease = app.parts.advisories.acquire()
    try {
      return toTest(project, lease.advisories)
    } finally {
      lease.release()
    }
  }
  const store = (packages: readonly string[], rest: Partial<Recording> = {}) =>
    record(db(), { orgId: app.orgId, test: tested({ packages }), ...rest })
  const announce = () => announceKnown(app.parts.services, undefined)
  const issuesOf = async (of: string) => {
    const rows = await db()
      .selectFrom('package_issues as i')
      .innerJoin('packages as p', 'p.number', 'i.package_number')
      .select(['i.issue_id', 'i.severity', 'p.version'])
      .where('p.name', '=', of)
      .orderBy('p.version')
      .orderBy('i.issue_id')
      .execute()
    return rows.map(({ version, issue_id, severity }) => `${version} ${issue_id} ${severity}`)
  }
  const orgIssuesOf = async (of: string, orgId: string) => {
    const rows = await db()
      .selectFrom('org_issues as i')
      .innerJoin('packages as p', 'p.number', 'i.package_number')
      .innerJoin('org_numbers as o', 'o.number', 'i.org_number')
      .select(['i.issue_id', 'i.severity', 'p.version'])
      .where('p.name', '=', of)
      .where('o.org_id', '=', orgId)
      .orderBy('p.version')
      .orderBy('i.issue_id')
      .execute()
    return rows.map(({ version, issue_id, severity }) => `${version} ${issue_id} ${severity}`)
  }
  const listen = (orgId: string) => addWebhook(app, { orgId, url: 'https://hooks.example/', events: ['issues.new'] })
  const listEvents = async (orgId: string) => {
    const rows = await db().selectFrom('events').select('body').where('org_id', '=', orgId).orderBy('id').execute()
    return rows.map(({ body }) => JSON.parse(body).data)
  }

  test('advisory matcher: projects show a new advisory, its change and its withdrawal', async () => {
    await store([`${name}@1.0.0`, `${name}@3.0.0`])
    const first = await publish([recordAgainst('A-1', 'npm', name, { fixed: '2.0.0' })])
    assert.deepEqual(first.matched, { digest: first.digest, packages: 2, changed: 1 })
    assert.deepEqual(await issuesOf(name), ['1.0.0 A-1 3'])
    assert.deepEqual(await orgIssuesOf(name, app.orgId), ['1.0.0 A-1 3'])
    const modified = '2024-02-01T00:00:00Z'
    await publish([recordAgainst('A-1', 'npm', name, { fixed: '4.0.0', severity: 'CRITICAL', modified })])
    assert.deepEqual(await issuesOf(name), ['1.0.0 A-1 4', '3.0.0 A-1 4'])
    assert.deepEqual(await orgIssuesOf(name, app.orgId), ['1.0.0 A-1 4', '3.0.0 A-1 4'])
    await publish([])
    assert.deepEqual([await issuesOf(name), await orgIssuesOf(name, app.orgId)], [[], []])
    assert.equal(await app.parts.matcher.run(), undefined, 'nothing is left to do')
  })

  test('advisory matcher: tests only packages whose advisories changed', async () => {
    const other = `${name}-other`
    const records = [recordAgainst('A-1', 'npm', name, { fixed: '2.0.0' })]
    await publish(records)
    await store([`${name}@1.0.0`, `${other}@1.0.0`])
    const { matched } = await publish([...records, recordAgainst('A-2', 'npm', other, { fixed: '2.0.0' })])
    assert.deepEqual([matched?.packages, matched?.changed], [1, 1])
  })

  test('advisory matcher: finds Go modules by every name of the repository and by commit', async () => {
    const commit = '0123456789abcdef0123456789abcdef01234567'
    const vendored = { name: `${name}/v2`, version: 'v2.0.0', advisoryNames: [`${name}/sub`], commit }
    await record(db(), { orgId: app.orgId, test: tested({ type: 'govendor', packages: [vendored] }) })
    await publish([recordAgainst('GO-1', 'Go', `${name}/sub`, { fixed: 'v3.0.0' })])
    assert.deepEqual(await issuesOf(`${name}/v2`), ['v2.0.0 GO-1 3'])
    const git = { type: 'GIT', repo: 'https://git.example/x', events: [{ introduced: commit }] }
    const byCommit = {
      ...recordAgainst('GO-2', 'Go', `${name}/v2`, { fixed: 'v1.0.0' }),
      affected: [{ package: { ecosystem: 'Go', name: `${name}/v2` }, ranges: [git] }],
    } as unknown as OsvRecord
    await publish([byCommit])
    assert.deepEqual(await issuesOf(`${name}/v2`), ['v2.0.0 GO-2 3'])
  })

  test('issues.new: sent once per organization with the affected projects, in batches of 100', async () => {
    const [orgId, other] = [await app.addOrg(), await app.addOrg()]
    for (const id of [orgId, other]) await listen(id)
    const projects = []
    for (let n = 0; n < 130; n++) projects.push(await store([`${name}@1.0.0`, `${name}@1.${n}.0`], { orgId }))
    await store(['right@1.0.0'], { orgId: other })
    await publish([recordAgainst('A-1', 'npm', name, { fixed: '2.0.0', severity: 'LOW' })])
    await announce()
    await announce()
    const events = await listEvents(orgId)
    assert.deepEqual(
      events.map(({ projects: own }) => own.length),
      [100, 30],
    )
    assert.deepEqual(
      events.flatMap(({ projects: own }) => own.map(({ id }: { id: string }) => id)),
      projects.map(({ projectId }) => projectId),
    )
    const [{ cause, issue_count, issues }] = events
    assert.deepEqual([cause, issue_count, issues.length], ['advisories', 1, 1])
    assert.deepEqual(issues[0].packages.length, 100)
    assert.deepEqual(
      { ...issues[0], packages: [] },
      {
        id: 'A-1',
        type: 'vulnerability',
        title: `About ${name}`,
        severity: 'low',
        packages: [],
      },
    )
    assert.deepEqual(await listEvents(other), [])
    const rows = await db()
      .selectFrom('projects')
      .select('next_test_at')
      .where('org_id', '=', orgId)
      .orderBy('number')
      .execute()
    const times = rows.map(({ next_test_at }) => next_test_at!)
    assert.ok(Math.max(...times) < Date.now() + 60_000, 'they are tested again soon')
    assert.ok(new Set(times).size > 100, 'and not all at once')
  })

  test('advisory matcher: schedules no retest of an inactive project', async () => {
    const { projectId } = await store([`${name}@1.0.0`])
    await db()
      .updateTable('projects')
      .set({ status: 'inactive', next_test_at: null })
      .where('id', '=', projectId)
      .execute()
    await publish([recordAgainst('A-1', 'npm', name, { fixed: '2.0.0' })])
    await announce()
    const row = await db().selectFrom('projects').select('next_test_at').where('id', '=', projectId).executeTakeFirst()
    assert.equal(row?.next_test_at, null)
  })

  test('issues.new: not sent when a vulnerability gets another id', async () => {
    const orgId = await app.addOrg()
    await listen(orgId)
    await store([`${name}@1.0.0`], { orgId })
    await publish([recordAgainst('PYSEC-1', 'npm', name, { fixed: '2.0.0' })])
    await announce()
    assert.equal((await listEvents(orgId)).length, 1)
    const aliases = ['PYSEC-1']
    await publish([recordAgainst('GHSA-1', 'npm', name, { fixed: '2.0.0', aliases })])
    await announce()
    assert.deepEqual(await orgIssuesOf(name, orgId), ['1.0.0 GHSA-1 3'])
    assert.equal((await listEvents(orgId)).length, 1)
  })

  test('advisory matcher: owner and comments follow a vulnerability to another id, where a later choice wins', async () => {
    const { projectNumber } = await store([`${name}@1.0.0`])
    const [former, latter] = [`OLD-${name}`, `NEW-${name}`]
    const triaged = (issue_id: string, target_id: string | null) => ({
      ...{ id: randomUUID(), target_id, issue_id, assignee_id: issue_id, assignee_name: 'Ann', due_day: null },
      ...{ project_number: target_id === null ? projectNumber : null, updated_at: 1 },
    })
    const project = await db().selectFrom('projects').selectAll().where('number', '=', projectNumber).executeTakeFirst()
    const targetId = project!.target_id
    const rows = [triaged(former, null), triaged(former, targetId), triaged(latter, targetId)]
    await db().insertInto('triaged_issues').values(rows).execute()
    const comment = { id: randomUUID(), project_number: projectNumber, target_id: null, issue_id: former }
    const text = { author_id: 'a', author_name: 'Ann', body: 'text', created_at: 1, updated_at: 1 }
    await db()
      .insertInto('issue_comments')
      .values({ ...comment, ...text })
      .execute()
    await publish([recordAgainst(former, 'npm', name, { fixed: '2.0.0' })])
    await publish([recordAgainst(latter, 'npm', name, { fixed: '2.0.0', aliases: [former] })])
    const ids = async (table: 'triaged_issues' | 'issue_comments') =>
      (await db().selectFrom(table).select('issue_id').where('issue_id', 'in', [former, latter]).execute()).map(
        ({ issue_id }) => issue_id,
      )
    assert.deepEqual([await ids('triaged_issues'), await ids('issue_comments')], [[latter, latter], [latter]])
    const ofTarget = db().selectFrom('triaged_issues').selectAll().where('target_id', '=', targetId)
    assert.equal((await ofTarget.executeTakeFirstOrThrow()).assignee_id, latter)
  })

  test('advisory matcher: reevaluates ignores; issues.new omits ignored projects', async () => {
    const orgId = await app.addOrg()
    await listen(orgId)
    const ignoring = await store([`${name}@1.0.0`], { orgId })
    const open = await store([`${name}@1.0.0`], { orgId })
    const [stale] = await ignore(db(), { orgId, issueId: 'A-1', projects: [ignoring.projectNumber] })
    const effect = async () =>
      (await db().selectFrom('ignores').select('effect').where('id', '=', stale!).executeTakeFirst())?.effect
    await publish([recordAgainst('A-1', 'npm', name, { fixed: '2.0.0' })])
    await announce()
    assert.equal(await effect(), 'applies')
    const [event, ...more] = await listEvents(orgId)
    assert.deepEqual(
      event.projects.map(({ id }: { id: string }) => id),
      [open.projectId],
    )
    assert.deepEqual(more, [])
    await publish([])
    await announce()
    assert.equal(await effect(), 'issue-gone')
  })

  test('advisory matcher: an ignore by CVE applies to an advisory under another id', async () => {
    const { projectNumber } = await store([`${name}@1.0.0`])
    const cve = `CVE-${name}`
    await ignore(db(), { orgId: app.orgId, issueId: cve, projects: [projectNumber] })
    await publish([recordAgainst(`A-${name}`, 'npm', name, { fixed: '2.0.0', aliases: [cve] })])
    await announce()
    const query = db().selectFrom('ignored_issues').select('issue_id').where('project_number', '=', projectNumber)
    assert.deepEqual(await query.execute(), [{ issue_id: `A-${name}` }])
  })

  test('advisory matcher: applies a changed list of exploited vulnerabilities to unchanged records', async () => {
    await store([`${name}@1.0.0`])
    const records = [recordAgainst('GHSA-1', 'npm', name, { fixed: '2.0.0', aliases: ['CVE-2024-0001'] })]
    await publishRecords(app.parts, records)
    await app.parts.matcher.run()
    const maturity = async () => {
      const query = db().selectFrom('package_issues as i').innerJoin('packages as p', 'p.number', 'i.package_number')
      const row = await query.select('i.facts').where('p.name', '=', name).executeTakeFirstOrThrow()
      return JSON.parse(row.facts).exploitMaturity
    }
    const since = async () => {
      const query = db().selectFrom('issue_groups as g').innerJoin('org_numbers as o', 'o.number', 'g.org_number')
      const row = await query
        .select('g.exploited_since')
        .where('o.org_id', '=', app.orgId)
        .where('g.kind', '=', 'vulnerability')
        .where('g.group_key', '=', 'GHSA-1')
        .executeTakeFirstOrThrow()
      return Number(row.exploited_since)
    }
    assert.deepEqual([await maturity(), await since()], ['no-data', 0])
    await publishRecords(app.parts, records, { exploited: ['CVE-2024-0001'] })
    await app.parts.matcher.run()
    assert.equal(await maturity(), 'mature')
    const first = await since()
    assert.ok(first > 0)
    await publishRecords(
      app.parts,
      records.map((record) => ({ ...record, summary: 'Another title' })),
      { exploited: ['CVE-2024-0001'] },
    )
    await app.parts.matcher.run()
    assert.equal(await since(), first, 'a later change does not make it new again')
    await publishRecords(app.parts, records)
    await app.parts.matcher.run()
    assert.deepEqual([await maturity(), await since()], ['no-data', 0])
  })

  test('advisory matcher: matches packages of a test that used older advisories', async () => {
    const early = tested({ packages: [`${name}@1.0.0`] })
    await publish([recordAgainst('A-1', 'npm', name, { fixed: '2.0.0' })])
    await record(db(), { orgId: app.orgId, test: early })
    assert.deepEqual(await issuesOf(name), [])
    assert.equal(await hasUnmatched(db()), true)
    assert.equal((await app.parts.matcher.run())?.packages, 1)
    assert.deepEqual(await orgIssuesOf(name, app.orgId), ['1.0.0 A-1 3'])
    assert.equal(await hasUnmatched(db()), false)
  })

  test('advisory matcher: completes an interrupted run', async () => {
    await store([`${name}@1.0.0`])
    await publishRecords(app.parts, [recordAgainst('A-1', 'npm', name, { fixed: '2.0.0' })])
    await assert.rejects(app.parts.matcher.run(AbortSignal.abort()))
    const { digest, next_digest } = (await findMatched(db()))!
    assert.notEqual(next_digest, null)
    // Simulates an unfinished move to advisories that no longer exist.
    await saveMatched(db(), { digest, nextDigest: 'f'.repeat(64), at: 0 })
    await app.parts.matcher.run()
    assert.deepEqual(await issuesOf(name), ['1.0.0 A-1 3'])
    assert.equal((await findMatched(db()))?.next_digest, null)
  })

  test('advisory matcher: a process with older advisories undoes nothing', async () => {
    await store([`${name}@1.0.0`])
    const { services } = app.parts
    const settings = { dir: `${services.config.dataDir}/other`, pollSeconds: 3600 }
    const old = await startHolder(services, settings)
    const matcher = createAdvisoryMatcher(services, old)
    try {
      const { digest } = await publish([recordAgainst('A-1', 'npm', name, { fixed: '2.0.0' })])
      assert.equal(await matcher.run(), undefined)
      assert.deepEqual([(await findMatched(db()))?.digest, await issuesOf(name)], [digest, ['1.0.0 A-1 3']])
    } finally {
      matcher.close()
      await old.close()
    }
  })

  test('advisory matcher: a delayed process does not undo newer matching', async () => {
    await store([`${name}@1.0.0`])
    await publishRecords(app.parts, [recordAgainst('A-1', 'npm', `${name}-else`, { fixed: '2.0.0' })])
    const { services } = app.parts
    const late = await startHolder(services, { dir: `${services.config.dataDir}/late`, pollSeconds: 3600 })
    const matcher = createAdvisoryMatcher(services, late)
    try {
      const newer = await publishRecords(app.parts, [recordAgainst('A-1', 'npm', name, { fixed: '2.0.0' })])
      const others = await db()
        .transaction()
        .execute(async (tx) => {
          await takeLock(tx, 'known-issues')
          const begun = matcher.run()
          await sleep(200)
          await saveMatched(tx, { digest: newer, nextDigest: null, at: 1 })
          return { begun }
        })
      assert.equal(await others.begun, undefined)
      const { digest, next_digest } = (await findMatched(db()))!
      assert.deepEqual([digest, next_digest], [newer, null])
    } finally {
      matcher.close()
      await late.close()
      await publish([])
    }
  })

  test('advisory matcher: misses nothing while projects and advisories change at once', async () => {
    const names = Array.from({ length: 12 }, (_, n) => `${name}-${n}`)
    const orgs = [app.orgId, await app.addOrg(), await app.addOrg()]
    const recording = async (seed: number) => {
      for (let n = 0; n < 12; n++) {
        const own = names.filter((_, at) => (at * 7 + n * 5 + seed * 3) % 4 === 0)
        const packages = own.map((name) => `${name}@1.${(n + seed) % 3}.0`)
        const projectTest = tested({ packages })
        await nextTurn()
        await record(db(), { orgId: orgs[(n + seed) % 3]!, test: projectTest, target: `${name} ${seed} ${n % 5}` })
      }
    }
    const publishing = async () => {
      for (let n = 0; n < 10; n++) {
        const affected = names.filter((_, at) => (at + n) % 3 !== 0)
        const records = affected.map((name, at) =>
          recordAgainst(`R-${name}`, 'npm', name, {
            fixed: `1.${(at + n) % 3}.5`,
            modified: `2024-01-${10 + n}T00:00:00Z`,
          }),
        )
        await publish(records)
        await announce()
      }
    }
    await Promise.all([recording(1), recording(2), recording(3), publishing()])
    for (let matched = await app.parts.matcher.run(); matched; ) matched = await app.parts.matcher.run()
    const { advisories, release } = app.parts.advisories.acquire()
    const packages = await db().selectFrom('packages').selectAll().where('name', 'like', `${name}-%`).execute()
    for (const row of packages) {
      const expected = matchPackage(advisories, row).map(({ issueId }) => issueId)
      const stored = await db()
        .selectFrom('package_issues')
        .select('issue_id')
        .where('package_number', '=', row.number)
        .execute()
      assert.deepEqual(stored.map(({ issue_id }) => issue_id).sort(), expected.sort(), row.name)
      const missing = await db()
        .selectFrom('project_packages as pp')
        .innerJoin('package_issues as i', 'i.package_number', 'pp.package_number')
        .leftJoin('org_issues as o', (join) =>
          join
            .onRef('o.org_number', '=', 'pp.org_number')
            .onRef('o.package_number', '=', 'i.package_number')
            .onRef('o.issue_id', '=', 'i.issue_id'),
        )
        .select('pp.project_number')
        .where('pp.package_number', '=', row.number)
        .where('o.issue_id', 'is', null)
        .execute()
      assert.deepEqual(missing, [], 'an organization has all that its projects have')
    }
    release()
  })
})

/** Stores an ignore of all paths for each project. */
async function ignore(
  db: Db,
  { orgId, issueId, projects }: { orgId: string; issueId: string; projects: readonly number[] },
): Promise<string[]> {
  const ids: string[] = []
  for (const number of projects) {
    const id = randomUUID()
    await db
      .insertInto('ignores')
      .values({
        id,
        project_number: number,
        org_id: orgId,
        issue_id: issueId,
        path: '*',
        reason: '',
        reason_type: 'wont-fix',
        disregard_if_fixable: 0,
        expires_at: null,
        known_as: issueId,
        effect: 'issue-gone',
        source: 'user',
        ignored_by_id: randomUUID(),
        ignored_by_name: 'Somebody',
        ignored_by_email: '',
        created_at: 0,
        updated_at: 0,
      })
      .execute()
    ids.push(id)
  }
  return ids
}
