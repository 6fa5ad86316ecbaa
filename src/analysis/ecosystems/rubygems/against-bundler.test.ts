import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { noRegistries } from '#test/registries.ts'
import { parseGemfileLock } from './gemfile-lock.ts'
import { rubygems } from './index.ts'

/** What Bundler's own parser makes of a lock. */
interface BundlersView {
  readonly specs: readonly {
    readonly name: string
    readonly version: string
    readonly platform: string
    readonly source: string
    readonly dependencies: Record<string, string>
  }[]
  readonly direct: Record<string, string>
  readonly bundler: string | null
}

const script = `
require 'bundler'
require 'json'
lock = Bundler::LockfileParser.new(STDIN.read)
requirement = ->(dependency) { dependency.requirement.to_s }
specs = lock.specs.map do |spec|
  { name: spec.name, version: spec.version.to_s, platform: spec.platform.to_s,
    source: spec.source.class.name.split('::').last,
    dependencies: spec.dependencies.to_h { |each| [each.name, requirement.(each)] } }
end
puts JSON.generate(specs: specs, direct: lock.dependencies.to_h { |name, each| [name, requirement.(each)] }, bundler: lock.bundler_version&.to_s)
`

const projects = path.join(import.meta.dirname, '../../../../../shared/data/manifests/rubygems')
const skip = !existsSync(projects)
  ? 'needs ../shared'
  : spawnSync('ruby', ['-rbundler', '-e', '1']).status === 0
    ? false
    : 'needs Ruby with Bundler'

describe('real Gemfile.lock files as Bundler reads them', { skip }, () => {
  for (const project of skip ? [] : readdirSync(projects)) {
    const text = readFileSync(path.join(projects, project, 'Gemfile.lock'), 'utf8')
    const theirs = askBundler(text, path.join(projects, project))

    test(`${project}: the text`, () => {
      const { gems, direct, bundledWith } = parseGemfileLock(text, 'target')
      const ours = gems.map(({ name, version, platform = 'ruby', dependencies }) =>
        JSON.stringify([
          name,
          version,
          platform,
          dependencies.map((each) => [each.name, normal(each.requirement)]).sort(),
        ]),
      )
      // Older Bundlers leave the C library out of a platform's name.
      const plain = ours.map((line) => line.replace('-linux-gnu"', '-linux"'))
      const expected = theirs.specs.map(({ name, version, platform, dependencies }) =>
        JSON.stringify([
          name,
          version,
          platform,
          Object.entries(dependencies)
            .map(([other, range]) => [other, normal(range)])
            .sort(),
        ]),
      )
      assert.ok(expected.length > 20)
      assert.deepEqual(plain.sort(), expected.sort())
      assert.deepEqual(
        Object.fromEntries(direct.map(({ name, requirement }) => [name, normal(requirement)])),
        Object.fromEntries(Object.entries(theirs.direct).map(([name, range]) => [name, normal(range)])),
      )
      assert.equal(bundledWith ?? null, theirs.bundler)
    })

    test(`${project}: packages and edges`, async () => {
      const options = { includeDev: true, repositories: [], limits: { maxNodes: 10_000 } }
      const { graph } = await rubygems.read({ target: text, additional: [] }, noRegistries, options)
      const labels = graph.nodes.map(({ package: { name, version } }, index) =>
        index === 0 ? 'project' : `${name}@${version}`,
      )
      const edges = graph.nodes.flatMap((node, from) => node.edges.map(({ to }) => `${labels[from]} → ${labels[to]}`))
      assert.deepEqual([...new Set(edges)].sort(), [...walk(theirs, text)].sort())
    })
  }
})

/** In the project's folder, because Bundler wants a Gemfile near. */
function askBundler(text: string, cwd: string): BundlersView {
  const { status, stdout, stderr } = spawnSync('ruby', ['-e', script], { input: text, encoding: 'utf8', cwd })
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout) as BundlersView
}

/** Requirements in any order; Bundler sorts them. */
function normal(requirement: string): string {
  return requirement.split(', ').sort().join(', ')
}

/** All edges of the lock; what has its gemspec in the project's own folder is the project. */
function walk({ specs, direct, bundler }: BundlersView, text: string): Set<string> {
  const own = new Set(
    [...text.matchAll(/^PATH\n {2}remote: \.\n(?: {2}\S.*\n)* {2}specs:\n((?: {4}.*\n)*)/gm)].flatMap(([, block]) =>
      [...block!.matchAll(/^ {4}(\S+) \(/gm)].map(([, name]) => name!),
    ),
  )
  const labelsOf = (name: string) => {
    const found = specs
      .filter((spec) => spec.name === name && !own.has(name))
      .map(({ version }) => `${name}@${version}`)
    return name === 'bundler' && found.length === 0 && bundler !== null ? [`bundler@${bundler}`] : found
  }
  const edges = new Set<string>()
  const add = (from: string, names: readonly string[]) => {
    for (const to of names.flatMap(labelsOf)) edges.add(`${from} → ${to}`)
  }
  add('project', Object.keys(direct))
  for (const { name, version, dependencies } of specs) {
    add(own.has(name) ? 'project' : `${name}@${version}`, Object.keys(dependencies))
  }
  return edges
}
