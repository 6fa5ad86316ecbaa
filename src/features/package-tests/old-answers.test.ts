import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startNpmRegistry } from '#test/registries/npm-registry.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

onAnyEngine('stale registry answers', (engine) => {
  let app: TestApp
  let registry: Awaited<ReturnType<typeof startNpmRegistry>>
  before(async () => {
    registry = await startNpmRegistry({
      old: { '1.0.0': { dependencies: { older: '^1.0.0' } } },
      older: { '1.0.0': {} },
    })
    app = await startApp(engine, {
      GATEHOUSE_NPM_REGISTRY: registry.url,
      GATEHOUSE_TEST_WORKERS: '1',
      registryMaxAgeMinutes: 0,
    })
  })
  after(async () => {
    await app.close()
    await registry.close()
  })

  const run = async (dependencies: Record<string, string>, query: Record<string, string> = {}) => {
    const contents = JSON.stringify({ name: 'project', dependencies })
    return app.call('POST', '/v1/test/npm', { body: { files: { target: { contents } } }, query })
  }

  test('stale registry answers: counted in the coverage, with the age of the oldest', async () => {
    const fresh = (await run({ old: '1.0.0' })).json()
    assert.deepEqual([fresh.ok, fresh.coverage.registryAnswers], [true, { stale: 0, oldestStaleAt: null }])
    const { db } = app.parts.services
    const hourAgo = Date.now() - 3_600_000
    await db.updateTable('registry_cache').set({ validated_at: hourAgo }).where('url', 'like', '%/older').execute()
    registry.answerWith(500)
    try {
      const answer = await run({ old: '1.0.0' })
      assert.equal(answer.statusCode, 200, answer.body)
      const { ok, coverage } = answer.json()
      assert.equal(ok, true)
      assert.deepEqual(coverage.registryAnswers, { stale: 2, oldestStaleAt: new Date(hourAgo).toISOString() })
      assert.equal((await run({ old: '1.0.0' })).body, answer.body, 'the same while nothing changed')
    } finally {
      registry.answerWith(200)
    }
    const again = (await run({ old: '1.0.0' })).json()
    assert.deepEqual(again.coverage.registryAnswers, { stale: 0, oldestStaleAt: null })
  })

  test('package that could not be looked up: 502, or a partial result if accepted', async () => {
    registry.answerWith(500)
    try {
      const refused = await run({ old: '1.0.0', 'never-asked': '^1.0.0' })
      assert.equal(refused.statusCode, 502, refused.body)
      assert.equal(refused.json().errorCode, 'registry-unreachable')
      const partial = (await run({ old: '1.0.0', 'never-asked': '^1.0.0' }, { acceptPartial: 'true' })).json()
      assert.deepEqual([partial.ok, partial.coverage.complete], [true, false])
      assert.equal(partial.coverage.unresolved[0].code, 'registry-unreachable')
    } finally {
      registry.answerWith(200)
    }
  })

  test('package that the registry does not have: not ok, unless partial results are accepted', async () => {
    const open = await run({ gone: '1.0.0' })
    assert.equal(open.headers['gatehouse-coverage'], 'partial')
    assert.deepEqual([open.json().ok, open.json().coverage.complete], [false, false])
    const accepted = (await run({ gone: '1.0.0' }, { acceptPartial: 'true' })).json()
    assert.deepEqual([accepted.ok, accepted.coverage.complete], [true, false])
  })

  test('failing registry: logged once with host and reason, for all packages', async () => {
    const warnings = app
      .log()
      .split('\n')
      .filter((line) => line.includes('a registry did not answer'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    const { host } = new URL(registry.url)
    assert.deepEqual(
      warnings.map(({ level, host, reason }) => ({ level, host, reason })),
      [{ level: 40, host, reason: `${host} answered 500` }],
    )
  })
})
