import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { LODASH_ISSUE, startShopApp } from '#test/projects/projects.ts'
import type { TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

const shop = { name: 'shop', version: '1.0.0', dependencies: { lodash: '4.17.4', tool: '1.0.0' } }
/** lodash on two paths: direct, and through tool. */
const shopLock = {
  name: 'shop',
  lockfileVersion: 3,
  packages: {
    '': shop,
    'node_modules/lodash': { version: '4.17.4' },
    'node_modules/tool': { version: '1.0.0', dependencies: { lodash: '*' } },
  },
}

onAnyEngine('policies of the organization in tests', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startShopApp(engine)
  })
  after(() => app.close())

  const condition = (field: string, ...value: string[]) => ({ field, operator: 'includes', value })
  const byId = condition('vulnerability-id', LODASH_ISSUE)

  async function testShop(orgId: string) {
    const additional = [{ contents: JSON.stringify(shopLock) }]
    const body = { files: { target: { contents: JSON.stringify(shop) }, additional } }
    const answer = await app.call('POST', '/v1/test/npm', { body, query: { org: orgId } })
    assert.equal(answer.statusCode, 200, answer.body)
    const { issues, ignored = [] } = answer.json()
    const isOpen = issues.vulnerabilities.some(({ id }: { id: string }) => id === LODASH_ISSUE)
    return { isOpen, ignored: ignored.filter(({ id }: { id: string }) => id === LODASH_ISSUE) }
  }

  async function create(orgId: string, conditions: object[], more: object = {}, attributes: object = {}) {
    const action = { data: { ignore_type: 'wont-fix', reason: 'build only', ...more } }
    const conditions_group = { logical_operator: 'and', conditions }
    const body = {
      data: {
        type: 'policy',
        attributes: { name: 'tools', action_type: 'ignore', action, conditions_group, ...attributes },
      },
    }
    const answer = await app.call('POST', `/rest/orgs/${orgId}/policies`, { body })
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json().data.id as string
  }

  test('policy: an issue of a test is left out and listed with the policy, until the policy is deleted', async () => {
    const orgId = await app.addOrg()
    assert.deepEqual(await testShop(orgId), { isOpen: true, ignored: [] })
    const id = await create(orgId, [byId], { expires: '2099-12-24' })
    const { isOpen, ignored } = await testShop(orgId)
    assert.equal(isOpen, false)
    const [{ title: _, severity: __, ...entry }, ...others] = ignored
    assert.deepEqual(others, [])
    assert.deepEqual(entry, {
      id: LODASH_ISSUE,
      package: 'lodash',
      version: '4.17.4',
      path: '*',
      allPaths: true,
      reason: 'build only',
      expires: '2099-12-24T00:00:00.000Z',
      policy: { id, name: 'tools' },
    })
    await app.call('DELETE', `/rest/orgs/${orgId}/policies/${id}`)
    assert.deepEqual(await testShop(orgId), { isOpen: true, ignored: [] })
  })

  test('policy that changes severities: the issue of a test has the severity, which thresholds and priorities use', async () => {
    const orgId = await app.addOrg()
    const body = {
      files: { target: { contents: JSON.stringify(shop) }, additional: [{ contents: JSON.stringify(shopLock) }] },
    }
    const find = async (severityThreshold: string) => {
      const answer = await app.call('POST', '/v1/test/npm', { body, query: { org: orgId, severityThreshold } })
      assert.equal(answer.statusCode, 200, answer.body)
      return answer.json().issues.vulnerabilities.find(({ id }: { id: string }) => id === LODASH_ISSUE)
    }
    const original = (await find('low')).severity
    assert.notEqual(original, 'low')
    const set = (severity: string, reason: string) => ({
      action_type: 'severity',
      action: { data: { severity, reason } },
    })
    const low = await create(orgId, [byId], {}, set('low', 'unused'))
    const { severity, severityChange } = await find('low')
    assert.deepEqual(
      [severity, severityChange],
      ['low', { originalSeverity: original, policy: { id: low, name: 'tools' } }],
    )
    assert.equal(await find('medium'), undefined)
    await create(orgId, [byId, condition('severity', 'low')])
    assert.equal((await find('low'))?.severity, 'low', 'conditions test the severity by the advisory')
    await create(orgId, [byId], {}, set('medium', 'exposed'))
    assert.equal((await find('medium')).severity, 'medium')
  })

  for (const [why, conditions, isOpen] of [
    ['conditions on projects', [byId, condition('project-tag', 'team:shop')], true],
    ['a path that not all paths match', [byId, condition('path', 'tool')], true],
    ['paths that match all paths', [byId, condition('path', 'tool', 'lodash')], false],
    ['a version in the range', [condition('package', 'npm/lodash@<4.17.5')], false],
    ['a version outside the range', [condition('package', 'npm/lodash@>=4.17.5')], true],
  ] as const) {
    test(`policy with ${why}: ${isOpen ? 'hides nothing in' : 'hides the issue of'} a test`, async () => {
      const orgId = await app.addOrg()
      await create(orgId, [...conditions])
      assert.equal((await testShop(orgId)).isOpen, isOpen)
    })
  }
})
