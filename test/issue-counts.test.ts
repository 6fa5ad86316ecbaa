import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { addIgnore, type IgnoresChange, removeIgnores, replaceIgnores } from '#features/ignores/change-ignores.ts'
import type { IgnoreInput } from '#features/ignores/resource.ts'
import { recountIssues } from '#features/issue-index/counts/issue-counts.ts'
import { findIssueCounts } from '#features/issue-index/counts/issue-counts-store.ts'
import { recountProjects } from '#features/issue-index/counts/recount-projects.ts'
import { announceKnown } from '#features/issue-index/matching/announce-known.ts'
import { evaluatePolicies } from '#features/issue-index/policies/evaluation-rounds.ts'
import { type PolicyRow, toPolicy } from '#features/issue-index/policies/policies-store.ts'
import { foldChanges } from '#features/issue-index/trends/fold-store.ts'
import { listGroups } from '#features/issues/groups/group-list-store.ts'
import { countLive } from '#features/issues/groups/live-totals-store.ts'
import { readOrgTrend, readProjectTrend, type TrendRow } from '#features/issues/trends/trends-store.ts'
import { ALLOW_ALL } from '#features/license-policies/change-policy.ts'
import { lockPolicy, savePolicy } from '#features/license-policies/store.ts'
import {
  createPolicy,
  editPolicy,
  type PolicyContent,
  removePolicy,
  restorePolicy,
} from '#features/policies/change-policies.ts'
import { removeProjects } from '#features/projects/change-project.ts'
import { moveProject } from '#features/projects/move-project.ts'
import { operator } from '#foundation/access/caller.ts'
import type { Db } from '#foundation/db/database.ts'
import { publishRecords, recordAgainst } from '#test/manifests/published-advisories.ts'
import { record, toTest } from '#test/projects/stored-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { volume } from '#test/volume.ts'
import { createRandom } from '../verification/fuzz/random.ts'

const SEEDS = [3, 11]
const STEPS = volume(100, { atLeast: 30 })
/** Next expiries that are looked at after each change. */
const EXPIRIES = 2
const NAMES = ['a', 'b', 'c', 'd', 'e']
const LICENSES = ['MIT', 'GPL-3.0-only', undefined]
const SEVERITIES = ['CRITICAL', 'HIGH', 'MODERATE', 'LOW'] as const
const FAR = Number.MAX_SAFE_INTEGER

onEveryEngine('stored issue counts', (engine) => {
  let app: TestApp
  let orgIds: string[]
  before(async () => {
    app = await startApp(engine, { advisoriesPollSeconds: 3600 })
    orgIds = [app.orgId, await app.addOrg()]
  })
  after(() => app.close())

  const clock = { now: Date.now() }
  const db = () => app.parts.services.db
  const inTransaction = <T>(work: (tx: Db) => Promise<T>) => db().transaction().execute(work)
  const listProjects = () => db().selectFrom('projects').selectAll().orderBy('number').execute()
  const orgOf = (id: string) => ({ id, name: id, slug: id, groupId: app.groupId })

  /** Compares what pages show with a count of every row, now and when the next ignores expire. */
  async function check(now: number, context: string): Promise<void> {
    const projects = await listProjects()
    const ends = (await db().selectFrom('ignored_issues').select('ignored_until').execute())
      .map(({ ignored_until }) => Number(ignored_until))
      .filter((end) => end > now && end < FAR)
      .sort((a, b) => a - b)
      .slice(0, EXPIRIES)
    for (const at of [now, ...ends.flatMap((end) => [end - 1, end])]) {
      const counted = [...(await recountIssues(db(), { projects }, at))]
      const expected = counted.map(([number, { open, ignored }]) => [number, { open, ignored }])
      const shown = await findIssueCounts(db(), projects, at)
      assert.deepEqual(Object.fromEntries(shown), Object.fromEntries(expected), `${context}, at ${at - now} ms`)
    }
    await checkTrends(context)
  }

  /** Compares the trends' last day, of organizations and projects, with the stored counts. */
  async function checkTrends(context: string): Promise<void> {
    const projects = await listProjects()
    const stored = await db().selectFrom('project_issue_counts').selectAll().execute()
    const range = { from: 0, to: Number.MAX_SAFE_INTEGER, now: clock.now }
    for (const orgId of orgIds) {
      const own = projects.filter(({ org_id }) => org_id === orgId).map(({ number }) => Number(number))
      const counts = stored.filter(({ project_number }) => own.includes(Number(project_number)))
      const { rows } = await readOrgTrend(db(), orgId, range)
      assert.deepEqual(levels(rows), sumsOf(counts), `${context}: trend of the organization`)
    }
    for (const project of projects) {
      const counts = stored.filter(({ project_number }) => Number(project_number) === Number(project.number))
      const { rows } = await readProjectTrend(db(), project, range)
      assert.deepEqual(levels(rows), sumsOf(counts), `${context}: trend of a project`)
      assert.ok(
        rows.every(({ day, change }) => day >= 0 || change === 0),
        `${context}: every change has a day`,
      )
    }
  }

  const words = ['low', 'medium', 'high', 'critical'] as const
  const levels = (rows: readonly TrendRow[]) =>
    words.map((_, at) => rows.reduce((sum, { severity, change }) => sum + (severity === at + 1 ? change : 0), 0))
  const sumsOf = (counts: readonly Readonly<Record<(typeof words)[number], number>>[]) =>
    words.map((word) => counts.reduce((sum, row) => sum + Number(row[word]), 0))

  /** Compares the totals of groups with a count of every row. Requires that no ignore expired since the last recount. */
  async function checkGroups(now: number, context: string): Promise<void> {
    const orgNumbers = await db().selectFrom('org_numbers').select('number').execute()
    for (const { number: orgNumber } of orgNumbers) {
      for (const kind of ['vulnerability', 'package'] as const) {
        const input = { orgNumber, kind, filters: {}, sort: '-priority', now } as const
        const { rows } = await listGroups(db(), input, { limit: 1_000, direction: 'after', position: 'start' })
        const expected: Record<string, unknown> = {}
        for (const key of await listGroupKeys(orgNumber, kind)) {
          const totals = await countLive(db(), { org_number: orgNumber, kind, group_key: key }, now)
          if (totals.issues + totals.ignored > 0) expected[key] = totals
        }
        const listed = rows.map(({ group_key, live, ...stored }) => {
          const { projects, direct, issues, ignored } = live ?? stored
          const open = { projects: Number(projects), direct: Number(direct) }
          return [group_key, { ...open, issues: Number(issues), ignored: Number(ignored) }] as const
        })
        const shown = listed.filter(([, { issues, ignored }]) => issues + ignored > 0)
        assert.deepEqual(Object.fromEntries(shown), expected, `${kind}, ${context}`)
      }
    }
  }

  async function isAnyExpired(): Promise<boolean> {
    const expired = db()
      .selectFrom('project_issue_counts')
      .select('project_number')
      .where('valid_until', '<=', clock.now)
    return (await expired.execute()).length > 0
  }

  async function listGroupKeys(orgNumber: number, kind: 'vulnerability' | 'package'): Promise<string[]> {
    const rows = await db()
      .selectFrom('project_packages as pp')
      .innerJoin('package_issues as pi', 'pi.package_number', 'pp.package_number')
      .innerJoin('packages as k', 'k.number', 'pp.package_number')
      .select(['pi.issue_id', 'k.registry', 'k.name'])
      .distinct()
      .where('pp.org_number', '=', orgNumber)
      .execute()
    return [...new Set(rows.map((row) => (kind === 'package' ? `${row.registry}/${row.name}` : row.issue_id)))]
  }

  /** Compares the issues that policies hide with an evaluation of every policy, once none awaits its evaluation. */
  async function checkPolicies(now: number, context: string): Promise<void> {
    const unevaluated = await db().selectFrom('unevaluated_issues').selectAll().execute()
    const pending = await db()
      .selectFrom('policy_owners')
      .selectAll()
      .whereRef('evaluated_revision', '<', 'revision')
      .execute()
    if (unevaluated.length + pending.length > 0) return
    const issues = await db()
      .selectFrom('projects as p')
      .innerJoin('project_packages as pp', 'pp.project_number', 'p.number')
      .innerJoin('package_issues as pi', 'pi.package_number', 'pp.package_number')
      .innerJoin('packages as k', 'k.number', 'pp.package_number')
      .select(['p.number', 'p.id', 'p.org_id', 'p.target_id', 'k.registry', 'k.name', 'k.version'])
      .select(['pi.issue_id', 'pi.severity', 'pi.facts'])
      .execute()
    const rows = await db().selectFrom('policies').selectAll().where('deleted_at', 'is', null).execute()
    await checkSeverities(rows, context)
    const active = rows.filter(
      ({ expires_at, severity }) => severity === null && (expires_at === null || Number(expires_at) > now),
    )
    const expected: string[] = []
    for (const own of Map.groupBy(issues, ({ number, issue_id }) => `${number} ${issue_id}`).values()) {
      for (const row of active) {
        const [{ number, id, org_id, target_id, issue_id }] = own as [(typeof own)[number]]
        if (row.org_id !== null && row.org_id !== org_id) continue
        const policy = toPolicy(row)
        const isHidden = own.every(({ facts, ...issue }) =>
          policy.matchesIssue({
            ...issue,
            severity: Number(issue.severity),
            issueId: issue_id,
            facts: JSON.parse(facts),
          }),
        )
        if (isHidden && policy.matchesProject({ id, targetId: target_id, tags: [] })) {
          expected.push(`${number} ${issue_id} ${row.number}`)
        }
      }
    }
    const effects = await db().selectFrom('policy_effects').selectAll().execute()
    const numbers = new Set(active.map(({ number }) => Number(number)))
    const stored = effects
      .filter(({ policy_number }) => numbers.has(Number(policy_number)))
      .map((effect) => `${effect.project_number} ${effect.issue_id} ${effect.policy_number}`)
    assert.deepEqual(stored.sort(), expected.sort(), context)
  }

  /** Compares the severities in the lists of organizations with an evaluation of every policy that sets one. */
  async function checkSeverities(rows: readonly PolicyRow[], context: string): Promise<void> {
    const issues = await db()
      .selectFrom('org_issues as oi')
      .innerJoin('org_numbers as n', 'n.number', 'oi.org_number')
      .innerJoin('package_issues as pi', (join) =>
        join.onRef('pi.package_number', '=', 'oi.package_number').onRef('pi.issue_id', '=', 'oi.issue_id'),
      )
      .innerJoin('packages as k', 'k.number', 'oi.package_number')
      .select(['n.org_id', 'oi.severity as shown', 'oi.policy_number', 'pi.severity', 'pi.facts', 'oi.issue_id'])
      .select(['k.registry', 'k.name', 'k.version'])
      .execute()
    const newest = rows.filter(({ severity }) => severity !== null).sort((a, b) => Number(b.number) - Number(a.number))
    for (const { facts, issue_id: issueId, shown, policy_number, ...issue } of issues) {
      const own = { ...issue, issueId, severity: Number(issue.severity), facts: JSON.parse(facts) }
      const find = (orgId: string | null) =>
        newest.find((row) => row.org_id === orgId && toPolicy(row).matchesIssue(own))
      const policy = find(issue.org_id) ?? find(null)
      const actual = [Number(shown), policy_number === null ? null : Number(policy_number)]
      const expected = [Number(policy?.severity ?? own.severity), policy ? Number(policy.number) : null]
      assert.deepEqual(actual, expected, `severity of ${issueId}, ${context}`)
    }
    const worst = await db()
      .selectFrom('org_packages as op')
      .leftJoin('org_issues as oi', (join) =>
        join.onRef('oi.org_number', '=', 'op.org_number').onRef('oi.package_number', '=', 'op.package_number'),
      )
      .select(({ fn }) => ['op.severity', fn.coalesce(fn.max('oi.severity'), sql<number>`0`).as('expected')])
      .groupBy(['op.org_number', 'op.package_number', 'op.severity'])
      .execute()
    for (const row of worst) assert.equal(Number(row.severity), Number(row.expected), `worst severity, ${context}`)
  }

  for (const seed of SEEDS) {
    test(`random changes (seed ${seed}): counts equal a recount after every change and at the next expiries`, async () => {
      const { below, pick } = createRandom(seed)
      const random = () => below(1_000) / 1_000
      const tools = { db: db(), now: () => clock.now }
      const files = ['1', '2', '3', '4', '5', '6'].map((n) => `${seed}-${n}`)
      const recordsById = new Map<
        string,
        { names: string[]; severity: (typeof SEVERITIES)[number]; aliases: string[] }
      >()

      const changes: Record<string, () => Promise<unknown>> = {
        async record() {
          const packages = NAMES.filter(() => random() < 0.6).map((name) => {
            const license = pick(LICENSES)
            return { name: `${seed}-${name}`, version: pick(['1.0.0', '3.0.0']), ...(license && { license }) }
          })
          return record(db(), { orgId: pick(orgIds), test: tested(packages), target: pick(files), at: clock.now })
        },
        async match() {
          const id = `${seed}-A-${Math.floor(random() * 6)}`
          if (recordsById.has(id) && random() < 0.4) recordsById.delete(id)
          else {
            const names = [...new Set([...(recordsById.get(id)?.names ?? []), `${seed}-${pick(NAMES)}`])]
            recordsById.set(id, { names, severity: pick(SEVERITIES), aliases: [] })
          }
          if (random() < 0.2 && recordsById.size > 0) rename(pick([...recordsById.keys()]))
          const records = [...recordsById].map(([id, { names, severity, aliases }]) => {
            const against = { fixed: '2.0.0', severity, aliases, modified: new Date().toISOString() }
            const own = names.map((name) => recordAgainst(id, 'npm', name, against))
            return { ...own[0]!, affected: own.flatMap(({ affected = [] }) => affected) }
          })
          await publishRecords(app.parts, records)
          return app.parts.matcher.run()
        },
        ignore: () => onIssue((change) => addIgnore(change, newIgnore())),
        replace: () => onIssue((change) => replaceIgnores(change, [newIgnore()])),
        remove: () => onIssue(async (change) => removeIgnores(change).catch(() => {})),
        async policy() {
          const orgId = pick(orgIds)
          const rules = random() < 0.3 ? [] : [{ license: 'GPL-3.0-only', verdict: pick(['low', 'high'] as const) }]
          const policy = { ...ALLOW_ALL, rules, unknown: pick(['none', 'medium'] as const) }
          return inTransaction(async (tx) => {
            await lockPolicy(tx, orgId, { first: ALLOW_ALL, at: clock.now })
            await savePolicy(tx, orgId, { policy, at: clock.now })
          })
        },
        move: () =>
          onProject((tx, project) => {
            const change = { tx, org: orgOf(project.org_id), actor: operator, at: clock.now }
            return moveProject(change, project.id, orgOf(pick(orgIds)))
          }).catch((error: unknown) => assert.match(String(error), /Another project of the target/)),
        delete: () =>
          onProject((tx, project) =>
            removeProjects({ tx, org: orgOf(project.org_id), actor: operator, at: clock.now }, [project.id]),
          ),
        judge: () => announceKnown(tools, undefined),
        recount: () => recountProjects(tools, undefined),
        fold: () => foldChanges(db(), 3),
        async addPolicy() {
          const content = newPolicy()
          await inTransaction((tx) => createPolicy(toPolicyChange(tx), content))
        },
        async changePolicy() {
          const policy = pick(await db().selectFrom('policies').selectAll().execute())
          if (!policy) return
          const change = (tx: Db) => toPolicyChange(tx, policy.org_id)
          if (policy.deleted_at !== null) await inTransaction((tx) => restorePolicy(change(tx), policy.id))
          else if (random() < 0.5) await inTransaction((tx) => removePolicy(change(tx), policy.id))
          else {
            const content = newPolicy(policy.severity !== null)
            await inTransaction((tx) => editPolicy(change(tx), policy.id, content))
          }
        },
        async evaluate() {
          await announceKnown(tools, undefined)
          await evaluatePolicies(tools, undefined)
        },
        wait: async () => {
          clock.now += Math.floor(random() * 3_000)
        },
      }
      const weights = {
        record: 6,
        match: 5,
        ignore: 6,
        replace: 2,
        remove: 3,
        policy: 2,
        move: 3,
        judge: 2,
        recount: 2,
        fold: 2,
        addPolicy: 5,
        changePolicy: 2,
        evaluate: 9,
      }
      const order = Object.entries({ ...weights, wait: 3, delete: 1 }).flatMap(([name, n]) => Array(n).fill(name))

      function rename(id: string): void {
        const { aliases, ...rest } = recordsById.get(id)!
        recordsById.delete(id)
        recordsById.set(`${id}-again`, { ...rest, aliases: [...aliases, id] })
      }
      function newIgnore(): IgnoreInput {
        const name = `${seed}-${pick(NAMES)}`
        const path = random() < 0.7 ? '*' : `${name}@1.0.0`
        const expiresAt = random() < 0.3 ? null : clock.now + Math.floor(random() * 5_000)
        return { path, reason: 'x', reasonType: 'wont-fix', disregardIfFixable: random() < 0.2, expiresAt }
      }
      function newPolicy(isChange = random() < 0.4): PolicyContent {
        const field = pick(['vulnerability-id', 'package', 'severity'] as const)
        const values = {
          'vulnerability-id': () => pick([...recordsById.keys(), `${seed}-A-1`, `${seed}-A-2`]),
          package: () => `npm/${seed}-${pick(NAMES)}${pick(['', '', '@<2.0.0'])}`,
          severity: () => pick(['low', 'medium', 'high', 'critical']),
        }
        const conditions = [{ field, operator: 'includes' as const, value: [values[field]()] }]
        const common = { name: 'x', reason: 'x', conditions }
        if (isChange) return { ...common, reason_type: '', expires_at: null, severity: pick([1, 2, 3, 4]) }
        const expires_at = random() < 0.8 ? null : clock.now + Math.floor(random() * 20_000) + 1
        return { ...common, reason_type: 'wont-fix', expires_at, severity: null }
      }
      function toPolicyChange(tx: Db, orgId: string | null = random() < 0.3 ? null : pick(orgIds)) {
        return { tx, actor: operator, at: clock.now, owner: { groupId: app.groupId, orgId } }
      }
      async function onProject(
        work: (tx: Db, project: Awaited<ReturnType<typeof listProjects>>[number]) => Promise<unknown>,
      ) {
        const projects = await listProjects()
        if (projects.length > 0) await inTransaction((tx) => work(tx, pick(projects)))
      }
      function onIssue(work: (change: IgnoresChange) => Promise<unknown>) {
        const licenses = NAMES.map((name) => `lic:npm:${seed}-${name}:GPL-3.0-only`)
        const issueId = pick([...recordsById.keys(), ...recordsById.keys(), ...licenses])
        return onProject((tx, { id: projectId, org_id }) =>
          work({ tx, actor: operator, email: undefined, org: orgOf(org_id), projectId, issueId, now: () => clock.now }),
        )
      }

      const done: string[] = []
      for (let step = 0; step < STEPS; step++) {
        const name = pick(order) as string
        await changes[name]!()
        done.push(name)
        await check(clock.now, done.slice(-6).join(', '))
        if (!(await isAnyExpired())) await checkGroups(clock.now, done.slice(-6).join(', '))
        await checkPolicies(clock.now, done.slice(-6).join(', '))
      }
      await recountProjects(tools, undefined)
      await checkGroups(clock.now, 'at the end')
      const [stored, projects] = [
        await db().selectFrom('project_issue_counts').selectAll().execute(),
        await listProjects(),
      ]
      assert.equal(stored.length, projects.length)
      assert.ok(
        stored.every(({ valid_until }) => Number(valid_until) > clock.now),
        'all counts are stored again',
      )
      assert.deepEqual(await db().selectFrom('packages_to_recount').selectAll().execute(), [])
    })
  }

  const tested = (packages: Parameters<typeof toTest>[0]['packages']) => {
    const lease = app.parts.advisories.acquire()
    try {
      return toTest({ packages }, lease.advisories)
    } finally {
      lease.release()
    }
  }

  test('a project moved to an organization with another license policy is counted under that policy', async () => {
    const [from, to] = [await app.addOrg(), await app.addOrg()]
    for (const [orgId, verdict] of [[from, 'low'] as const, [to, 'high'] as const]) {
      const policy = { ...ALLOW_ALL, rules: [{ license: 'GPL-3.0-only', verdict }] }
      await inTransaction((tx) => lockPolicy(tx, orgId, { first: policy, at: clock.now }))
    }
    const test = tested([{ name: 'moved', version: '1.0.0', license: 'GPL-3.0-only' }])
    const { projectId } = await record(db(), { orgId: from, test, at: clock.now })
    const change = { org: orgOf(from), actor: operator, at: clock.now }
    await inTransaction((tx) => moveProject({ tx, ...change }, projectId, orgOf(to)))
    await check(clock.now, 'move')
  })

  test("an ignored advisory that reaches another project's package: both are counted until it is judged again", async () => {
    const one = recordAgainst('REACH-1', 'npm', 'reach-a', { fixed: '2.0.0' })
    const other = recordAgainst('REACH-1', 'npm', 'reach-b', { fixed: '2.0.0' })
    const affected = [one, other].flatMap((osvRecord) => osvRecord.affected ?? [])
    await publishRecords(app.parts, [{ ...one, affected }])
    await app.parts.matcher.run()
    const { projectId } = await record(db(), { orgId: app.orgId, test: tested(['reach-a@1.0.0']), at: clock.now })
    const ignore = {
      path: '*',
      reason: 'x',
      reasonType: 'wont-fix',
      disregardIfFixable: false,
      expiresAt: null,
    } as const
    const of = { actor: operator, email: undefined, org: orgOf(app.orgId), projectId, issueId: 'REACH-1' }
    await inTransaction((tx) => addIgnore({ tx, ...of, now: () => clock.now }, ignore))
    await recountProjects({ db: db(), now: () => clock.now }, undefined)
    const test = tested(['reach-b@1.0.0'])
    const { advisories } = test.coverage
    const coverage = { ...test.coverage, advisories: { ...advisories, digest: 'older advisories' } }
    await record(db(), { orgId: app.orgId, test: { ...test, coverage, issues: [] }, at: clock.now })
    await app.parts.matcher.run()
    await check(clock.now, 'match')
    await announceKnown({ db: db(), now: () => clock.now }, undefined)
    await check(clock.now, 'judge')
  })
})
