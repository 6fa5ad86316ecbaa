import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { askBundler, bundlerEdges, normalRequirement } from '#test/manifests/bundler-view.ts'
import { noRegistries } from '#test/registries/registries.ts'
import { sampleOf } from '#test/volume.ts'
import { parseGemfileLock } from './gemfile-lock.ts'
import { rubygems } from './index.ts'

const projects = path.join(import.meta.dirname, '../../../../../shared/data/manifests/rubygems')
const skip = !existsSync(projects)
  ? 'needs ../shared'
  : spawnSync('ruby', ['-rbundler', '-e', '1']).status === 0
    ? false
    : 'needs Ruby with Bundler'

describe('real Gemfile.lock files, compared with Bundler', { skip }, () => {
  for (const project of skip ? [] : sampleOf(readdirSync(projects))) {
    const text = readFileSync(path.join(projects, project, 'Gemfile.lock'), 'utf8')
    const theirs = askBundler(text, path.join(projects, project))

    test(`${project}: Gemfile.lock is parsed as by Bundler`, () => {
      const { gems, direct, bundledWith } = parseGemfileLock(text, 'target')
      const actual = gems.map(({ name, version, platform = 'ruby', dependencies }) =>
        JSON.stringify([
          name,
          version,
          platform,
          dependencies.map((dependency) => [dependency.name, normalRequirement(dependency.requirement)]).sort(),
        ]),
      )
      // Older versions of Bundler omit the C library from a platform's name.
      const plain = actual.map((line) => line.replace('-linux-gnu"', '-linux"'))
      const expected = theirs.specs.map(({ name, version, platform, dependencies }) =>
        JSON.stringify([
          name,
          version,
          platform,
          Object.entries(dependencies)
            .map(([other, range]) => [other, normalRequirement(range)])
            .sort(),
        ]),
      )
      assert.ok(expected.length > 20)
      assert.deepEqual(plain.sort(), expected.sort())
      assert.deepEqual(
        Object.fromEntries(direct.map(({ name, requirement }) => [name, normalRequirement(requirement)])),
        Object.fromEntries(Object.entries(theirs.direct).map(([name, range]) => [name, normalRequirement(range)])),
      )
      assert.equal(bundledWith ?? null, theirs.bundler)
    })

    test(`${project}: packages and edges are those of Bundler`, async () => {
      const options = { includeDev: true, repositories: [], limits: { maxNodes: 10_000 } }
      const { graph } = await rubygems.read({ target: text, additional: [] }, noRegistries, options)
      const labels = graph.nodes.map(({ package: { name, version } }, index) =>
        index === 0 ? 'project' : `${name}@${version}`,
      )
      const edges = graph.nodes.flatMap((node, from) => node.edges.map(({ to }) => `${labels[from]} → ${labels[to]}`))
      assert.deepEqual([...new Set(edges)].sort(), [...bundlerEdges(theirs, text)].sort())
    })
  }
})
