import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { recordProject } from '#test/projects/recorded-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { foldUpgrades, listBestUpgrades } from './upgrades-store.ts'

const graph = { project: ['a@1.0.0', 'b@1.0.0'], 'a@1.0.0': ['c@1.0.0'], 'b@1.0.0': [], 'c@1.0.0': [] }
const issues = [
  { id: 'I-1', in: 'c@1.0.0', severity: 'critical', upgradable: ['a@1.0.0 > c@1.0.0'] },
  { id: 'I-2', in: 'a@1.0.0', severity: 'low', upgradable: ['a@1.0.0'] },
  { id: 'I-3', in: 'b@1.0.0', severity: 'high', upgradable: ['b@1.0.0'] },
  { id: 'I-4', in: 'b@1.0.0', severity: 'high' },
] as const

onEveryEngine('upgrades of an organization', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  const list = async (orgId: string) => {
    const { db } = app.parts.services
    while ((await foldUpgrades(db, 2)) > 0);
    const upgrades = await listBestUpgrades(db, orgId, 5)
    return upgrades.map((upgrade) => [
      `${upgrade.registry} ${upgrade.package} ${upgrade.from_version} ${upgrade.to_version}`,
      upgrade.fixes,
      upgrade.critical,
      upgrade.projects,
    ])
  }
  const [ofA, ofB] = ['npm a 1.0.0 2.0.0', 'npm b 1.0.0 2.0.0']

  test('upgrades: sum over the projects of an organization, the most fixes first', async () => {
    const orgId = await app.addOrg()
    for (const name of ['x', 'y']) await recordProject(app, { orgId, name, graph, issues })
    assert.deepEqual(await list(orgId), [
      [ofA, 4, 2, 2],
      [ofB, 2, 0, 2],
    ])
    const upgraded = { project: ['b@1.0.0'], 'b@1.0.0': [] }
    await recordProject(app, { orgId, name: 'x', graph: upgraded, issues: issues.slice(2) })
    assert.deepEqual(await list(orgId), [
      [ofA, 2, 1, 1],
      [ofB, 2, 0, 2],
    ])
  })

  test('upgrades: omit ignored issues', async () => {
    const orgId = await app.addOrg()
    const { projectId } = await recordProject(app, { orgId, name: 'x', graph, issues })
    const body = { reason: 'x', reasonType: 'wont-fix', disregardIfFixable: false }
    const ignored = await app.call('POST', `/v1/org/${orgId}/project/${projectId}/ignore/I-1`, { body })
    assert.equal(ignored.statusCode, 200, ignored.body)
    await recordProject(app, { orgId, name: 'x', graph, issues })
    assert.deepEqual(await list(orgId), [
      [ofA, 1, 0, 1],
      [ofB, 1, 0, 1],
    ])
  })

  test('upgrades: disappear with deleted projects and follow moved ones', async () => {
    const [from, to] = [await app.addOrg(), await app.addOrg()]
    const { projectId: moved } = await recordProject(app, { orgId: from, name: 'x', graph, issues })
    const { projectId: deleted } = await recordProject(app, { orgId: from, name: 'y', graph, issues })
    assert.equal((await app.call('DELETE', `/rest/orgs/${from}/projects/${deleted}`)).statusCode, 204)
    const body = { targetOrgId: to }
    assert.equal((await app.call('PUT', `/v1/org/${from}/project/${moved}/move`, { body })).statusCode, 200)
    assert.deepEqual(
      [await list(from), await list(to)],
      [
        [],
        [
          [ofA, 2, 1, 1],
          [ofB, 1, 0, 1],
        ],
      ],
    )
    assert.deepEqual(
      await app.parts.services.db.selectFrom('org_upgrades').selectAll().where('org_id', '=', from).execute(),
      [],
    )
  })
})
