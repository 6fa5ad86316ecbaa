import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readProject, writeProject } from './project-bytes.ts'
import type { ProjectTest } from './project-form.ts'

function projectOf(size: number): ProjectTest {
  const packages = Array.from({ length: size }, (_, n) => ({ name: `päckage-${n}`, version: '1.0.0', license: 'MIT' }))
  const nodes = packages.map((_, n) => ({ package: n, edges: n + 1 < size ? [n + 1] : [] }))
  const advice = packages.map((_, n) => ({
    issueId: `issue ${n}`,
    package: n,
    isUpgradable: true,
    isPinnable: false,
    upgradePaths: [['a@2', 'b@"2']],
    upgradedPaths: [['a@1', 'b@1']],
    fixedIn: ['2'],
  }))
  const issues = advice.map(({ issueId, package: number }) => ({ issueId, package: number }))
  const head = { type: 'npm', packageManager: 'npm', language: 'js', registry: 'npm', dependencyCount: size }
  return { ...head, graph: { packages, nodes }, advice, issues, coverage: { complete: true } } as unknown as ProjectTest
}

describe('stored project results', () => {
  for (const size of [0, 1, 10_000]) {
    test(`${size} packages: a written project is read back unchanged, and each part is valid JSON`, async () => {
      const project = projectOf(size)
      const { body, layout } = writeProject(project)
      assert.deepEqual(await readProject({ body, layout }), project)
      const parse = ([from, to]: readonly [number, number]) =>
        JSON.parse(new TextDecoder().decode(body.subarray(from, to)))
      assert.deepEqual(parse(layout.graph), project.graph)
      assert.deepEqual(parse(layout.advice), project.advice)
    })
  }

  test('every piece of a large project is below 100 kB, so that reading it does not block others', async () => {
    const { layout } = writeProject(projectOf(10_000))
    for (const pieces of Object.values(layout.pieces)) {
      for (const [from, to] of pieces) assert.ok(to - from < 100_000, `${to - from} bytes in one piece`)
    }
  })
})
