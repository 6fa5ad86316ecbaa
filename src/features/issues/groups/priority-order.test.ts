import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { Severity } from '#analysis/advisories/cvss.ts'
import { toSeverityNumber } from '#analysis/findings/known-issue.ts'
import { comparePriority, type PriorityFacts, toRisk } from '#analysis/findings/priority.ts'
import { toStoredEpss } from '#features/issue-index/storage/group-epss.ts'
import { findOrCreateOrgNumber } from '#features/issue-index/storage/packages-store.ts'
import { isPostgres } from '#foundation/db/transaction-lock.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { groupOrders, listGroups } from './group-list-store.ts'

type Case = [
  exploited: 'kev' | '-',
  severity: Severity,
  epss: number | undefined,
  cvss: number,
  projects: number,
  dependency: 'direct' | '-',
  fix: 'fix' | '-',
]

/** Vulnerabilities in the order in which they should be fixed. */
const CASES: readonly Case[] = [
  ['kev', 'critical', 0.944, 10, 40, 'direct', 'fix'],
  ['kev', 'critical', 0.943, 10, 90, 'direct', 'fix'],
  ['kev', 'critical', undefined, 9.8, 90, 'direct', 'fix'],
  ['kev', 'high', 0.99, 8.8, 1, '-', '-'],
  ['kev', 'high', 0.02, 8.8, 1, '-', '-'],
  ['kev', 'medium', 0.5, 5.3, 3, '-', 'fix'],
  ['kev', 'low', undefined, 3.1, 1, '-', '-'],
  ['-', 'critical', 0.97, 9.1, 1, '-', '-'],
  ['-', 'critical', 0.5, 9.8, 2, '-', '-'],
  ['-', 'critical', 0.5, 9.1, 800, 'direct', 'fix'],
  ['-', 'critical', 0.000_02, 9.1, 1, '-', '-'],
  ['-', 'critical', 0.000_01, 10, 1, '-', '-'],
  ['-', 'critical', 0, 10, 1, '-', '-'],
  ['-', 'critical', undefined, 10, 9, 'direct', 'fix'],
  ['-', 'critical', undefined, 10, 9, 'direct', '-'],
  ['-', 'critical', undefined, 10, 9, '-', 'fix'],
  ['-', 'critical', undefined, 10, 8, 'direct', 'fix'],
  ['-', 'critical', undefined, 9.9, 9, 'direct', 'fix'],
  ['-', 'high', 1, 7, 1, '-', '-'],
  ['-', 'high', 0.1, 7.5, 1, '-', '-'],
  ['-', 'high', 0.1, 7.4, 1, '-', '-'],
  ['-', 'high', 0.099_99, 8.9, 100_000, 'direct', 'fix'],
  ['-', 'high', undefined, 7, 12, '-', '-'],
  ['-', 'high', undefined, 7, 11, 'direct', 'fix'],
  ['-', 'medium', 0.9, 6.9, 5, 'direct', 'fix'],
  ['-', 'medium', 0.9, 4, 500, 'direct', 'fix'],
  ['-', 'medium', 0.04, 6.9, 1, '-', '-'],
  ['-', 'low', 0.3, 0.1, 1, '-', '-'],
  ['-', 'low', undefined, 3.9, 1, '-', 'fix'],
  ['-', 'low', undefined, 3.9, 1, '-', '-'],
]

const facts = CASES.map(
  ([exploited, severity, epssScore, cvssScore, projects, dependency, fix]): PriorityFacts => ({
    isExploited: exploited === 'kev',
    severity,
    epssScore,
    cvssScore,
    projects,
    isDirect: dependency === 'direct',
    hasFix: fix === 'fix',
  }),
)
/** Each case with its rank, in another order. */
const shuffled = facts.map((_, at) => (at * 7) % facts.length).map((rank) => ({ rank, of: facts[rank]! }))
const ranks = [...facts.keys()]

test('priority: the comparator orders 30 vulnerabilities as they should be fixed', () => {
  assert.deepEqual(
    shuffled.toSorted((a, b) => comparePriority(a.of, b.of)).map(({ rank }) => rank),
    ranks,
  )
})

test('risk score: no exploited one scores below others, and no severity below a milder one', () => {
  const scores = facts.map((one) => ({ ...one, ...toRisk(one) }))
  for (const [at, a] of scores.entries()) {
    assert.ok(a.score >= 0 && a.score <= 1000)
    assert.equal(
      a.score,
      a.factors.reduce((sum, { points }) => sum + points, 0),
    )
    for (const b of scores.slice(at + 1)) {
      if (a.isExploited !== b.isExploited || a.severity !== b.severity) assert.ok(a.score > b.score)
    }
  }
})

onEveryEngine('priority in storage', (engine) => {
  let app: TestApp
  let orgNumber: number
  const db = () => app.parts.services.db
  before(async () => {
    app = await startApp(engine, { advisoriesPollSeconds: 3600 })
    orgNumber = await findOrCreateOrgNumber(db(), await app.addOrg())
    const rows = shuffled.map(({ rank, of }) => ({
      org_number: orgNumber,
      kind: 'vulnerability',
      // The key must not decide.
      group_key: `V-${(rank * 11) % 30}`,
      severity: toSeverityNumber(of.severity),
      score: Math.round(of.cvssScore * 10),
      is_exploited: of.isExploited ? 1 : 0,
      exploited_since: 0,
      is_fixable: of.hasFix ? 1 : 0,
      cves: '',
      epss: toStoredEpss(of.epssScore),
      epss_percentile: -1,
      known_since: rank,
      registry: 'npm',
      details: '{}',
      search_text: '',
      projects: of.projects!,
      direct: of.isDirect ? 1 : 0,
      issues: of.projects!,
      ignored: 0,
      is_stale: 0,
    }))
    await db().insertInto('issue_groups').values(rows).execute()
  })
  after(() => app.close())

  test('priority: SQL orders the same, page by page', async () => {
    const listed: number[] = []
    const keyset = groupOrders['-priority']
    let position: 'start' | readonly (string | number)[] = 'start'
    for (let hasNext = true; hasNext; ) {
      const input = { orgNumber, kind: 'vulnerability', filters: {}, sort: '-priority', now: 0 } as const
      const page = await listGroups(db(), input, { limit: 7, direction: 'after', position })
      listed.push(...page.rows.map(({ known_since }) => Number(known_since)))
      position = keyset.position(page.rows.at(-1)!)
      hasNext = page.hasNext
    }
    assert.deepEqual(listed, ranks)
  })

  test('priority: a page is read along its index, without sorting', async () => {
    const order = sql.join(groupOrders['-priority'].columns.map((column) => sql`${sql.ref(column)} desc`))
    const query = sql`select * from issue_groups g where g.org_number = ${sql.lit(orgNumber)}
      and g.kind = 'vulnerability' and g.severity + 0 > 0 order by ${order} limit 21`
    const plan = await db()
      .transaction()
      .execute(async (tx) => {
        // With so few rows, PostgreSQL would read all of them.
        if (isPostgres(tx)) await sql`set local enable_seqscan = off`.execute(tx)
        const explain = isPostgres(tx) ? sql`explain ` : sql`explain query plan `
        return JSON.stringify((await sql`${explain}${query}`.execute(tx)).rows)
      })
    assert.match(plan, /issue_groups_by_priority/)
    assert.doesNotMatch(plan, /sort|temp b-tree/i)
  })
})
