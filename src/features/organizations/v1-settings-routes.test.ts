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

onAnyEngine('what clients ask before they begin', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  test('settings say what cannot be turned on', async () => {
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

  test('policy files: decided, kept by other changes, audited once', async () => {
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

  test('entitlements say what is here', async () => {
    const all = (await app.call('GET', '/v1/org/default-org/entitlements')).json()
    assert.deepEqual(all, { licenses: true, reports: false, fullVulnDB: false })
    for (const [name, value] of Object.entries(all)) {
      assert.equal((await app.call('GET', `/v1/org/${app.orgId}/entitlement/${name}`)).json(), value)
    }
    assert.equal((await app.call('GET', `/v1/org/${app.orgId}/entitlement/more`)).statusCode, 400)
  })

  test('features say whether they are here', async () => {
    const path = '/v1/cli-config/feature-flags'
    const here = await app.call('GET', `${path}/customBranch`, { query: { org: app.orgId } })
    assert.deepEqual(here.json(), { ok: true })
    const other = await app.call('GET', `${path}/somethingElse`)
    assert.equal(other.statusCode, 200)
    assert.equal(other.json().ok, false)
    assert.match(other.json().userMessage, /somethingElse/)
  })

  for (const [what, path] of [
    ['settings', 'settings'],
    ['entitlements', 'entitlements'],
    ['an entitlement', 'entitlement/reports'],
  ] as const) {
    testRefusals(() => app, what, {
      method: 'GET',
      path: () => `/v1/org/${app.orgId}/${path}`,
      needs: { permission: 'org.read', in: 'org' },
    })
  }
  testRefusals(() => app, 'a change of settings', {
    method: 'PUT',
    path: () => `/v1/org/${app.orgId}/settings`,
    body: () => ({}),
    needs: { permission: 'org.edit', in: 'org' },
    badBodies: [
      ['a word for a no', { requestAccess: { enabled: 'no' } }, '/requestAccess/enabled'],
      ['an unknown decision', { policyFiles: 'sometimes' }, '/policyFiles'],
    ],
  })
  testRefusals(() => app, 'a feature', {
    method: 'GET',
    path: () => `/v1/cli-config/feature-flags/customBranch?org=${app.orgId}`,
    needs: { permission: 'org.read', in: 'org' },
  })
})
