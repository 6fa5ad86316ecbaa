import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { FOREVER } from '#analysis/findings/ignore-rules.ts'
import { type ProjectInput, recordProject } from '#test/projects/recorded-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { addWebhook, eventsOf } from '#test/servers/webhooks.ts'
import { listIgnoredIds } from '../counts/issues-store.ts'
import { listEffectiveIgnores, listIgnores, listProjectsIgnoring } from './ignored-store.ts'
import { rejudgeStored } from './rejudge-ignores.ts'

onEveryEngine('evaluation of ignores', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  const body = { reasonType: 'wont-fix', disregardIfFixable: false }
  const anyName = () => `p${randomUUID().slice(0, 8)}`
  const anyIssue = () => `GHSA-${randomUUID()}`
  const far = '2099-01-01T00:00:00.000Z'

  async function ignore(projectId: string, issueId: string, more: object = {}): Promise<void> {
    const path = `/v1/org/${app.orgId}/project/${projectId}/ignore/${encodeURIComponent(issueId)}`
    const answer = await app.call('POST', path, { body: { ...body, ...more } })
    assert.equal(answer.statusCode, 200, answer.body)
  }

  async function ignoredUntil(projectNumber: number, issueId: string): Promise<number | undefined> {
    const row = await app.parts.services.db
      .selectFrom('ignored_issues')
      .select('ignored_until')
      .where('project_number', '=', projectNumber)
      .where('issue_id', '=', issueId)
      .executeTakeFirst()
    return row?.ignored_until
  }

  async function effects(projectNumber: number, issueId: string): Promise<string[]> {
    return (await listIgnores(app.parts.services.db, projectNumber, { issueId })).map(({ effect }) => effect)
  }

  /** Builds a project that reaches `c` through `a` and through `b`. */
  function twoWays(): { input: ProjectInput; issue: string; a: string; b: string; c: string } {
    const [a, b, c] = [`${anyName()}a@1.0.0`, `${anyName()}b@1.0.0`, `${anyName()}c@1.0.0`]
    const issue = anyIssue()
    const graph = { project: [a, b], [a]: [c], [b]: [c], [c]: [] }
    return { input: { name: anyName(), graph, issues: [{ id: issue, in: c }] }, issue, a, b, c }
  }

  test('ignores by path: hide an issue when every path is ignored, until the first ignore expires', async () => {
    const { input, issue, a, b } = twoWays()
    const { projectId, projectNumber } = await recordProject(app, input)
    await ignore(projectId, issue, { ignorePath: a })
    assert.equal(await ignoredUntil(projectNumber, issue), undefined)
    await ignore(projectId, issue, { ignorePath: b, expires: far })
    assert.equal(await ignoredUntil(projectNumber, issue), Date.parse(far))
    await ignore(projectId, issue)
    assert.equal(await ignoredUntil(projectNumber, issue), FOREVER)
    assert.deepEqual(await effects(projectNumber, issue), ['applies', 'applies', 'applies'])
    const path = `/v1/org/${app.orgId}/project/${projectId}/ignore/${issue}`
    await app.call('PUT', path, { body: [{ ...body, ignorePath: a }] })
    assert.equal(await ignoredUntil(projectNumber, issue), undefined)
    await app.call('POST', path, { body })
    assert.equal(await ignoredUntil(projectNumber, issue), FOREVER)
    await app.call('DELETE', path)
    assert.equal(await ignoredUntil(projectNumber, issue), undefined)
  })

  test('ignores: expire to the millisecond without a write', async () => {
    const { input, issue } = twoWays()
    const { projectId, projectNumber } = await recordProject(app, input)
    await ignore(projectId, issue, { expires: far })
    const { db } = app.parts.services
    const at = async (now: number) => ({
      ignored: [...(await listIgnoredIds(db, projectNumber, now))],
      reasons: (await listEffectiveIgnores(db, { projectNumbers: [projectNumber], issueIds: [issue], now })).length,
    })
    assert.deepEqual(await at(Date.parse(far) - 1), { ignored: [issue], reasons: 1 })
    assert.deepEqual(await at(Date.parse(far)), { ignored: [], reasons: 0 })
  })

  test('ignores: one created after its expiry hides nothing', async () => {
    const { input, issue } = twoWays()
    const { projectId, projectNumber } = await recordProject(app, input)
    await ignore(projectId, issue, { expires: '2022-08-29' })
    assert.equal(await ignoredUntil(projectNumber, issue), undefined)
  })

  describe('reevaluation of ignores', () => {
    test('ignores: a test with another graph reevaluates paths', async () => {
      const { input, issue, a, b, c } = twoWays()
      const { projectId, projectNumber } = await recordProject(app, input)
      await ignore(projectId, issue, { ignorePath: `${a} > ${c}` })
      await ignore(projectId, issue, { ignorePath: `${b} > ${c}` })
      assert.equal(await ignoredUntil(projectNumber, issue), FOREVER)
      const direct = { ...input, graph: { project: [a, c], [a]: [c], [c]: [] } }
      const { projectNumber: same } = await recordProject(app, direct)
      assert.equal(same, projectNumber)
      assert.equal(await ignoredUntil(projectNumber, issue), undefined)
      assert.deepEqual(await effects(projectNumber, issue), ['applies', 'path-gone'])
      await recordProject(app, { ...input, graph: { project: [a], [a]: [] }, issues: [] })
      assert.deepEqual(await effects(projectNumber, issue), ['issue-gone', 'issue-gone'])
      await recordProject(app, input)
      assert.equal(await ignoredUntil(projectNumber, issue), FOREVER)
      assert.deepEqual(await effects(projectNumber, issue), ['applies', 'applies'])
    })

    test('ignores with disregardIfFixable: a test that finds a fix disables them', async () => {
      const { input, issue, a, b, c } = twoWays()
      const { projectId, projectNumber } = await recordProject(app, input)
      await ignore(projectId, issue, { disregardIfFixable: true })
      assert.equal(await ignoredUntil(projectNumber, issue), FOREVER)
      const tested = async (fixes: object) => {
        await recordProject(app, { ...input, issues: [{ id: issue, in: c, ...fixes }] })
        return [await ignoredUntil(projectNumber, issue), ...(await effects(projectNumber, issue))]
      }
      assert.deepEqual(await tested({ upgradable: [`${a} > ${c}`] }), [undefined, 'applies'])
      assert.deepEqual(await tested({ upgradable: [`${a} > ${c}`, `${b} > ${c}`] }), [undefined, 'fixable'])
      assert.deepEqual(await tested({ isPinnable: true }), [undefined, 'fixable'])
      assert.deepEqual(await tested({}), [FOREVER, 'applies'])
    })

    test('ignores: apply when a new advisory reports an issue ignored before', async () => {
      const { input, issue, c } = twoWays()
      const { projectId, projectNumber } = await recordProject(app, { ...input, issues: [] })
      await ignore(projectId, issue, { ignorePath: `* > ${c}` })
      assert.equal(await ignoredUntil(projectNumber, issue), undefined)
      assert.deepEqual(await effects(projectNumber, issue), ['issue-gone'])
      const { db } = app.parts.services
      assert.deepEqual(await listProjectsIgnoring(db, issue, { after: 0, limit: 10 }), [projectNumber])
      assert.deepEqual(await listProjectsIgnoring(db, issue, { after: projectNumber, limit: 10 }), [])
      // Does as the advisory matcher, which evaluates by stored data.
      await recordProject(app, { ...input, name: anyName() })
      await db.transaction().execute((tx) => rejudgeStored(tx, projectNumber, { issueIds: [issue], now: 1 }))
      assert.equal(await ignoredUntil(projectNumber, issue), FOREVER)
      assert.deepEqual(await effects(projectNumber, issue), ['applies'])
    })
  })

  describe('ignores under an alias of an issue', () => {
    const state = async (projectId: string, issue: string) => {
      const answer = await app.call('GET', `/rest/orgs/${app.orgId}/ignores`, {
        query: { project_id: projectId, issue_id: issue },
      })
      const [row] = answer.json().data as { attributes: Record<string, unknown> }[]
      return [row!.attributes['current_issue_id'], row!.attributes['stale_because']]
    }

    test('ignores by alias: hide the issue; deleting the ignore shows it again', async () => {
      const { input, issue, c } = twoWays()
      const alias = `CVE-${randomUUID()}`
      const project = { ...input, issues: [{ id: issue, in: c, aliases: [alias] }] }
      const { projectId, projectNumber } = await recordProject(app, project)
      await ignore(projectId, alias, { reason: 'by its CVE' })
      assert.equal(await ignoredUntil(projectNumber, issue), FOREVER)
      assert.deepEqual(await state(projectId, alias), [issue, null])
      const { db } = app.parts.services
      const reasons = await listEffectiveIgnores(db, { projectNumbers: [projectNumber], issueIds: [issue], now: 1 })
      assert.deepEqual(
        reasons.map(({ issue_id, reason }) => [issue_id, reason]),
        [[issue, 'by its CVE']],
      )
      assert.deepEqual(await listProjectsIgnoring(db, issue, { after: 0, limit: 10 }), [projectNumber])
      await app.call('DELETE', `/v1/org/${app.orgId}/project/${projectId}/ignore/${alias}`)
      assert.equal(await ignoredUntil(projectNumber, issue), undefined)
    })

    test("ignores by alias: add up with path ignores under the issue's own id", async () => {
      const { input, issue, a, b, c } = twoWays()
      const alias = `CVE-${randomUUID()}`
      const project = { ...input, issues: [{ id: issue, in: c, aliases: [alias] }] }
      const { projectId, projectNumber } = await recordProject(app, project)
      await ignore(projectId, alias, { ignorePath: a })
      assert.equal(await ignoredUntil(projectNumber, issue), undefined)
      await ignore(projectId, issue, { ignorePath: b })
      assert.equal(await ignoredUntil(projectNumber, issue), FOREVER)
    })

    test('ignores: follow an issue that is renamed', async () => {
      const { input, issue, c } = twoWays()
      const renamed = anyIssue()
      const { projectId, projectNumber } = await recordProject(app, input)
      await ignore(projectId, issue)
      const d = `${c}d`
      await recordProject(app, {
        ...input,
        graph: { project: [d], [d]: [] },
        issues: [{ id: renamed, in: d, aliases: [issue] }],
      })
      assert.equal(await ignoredUntil(projectNumber, renamed), FOREVER)
      assert.equal(await ignoredUntil(projectNumber, issue), undefined)
      assert.deepEqual(await state(projectId, issue), [renamed, null])
    })

    test('ignores by alias: an alias of several issues hides none', async () => {
      const { input, issue, b, c } = twoWays()
      const [other, alias] = [anyIssue(), `CVE-${randomUUID()}`]
      const { projectId, projectNumber } = await recordProject(app, {
        ...input,
        issues: [
          { id: issue, in: c, aliases: [alias] },
          { id: other, in: b, aliases: [alias] },
        ],
      })
      await ignore(projectId, alias)
      assert.equal(await ignoredUntil(projectNumber, issue), undefined)
      assert.equal(await ignoredUntil(projectNumber, other), undefined)
      assert.deepEqual(await state(projectId, alias), [alias, 'issue-gone'])
    })
  })

  test('ignores with disregardIfFixable: hide nothing until a test has looked for a fix', async () => {
    const { input, issue } = twoWays()
    const { projectId, projectNumber } = await recordProject(app, { ...input, issues: [] })
    await ignore(projectId, issue, { disregardIfFixable: true })
    await recordProject(app, { ...input, name: anyName() })
    const { db } = app.parts.services
    await db.transaction().execute((tx) => rejudgeStored(tx, projectNumber, { issueIds: [issue], now: 1 }))
    assert.equal(await ignoredUntil(projectNumber, issue), undefined)
    await recordProject(app, input)
    assert.equal(await ignoredUntil(projectNumber, issue), FOREVER)
  })

  test('ignores: the issues.new event omits an issue ignored before it appears', async () => {
    const { input, issue, c } = twoWays()
    await addWebhook(app, { url: 'https://hooks.example/', events: ['issues.new'] })
    const { projectId } = await recordProject(app, { ...input, issues: [] })
    await ignore(projectId, issue)
    const other = anyIssue()
    const { newIssueIds } = await recordProject(app, {
      ...input,
      // A new issue, with both.
      graph: { project: [`${c}2`], [`${c}2`]: [] },
      issues: [
        { id: issue, in: `${c}2` },
        { id: other, in: `${c}2` },
      ],
    })
    assert.deepEqual(newIssueIds, [other])
    const eventsText = JSON.stringify((await eventsOf(app)).map(({ data }) => data))
    assert.ok(eventsText.includes(other))
    assert.equal(eventsText.includes(issue), false)
  })

  test('ignores: move with their project to another organization', async () => {
    const { input, issue } = twoWays()
    const { projectId, projectNumber } = await recordProject(app, input)
    await ignore(projectId, issue)
    const orgId = await app.addOrg()
    const listed = async (org: string) =>
      (await app.call('GET', `/rest/orgs/${org}/ignores`, { query: { issue_id: issue } })).json().data.length
    assert.deepEqual([await listed(app.orgId), await listed(orgId)], [1, 0])
    const path = `/v1/org/${app.orgId}/project/${projectId}/move`
    const answer = await app.call('PUT', path, { body: { targetOrgId: orgId } })
    assert.equal(answer.statusCode, 200, answer.body)
    assert.deepEqual([await listed(app.orgId), await listed(orgId)], [0, 1])
    assert.equal(await ignoredUntil(projectNumber, issue), FOREVER)
  })

  test('ignores of license issues: apply before and after the license policy changes', async () => {
    const [a, issueName] = [`@s/${anyName()}@1.0.0`, anyName()]
    const name = a.slice(0, a.lastIndexOf('@'))
    const issue = `lic:npm:${name.replaceAll('/', ':')}:GPL-3.0-only`
    const orgId = await app.addOrg()
    const input = { orgId, name: issueName, graph: { project: [a], [a]: [] }, licenses: { [a]: 'GPL-3.0-only' } }
    const { projectId, projectNumber } = await recordProject(app, input)
    const answer = await app.call('POST', `/v1/org/${orgId}/project/${projectId}/ignore/${issue}`, { body })
    assert.equal(answer.statusCode, 200, answer.body)
    assert.equal(await ignoredUntil(projectNumber, issue), FOREVER)
    assert.deepEqual(await effects(projectNumber, issue), ['issue-gone'])
    const policy = await app.call('PATCH', `/rest/orgs/${orgId}/license_policy`, {
      body: {
        data: {
          type: 'license_policy',
          attributes: { rules: [{ license: 'GPL-3.0-only', severity: 'high' }] },
        },
      },
    })
    assert.equal(policy.statusCode, 200, policy.body)
    await recordProject(app, input)
    assert.equal(await ignoredUntil(projectNumber, issue), FOREVER)
    assert.deepEqual(await effects(projectNumber, issue), ['applies'])
  })

  test('ignores: are deleted with their project', async () => {
    const { input, issue } = twoWays()
    const { projectId, projectNumber } = await recordProject(app, input)
    await ignore(projectId, issue)
    const answer = await app.call('DELETE', `/rest/orgs/${app.orgId}/projects/${projectId}`)
    assert.equal(answer.statusCode, 204, answer.body)
    assert.deepEqual(await listIgnores(app.parts.services.db, projectNumber), [])
    assert.equal(await ignoredUntil(projectNumber, issue), undefined)
  })
})
