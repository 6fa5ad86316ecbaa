import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefusal, testRefusals } from '#test/access/refusals.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

interface Audited {
  readonly action: string
  readonly before?: { policy_files?: string }
  readonly after?: { policy_files?: string }
}

onAnyEngine('v1 settings, entitlements and feature flags', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  test('v1 settings: ignore unknown members and refuse to enable requestAccess (422)', async () => {
    const path = `/v1/org/${app.orgId}/settings`
    const off = { requestAccess: { enabled: false }, policyFiles: 'allow' }
    assert.deepEqual((await app.call('GET', path)).json(), off)
    for (const body of [{}, off, { more: 1 }]) {
      const answer = await app.call('PUT', path, { body })
      assert.deepEqual([answer.statusCode, answer.json()], [200, off])
    }
    const refused = await app.call('PUT', path, { body: { requestAccess: { enabled: true } } })
    assertRefusal(refused, { status: 422, code: 'unprocessable' })
  })

  test('policyFiles in v1 settings: stored, kept by other changes, audited once per change', async () => {
    const orgId = await app.addOrg()
    const path = `/v1/org/${orgId}/settings`
    for (const policyFiles of ['forbid', 'forbid', 'require-reason']) {
      const answer = await app.call('PUT', path, { body: { policyFiles } })
      assert.deepEqual([answer.statusCode, answer.json().policyFiles], [200, policyFiles])
    }
    await app.call('PUT', path, { body: {} })
    assert.equal((await app.call('GET', path)).json().policyFiles, 'require-reason')
    const { data } = (await app.call('GET', `/rest/orgs/${orgId}/audit_logs`)).json()
    const changes = data.flatMap(({ attributes: { action, before, after } }: { attributes: Audited }) =>
      action === 'org.update' ? [[before?.policy_files, after?.policy_files]] : [],
    )
    assert.deepEqual(changes, [
      ['forbid', 'require-reason'],
      ['allow', 'forbid'],
    ])
  })

  test('v1 entitlements: list what this server has; an unknown one gets 400', async () => {
    const all = (await app.call('GET', '/v1/org/default-org/entitlements')).json()
    assert.deepEqual(all, { licenses: true, reports: false, fullVulnDB: false })
    for (const [name, value] of Object.entries(all)) {
      assert.equal((await app.call('GET', `/v1/org/${app.orgId}/entitlement/${name}`)).json(), value)
    }
    assert.equal((await app.call('GET', `/v1/org/${app.orgId}/entitlement/more`)).statusCode, 400)
  })

  test('feature flags: ok for a supported one, not ok with a message for others', async () => {
    const path = '/v1/cli-config/feature-flags'
    const here = await app.call('GET', `${path}/customBranch`, { query: { org: app.orgId } })
    assert.deepEqual(here.json(), { ok: true })
    const other = await app.call('GET', `${path}/somethingElse`)
    assert.equal(other.statusCode, 200)
    assert.equal(other.json().ok, false)
    assert.match(other.json().userMessage, /somethingElse/)
  })

  for (const [what, path] of [
    ['reading v1 settings', 'settings'],
    ['reading v1 entitlements', 'entitlements'],
    ['reading a v1 entitlement', 'entitlement/reports'],
  ] as const) {
    testRefusals(() => app, what, {
      method: 'GET',
      path: () => `/v1/org/${app.orgId}/${path}`,
      needs: { permission: 'org.read', in: 'org' },
    })
  }
  testRefusals(() => app, 'changing v1 settings', {
    method: 'PUT',
    path: () => `/v1/org/${app.orgId}/settings`,
    body: () => ({}),
    needs: { permission: 'org.edit', in: 'org' },
    badBodies: [
      ['a string for a boolean', { requestAccess: { enabled: 'no' } }, '/requestAccess/enabled'],
      ['an unknown policyFiles', { policyFiles: 'sometimes' }, '/policyFiles'],
    ],
  })
  testRefusals(() => app, 'reading a feature flag', {
    method: 'GET',
    path: () => `/v1/cli-config/feature-flags/customBranch?org=${app.orgId}`,
    needs: { permission: 'org.read', in: 'org' },
  })
})
