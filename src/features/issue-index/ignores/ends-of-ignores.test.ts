import assert from 'node:assert/strict'
import { after, before, mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { listOrgIssues } from '#features/issues/org-issues-store.ts'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { saveIssueCounts } from '../counts/issue-counts-store.ts'
import { findOrgNumber } from '../storage/packages-store.ts'
import { ignoringSince } from './ignored-store.ts'

const MINUTE = 60_000
const START = 1_700_000_040_000 - (1_700_000_040_000 % MINUTE)

onEveryEngine('expiring ignores', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  const db = () => app.parts.services.db

  /** Adds a project with one issue per package, ignored until the given times. */
  async function addProject(name: string, ends: readonly number[]) {
    const orgId = await app.addOrg()
    const packages = ends.map((_, n) => `${name}-${n}@1.0.0`)
    const { projectNumber } = await recordProject(app, {
      orgId,
      graph: { project: packages, ...Object.fromEntries(packages.map((label) => [label, []])) },
      issues: packages.map((label, n) => ({ id: `${name}-${n}`, in: label })),
    })
    for (const [n, ignored_until] of ends.entries()) {
      const row = { project_number: projectNumber, issue_id: `${name}-${n}`, ignored_until }
      await db().insertInto('ignored_issues').values(row).execute()
    }
    await saveIssueCounts(db(), { numbers: [projectNumber] }, START)
    return { orgId, orgNumber: (await findOrgNumber(db(), orgId))! }
  }

  test('ignores: expire to the millisecond in the cached list; a changed expiry counts at once', async () => {
    const ends = [START + 10, START + 20, START + MINUTE, START + MINUTE + 10]
    const { orgNumber } = await addProject('end', ends)
    const open = async (now: number) => {
      const query = { orgNumber, filters: { isIgnored: false }, sort: 'known', now } as const
      const { rows } = await listOrgIssues(db(), query, { limit: 10, direction: 'after', position: 'start' })
      return rows.length
    }
    // Reads each twice: the second time from the cache.
    for (const now of [0, 9, 10, 11, 19, 20, MINUTE - 1, MINUTE, MINUTE + 9, MINUTE + 10, MINUTE * 5]) {
      const expected = ends.filter((end) => end <= START + now).length
      assert.deepEqual([await open(START + now), await open(START + now)], [expected, expected], `after ${now} ms`)
    }
    await db()
      .updateTable('ignored_issues')
      .set({ ignored_until: START + 15 })
      .where('issue_id', '=', 'end-3')
      .execute()
    assert.equal(await open(START + 15), 2)
  })

  test('ignores: the last expiry is cached until the next ignore expires', async () => {
    await addProject('since', [START + 3 * MINUTE + 5])
    const at = async (ms: number) => (await ignoringSince(db(), START + 3 * MINUTE + ms)) - START - 3 * MINUTE
    assert.deepEqual([await at(1), await at(4), await at(5), await at(9)], [0, 0, 5, 5])
  })

  test('ignores: an expiry changes the issue counts of the project', async (t) => {
    const end = Date.now() + 60_000
    mock.timers.enable({ apis: ['Date'], now: end - 1 })
    t.after(() => mock.timers.reset())
    const { orgId } = await addProject('count', [end, Number.MAX_SAFE_INTEGER])
    const counts = async () => {
      const query = { 'meta.latest_issue_counts': 'true' }
      const { data } = (await app.call('GET', `/rest/orgs/${orgId}/projects`, { query })).json()
      const { high, ignored } = data[0].meta.latest_issue_counts
      return [high, ignored.high]
    }
    assert.deepEqual(
      [await counts(), await counts()],
      [
        [0, 2],
        [0, 2],
      ],
    )
    mock.timers.setTime(end)
    assert.deepEqual(await counts(), [1, 1])
  })

  test('issue counts: without ignores, updated_at stays the time of the last test', async () => {
    const { orgId } = await addProject('plain', [])
    const query = { 'meta.latest_issue_counts': 'true' }
    const path = `/rest/orgs/${orgId}/projects`
    const first = (await app.call('GET', path, { query })).body
    await sleep(2)
    assert.equal((await app.call('GET', path, { query })).body, first)
    const [{ attributes, meta }] = JSON.parse(first).data
    assert.equal(meta.latest_issue_counts.updated_at, attributes.last_tested_at)
  })
})
