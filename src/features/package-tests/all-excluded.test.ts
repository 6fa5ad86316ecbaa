import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { filesBody } from '#test/manifests/test-bodies.ts'
import { toPomXml } from '#test/registries/short-poms.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

/** Files whose dependencies are all for another environment than the tested one. */
const cases: [ecosystem: string, why: string, target: string, ...additional: string[]][] = [
  ['pip', 'a marker of another system', 'flask==0.12.2; sys_platform == "win32"\n'],
  [
    'rubygems',
    'a gem for platforms that the lockfile is not for',
    "source 'https://registry.example'\ngem 'tzinfo-data', platforms: [:windows]\n",
    'GEM\n  remote: https://registry.example/\n  specs:\n\nPLATFORMS\n  x86_64-linux\n\nDEPENDENCIES\n  tzinfo-data\n',
  ],
  [
    'maven',
    'a profile that is not active',
    toPomXml('org.example:p:1', { profiles: { other: { dependencies: ['org.example:a:1'] } } }),
  ],
]

onAnyEngine('files whose dependencies are all for another environment', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine, { GATEHOUSE_TEST_WORKERS: '1' })
  })
  after(() => app.close())

  for (const [ecosystem, why, target, ...additional] of cases) {
    test(`${ecosystem}, ${why}: not ok, unless the caller accepts partial results`, async () => {
      const post = async (query: Record<string, string>) => {
        const answer = await app.call('POST', `/v1/test/${ecosystem}`, {
          body: filesBody(target, ...additional),
          query,
        })
        assert.equal(answer.statusCode, 200, answer.body)
        return answer.json()
      }
      const result = await post({})
      assert.deepEqual([result.ok, result.coverage.complete, result.dependencyCount], [false, false, 0])
      assert.deepEqual(
        result.coverage.unresolved.map(({ code }: { code: string }) => code),
        ['other-environment'],
      )
      const [{ reason }] = result.coverage.unresolved
      assert.match(
        reason,
        /^The only dependency of these files is .* so it was not tested\. Test it for its environment\.$/,
      )
      assert.equal((await post({ acceptPartial: 'true' })).ok, true)
    })
  }
})
