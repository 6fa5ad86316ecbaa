import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { publishRecords, recordAgainst } from '#test/manifests/published-advisories.ts'
import { record, toTest } from '#test/projects/stored-projects.ts'
import { pages } from '#test/projects/window-pages.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { findOrgNumber } from '../issue-index/storage/packages-store.ts'
import { priorityColumns } from './groups/group-list-store.ts'
import type { OrgIssueFilters } from './org-issue-filters-store.ts'
import { listOrgIssues, type OrgIssueRow, orgIssueOrders, orgIssueSorts } from './org-issues-store.ts'

const severity = ['LOW', 'MODERATE', 'HIGH', 'CRITICAL'] as const

onEveryEngine('issues of an organization', (engine) => {
  let app: TestApp
  let orgNumber: number
  let all: OrgIssueRow[]
  const numbers: number[] = []
  before(async () => {
    app = await startApp(engine)
    const names = Array.from({ length: 9 }, (_, n) => `p${n}`)
    const records = names.flatMap((name, n) => [
      recordAgainst(`A-${n}`, 'npm', name, { fixed: '3.0.0', severity: severity[n % 4]! }),
      recordAgainst(`B-${n % 3}-${n}`, 'npm', name, { fixed: '2.0.0', severity: severity[(n + 1) % 4]! }),
    ])
    // This advisory affects several packages of a project, with different names.
    const wide = recordAgainst('W-1', 'npm', 'p0', { fixed: '3.0.0' })
    const affected = ['p0', 'p1', 'p6'].map((name) => ({ ...wide.affected[0]!, package: { ecosystem: 'npm', name } }))
    await publishRecords(app.parts, [...records, { ...wide, affected }])
    const other = await app.addOrg()
    const { advisories, release } = app.parts.advisories.acquire()
    for (let n = 0; n < 24; n++) {
      const packages = names.flatMap((name, at) =>
        (at + n) % 3 === 0 ? [`${name}@1.${n % 4}.0`, ...(n % 5 === 0 ? [`${name}@2.5.0`] : [])] : [],
      )
      const input = {
        orgId: n % 6 === 5 ? other : app.orgId,
        test: toTest({ packages }, advisories),
        at: 1000 + n * 10,
      }
      const { projectNumber } = await record(app.parts.services.db, input)
      numbers.push(projectNumber)
    }
    release()
    const { db } = app.parts.services
    for (const number of numbers.slice(0, 8)) {
      for (const [issue_id, ignored_until] of [
        ['A-0', 5000],
        ['A-3', 100],
      ] as const) {
        await db.insertInto('ignored_issues').values({ project_number: number, issue_id, ignored_until }).execute()
      }
    }
    orgNumber = (await findOrgNumber(db, app.orgId))!
    all = await plainly(app, orgNumber)
  })
  after(() => app.close())

  const cases: { why: string; filters: () => OrgIssueFilters; fits: (row: OrgIssueRow) => boolean }[] = [
    { why: 'no filter', filters: () => ({}), fits: () => true },
    { why: 'two severities', filters: () => ({ severities: [2, 4] }), fits: (row) => [2, 4].includes(row.severity) },
    { why: 'an advisory', filters: () => ({ issueId: 'A-3' }), fits: (row) => row.issue_id === 'A-3' },
    {
      why: 'a project',
      filters: () => ({ projectNumber: numbers[0]! }),
      fits: (row) => row.project_number === numbers[0],
    },
    {
      why: 'several advisories',
      filters: () => ({ issueIds: ['A-1', 'A-3'] }),
      fits: (row) => ['A-1', 'A-3'].includes(row.issue_id),
    },
    {
      why: 'several packages',
      filters: () => ({ packageNames: ['p3', 'p6'] }),
      fits: (row) => ['p3', 'p6'].includes(row.name),
    },
    {
      why: 'several packages in a version',
      filters: () => ({ packageNames: ['p3', 'p6'], packageVersion: '1.0.0' }),
      fits: (row) => ['p3', 'p6'].includes(row.name) && row.version === '1.0.0',
    },
    { why: 'a package', filters: () => ({ packageName: 'p3' }), fits: (row) => row.name === 'p3' },
    {
      why: 'a package that is not the first of its issue',
      filters: () => ({ packageName: 'p6' }),
      fits: (row) => row.name === 'p6',
    },
    {
      why: 'a version',
      filters: () => ({ packageName: 'p3', packageVersion: '1.0.0' }),
      fits: (row) => row.name === 'p3' && row.version === '1.0.0',
    },
    {
      why: 'a period',
      filters: () => ({ knownFrom: 1010, knownUntil: 1020 }),
      fits: (row) => row.known_since >= 1010 && row.known_since <= 1020,
    },
    { why: 'ignored issues', filters: () => ({ isIgnored: true }), fits: (row) => (row.ignored_until ?? 0) > 1000 },
    {
      why: 'issues that are not ignored',
      filters: () => ({ isIgnored: false }),
      fits: (row) => (row.ignored_until ?? 0) <= 1000,
    },
    {
      why: 'ignored issues of a project',
      filters: () => ({ isIgnored: true, projectNumber: numbers[0]!, severities: [1, 2, 3, 4] }),
      fits: (row) => row.project_number === numbers[0] && (row.ignored_until ?? 0) > 1000,
    },
  ]

  for (const { why, filters, fits } of cases) {
    describe(`issue list filtered by ${why}`, () => {
      for (const sort of orgIssueSorts) {
        test(`issue list: pages by ${sort} forth and back equal the sorted issues`, async () => {
          const order = orgIssueOrders[sort]
          const turn = order.order === 'desc' ? -1 : 1
          const expected = speaking(all.filter(fits)).sort(
            (a, b) => turn * compare(order.position(a), order.position(b)),
          )
          const read = (window: Parameters<typeof listOrgIssues>[2]) =>
            listOrgIssues(app.parts.services.db, { orgNumber, filters: filters(), sort, now: 1000 }, window)
          for (const direction of ['after', 'before'] as const) {
            const rows = await pages(read, order, { limit: 4, direction })
            assert.deepEqual(rows.map(textOf), expected.map(textOf))
          }
          assert.ok(expected.length > 0, 'the case has something in it')
        })
      }
    })
  }
})

function textOf(row: OrgIssueRow): string {
  const { issue_id, name, version, project_number, severity: level, ignored_until } = row
  return [issue_id, name, version, project_number, level, ignored_until].join(' ')
}

function compare(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  const at = a.findIndex((value, n) => value !== b[n])
  return at < 0 ? 0 : a[at]! < b[at]! ? -1 : 1
}

/** Reads the whole list with the simplest query. */
async function plainly(app: TestApp, orgNumber: number): Promise<OrgIssueRow[]> {
  const rows = await app.parts.services.db
    .selectFrom('project_packages as pp')
    .innerJoin('package_issues as pi', 'pi.package_number', 'pp.package_number')
    .innerJoin('packages as k', 'k.number', 'pp.package_number')
    .innerJoin('projects as p', 'p.number', 'pp.project_number')
    .innerJoin('org_issues as oi', (join) =>
      join
        .onRef('oi.org_number', '=', 'pp.org_number')
        .onRef('oi.package_number', '=', 'pi.package_number')
        .onRef('oi.issue_id', '=', 'pi.issue_id'),
    )
    .leftJoin('ignored_issues as ii', (join) =>
      join.onRef('ii.project_number', '=', 'p.number').onRef('ii.issue_id', '=', 'pi.issue_id'),
    )
    .innerJoin('issue_groups as g', (join) =>
      join
        .onRef('g.org_number', '=', 'oi.org_number')
        .onRef('g.group_key', '=', 'oi.issue_id')
        .on('g.kind', '=', 'vulnerability'),
    )
    .select(priorityColumns.map((column) => `g.${column} as group_${column}` as const))
    .select([
      'oi.org_number',
      'oi.package_number',
      'oi.issue_id',
      'oi.severity',
      'oi.known_since',
      'oi.policy_number',
      'pi.severity as own_severity',
      'pi.title',
      'pi.facts',
    ])
    .select(['k.name', 'k.version', 'k.registry', 'p.number as project_number', 'p.id as project_id'])
    .select(['p.name as project_name', 'p.type as project_type', 'p.created_at as project_created_at'])
    .select(['p.business_criticality', 'p.environment', 'p.lifecycle', 'pp.is_direct', 'ii.ignored_until'])
    .where('pp.org_number', '=', orgNumber)
    .orderBy('oi.package_number')
    .execute()
  return rows
}

/** Returns each issue's first package per project. */
function speaking(rows: readonly OrgIssueRow[]): OrgIssueRow[] {
  const first = new Map<string, OrgIssueRow>()
  for (const row of rows) {
    const key = `${row.project_number} ${row.issue_id}`
    if (!first.has(key)) first.set(key, row)
  }
  return [...first.values()]
}
