import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ecosystems } from '#analysis/ecosystems/index.ts'
import type { TestResult } from '#scanning/results/test-result.ts'
import { bareProjects } from '#test/manifests/bare-projects.ts'
import { type Hostile, hostileProjects } from '#test/manifests/hostile-projects.ts'
import { faultOf } from '#test/manifests/result-faults.ts'
import { filesBody } from '#test/manifests/test-bodies.ts'
import { type HostileRegistry, startHostileRegistry } from '#test/registries/hostile-registry.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { volume } from '#test/volume.ts'
import { mutate } from '../verification/fuzz/mutate.ts'
import { createRandom } from '../verification/fuzz/random.ts'
import { manifestCorpus } from '../verification/fuzz/seeds.ts'

const MUTANTS = volume(120)
const SEED = 20261121
const wheel = 'good-1.0-py3-none-any.whl'

describe('hostile projects', () => {
  let app: TestApp
  let registry: HostileRegistry
  before(async () => {
    registry = await startHostileRegistry({
      npm: { good: '{"name":"good","dist-tags":{"latest":"1.0.0"},"versions":{"1.0.0":{"version":"1.0.0"}}}' },
      gems: { good: '---\n1.0 |checksum:0\n' },
      go: { good: 'module example.com/good\n' },
      pypi: {
        good: JSON.stringify({
          meta: { 'api-version': '1.0' },
          name: 'good',
          files: [{ filename: wheel, url: `../${wheel}`, hashes: {}, 'core-metadata': true }],
        }),
        [`${wheel}.metadata`]: 'Metadata-Version: 2.1\nName: good\nVersion: 1.0\n',
      },
      maven: {
        'good-1.0.pom': '<project><groupId>g</groupId><artifactId>good</artifactId><version>1.0</version></project>',
      },
    })
    app = await startApp('sqlite', {
      ...registry.environment,
      GATEHOUSE_TEST_WORKERS: '1',
      GATEHOUSE_TEST_SECONDS: '300',
    })
  })
  after(async () => {
    await app.close()
    await registry[Symbol.asyncDispose]()
  })

  const send = (id: string, [target, ...additional]: readonly string[]) =>
    app.call('POST', `/v1/test/${id}`, {
      body: filesBody(target!, ...additional),
    })

  for (const ecosystem of ecosystems) {
    const { id } = ecosystem
    describe(id, () => {
      for (const [what, files, outcome] of hostileProjects[id] ?? []) {
        test(`${id} project with ${what}: ${outcome}`, async () => {
          const answer = await send(id, files)
          assert.equal(faultOf(answer), undefined)
          assert.ok(isAsExpected(answer, outcome), `${answer.statusCode} ${answer.body.slice(0, 1_500)}`)
        })
      }

      test(`${id} fixtures with ${MUTANTS} mutations: a refusal or a result that states its coverage`, async () => {
        const { seeds } = manifestCorpus(ecosystem)
        const random = createRandom(SEED)
        const donor = () => random.pick(seeds)
        const pantry = { random, tokens: ['good'], donor, maxCharacters: 20_000 }
        const complaints: string[] = []
        const queue = Array.from({ length: MUTANTS }, () => mutate(donor(), pantry, true)).values()
        await Promise.all(
          Array.from({ length: 4 }, async () => {
            for (const { texts } of queue) {
              const answer = await send(id, texts)
              // Unpublished packages are answered, so a 502 is a fault here.
              const fault = faultOf(answer)
              if (fault !== undefined) complaints.push(`${fault}\n    ${JSON.stringify(texts).slice(0, 800)}`)
            }
          }),
        )
        assert.deepEqual(complaints.slice(0, 5), [], `${complaints.length} of ${MUTANTS}`)
      })
    })
  }

  test('every ecosystem has hostile cases', () => {
    const without = ecosystems.filter(({ id }) => id !== 'npm' && hostileProjects[id] === undefined)
    assert.deepEqual(without, [])
  })

  test('the server still tests after all hostile projects, without internal errors in its log', async () => {
    for (const { id } of ecosystems) {
      const project = bareProjects[id]?.('good')
      if (project === undefined) continue
      const answer = await send(id, project)
      assert.equal(answer.statusCode, 200, answer.body)
      const { coverage, issues } = answer.json() as TestResult
      assert.equal(coverage.complete, true, answer.body)
      // The Go project is for a release of Go that has issues of its own.
      const vulnerabilities = issues.vulnerabilities.filter((vulnerability) => vulnerability.package !== 'stdlib')
      assert.deepEqual(vulnerabilities, [], id)
    }
    assert.ok(!/"level":(50|60)/.test(app.log()), 'the server logged a failure of its own')
  })
})

function isAsExpected({ statusCode, body }: { statusCode: number; body: string }, outcome: Hostile[2]): boolean {
  if (outcome === 'refused') return statusCode === 400
  if (outcome === 'refused or named') return statusCode === 400 || isPartial(statusCode, body)
  if (outcome === 'named') return isPartial(statusCode, body)
  return statusCode === 200 && (JSON.parse(body) as TestResult).coverage.unresolved.length === 0
}

function isPartial(statusCode: number, body: string): boolean {
  // No result is complete for a registry without advisories.
  return statusCode === 200 && (JSON.parse(body) as TestResult).coverage.unresolved.length > 0
}
