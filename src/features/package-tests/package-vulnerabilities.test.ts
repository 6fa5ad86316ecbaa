import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefusal, testRefusals } from '#test/access/refusals.ts'
import { startNpmRegistry } from '#test/registries/npm-registry.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

onAnyEngine('vulnerabilities of a package', (engine) => {
  let app: TestApp
  let registry: Awaited<ReturnType<typeof startNpmRegistry>>
  before(async () => {
    registry = await startNpmRegistry({
      lodash: { '4.17.4': {}, '4.17.21': {} },
      '@scope/tool': { '1.0.0': { dependencies: { lodash: '4.17.4' } } },
    })
    app = await startApp(engine, { GATEHOUSE_NPM_REGISTRY: registry.url, GATEHOUSE_TEST_WORKERS: '1' })
  })
  after(async () => {
    await app.close()
    await registry.close()
  })

  for (const [name, isVulnerable] of [
    ['lodash%404.17.4', true],
    ['lodash@4.17.21', false],
    ['%40scope%2Ftool%401.0.0', true],
  ] as const) {
    test(`GET /v1/vuln/npm/${name}: ${isVulnerable ? 'lists vulnerabilities' : 'is ok'}`, async () => {
      const answer = await app.call('GET', `/api/v1/vuln/npm/${name}`)
      assert.equal(answer.statusCode, 200, answer.body)
      const { ok, vulnerabilities } = answer.json()
      assert.deepEqual([ok, vulnerabilities.length > 0], [!isVulnerable, isVulnerable])
      assert.ok(vulnerabilities.every(({ title }: { title: string }) => title.length > 0))
    })
  }

  for (const [name, status] of [
    ['lodash', 400],
    ['lodash@', 400],
    ['@scope%2Ftool', 400],
    ['lodash@9.9.9', 404],
    ['no-such-package@1.0.0', 404],
  ] as const) {
    test(`GET /v1/vuln/npm/${name}: returns ${status}`, async () => {
      assert.equal((await app.call('GET', `/v1/vuln/npm/${name}`)).statusCode, status)
    })
  }

  test('GET /v1/vuln with an unreachable registry: returns 502', async () => {
    await registry.close()
    const answer = await app.call('GET', '/v1/vuln/npm/never-asked@1.0.0')
    assertRefusal(answer, { status: 502, code: 'registry-unreachable' })
  })

  testRefusals(() => app, 'GET /v1/vuln', {
    method: 'GET',
    path: () => `/v1/vuln/npm/lodash@4.17.21?org=${app.orgId}`,
    needs: { permission: 'org.package.test', in: 'org' },
  })
})
